"""Numbered rolls: they depend on the seed, their number and the kind of die alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare
from sound_states import STEADY, states
from tables import at, play

from skyline_kernel.errors import SettingError
from skyline_kernel.rolls import MAX_SEED, draw_faces, new_seed, verify_seed
from skyline_kernel.skyline import Kind, Phase, State, can, numbered_roll, shipped_dice_set
from skyline_kernel.skyline.dice import FACES, KINDS

seeds = st.integers(0, MAX_SEED)
numbers = st.integers(0, 500)
weights = st.tuples(*[st.integers(0, 6)] * 4).filter(any)

STANDARD = shipped_dice_set("standard").weights


def faces(seed: int, number: int, n_dice: int, kind: int = 0, sides: str = "standard") -> str:
    """Return what some standard dice show in a numbered roll, in the order they are drawn."""
    shown = draw_faces(seed, number, kind, shipped_dice_set(sides).weights[kind], n_dice)
    return "".join(FACES[face] for face in shown)


# --- what a roll depends on -------------------------------------------------------------------


@STEADY
@given(seeds, numbers, st.integers(0, 2), weights, st.integers(0, 30), st.integers(0, 30))
def test_fewer_dice_show_the_beginning_of_the_same_list(
    seed: int, number: int, stream: int, sides: tuple[int, ...], n_dice: int, n_more: int
) -> None:
    few = draw_faces(seed, number, stream, sides, n_dice)
    many = draw_faces(seed, number, stream, sides, n_dice + n_more)
    assert many[:n_dice] == few
    assert all(sides[face] > 0 for face in many)


@STEADY
@given(states(phase=Phase.ROLL), seeds, numbers)
def test_a_numbered_roll_is_the_same_each_time_and_always_legal(
    state: State, seed: int, number: int
) -> None:
    roll = numbered_roll(state, seed, number)
    assert numbered_roll(state, seed, number) == roll
    assert can(state, roll)


@STEADY
@given(seeds, numbers)
def test_a_die_shows_the_same_whatever_other_kinds_are_rolled_with_it(
    seed: int, number: int
) -> None:
    alone = numbered_roll(at("- G1U1P1 G?,G? roll 1.1"), seed, number).outcome
    together = numbered_roll(
        at("h3,l1 G1U1P1 G?,G?,U?,U?,U?,P?,Ph roll 7.1! printed"), seed, number
    ).outcome
    assert alone is not None
    assert together is not None
    assert together[:2] == alone


def test_kept_dice_and_what_went_before_do_not_change_a_roll() -> None:
    first = play("m1 G1U1P1 Gl,Um,P- use 1.1", "build Um@m1", "reroll P-")
    second = play("m1 G1U1P1 Gl,Gl,Um,P- use 1.1", "abandon Gl", "build Gl", "reroll P-")
    for seed in range(20):
        assert numbered_roll(first, seed, 3) == numbered_roll(second, seed, 3)


def test_streams_of_seeds_numbers_and_kinds_differ() -> None:
    sides = (1,) * 50
    drawn = {
        tuple(draw_faces(seed, number, stream, sides, 8))
        for seed in (0, 1, 2**32 - 1, 2**32, 2**32 + 1, MAX_SEED)
        for number in (0, 1, 2, 255, 2**31)
        for stream in range(3)
    }
    assert len(drawn) == 6 * 5 * 3


def test_no_global_generator_is_touched() -> None:
    import random

    import numpy as np

    random.seed(1)
    before = random.getstate()
    legacy = np.random.get_state(legacy=False)
    numbered_roll(at("- G1U1P1 G?,U?,P? roll 1.1"), 5, 5)
    new_seed()
    assert random.getstate() == before
    assert str(np.random.get_state(legacy=False)) == str(legacy)


# --- facts that a saved game relies on ---------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "number", "shown"),
    [
        (0, 0, ("llmmllhllllm", "mmmlhlllllll", "mmhm--mhhm-h")),
        (0, 1, ("mmllmlhllhhm", "lhmmhllmhlhl", "mm-hhh--mm-m")),
        (0, 17, ("lmhllhlhmllm", "mhlmhhmlmllm", "hh-mmm-m-m-m")),
        (1, 0, ("mlllhhllmmml", "lmmlmlmlmlhh", "-m---hh-----")),
        (1, 1, ("hmllllllhhmm", "lllmmlmmmlll", "-mmmh-m---h-")),
        (1, 17, ("lmmlllmllmhh", "lhmmlmmlllll", "mm-m-m--m---")),
        (2, 0, ("lmlllmmlmlmm", "mllmmlllmhlh", "-m----m-m-mh")),
        (2, 1, ("lmhmhlmmllml", "lmmmhlllmlll", "h-m--------m")),
        (2, 17, ("mlllmmlmlmlm", "hmllmlmmllml", "--mm-mm-m-hm")),
        (3, 0, ("mmmhllmhllmh", "hmlhlhlllmmm", "-m-mhhm----m")),
        (3, 1, ("lhlllhllmmlh", "mmmmmhmllhll", "m----mmm--mm")),
        (3, 17, ("hlmllmmlmmll", "lmmhllmhlmmm", "--mm-mmhmmm-")),
        (9007199254740991, 0, ("mhllllmlmmlm", "mllmhhlhhhhl", "h--hm--m-hhm")),
        (9007199254740991, 1, ("mlllmlllllhl", "lmmllllllmll", "--m---m-----")),
        (9007199254740991, 17, ("mmllmhhmllll", "hllhmllmmhll", "-m-m-m-h-mmm")),
    ],
)
def test_saved_games_meet_the_same_rolls_for_ever(
    seed: int, number: int, shown: tuple[str, str, str]
) -> None:
    assert tuple(faces(seed, number, 12, kind) for kind in range(3)) == shown


# --- fairness ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", range(3))
@pytest.mark.parametrize("name", ["standard", "uniform", "blank-upper"])
def test_faces_are_fair_over_many_seeds(kind: int, name: str) -> None:
    sides = shipped_dice_set(name).weights[kind]
    shown = "".join(faces(seed, seed % 7, 3, kind, name) for seed in range(1500))
    counts = [shown.count(face) for face in FACES]
    assert sum(counts) == 4500
    expected = [len(shown) * n / sum(sides) for n in sides]
    rolled = [(c, e) for c, e in zip(counts, expected, strict=True) if e]
    assert all(c == 0 for c, e in zip(counts, expected, strict=True) if not e)
    assert chisquare(*zip(*rolled, strict=True)).pvalue > 0.001


def test_faces_are_fair_over_many_rolls_of_one_game() -> None:
    shown = "".join(faces(7, number, 4) for number in range(1500))
    counts = [shown.count(face) for face in "lmh"]
    assert chisquare(counts, [3000, 2000, 1000]).pvalue > 0.001


def test_rolls_that_follow_each_other_are_independent() -> None:
    pairs = [
        faces(3, number, 1, 0, "uniform") + faces(3, number + 1, 1, 0, "uniform")
        for number in range(0, 3600, 2)
    ]
    counts = [pairs.count(a + b) for a in "lmh" for b in "lmh"]
    assert chisquare(counts).pvalue > 0.001


def test_dice_of_one_roll_and_kinds_of_one_roll_are_independent() -> None:
    within = [faces(seed, 0, 2, 0, "uniform") for seed in range(1800)]
    across = [
        faces(seed, 0, 1, 0, "uniform") + faces(seed, 0, 1, 1, "uniform") for seed in range(1800)
    ]
    for pairs in (within, across):
        counts = [pairs.count(a + b) for a in "lmh" for b in "lmh"]
        assert chisquare(counts).pvalue > 0.001


def test_a_die_of_seven_sides_is_fair_too() -> None:
    drawn = [face for seed in range(1000) for face in draw_faces(seed, 1, 1, (1,) * 7, 7)]
    assert chisquare([drawn.count(side) for side in range(7)]).pvalue > 0.001


# --- seeds ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, MAX_SEED])
def test_known_fault_every_whole_number_in_range_is_a_seed_zero_too(seed: int) -> None:
    assert verify_seed(seed) == seed


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 1.0, "1", None, True])
def test_other_seeds_are_refused(seed: object) -> None:
    with pytest.raises(SettingError) as caught:
        verify_seed(seed)
    assert "expected a whole number from 0 to" in str(caught.value)


@pytest.mark.parametrize("number", [-1, MAX_SEED + 1])
def test_bug_a_roll_number_out_of_range_was_no_sentence(number: int) -> None:
    with pytest.raises(SettingError, match="expected a whole number from 0 to"):
        numbered_roll(at("- G1U1P1 G? roll 1.1"), 1, number)


def test_known_fault_new_seeds_differ() -> None:
    drawn = {new_seed() for _ in range(50)}
    assert len(drawn) == 50
    assert all(0 <= seed <= MAX_SEED for seed in drawn)


def test_kinds_are_streams_in_their_canonical_order() -> None:
    assert KINDS == (Kind.GROUND, Kind.UPPER, Kind.PENTHOUSE)
    assert len(STANDARD) == 3


def test_bug_a_seed_too_long_to_write_was_no_sentence() -> None:
    with pytest.raises(SettingError) as caught:
        verify_seed(10**6000)
    assert len(str(caught.value)) < 200
