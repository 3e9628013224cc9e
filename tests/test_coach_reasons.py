"""Reasons: no number and no clause of any sentence is untrue, by two other routes."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement, product

import pytest
from brute_force import action_values as brute_force
from hypothesis import given, settings
from sound_states import STEADY, states

from skyline_kernel.skyline import (
    Column,
    Die,
    Edition,
    Phase,
    Rules,
    State,
    format_action,
    format_position,
    legal_actions,
    new_game,
    parse_action,
    parse_position,
)
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.coach.checking import untruths
from skyline_kernel.skyline.coach.decisions import choices_in
from skyline_kernel.skyline.coach.reasons import ClauseKind, Reason, explain
from skyline_kernel.skyline.coach.sentences import Sentence, plain, reason
from skyline_kernel.skyline.columns import sorted_skyline
from skyline_kernel.skyline.dice import sorted_dice

SKYLINES = [(), (Column.LOW_1,), (Column.MID_1,), (Column.HIGH_5, Column.MID_3), (Column.HIGH_2,)]
FACES = ["Gl", "Gh", "Ul", "Uh", "Pm", "Ph", "P-"]


def by_brute_force(state: State) -> Mapping[str, float]:
    """The value of every action, in fractions and from the rules text alone."""
    values = brute_force(format_position(state))
    return {format_action(parse_action(name)): float(value) for name, value in values.items()}


def by_advice(state: State) -> Mapping[str, float]:
    """The value of every action as the kit ranks it."""
    return {format_action(one.action): one.value for one in advise(state).actions}


def small_variant(edition: Edition, n_dice: int) -> Iterator[State]:
    """All positions of the last turn with some skylines and some dice."""
    start = replace(new_game(1, Rules(edition)), round=9)
    steps = [None] if edition is Edition.ONLINE else ["build", "abandon", "demolish"]
    hands = combinations_with_replacement([Die(face) for face in FACES], n_dice)
    for skyline, dice in product(SKYLINES, hands):
        state = replace(start, skylines=(skyline,), dice=sorted_dice(dice), phase=Phase.USE)
        yield state
        for step in steps:
            suffix = "" if step is None else f":{step}"
            text = format_position(state).replace(" use ", f" more{suffix} ")
            yield parse_position(text)


def expect_true(state: State, values: Mapping[str, float], judge: object) -> Counter[ClauseKind]:
    """Explain every action of a position and have each clause checked."""
    kinds: Counter[ClauseKind] = Counter()
    for action in legal_actions(state):
        said = explain(state, action)
        assert untruths(said, judge) == [], format_position(state)  # type: ignore[arg-type]
        best = max(values.values())
        assert said.loss == pytest.approx(best - values[format_action(action)], abs=1e-9)
        kinds.update(clause.kind for clause in said.clauses)
    return kinds


@pytest.mark.parametrize("edition", list(Edition))
def test_every_clause_is_true_in_all_positions_with_one_die(edition: Edition) -> None:
    kinds: Counter[ClauseKind] = Counter()
    for state in small_variant(edition, 1):
        kinds += expect_true(state, by_brute_force(state), by_brute_force)
    assert {ClauseKind.VERDICT, ClauseKind.ROLL, ClauseKind.OVER, ClauseKind.BEHIND} <= set(kinds)


@pytest.mark.slow
@pytest.mark.parametrize("edition", list(Edition))
def test_every_clause_is_true_in_all_positions_with_two_dice(edition: Edition) -> None:
    kinds: Counter[ClauseKind] = Counter()
    for state in small_variant(edition, 2):
        kinds += expect_true(state, by_brute_force(state), by_brute_force)
    assert {ClauseKind.KEEPS, ClauseKind.FITS, ClauseKind.NEXT, ClauseKind.AHEAD} <= set(kinds)


@pytest.mark.slow
@settings(STEADY, max_examples=40)
@given(states(max_dice=4))
def test_every_clause_is_true_in_random_positions(state: State) -> None:
    if state.phase in (Phase.ROLL, Phase.OVER) or sum(state.district) > 5:
        return
    few = [column for column in state.skyline if not column.is_finished][:3]
    rules = replace(state.rules, dice_set=Rules().dice_set, box=False)
    skylines = (
        *state.skylines[: state.seat - 1],
        sorted_skyline(few),
        *state.skylines[state.seat :],
    )
    dice = tuple(die for die in state.dice if rules.dice_set.weight(die))
    if state.dice and not dice:
        return
    state = replace(state, rules=rules, skylines=skylines, dice=dice)
    offered = choices_in(state)
    for number in {0, len(offered.values) - 1, int(offered.values.argmin())}:
        assert untruths(explain(state, offered.actions[number]), by_advice) == []


def test_a_reason_that_is_not_true_is_caught() -> None:
    state = parse_position("h5,m2 G1U1P1 Gl,Um,P- more 7.1 online")
    said = explain(state, parse_action("reroll Gl,Um,P-"))
    assert untruths(said, by_advice) == []
    n_caught = 0
    for place, clause in enumerate(said.clauses):
        for name, value in clause.sentence.fields.items():
            if isinstance(value, int | float) and not isinstance(value, bool):
                false = Sentence(
                    clause.sentence.template, {**clause.sentence.fields, name: value + 1}
                )
                told = (*said.clauses[:place], clause._replace(sentence=false))
                lie = replace(said, clauses=told)
                assert untruths(lie, by_advice), (clause.kind, name)
                n_caught += 1
    assert n_caught > 6


def told(position: str, action: str, better: str | None = None) -> Reason:
    """Explain an action of a position."""
    other = None if better is None else parse_action(better)
    return explain(parse_position(position), parse_action(action), other)


def test_the_rolls_in_which_nothing_fits_are_counted() -> None:
    said = told("m1 G1U1P1 Uh,P- more 9.1 online", "reroll Uh,P-")
    stuck = next(c for c in said.clauses if "no die fits" in c.sentence.template)
    # An upper floor fits in two of six sides, a penthouse in two of six: 4/6 * 4/6.
    assert Fraction(int(plain(stuck.sentence.fields["k"])), 36) == Fraction(4, 9)
    assert "in 16 of 36 rolls" in str(stuck.sentence)


def test_what_the_better_action_keeps_is_named() -> None:
    said = told("h5 G1U1P1 Ul,Ph more 9.1 online+nine", "reroll Ul,Ph", "reroll Ul")
    kinds = {clause.kind: clause for clause in said.clauses}
    assert kinds[ClauseKind.KEEPS].sentence.fields["dice"] == (Die.PENTHOUSE_HIGH,)
    assert str(kinds[ClauseKind.FITS].sentence) == "The kept die Ph can still be built."


def test_six_storeys_that_give_turns_up_are_named() -> None:
    said = told("h5 G1U1P1 Ul,Ph use 4.1 online", "build Ph@h5")
    clause = next(one for one in said.clauses if one.kind is ClauseKind.ENDS_GAME)
    assert clause.sentence.fields["turns"] == 5


def test_equal_best_choices_are_told_as_equal() -> None:
    said = told("- G1U1P1 Uh,Uh use 9.1 online", "abandon Uh")
    assert said.loss == 0
    assert "equally good" in str(said) or "No choice is as good" in str(said)


def test_sentences_travel_and_cannot_be_changed() -> None:
    said = reason("{k} of {n}", k=0, n=Fraction(1, 3))
    assert str(said) == "0 of 1/3"
    assert pickle.loads(pickle.dumps(said)) == said
    assert hash(said) == hash(reason("{k} of {n}", k=0, n=Fraction(1, 3)))
    with pytest.raises(TypeError):
        said.fields["k"] = 1  # type: ignore[index]
    assert said.as_dict()["text"] == "0 of 1/3"
