"""The pieces of the solver, each beside a plain counterpart."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import numpy as np
import pytest
from tables import at

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import DiceSet, Die, chance_outcomes, shipped_dice_set
from skyline_kernel.skyline.advice import advise, is_quick, may_be_quick, value
from skyline_kernel.skyline.columns import Column
from skyline_kernel.skyline.dice import KINDS, Kind
from skyline_kernel.skyline.solver.domain import Crowd, all_skylines, normal_form
from skyline_kernel.skyline.solver.gift import gifts
from skyline_kernel.skyline.solver.hands import added, hand_index, hands, n_hands, roll_blocks
from skyline_kernel.skyline.solver.moves import TurnTooLargeError, layers_below, reach
from skyline_kernel.skyline.solver.numbers import ExactNumbers, Numbers
from skyline_kernel.skyline.solver.patience import (
    A_SECOND,
    AT_ONCE,
    PATIENT,
    SOME_SECONDS,
    Patience,
)
from skyline_kernel.skyline.solver.positions import (
    score_problem,
    spot_of,
    spot_values,
    turn_problem,
)
from skyline_kernel.skyline.solver.practice import TAKES, practice_game
from skyline_kernel.skyline.solver.skylines import (
    COLUMNS,
    ENDED,
    STANDARD_PACKING,
    Packing,
    builds_of,
    kind_faces,
)
from skyline_kernel.skyline.solver.store import value_table
from skyline_kernel.skyline.solver.tables import NARROW, TRIMMED, WIDE, unsolved_table
from skyline_kernel.skyline.solver.turn import TurnValues, mean_over_roll

STANDARD = shipped_dice_set("standard")


def keys_of(*skylines):
    return np.array([STANDARD_PACKING.key(map(Column, sky)) for sky in skylines])


# --- skylines and moves -----------------------------------------------------------------------


def test_a_key_counts_its_columns():
    key = STANDARD_PACKING.key([Column.HIGH_5, Column.HIGH_5, Column.LOW_1, ENDED])
    counts = {field: int(STANDARD_PACKING.counts(key, field)) for field in (ENDED, *COLUMNS)}
    assert {field for field, n in counts.items() if n} == {ENDED, Column.HIGH_5, Column.LOW_1}
    assert counts[Column.HIGH_5] == 2


def test_more_columns_than_a_field_counts_are_refused():
    with pytest.raises(OverflowError, match="64 times l1"):
        STANDARD_PACKING.key([Column.LOW_1] * 64)


def test_builds_are_those_of_the_rules():
    assert [(b.source, b.result, b.gain) for b in builds_of(Die.UPPER_LOW)] == [("l1", "L2", 3)]
    assert [b.result for b in builds_of(Die.PENTHOUSE_HIGH)] == ["H6", "H5", "H4", "H3"]
    assert [b.ends_game for b in builds_of(Die.PENTHOUSE_HIGH)] == [True, False, False, False]
    assert builds_of(Die.PENTHOUSE_LOW) == builds_of(Die.UPPER_BLANK) == ()


def test_faces_that_build_nothing_are_one_face():
    _, _, penthouse = kind_faces(shipped_dice_set("uniform"))
    assert penthouse.weights == (1, 1, 1)
    mixed = DiceSet("mixed", ((3, 2, 1, 0), (3, 2, 1, 0), (4, 2, 1, 5)))
    assert kind_faces(mixed)[2].weights == (9, 2, 1)


@pytest.mark.parametrize("turns_after", [0, 3])
@pytest.mark.parametrize("take", [(1, 1, 1), (2, 0, 2), (0, 3, 1)])
def test_every_skyline_of_a_turn_is_found_and_linked(take, turns_after):
    game = practice_game(STANDARD, nine=False)
    start = keys_of(["h5", "h2", "m1", "l1"])
    tables = game.move_tables(turns_after)
    layers = reach({take: start}, tables)
    assert list(layers) == layers_below([take])
    for counts, layer in layers.items():
        assert np.array_equal(layer.keys, np.unique(layer.keys))
        for kind, links in enumerate(layer.links):
            if links is None:
                assert not counts[kind]
                continue
            lower = layers[tuple(n - (k == kind) for k, n in enumerate(counts))].keys
            for part in (links.discards, *links.builds):
                assert part.places.max(initial=0) <= len(lower)
            if kind == KINDS.index(Kind.GROUND):
                # Each of its faces can start a column, and that is never worse.
                assert not links.discards.places.size
                assert links.is_discarded == (False, False, False)
            else:
                assert np.array_equal(lower[links.discards.places[0]], layer.keys)
                assert all(links.is_discarded)


def test_a_six_storey_building_marks_the_skyline_only_where_turns_are_to_come():
    def is_marked(turns_after, *, nine):
        game = practice_game(STANDARD, nine=nine)
        layers = reach({(0, 0, 1): keys_of(["h5"])}, game.move_tables(turns_after))
        return bool(STANDARD_PACKING.counts(layers[0, 0, 0].keys, ENDED).any())

    assert is_marked(1, nine=False)
    assert not is_marked(0, nine=False)
    assert not is_marked(1, nine=True)


QUESTIONS = [
    "h3,m1/m2 G2U2P1 - take 6.1 online",
    "h3,m1,l1/m2 G1U1P1 Gl,Um,Uh,P-,Pm use 8.1 printed",
    "m2,h4/h2 G1U3P1 U?,P? roll 9.2 online+nine",
]


def test_a_turn_beyond_all_measure_is_refused_in_one_sentence():
    crowd = at("h3,m1/m1 G20U20P20 - take 5.1 online")
    for objective in ("score", "turn", "margin"):
        with pytest.raises(TurnTooLargeError, match="6[0-3] dice in one turn: too many"):
            advise(crowd, objective)


def test_no_more_skylines_are_looked_for_than_memory_holds(monkeypatch):
    monkeypatch.setattr("skyline_kernel.skyline.solver.moves.MOST_SKYLINES", 1000)
    with pytest.raises(TurnTooLargeError, match="9 dice in one turn: too many"):
        advise(at("h1,h2,h3,m1,m2,l1 G3U3P3 - take 8.1 online"))


@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
@pytest.mark.parametrize(
    "position",
    [
        "m2/m2 G999U999P999 - take 9.1 online",
        "m2 G999U999P999 - take 1.1 online",
        "m2 G0U60P50 - take 9.1 online",
        "m2/m2 G60U60P60 - take 9.1 online",
    ],
)
def test_bug_a_huge_district_took_all_memory_before_it_was_refused(position, objective):
    state = at(position)
    assert not is_quick(state, objective, AT_ONCE)
    for ask in (advise, value):
        with pytest.raises(TurnTooLargeError, match="dice in one turn: too many"):
            ask(state, objective)


def test_bug_a_huge_district_that_one_may_leave_behind_took_all_memory():
    state = at("m2/m2 G999U999P999 Um,P- use 9.1 online")
    assert advise(state, "score").exact is not None
    assert not is_quick(state, "margin", AT_ONCE)
    with pytest.raises(TurnTooLargeError):
        advise(state, "margin")


@pytest.mark.parametrize("objective", ["score", "turn", "margin", "win"])
@pytest.mark.parametrize("rules", ["more 9.1 online", "use 9.1 printed"])
def test_bug_all_actions_of_many_dice_were_made_before_they_were_refused(rules, objective):
    faces = ("Gl", "Gm", "Gh", "Ul", "Um", "Uh", "Pm", "Ph", "P-")
    state = at(f"m2 G1U1P1 {','.join(faces * 8)} {rules}")
    with pytest.raises(TurnTooLargeError, match="72 dice in one turn"):
        advise(state, objective)
    if objective != "win":
        assert not is_quick(state, objective, PATIENT)


def test_floats_answer_where_exact_numbers_would_take_too_much():
    state = at("h3,l1 G2U2P2 - take 9.1 online")
    exact, floats = (
        advise(state, "turn"),
        advise(state, "turn", patience=Patience(200_000, most_beyond=0)),
    )
    assert exact.exact is not None
    assert floats.exact is None
    assert floats.value == pytest.approx(exact.value, abs=1e-12)


@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
@pytest.mark.parametrize("position", QUESTIONS)
def test_what_an_answer_costs_is_known_before_it_is_computed(position, objective):
    for most in (10_000, 100_000, 1_000_000):
        patience = Patience(most, most_beyond=0)
        if is_quick(at(position), objective, patience):
            assert advise(at(position), objective, patience=patience).actions
        else:
            with pytest.raises(TurnTooLargeError):
                advise(at(position), objective, patience=patience)


@pytest.mark.parametrize("most", [30_000, 100_000, 300_000, 1_000_000])
@pytest.mark.parametrize(
    "position",
    ["h1 G1U3P1 Gl,Ul,P- use 7.1 online", "- G1U5P1 Gl,Gh,Um,P- use 7.1 online+nine"],
)
def test_bug_the_cost_of_a_gift_to_oneself_was_not_known_beforehand(position, most):
    patience = Patience(most, most_beyond=0)
    if is_quick(at(position), "margin", patience):
        assert advise(at(position), "margin", patience=patience).actions
    else:
        with pytest.raises(TurnTooLargeError):
            advise(at(position), "margin", patience=patience)


def test_a_page_does_not_wait_for_skylines_that_the_tables_lack():
    early = at("h5,h4,h3,m3,m2,l1,l1/m1 G2U1P1 - take 3.1 online")
    assert is_quick(early, "turn", A_SECOND)
    assert is_quick(early, "score", PATIENT)
    assert not is_quick(early, "score", A_SECOND)
    assert not is_quick(early, "margin", A_SECOND)
    late = at("h5,h4,h3,m3,m2,l1,l1/m1 G2U1P1 - take 8.1 online")
    assert is_quick(late, "margin", A_SECOND)


def test_bug_to_ask_whether_a_gift_takes_long_took_as_long(monkeypatch):
    many = at("h2,l1/h3,m3,l1 G4U7P1 Gm,Um use 8.2 online")
    few = at("h2,l1/h3,m3,l1 G1U1P1 Gm,Um use 8.2 online")

    def solves_nothing(*_):
        raise AssertionError("solved to find out what it costs")

    monkeypatch.setattr("skyline_kernel.skyline.solver.gift.TurnValues", solves_nothing)
    assert may_be_quick(many, "margin", SOME_SECONDS)
    assert not may_be_quick(many, "margin", AT_ONCE)
    assert may_be_quick(few, "margin", AT_ONCE)


@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
@pytest.mark.parametrize("position", QUESTIONS)
def test_what_is_quick_may_be_quick(position, objective):
    for most in (10_000, 100_000, 1_000_000):
        patience = Patience(most, most_beyond=0)
        if is_quick(at(position), objective, patience):
            assert may_be_quick(at(position), objective, patience)


def test_over_is_quick_and_a_simulated_goal_is_none_to_ask_about():
    assert is_quick(at("H3 G1U1P1 - over 9.1 online"), "score", AT_ONCE)
    with pytest.raises(SettingError):
        is_quick(at("h1 G1U1P1 - take 1.1 online"), "win", PATIENT)


# --- hands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n_faces", "n_dice"), [(1, 3), (2, 4), (3, 3), (4, 2)])
def test_hands_are_all_multisets_in_the_order_of_their_numbers(n_faces, n_dice):
    every = {
        tuple(shown.count(face) for face in range(n_faces))
        for shown in product(range(n_faces), repeat=n_dice)
    }
    assert set(hands(n_faces, n_dice)) == every
    assert len(every) == n_hands(n_faces, n_dice)
    assert [hand_index(hand) for hand in hands(n_faces, n_dice)] == list(range(len(every)))
    blocks = roll_blocks(n_faces, n_dice)
    assert [block.stop - block.start for block in blocks] == [
        n_hands(n_faces, n_dice - n_unrolled) for n_unrolled in range(n_dice + 1)
    ]


def test_a_hand_with_one_die_more():
    for face, row in enumerate(added(3, 3)):
        for smaller, number in zip(hands(3, 2), row, strict=True):
            larger = hands(3, 3)[number]
            assert larger == tuple(n + (f == face) for f, n in enumerate(smaller))


def test_the_mean_over_a_roll_weighs_outcomes_as_the_rules_do():
    counts = (2, 1, 2)
    faces = kind_faces(STANDARD)
    numbers = Numbers(faces)
    shape = [n_hands(kind.n_faces, n) for kind, n in zip(faces, counts, strict=True)]
    values = np.random.default_rng(5).random((*shape, 1))
    expected = 0.0
    for roll, probability in chance_outcomes(at("- G1U1P1 G?,G?,U?,P?,P? roll 1.1")):
        place = [hand_index(tuple(_shown(kind, roll.outcome))) for kind in faces]
        expected += float(probability) * values[(*place, 0)]
    assert mean_over_roll(values, counts, numbers)[0] == pytest.approx(expected, abs=1e-14)


def _shown(kind, outcome):
    faces = dict(kind.index)
    shown = [0] * kind.n_faces
    for die in outcome:
        if die.kind is kind.kind:
            shown[faces[die]] += 1
    return shown


# --- which skylines are worth the same --------------------------------------------------------


def plain_normal_form(sky, n_dice, n_fives, n_upper=99, n_penthouse=99):
    kept = []
    for style, finishing in (("h", n_penthouse), ("m", n_penthouse), ("l", n_upper)):
        place = 0
        for column in sorted((c for c in sky if c[0] == style), reverse=True):
            if column == "h5" and n_fives is not None:
                if kept.count("h5") < n_fives:
                    kept.append(column)
                continue
            place += 1
            is_raised = column != "h1" or (n_dice > place and kept.count("h1") < n_upper)
            if min(n_dice, finishing) >= place and is_raised:
                kept.append(column)
    return kept


@pytest.mark.parametrize("n_fives", [None, 3])
@pytest.mark.parametrize("n_dice", [0, 1, 2, 3, 6, 40])
def test_normal_forms_are_those_of_the_theorem(n_dice, n_fives):
    rng = random.Random(n_dice)
    skies = [rng.choices(COLUMNS, k=rng.randint(0, 12)) for _ in range(300)]
    expected = [plain_normal_form(sky, n_dice, n_fives) for sky in skies]
    found = normal_form(keys_of(*skies), Crowd(n_dice, n_fives))
    assert found.tolist() == keys_of(*expected).tolist()


@pytest.mark.parametrize("n_fives", [None, 3])
@pytest.mark.parametrize(("n_upper", "n_penthouse"), [(0, 2), (2, 0), (1, 1), (3, 2), (0, 0)])
def test_only_columns_that_the_dice_to_come_can_finish_are_kept(n_upper, n_penthouse, n_fives):
    rng = random.Random(n_upper)
    skies = [rng.choices(COLUMNS, k=rng.randint(0, 12)) for _ in range(300)]
    expected = [plain_normal_form(sky, 5, n_fives, n_upper, n_penthouse) for sky in skies]
    found = normal_form(keys_of(*skies), Crowd(5, n_fives, n_upper, n_penthouse))
    assert found.tolist() == keys_of(*expected).tolist()


@pytest.mark.parametrize(
    "dice", ["G?,G?", "G?,U?", "U?,U?,U?", "P?,P?", "G?,P?", "U?,P?", "G?,U?,P?"]
)
def test_no_value_of_a_turn_depends_on_columns_that_its_dice_cannot_finish(dice):
    rng = random.Random(dice)
    for _ in range(25):
        sky = ",".join(rng.choices(COLUMNS, k=rng.randint(1, 9)))
        state = at(f"{sky} G1U1P1 {dice} roll 9.1")
        problem = turn_problem(STANDARD, len(state.dice))
        plain = replace(problem, normal=None)
        spots = [spot_of(state, state)]
        assert spot_values(problem, spots)[0].exact == spot_values(plain, spots)[0].exact


@pytest.mark.parametrize("n_fives", [None, 1])
def test_all_skylines_are_all_normal_forms_of_so_many_dice(n_fives):
    most, crowd = 6, Crowd(2, n_fives)
    found = all_skylines(crowd, most)
    assert np.array_equal(found, np.unique(found))
    assert np.array_equal(normal_form(found, crowd), found)
    counted = 0
    for counts in product(*(range(most // column.floors + 1) for column in COLUMNS)):
        n_dice = sum(n * column.floors for n, column in zip(counts, COLUMNS, strict=True))
        if n_dice <= most:
            sky = [c for n, column in zip(counts, COLUMNS, strict=True) for c in [column] * n]
            counted += plain_normal_form(sky, 2, n_fives) == sorted(sky, key=COLUMNS.index)
    assert len(found) == counted


@pytest.mark.parametrize("nine", [True, False])
def test_columns_that_cannot_matter_change_no_value(nine):
    """Crowded skylines, solved with and without replacing them by their normal forms."""
    table = value_table(STANDARD, nine=nine)
    ending = "+nine" * nine
    for clock, sky in [
        ("9.1", "h5,h4,h3,h2,h1,h1,m3,m2,m1,m1,l1,l1,l1,l1"),
        ("8.1", "h5,h5,h5,h5,h5,h4,h4,h3,h1,m3,m3,m2,m1,m1,l1,l1,l1,l1,l1,l1"),
    ]:
        state = at(f"{sky} G1U1P1 U?,P?,P? roll {clock} online{ending}")
        problem = score_problem(state, table, 3)
        assert problem.normal is not None
        plain = replace(problem, normal=None)
        spots = [spot_of(state, state)]
        [with_forms], [without] = spot_values(problem, spots), spot_values(plain, spots)
        assert with_forms.value == pytest.approx(without.value, abs=1e-11)


# --- numbers ----------------------------------------------------------------------------------


def test_floats_hold_the_numerators_of_five_standard_dice_and_no_more():
    faces = kind_faces(STANDARD)
    assert ExactNumbers(faces, 5).dtype == np.float64
    assert ExactNumbers(faces, 6).dtype == object


@pytest.mark.parametrize("n_dice", [1, 3, 5])
def test_the_same_fractions_come_out_of_floats_and_of_integers(n_dice):
    state = at(f"h3,m1,l1 G1U1P1 {','.join(['G?', 'U?', 'P?', 'U?', 'P?'][:n_dice])} roll 9.1")
    spots = [spot_of(state, state)]
    fast = turn_problem(STANDARD, n_dice)
    slow = turn_problem(STANDARD, n_dice)
    slow.numbers.dtype = np.dtype(object)
    assert spot_values(fast, spots) == spot_values(slow, spots)
    table = value_table(STANDARD, nine=True)
    [plain] = spot_values(score_problem(state, table, n_dice), spots)
    [exact] = spot_values(fast, spots)
    assert plain.value == pytest.approx(float(exact.exact), abs=1e-12)


def test_six_dice_are_exact_too():
    state = at("h3,l1 G1U1P1 U?,U?,U?,U?,P?,P? roll 9.1 online")
    exact = value(state, "turn").exact
    assert isinstance(exact, Fraction)
    assert 6 ** (6 * 7 // 2) % exact.denominator == 0
    mean = sum(
        probability * value(at(_after(roll)), "turn").exact
        for roll, probability in chance_outcomes(state)
    )
    assert exact == mean


def _after(roll):
    return f"h3,l1 G1U1P1 {','.join(roll.outcome)} use 9.1 online"


def test_packing_falls_back_to_integers_of_any_size():
    wide = Packing([("a", 40), ("b", 40)])
    assert wide.dtype == object
    key = wide.key(["a"] * 5 + ["b"] * 7)
    keys = np.array([key, key + wide.ones["a"]], dtype=object)
    assert wide.counts(keys, "a").tolist() == [5, 6]
    assert wide.counts(keys, "b").tolist() == [7, 7]


# --- tables -----------------------------------------------------------------------------------


def test_bounds_leave_room_for_three_dice_a_turn():
    for bounds in (NARROW, WIDE):
        assert all(more >= fewer + 3 for more, fewer in pairwise(bounds))
    assert all(
        narrow <= kept <= wide for narrow, kept, wide in zip(NARROW, TRIMMED, WIDE, strict=True)
    )


@pytest.mark.parametrize("nine", [True, False])
@pytest.mark.parametrize("turns_left", [1, 2, 3, 4])
def test_a_level_is_what_solving_on_demand_gives(turns_left, nine):
    """Two ways: the sweep over all skylines, and the skylines reached from a few."""
    table = value_table(STANDARD, nine=nine)
    known = table.skylines(turns_left)
    some = np.sort(np.random.default_rng(turns_left).choice(known, size=20, replace=False))
    solved = unsolved_table(table.game).gains(some, turns_left)
    assert np.allclose(solved, table.gains(some, turns_left), rtol=0, atol=1e-11)


def test_skylines_beyond_the_bounds_are_solved_exactly():
    table = value_table(STANDARD, nine=True)
    sky = keys_of(["h5", "h5", "h4", "m3", "m3"])
    assert not np.isin(sky, table.skylines(6)).any()
    beyond = table.gains(sky, 6)
    assert np.array_equal(table.gains(np.repeat(sky, 3), 6), np.repeat(beyond, 3))
    assert beyond[0] == pytest.approx(table.solve_turn(sky, 6)[0], abs=1e-12)
    assert beyond[0] > table.gains(keys_of(["h5", "h5", "h4", "m3"]), 6)[0]


def test_a_turn_is_the_best_of_ten_takes():
    table = value_table(STANDARD, nine=True)
    sky = keys_of(["h4", "m2", "l1"])
    layers = reach(dict.fromkeys(TAKES, sky), table.game.move_tables(3))
    turn = TurnValues(layers, table.continuation(3), table.game.numbers)
    means = [mean_over_roll(turn.use(take), take, table.game.numbers)[0] for take in TAKES]
    assert len(TAKES) == 10
    assert max(means) == pytest.approx(table.gains(sky, 4)[0], abs=1e-12)


def test_an_ended_game_gains_nothing():
    table = value_table(STANDARD, nine=False)
    ended = keys_of(["h5"]) | STANDARD_PACKING.ones[ENDED]
    assert table.gains(ended, 5).tolist() == [0.0]
    assert table.gains(keys_of(["h5"]), 0).tolist() == [0.0]


def test_one_die_of_each_kind_is_no_gift():
    table = value_table(STANDARD, nine=True)
    sky = keys_of(["h1"], ["h5", "m3"], [])
    worth = gifts(table, {(1, 1, 1): sky, (2, 2, 2): sky}, 4)
    assert worth[1, 1, 1].tolist() == [0.0] * 3
    assert (worth[2, 2, 2] > 1).all()


def test_no_dice_set_is_solved_with_the_numbers_of_another():
    values = {
        name: value(at(f"h1 G1U1P1 - take 9.1 online+{name}".removesuffix("+standard"))).exact
        for name in ("standard", "uniform", "blank-upper")
    }
    assert len(set(values.values())) == 3
    assert prod(values.values()) > 0
