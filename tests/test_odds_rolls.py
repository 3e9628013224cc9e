"""Odds of one roll, against lists of all equally likely rolls and against another library."""

import doctest
import importlib
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from brute_force import WEIGHTS, grow
from hypothesis import given
from hypothesis import strategies as st
from icepool import Die as IceDie
from tables import SHIPPED_DICE, at

from skyline_kernel.skyline import (
    Column,
    Die,
    Face,
    IllegalActionError,
    Kind,
    build_odds,
    legal_actions,
    legal_builds,
    new_game,
    odds_of,
    parse_action,
    parse_rules,
    shipped_dice_set,
    successor,
)
from skyline_kernel.skyline import odds as lesson
from skyline_kernel.skyline.dice import KindCounts
from skyline_kernel.skyline.odds import (
    Chance,
    after_choice,
    at_least,
    choices_before_roll,
    count_chances,
    dice_chances,
    expected_count,
    face_chances,
    face_count_chances,
    finish_odds,
    roll_chances,
)

COUNTS: list[KindCounts] = [(0, 0, 0), (1, 0, 0), (0, 0, 3), (2, 1, 0), (1, 1, 1), (0, 2, 2)]
every_dice_set = pytest.mark.parametrize("name", SHIPPED_DICE)


def all_rolls(name: str, kinds: str) -> list[tuple[str, ...]]:
    """Every equally likely roll of some dice, as lists of words."""
    sides = [[kind + face for face in WEIGHTS[name][kind]] for kind in kinds]
    return list(product(*sides))


def kinds_in(counts: KindCounts) -> str:
    return "".join(kind * n for kind, n in zip("GUP", counts, strict=True))


@pytest.mark.parametrize(
    "name",
    [
        "distribution",
        "statistics",
        "skyline.odds",
        "skyline.turn_odds",
        "skyline.distributions",
        "skyline.best_play",
        "skyline.simulation",
        "skyline.winning",
    ],
)
def test_the_examples_in_the_documentation_are_true(name: str) -> None:
    module = importlib.import_module(f"skyline_kernel.{name}")
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed


def test_every_function_of_the_lesson_has_an_example() -> None:
    parts = [getattr(lesson, name) for name in lesson.__all__]
    assert [p.__name__ for p in parts if callable(p) and ">>>" not in (p.__doc__ or "")] == [
        "BuildOdds"
    ]


@every_dice_set
@pytest.mark.parametrize("counts", COUNTS)
def test_a_roll_shows_what_the_list_of_all_rolls_holds(name: str, counts: KindCounts) -> None:
    rolls = all_rolls(name, kinds_in(counts))
    listed = Counter(tuple(sorted(map(Die, roll), key=lambda die: die.rank)) for roll in rolls)
    chances = roll_chances(shipped_dice_set(name), counts)
    assert chances == {dice: Fraction(n, len(rolls)) for dice, n in listed.items()}
    assert sum(chances.values()) == 1


@every_dice_set
@pytest.mark.parametrize("counts", COUNTS)
@pytest.mark.parametrize("face", Face)
def test_faces_are_counted_as_in_the_list_of_all_rolls(
    name: str, counts: KindCounts, face: Face
) -> None:
    rolls = all_rolls(name, kinds_in(counts))
    listed = Counter(sum(die[1] == face for die in roll) for roll in rolls)
    chances = count_chances(shipped_dice_set(name), counts, lambda die: die.face is face)
    assert chances == tuple(Fraction(listed[n], len(rolls)) for n in range(sum(counts) + 1))
    assert at_least(chances, 2).exact == Fraction(
        sum(n for count, n in listed.items() if count >= 2), len(rolls)
    )


@every_dice_set
@pytest.mark.parametrize("counts", [(1, 0, 0), (3, 0, 0), (2, 4, 1), (5, 5, 5)])
def test_faces_are_counted_as_icepool_counts_them(name: str, counts: KindCounts) -> None:
    total = IceDie([0])
    for kind, n in zip("GUP", counts, strict=True):
        total = total + n @ IceDie([int(face == "m") for face in WEIGHTS[name][kind]])
    chances = count_chances(shipped_dice_set(name), counts, lambda die: die.face is Face.MID)
    judged = {int(n): Fraction(w, total.denominator()) for n, w in total.items()}
    assert {n: chance for n, chance in enumerate(chances) if chance} == judged


@every_dice_set
@pytest.mark.parametrize("n_dice", [1, 2, 4])
def test_rolls_of_one_kind_are_as_likely_as_icepool_says(name: str, n_dice: int) -> None:
    hand = IceDie(list(WEIGHTS[name]["G"])).pool(n_dice).expand()
    judged = {
        tuple(sorted(shown)): Fraction(weight, hand.denominator()) for shown, weight in hand.items()
    }
    chances = roll_chances(shipped_dice_set(name), (n_dice, 0, 0))
    assert {tuple(sorted(die.face or "" for die in d)): c for d, c in chances.items()} == judged


@given(
    counts=st.tuples(*[st.integers(0, 40)] * 3),
    face=st.sampled_from(Face),
    name=st.sampled_from(SHIPPED_DICE),
)
def test_large_rolls_keep_the_laws(counts: KindCounts, face: Face, name: str) -> None:
    dice_set = shipped_dice_set(name)
    chances = count_chances(dice_set, counts, lambda die: die.face is face)
    assert sum(chances) == 1
    means = [
        n * face_chances(dice_set, kind).get(face, Fraction(0))
        for n, kind in zip(counts, Kind, strict=True)
    ]
    assert expected_count(chances) == sum(means)
    more = count_chances(dice_set, (counts[0] + 1, *counts[1:]), lambda die: die.face is face)
    assert all(at_least(more, n).exact >= at_least(chances, n).exact for n in range(4))


def test_a_chance_of_nothing_and_of_all() -> None:
    chances = [Fraction(1, 4), Fraction(3, 4)]
    assert at_least(chances, 0) == at_least(chances, -3) == Chance(Fraction(1))
    assert at_least(chances, 2) == Chance(Fraction(0))
    assert at_least(chances, 2).as_dict() == {"exact": "0", "float": 0.0}


POSITIONS = [
    "h1 G1U1P1 G?,U?,P? roll 1.1 online",
    "m2,l1 G1U1P1 U?,U?,P? roll 3.1 online",
    "h1,m1,l1 G1U1P1 Pl,U?,P? roll 3.1 online+uniform",
    "h5,m3 G1U1P1 Gm,U-,P?,P? roll 3.1 printed+blank-upper",
    "h3 G1U1P1 Ph,U? roll 3.1 online",
    "- G1U1P1 U?,U?,P? roll 3.1 online",
]


@pytest.mark.parametrize("position", POSITIONS)
def test_build_and_finish_as_in_the_list_of_all_rolls(position: str) -> None:
    state = at(position)
    kept = [die for die in state.dice if die.is_rolled]
    kinds = "".join(die.kind for die in state.dice if not die.is_rolled)
    rolls = [[*kept, *map(Die, roll)] for roll in all_rolls(state.rules.dice_set.name, kinds)]
    able = [r for r in rolls if any(_can_build(state.skyline, die) for die in r)]
    assert build_odds(state).build == Fraction(len(able), len(rolls))
    assert build_odds(state).stuck == 1 - build_odds(state).build
    for column in state.skyline:
        done = [r for r in rolls if any((grow(column, d) or "l").isupper() for d in r)]
        assert finish_odds(state, column).exact == Fraction(len(done), len(rolls))


def _can_build(skyline: tuple[Column, ...], die: str) -> bool:
    starts = die[0] == "G" and die[1] in "lmh"
    return starts or any(grow(column, die) for column in skyline)


@pytest.mark.parametrize("position", POSITIONS)
def test_dice_after_the_roll_are_the_positions_after_it(position: str) -> None:
    state = at(position)
    chances = dice_chances(state)
    assert sum(chances.values()) == 1
    afters = {successor(state, roll): roll for roll in legal_actions(state)}
    assert {after.dice for after in afters} == set(chances)
    able = sum((chances[after.dice] for after in afters if legal_builds(after)), Fraction(0))
    assert able == build_odds(state).build
    for face in Face:
        counts = face_count_chances(state, face)
        for n in range(len(state.dice) + 1):
            same = [c for dice, c in chances.items() if sum(d.face is face for d in dice) == n]
            assert counts[n] == sum(same)


def test_every_choice_of_dice_and_every_reroll_has_its_odds() -> None:
    for position in ("h2,l1 G3U2P1 - take 4.1", "h2,l1 G1U1P1 Gl,Um,Um,P- more 4.1"):
        state = at(position)
        choices = choices_before_roll(state)
        assert len(choices) == 11
        for choice in choices:
            due = after_choice(state, choice)
            assert odds_of(state, choice) == build_odds(due)
            assert 0 <= build_odds(due).build <= 1


def test_what_leads_to_no_roll_is_refused() -> None:
    state = at("h2 G1U1P1 Gl,Um more 4.1")
    assert odds_of(state, parse_action("build Gl")) is None
    with pytest.raises(ValueError, match="build: expected dice to be taken or rerolled"):
        after_choice(state, parse_action("build Gl"))
    with pytest.raises(IllegalActionError):
        after_choice(state, parse_action("reroll P-"))
    with pytest.raises(ValueError, match="phase more: expected phase roll"):
        face_count_chances(state, Face.LOW)
    with pytest.raises(ValueError, match="column m1: expected one of h2"):
        finish_odds(at("h2 G1U1P1 P? roll 4.1"), Column("m1"))


def test_a_side_more_or_less_changes_the_odds() -> None:
    """Of ``UPP`` on an ``h1`` only the upper floor fits: one side, two sides, one side of six."""
    builds = []
    for name in SHIPPED_DICE:
        state = successor(new_game(1, parse_rules(f"online+{name}")), parse_action("take UPP"))
        builds.append(build_odds(state).build)
    assert builds == [Fraction(1, 6), Fraction(1, 3), Fraction(1, 6)]
