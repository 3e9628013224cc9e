r"""Exact values of every decision, by backward induction.

**States.**  Within a turn a position is ``(S, A)``: the unfinished columns ``S`` of the player to
move, as a multiset, and the active dice ``A``, as a multiset of faces for each kind.  Finished
buildings add to the score and to nothing else, so all values here are *gains*: points still to
come beyond those that are displayed.  A lone low-rise ground floor is displayed as one point, so
building one gains 1, finishing it gains 3 more, and a game that is over gains nothing.

**Recursion.**  Let ``V_t(S)`` be the gain to be expected with ``t`` turns from the yard to come.
A turn with ``t`` turns behind it has three values.  ``end(S) = V_t(S)`` is what the skyline is
worth when the turn ends, 0 if a six-storey building that ends the game was finished.  Then::

    use(S, A)  = max over dice d of A, over ways to use d:  gain + more(S after it, A - d)
    roll(S, K, R) = mean over what the dice R show of       use(S, K + shown)
    more(S, A) = max of  end(S),  use(S, A),  roll(S, A - R, R)  for all parts R of A, not empty
    more(S, nothing) = end(S)

    V_{t+1}(S) = max over the ten ways to take three dice R of  roll(S, nothing, R)
    V_0(S) = 0

Taking the abandoned district is one more ``roll`` at the start of the present turn.

**Why it ends.**  Every pass through ``use`` takes a die away and no other step adds one; every
turn lowers ``t``.  So the values are found from few dice to many and from the last turn back, and
each is computed once.  There is no search, no sampling, and no cap on columns other than those
that `domain` proves to change nothing.

**Discards.**  A die can be built, abandoned, or given for a demolition.  Some theorems shorten
the work; the tests hold each of them against a brute force that tries every action:

1. *A column more is never worse.*  Play as if it did not stand; nothing obliges one to use it.
2. *An active die more is never worse once a die was used.*  Keep it through every roll and end
   with it; it goes to the yard.  So ``more(S, A + d) >= more(S, A)``.
3. So no step needs more than one discard, and none that builds needs any: take the plan of such a
   step, leave the discards out and keep the dice.  By 1 and 2 what follows is not worse.
4. *Demolishing is never better than abandoning the same die for the score*, by 1, as the column
   that goes was worth something or nothing.  Where the district counts it can be better, and
   there it is tried (`gift`).
5. *A die that can start a column need not be discarded.*  The column costs nothing, by 1, and the
   district has a die less.
6. By 3 the printed edition, which wants one kind of action a step, loses nothing: after every roll
   and before every take both editions have the same values and share their tables.  They differ
   after a discard, where the online edition may still build and the printed one may only roll
   again or end; these values are computed apart (`positions`).
7. *More dice in the district are never worse for the score*, as in 2.

**The end of the game.**  Without the option of nine rounds a six-storey building takes all later
turns of its owner away.  It is one more bit of the skyline.  Opponents are taken not to end the
game early, and the supply counts as unlimited.

**Objectives.**  ``score``: the above.  ``turn``: the same with ``V_t = 0``, the displayed points at
the end of this turn; all its values are rational and computed as such (`numbers`).  ``margin``:
``end`` is lowered by what the district, as the turn leaves it, is worth to the next seat (`gift`).

**Error.**  Floats enter where ``t > 0``.  Let ``u = 2**-53`` and let all values be at most 1000.
Rolling one die costs a rounding for each weight, product and sum, so at most ``5 u`` relatively
for four faces.  With ``n`` dice active a chain of decisions rolls at most ``n (n + 1) / 2`` dice in
all, 6 for a turn from the yard, and adds ``n`` gains: at most ``(5 * 6 + 3) u`` a turn.  Maxima and
skylines add no error.  Nine turns are below ``300 u * 1000 < 4e-11`` points, and a district of
twelve dice adds as much again at most once.  All sums are taken in one order, so a table is the
same to the last bit wherever it is built.

**Modules.**  `skylines` packs skylines into integers, `domain` says which are worth the same,
`hands` numbers the faces of equal dice, `moves` finds the skylines of a turn, `turn` is the
recursion, `numbers` are floats or exact integers, `practice` are the turns from the yard,
`tables` solves them, `store` keeps them in files, `rebuild` is the command that makes those,
`positions` reads values of positions off, `gift` does the same for ``margin``.
"""
