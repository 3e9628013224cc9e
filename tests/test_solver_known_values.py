"""Values that were known beforehand."""

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from solver_tools import keep_tables_in_memory
from tables import at

from skyline_kernel.skyline import format_action, parse_action, parse_position
from skyline_kernel.skyline.advice import advise, value

CASES = json.loads((Path(__file__).parent / "data" / "skyline_values.json").read_text())


@pytest.fixture(autouse=True)
def _no_files(monkeypatch):
    keep_tables_in_memory(monkeypatch)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["position"])
def test_every_action_of_the_given_cases(case):
    advice = advise(parse_position(case["position"]))
    given = {parse_action(action): Fraction(exact) for action, (exact, _) in case["values"].items()}
    found = {
        ranked.action: ranked
        for ranked in advice.actions
        if not format_action(ranked.action).startswith("demolish")
    }
    assert set(found) == set(given)
    for action, exact in given.items():
        assert found[action].value == pytest.approx(float(exact), abs=1e-9)
        if case["turns_after_this"] == 0:
            assert found[action].exact == exact
    assert advice.value == pytest.approx(float(max(given.values())), abs=1e-9)


@pytest.mark.parametrize(
    ("clock", "exact"),
    [
        ("9.1", Fraction(245, 64)),
        ("8.1", Fraction(12469746041, 1088391168)),
        ("7.1", Fraction(245439392724485, 12694994583552)),
    ],
)
@pytest.mark.parametrize("rules", ["online", "online+nine", "printed", "printed+nine"])
def test_last_turns_from_an_empty_table(clock, exact, rules):
    found = value(at(f"- G1U1P1 - take {clock} {rules}"))
    assert found.value == pytest.approx(float(exact), abs=1e-12)


@pytest.mark.parametrize("edition", ["online", "printed"])
def test_nine_rounds_from_a_high_rise_ground_floor(edition):
    assert value(at(f"h1 G1U1P1 - take 1.1 {edition}+nine")).value == pytest.approx(
        88.4805968303, abs=1e-10
    )


def test_a_start_is_worth_more_the_taller_its_style_and_any_more_than_none():
    starts = [
        value(at(f"h1/m1/l1/- G1U1P1 - take 1.{seat} online+nine")).value for seat in range(1, 5)
    ]
    assert all(before > after for before, after in pairwise(starts))


def test_an_early_end_costs_points_whatever_one_starts_with():
    for seat in range(1, 5):
        position = f"h1/m1/l1/- G1U1P1 - take 1.{seat}"
        assert value(at(f"{position} online")).value < value(at(f"{position} online+nine")).value


def test_the_last_turn_is_exact_for_the_score_and_every_turn_for_the_points():
    assert value(at("- G1U1P1 - take 9.1 online")).exact == Fraction(245, 64)
    assert value(at("- G1U1P1 - take 5.1! online")).exact == Fraction(245, 64)
    assert value(at("- G1U1P1 - take 1.1 online"), "turn").exact == Fraction(245, 64)
    assert value(at("- G1U1P1 - take 1.1 online")).exact is None
