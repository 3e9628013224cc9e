"""Hypothesis strategies for every value of the game, and one steady profile for all laws."""

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from tables import SHIPPED_DICE

from skyline_kernel.skyline import (
    Column,
    DiceSet,
    Die,
    Edition,
    Phase,
    Rules,
    State,
    Step,
    shipped_dice_set,
)
from skyline_kernel.skyline.columns import sorted_skyline
from skyline_kernel.skyline.dice import sorted_dice
from skyline_kernel.skyline.state import defects

STEADY = settings(
    derandomize=True,
    deadline=None,
    database=None,
    max_examples=80,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
"""Every run draws the same examples."""

names = st.from_regex(r"[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,2}", fullmatch=True).filter(
    lambda name: name not in {"online", "printed", "nine", "box", *SHIPPED_DICE}
)
sides = st.tuples(*[st.integers(0, 4)] * 4).filter(any)
own_dice_sets = st.builds(DiceSet, names, st.tuples(sides, sides, sides))
dice_sets = st.sampled_from(SHIPPED_DICE).map(shipped_dice_set) | own_dice_sets
rules = st.builds(Rules, st.sampled_from(Edition), st.booleans(), st.booleans(), dice_sets)
skylines = st.lists(st.sampled_from(Column), max_size=5).map(sorted_skyline)
rolled_dice = st.sampled_from([die for die in Die if die.is_rolled])


@st.composite
def states(draw: st.DrawFn, phase: Phase | None = None, max_dice: int = 6) -> State:
    """Draw any sound state: set-up positions of analysts as well as those of games."""
    in_force = draw(rules)
    n_players = draw(st.integers(1, 4))
    where = phase or draw(st.sampled_from(Phase))
    needs_step = where is Phase.MORE and in_force.edition is Edition.PRINTED
    is_over = where is Phase.OVER
    is_last = not in_force.nine and draw(st.booleans())
    state = State(
        skylines=tuple(draw(skylines) for _ in range(n_players)),
        district=draw(st.tuples(*[st.integers(0, 3)] * 3).filter(any)),
        dice=_dice(draw, where, in_force.dice_set, max_dice),
        phase=where,
        step=draw(st.sampled_from(Step)) if needs_step else None,
        round=9 if is_over and not is_last else draw(st.integers(1, 9)),
        seat=n_players if is_over else draw(st.integers(1, n_players)),
        is_last_round=is_last,
        rules=in_force,
    )
    return state if not defects(state) else _unlimited(state)


def _unlimited(state: State) -> State:
    """Return the state without the box that it does not fit into."""
    rules = Rules(state.rules.edition, state.rules.nine, box=False, dice_set=state.rules.dice_set)
    sound = State(
        state.skylines,
        state.district,
        state.dice,
        state.phase,
        state.step,
        state.round,
        state.seat,
        state.is_last_round,
        rules,
    )
    assert not defects(sound)
    return sound


def _dice(draw: st.DrawFn, phase: Phase, dice_set: DiceSet, max_dice: int) -> tuple[Die, ...]:
    if phase in (Phase.TAKE, Phase.OVER):
        return ()
    possible = [die for die in Die if dice_set.weight(die)]
    if phase is Phase.ROLL:
        unrolled = [die for die in Die if not die.is_rolled]
        due = draw(st.lists(st.sampled_from(unrolled), min_size=1, max_size=max_dice - 1))
        kept = draw(st.lists(st.sampled_from(possible), max_size=max_dice - len(due)))
        return sorted_dice((*due, *kept))
    return sorted_dice(draw(st.lists(st.sampled_from(possible), min_size=1, max_size=max_dice)))
