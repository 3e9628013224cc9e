"""Exact odds of a roll, in small pieces.

Everything here follows from two facts.  A die shows each of its sides with the same chance, and
dice do not know of each other.  So a question about one die is a count of sides, and a question
about several is a product of such counts.

Take one ground floor die.  Three of its six sides show a low-rise::

    >>> from skyline_kernel.skyline import Face, Kind, shipped_dice_set
    >>> dice = shipped_dice_set("standard")
    >>> face_chances(dice, Kind.GROUND)[Face.LOW]
    Fraction(1, 2)

How many of three such dice show a low-rise?  Zero to three, with these chances::

    >>> low = count_chances(dice, (3, 0, 0), lambda die: die.face is Face.LOW)
    >>> [str(chance) for chance in low]
    ['1/8', '3/8', '3/8', '1/8']
    >>> at_least(low, 2)
    Chance(exact=Fraction(1, 2))

A position in phase ``ROLL`` has dice that are rolled and dice that were kept; the functions that
take a `State` count both.  `odds_of` and `after_choice` lead there from any choice of dice and any
reroll.  What a column takes does not depend on the other dice, so the chance that nothing can be
built is the product over the rolled dice of

    sides that cannot be built / all sides,

and 0 where a kept die can be built already.  The tests list all outcomes instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from .actions import Action, Reroll, Take, TakeDistrict
from .choices import legal_actions
from .columns import GROWTH, STARTS, Column, Skyline
from .dice import FACES, KINDS, Die, Face, Kind, KindCounts, count_kinds, sorted_dice
from .dice_sets import DiceSet, Outcome, roll_outcomes
from .state import Phase, State
from .transitions import successor

__all__ = [
    "BuildOdds",
    "Chance",
    "after_choice",
    "at_least",
    "build_odds",
    "buildable_chance",
    "choices_before_roll",
    "count_chances",
    "dice_chances",
    "expected_count",
    "face_chances",
    "face_count_chances",
    "finish_odds",
    "is_buildable",
    "odds_of",
    "roll_chances",
]

Predicate = Callable[[Die], bool]
"""Says of a die with its face whether it is one of those that are counted."""


@dataclass(frozen=True, slots=True)
class Chance:
    """A probability, exactly and as a float.

    Parameters
    ----------
    exact : Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> float(Chance(Fraction(25, 36)))
    0.6944444444444444
    >>> Chance(Fraction(25, 36)).as_dict()
    {'exact': '25/36', 'float': 0.6944444444444444}
    """

    exact: Fraction

    def __float__(self) -> float:
        """Return the nearest float."""
        return float(self.exact)

    def as_dict(self) -> dict[str, str | float]:
        """Return both forms in plain types, as the text interface prints them."""
        return {"exact": str(self.exact), "float": float(self.exact)}


@dataclass(frozen=True, slots=True)
class BuildOdds:
    """The chance to be able to build after a roll.

    Parameters
    ----------
    build : Fraction
        Probability in [0, 1] that at least one active die, rolled or kept, can be built.
    """

    build: Fraction

    @property
    def stuck(self) -> Fraction:
        """Probability in [0, 1] that no active die can be built."""
        return 1 - self.build


# --- one die ----------------------------------------------------------------------------------


def face_chances(dice_set: DiceSet, kind: Kind) -> dict[Face, Fraction]:
    """Return the chance of each face of one die; faces that it does not have are left out.

    Examples
    --------
    >>> from skyline_kernel.skyline import Kind, shipped_dice_set
    >>> chances = face_chances(shipped_dice_set("standard"), Kind.PENTHOUSE)
    >>> {str(face): str(chance) for face, chance in chances.items()}
    {'m': '1/3', 'h': '1/6', '-': '1/2'}
    """
    sides = [Die(kind + face) for face in FACES]
    return {
        face: dice_set.probability(die)
        for face, die in zip(FACES, sides, strict=True)
        if dice_set.weight(die)
    }


def is_buildable(skyline: Skyline, die: Die) -> bool:
    """Return whether `die` starts a building or fits on a column of `skyline`.

    Examples
    --------
    >>> from skyline_kernel.skyline import Column, Die
    >>> is_buildable((Column("h1"),), Die("Ph"))
    False
    >>> is_buildable((Column("h2"),), Die("Ph"))
    True
    """
    return die in STARTS or any((column, die) in GROWTH for column in skyline)


def buildable_chance(skyline: Skyline, kind: Kind, dice_set: DiceSet) -> Fraction:
    """Return the chance that one rolled die of `kind` can be built on `skyline`, in [0, 1].

    Examples
    --------
    >>> from skyline_kernel.skyline import Column, Kind, shipped_dice_set
    >>> buildable_chance((Column("m1"),), Kind.UPPER, shipped_dice_set("standard"))
    Fraction(1, 3)
    """
    good = _good_sides(dice_set, kind, lambda die: is_buildable(skyline, die))
    return Fraction(good, dice_set.n_sides(kind))


def _good_sides(dice_set: DiceSet, kind: Kind, is_good: Predicate) -> int:
    place = KINDS.index(kind)
    sides = zip(_SIDES[place], dice_set.weights[place], strict=True)
    return sum(weight for die, weight in sides if weight and is_good(die))


_SIDES = [[Die(kind + face) for face in FACES] for kind in KINDS]
"""What the sides of each kind of die can show, shape ``(3, 4)``."""


# --- several dice -----------------------------------------------------------------------------


def roll_chances(dice_set: DiceSet, counts: KindCounts) -> dict[Outcome, Fraction]:
    """Return the distribution of a roll: each distinct outcome with its chance.

    Parameters
    ----------
    dice_set : DiceSet
    counts : KindCounts
        How many dice of each kind are rolled.

    Returns
    -------
    dict of Outcome to Fraction
        Sums to exactly 1.  There are at most ``comb(n + 3, 3)`` outcomes for each kind with
        ``n`` dice, so large districts take long.

    Examples
    --------
    >>> from skyline_kernel.skyline import shipped_dice_set
    >>> chances = roll_chances(shipped_dice_set("standard"), (0, 0, 2))
    >>> {",".join(dice): str(chance) for dice, chance in chances.items()}
    {'Pm,Pm': '1/9', 'Pm,Ph': '1/9', 'Pm,P-': '1/3', 'Ph,Ph': '1/36', 'Ph,P-': '1/6', 'P-,P-': '1/4'}
    """
    return dict(roll_outcomes(dice_set, counts))


def count_chances(
    dice_set: DiceSet, counts: KindCounts, is_good: Predicate
) -> tuple[Fraction, ...]:
    """Return the distribution of how many of some rolled dice are good.

    Each kind alone has a binomial distribution; the kinds are added up one after the other.

    Parameters
    ----------
    dice_set : DiceSet
    counts : KindCounts
        How many dice of each kind are rolled.
    is_good : callable
        Says of a die with its face whether it counts.

    Returns
    -------
    tuple of Fraction
        Chance of 0, 1, ... good dice, shape ``(n_dice + 1,)``; sums to exactly 1.

    Examples
    --------
    At least one of two upper floors and a penthouse shows a high-rise:

    >>> from skyline_kernel.skyline import Face, shipped_dice_set
    >>> dice = shipped_dice_set("standard")
    >>> high = count_chances(dice, (0, 2, 1), lambda die: die.face is Face.HIGH)
    >>> at_least(high, 1)
    Chance(exact=Fraction(91, 216))
    """
    ways = [1]
    for kind, n_dice in zip(KINDS, counts, strict=True):
        good = _good_sides(dice_set, kind, is_good)
        ways = _added(ways, _binomial_ways(n_dice, good, dice_set.n_sides(kind) - good))
    total = sum(ways)
    return tuple(Fraction(way, total) for way in ways)


def _binomial_ways(n_dice: int, good: int, bad: int) -> list[int]:
    return [comb(n_dice, k) * good**k * bad ** (n_dice - k) for k in range(n_dice + 1)]


def _added(first: Sequence[int], second: Sequence[int]) -> list[int]:
    """Count the ways to reach each sum of two independent counts."""
    ways = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            ways[i + j] += a * b
    return ways


def at_least(chances: Sequence[Fraction], n: int) -> Chance:
    """Return the chance of a count of at least `n`.

    Parameters
    ----------
    chances : sequence of Fraction
        Chance of 0, 1, ... as `count_chances` gives them.
    n : int
        Of any size: at least 0 is certain, more than there are dice is impossible.

    Examples
    --------
    >>> at_least([Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)], 1)
    Chance(exact=Fraction(3, 4))
    """
    return Chance(sum(chances[max(n, 0) :], Fraction(0)))


def expected_count(chances: Sequence[Fraction]) -> Fraction:
    """Return the mean of a count.

    Examples
    --------
    >>> expected_count([Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)])
    Fraction(1, 1)
    """
    return sum((n * chance for n, chance in enumerate(chances)), Fraction(0))


# --- a roll in a position ---------------------------------------------------------------------


def _due(state: State) -> tuple[list[Die], KindCounts]:
    """Return the kept dice and how many dice of each kind are rolled."""
    if state.phase is not Phase.ROLL:
        raise ValueError(f"phase {state.phase}: expected phase roll")
    kept = [die for die in state.dice if die.is_rolled]
    return kept, count_kinds(die.kind for die in state.dice if not die.is_rolled)


def dice_chances(state: State) -> dict[Outcome, Fraction]:
    """Return the distribution of the active dice after the roll that is due, kept ones included.

    Raises
    ------
    ValueError
        If no roll is due.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> state = parse_position("h1 G1U1P1 Gl,P? roll 1.1")
    >>> {",".join(dice): str(chance) for dice, chance in dice_chances(state).items()}
    {'Gl,Pm': '1/3', 'Gl,Ph': '1/6', 'Gl,P-': '1/2'}
    """
    kept, counts = _due(state)
    return {
        sorted_dice((*kept, *outcome)): chance
        for outcome, chance in roll_outcomes(state.rules.dice_set, counts)
    }


def face_count_chances(state: State, face: Face) -> tuple[Fraction, ...]:
    """Return the distribution of how many active dice show `face` after the roll that is due.

    Returns
    -------
    tuple of Fraction
        Chance of 0, 1, ... dice, kept ones included, shape ``(n_active_dice + 1,)``.

    Raises
    ------
    ValueError
        If no roll is due.

    Examples
    --------
    >>> from skyline_kernel.skyline import Face, parse_position
    >>> state = parse_position("h1 G1U1P1 Gl,U?,P? roll 1.1")
    >>> [str(chance) for chance in face_count_chances(state, Face.LOW)]
    ['0', '1/2', '1/2', '0']
    """
    kept, counts = _due(state)
    rolled = count_chances(state.rules.dice_set, counts, lambda die: die.face is face)
    n_kept = sum(die.face is face for die in kept)
    never = [Fraction(0)] * (len(kept) - n_kept)
    return (*[Fraction(0)] * n_kept, *rolled, *never)


def _any_good(state: State, is_good: Predicate) -> Fraction:
    """Return the chance that at least one active die is good after the roll that is due."""
    kept, counts = _due(state)
    if any(map(is_good, kept)):
        return Fraction(1)
    # Whole numbers, and one fraction at the end: many times faster than a product of fractions.
    none = total = 1
    for kind, n_dice in zip(KINDS, counts, strict=True):
        if n_dice:
            n_sides = state.rules.dice_set.n_sides(kind)
            none *= (n_sides - _good_sides(state.rules.dice_set, kind, is_good)) ** n_dice
            total *= n_sides**n_dice
    return Fraction(total - none, total)


def build_odds(state: State) -> BuildOdds:
    """Return the odds of the roll that is due in `state`.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.

    Raises
    ------
    ValueError
        If no roll is due.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> build_odds(parse_position("m2 G1U1P1 U?,P? roll 3.1")).build
    Fraction(5, 9)
    """
    return BuildOdds(_any_good(state, lambda die: is_buildable(state.skyline, die)))


def finish_odds(state: State, column: Column) -> Chance:
    """Return the chance that the roll that is due lets `column` be finished with one die.

    Meant is: after the roll there is an active die, rolled or kept, that can be built on
    `column` as it stands and finishes it.  What could be finished with two dice, or after
    rolling again, is not counted.

    Parameters
    ----------
    state : State
        In phase ``ROLL``.
    column : Column
        One of the columns of the player to move.

    Raises
    ------
    ValueError
        If no roll is due, or the player to move has no such column.

    Examples
    --------
    >>> from skyline_kernel.skyline import Column, parse_position
    >>> state = parse_position("h3,l1 G1U1P1 U?,U?,P? roll 3.1")
    >>> finish_odds(state, Column("h3")).exact, finish_odds(state, Column("l1")).exact
    (Fraction(1, 6), Fraction(3, 4))
    """
    if column not in state.skyline:
        raise ValueError(f"column {column}: expected one of {', '.join(state.skyline) or '-'}")
    return Chance(_any_good(state, lambda die: _finishes(column, die)))


def _finishes(column: Column, die: Die) -> bool:
    taller = GROWTH.get((column, die))
    return taller is not None and taller.is_finished


# --- from a decision to its roll --------------------------------------------------------------


def choices_before_roll(state: State) -> list[Action]:
    """List the legal actions that lead to a roll: every choice of dice, or every reroll.

    Examples
    --------
    >>> from skyline_kernel.skyline import new_game
    >>> len(choices_before_roll(new_game()))
    11
    """
    return [action for action in legal_actions(state) if _leads_to_roll(action)]


def _leads_to_roll(action: Action) -> bool:
    return isinstance(action, Take | TakeDistrict | Reroll)


def after_choice(state: State, action: Action) -> State:
    """Return the position after `action`, where its roll is due.

    Raises
    ------
    ValueError
        If `action` leads to no roll.
    IllegalActionError
        If it is not allowed in `state`.

    Examples
    --------
    >>> from skyline_kernel.skyline import Column, new_game, parse_action
    >>> due = after_choice(new_game(), parse_action("take GUU"))
    >>> build_odds(due).build
    Fraction(1, 1)
    """
    if not _leads_to_roll(action):
        raise ValueError(f"{type(action).__name__.lower()}: expected dice to be taken or rerolled")
    return successor(state, action)


def odds_of(state: State, action: Action) -> BuildOdds | None:
    """Return the odds of the roll that `action` leads to, None if it leads to none.

    Raises
    ------
    IllegalActionError
        If the action is not allowed in `state`.

    Examples
    --------
    >>> from skyline_kernel.skyline import new_game, parse_action
    >>> odds_of(new_game(), parse_action("take UPP")).build
    Fraction(1, 6)
    """
    return build_odds(successor(state, action)) if _leads_to_roll(action) else None
