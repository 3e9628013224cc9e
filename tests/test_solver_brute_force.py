"""The solver against a brute force in fractions that tries every action."""

import random
from itertools import combinations_with_replacement, product

import brute_force as bf
import pytest
from solver_tools import keep_tables_in_memory
from tables import at

from skyline_kernel.skyline import DiceSet, Die, parse_action
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.columns import Column, sorted_skyline
from skyline_kernel.skyline.dice import sorted_dice
from skyline_kernel.skyline.solver.positions import (
    Spot,
    Stage,
    score_problem,
    spot_values,
    turn_problem,
)
from skyline_kernel.skyline.solver.practice import practice_game
from skyline_kernel.skyline.solver.tables import unsolved_table

NEAR = 1e-9


@pytest.fixture(autouse=True)
def _no_files(monkeypatch):
    keep_tables_in_memory(monkeypatch)


def verify_actions(position, objective):
    brute = {
        parse_action(text): exact for text, exact in bf.action_values(position, objective).items()
    }
    advice = advise(at(position), objective)
    assert {ranked.action for ranked in advice.actions} == set(brute)
    for ranked in advice.actions:
        exact = brute[ranked.action]
        assert abs(ranked.value - exact) < NEAR
        assert ranked.exact in (None, exact)
        assert abs(ranked.loss - (max(brute.values()) - exact)) < NEAR
        assert ranked.is_best == (exact == max(brute.values()))
    if objective == "turn":
        assert all(ranked.exact is not None for ranked in advice.actions)


# --- every state of small variants ------------------------------------------------------------

HIGH_ONLY = {"G": "h", "U": "h-", "P": "h--"}
LOW_AND_MID = {"G": "lm", "U": "lm", "P": "mm-"}
NO_PENTHOUSE = {"G": "lh-", "U": "llh", "P": "l-"}
VARIANTS = {"high-only": HIGH_ONLY, "low-and-mid": LOW_AND_MID, "no-penthouse": NO_PENTHOUSE}


def dice_set_of(name):
    weights = [tuple(sides.count(face) for face in "lmh-") for sides in VARIANTS[name].values()]
    return DiceSet(name, tuple(weights))


def skylines_of(styles, most_columns):
    columns = [column for column in Column if not column.is_finished and column.style in styles]
    for n_columns in range(most_columns + 1):
        yield from combinations_with_replacement(columns, n_columns)


def hands_of(sides, most_dice):
    shown = [kind + face for kind, faces in sides.items() for face in sorted(set(faces))]
    for n_dice in range(1, most_dice + 1):
        yield from combinations_with_replacement(shown, n_dice)


MOST = {0: (2, 3), 1: (1, 2), 2: (1, 1)}
"""Columns and dice of the states looked at, by the turns that follow."""

STAGES = {
    "use": Stage.USE,
    "more": Stage.MORE,
    "more:build": Stage.MORE,
    "more:abandon": Stage.AGAIN,
    "more:demolish": Stage.AGAIN,
}


@pytest.mark.slow
@pytest.mark.parametrize("nine", [True, False])
@pytest.mark.parametrize("turns_after", [0, 1, 2])
@pytest.mark.parametrize("edition", ["online", "printed"])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_state_of_a_small_variant(name, edition, turns_after, nine):
    sides = VARIANTS[name]
    styles = set("".join(sides.values())) - {"-"}
    rules = bf.Game(tuple(sides.items()), edition == "printed", nine)
    turn = bf.score_turn(rules, turns_after)
    phases = ["use", "more:build", "more:abandon", "more:demolish"]
    if edition == "online":
        phases = ["use", "more"]
    most_columns, most_dice = MOST[turns_after]
    places = [
        bf.Place(tuple(sorted(sky)), False, tuple(sorted(hand)), (), phase)
        for sky in skylines_of(styles, most_columns)
        for hand in hands_of(sides, most_dice)
        for phase in phases
    ]
    table = unsolved_table(practice_game(dice_set_of(name), nine=nine))
    clock = f"{9 - turns_after}.1"
    problem = score_problem(at(f"- G1U1P1 - take {clock} {edition}"), table, 3)
    spots = [
        Spot(
            STAGES[place.phase],
            sorted_skyline(map(Column, place.sky)),
            False,
            sorted_dice(map(Die, place.dice)),
            (0, 0, 0),
        )
        for place in places
    ]
    for place, worth in zip(places, spot_values(problem, spots), strict=True):
        assert abs(worth.value - turn.value(place)) < NEAR, place


@pytest.mark.parametrize("name", VARIANTS)
def test_every_hand_of_a_small_variant_is_exact_in_the_last_turn(name):
    sides = VARIANTS[name]
    turn = bf.points_turn(bf.Game(tuple(sides.items()), False, True))
    styles = set("".join(sides.values())) - {"-"}
    for hand in hands_of(sides, 2):
        for sky in skylines_of(styles, 2):
            spot = Spot(
                Stage.USE, sorted_skyline(sky), False, sorted_dice(map(Die, hand)), (0, 0, 0)
            )
            [worth] = spot_values(turn_problem(dice_set_of(name), len(hand)), [spot])
            place = bf.Place(tuple(sorted(map(str, sky))), False, tuple(sorted(hand)), (), "use")
            assert worth.exact == turn.value(place)


# --- random states with real dice -------------------------------------------------------------

COLUMNS = [str(column) for column in Column]


def random_position(rng, *, rounds, most_dice, most_columns=4, n_players=None):
    name = rng.choice(["standard", "uniform", "blank-upper"])
    edition = rng.choice(["online", "printed"])
    nine = rng.choice([True, False])
    n_players = n_players or rng.randint(1, 4)
    seat = rng.randint(1, n_players)
    dice = [
        kind + rng.choice(bf.WEIGHTS[name][kind])
        for kind in rng.choices("GUP", k=rng.randint(1, most_dice))
    ]
    phase = rng.choice(["use", "more", "roll"])
    if phase == "roll":
        n_kept = rng.randrange(len(dice))
        dice = [*dice[:n_kept], *(die[0] + "?" for die in dice[n_kept:])]
    if phase == "more" and edition == "printed":
        phase += rng.choice([":build", ":abandon", ":demolish"])
    last = "!" if not nine and rng.random() < 0.2 else ""
    skylines = [
        ",".join(rng.choices(COLUMNS, k=rng.randint(0, most_columns))) or "-"
        for _ in range(n_players)
    ]
    district = rng.choice(["G1U1P1", "G2U1P1", "G0U1P1", "G1U1P2"])
    options = "+nine" * nine + f"+{name}" * (name != "standard")
    clock = f"{rng.choice(rounds)}.{seat}{last}"
    return f"{'/'.join(skylines)} {district} {','.join(dice)} {phase} {clock} {edition}{options}"


@pytest.mark.parametrize("objective", ["score", "turn"])
@pytest.mark.parametrize("seed", range(25))
def test_random_last_turns(seed, objective):
    rng = random.Random(f"last {seed}")
    verify_actions(random_position(rng, rounds=[9], most_dice=3), objective)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_turns_before_the_last(seed):
    rng = random.Random(f"before {seed}")
    verify_actions(random_position(rng, rounds=[8], most_dice=2, most_columns=2), "score")


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(3))
def test_random_margins(seed, n_players):
    rng = random.Random(f"margin {seed} {n_players}")
    position = random_position(rng, rounds=[9], most_dice=2, most_columns=2, n_players=n_players)
    verify_actions(position, "margin")


@pytest.mark.slow
@pytest.mark.parametrize(
    "position",
    [
        "h5/h2 G1U1P1 Ph,P- use 8.2 online",
        "h5 G1U1P1 P- use 8.1 online",
        "h1,L2/h5,m1 G1U1P1 P- use 9.1 online",
        "h1,L2/h5,h5 G1U1P1 Um,P- use 9.1 printed",
    ],
)
def test_margins_where_the_gift_depends_on_the_end_or_a_demolition_is_best(position):
    verify_actions(position, "margin")


@pytest.mark.parametrize("district", ["G1U1P1", "G2U0P1", "G0U1P2"])
@pytest.mark.parametrize("objective", ["score", "turn"])
@pytest.mark.parametrize("skyline", ["-", "h3,m2", "h5,l1,L2"])
def test_takes_in_the_last_round(skyline, objective, district):
    verify_actions(f"{skyline} {district} - take 9.1 online", objective)


def test_the_brute_force_knows_the_dice_of_the_kit():
    for name, sides in bf.WEIGHTS.items():
        dice_set = at(f"- G1U1P1 - take 1.1 online+{name}".removesuffix("+standard")).rules.dice_set
        for kind, face in product("GUP", "lmh-"):
            assert dice_set.weight(Die(kind + face)) == sides[kind].count(face)
