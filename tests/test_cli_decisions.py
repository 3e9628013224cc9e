"""The commands advise, value and simulate: what they print, and what they refuse."""

import io
import json
from itertools import pairwise
from typing import Any

import pytest
from tables import at

from skyline_kernel.cli import main
from skyline_kernel.skyline import format_action, legal_actions
from skyline_kernel.skyline.advice import advise

TAKE = "- G1U1P1 - take 9.1 online"
USE = "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online+nine"
MORE = "h3,m1,L2/- G1U1P1 Gl,Um,P- more 5.1 online"
WIN = "m2,H3/M3 G1U1P1 Gl,Pm use 9.2 online"

Capture = pytest.CaptureFixture[str]


def answer(capsys: Capture, *words: str) -> dict[str, Any]:
    """Run a command that must work, and read its one line of JSON."""
    assert main([*words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert not err
    (line,) = out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def refused(capsys: Capture, *words: str) -> str:
    """Run a command that must be refused, and return its one sentence."""
    try:
        status = main(list(words))
    except SystemExit as stop:
        status = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    (line,) = err.splitlines()
    return line


# --- advise -----------------------------------------------------------------------------------


@pytest.mark.parametrize("position", [TAKE, USE, MORE, "h2 G1U1P1 Gl,U?,P? roll 3.1 online"])
@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
def test_advise_ranks_every_action(capsys: Capture, position: str, objective: str) -> None:
    found = answer(capsys, "advise", position, "--objective", objective)
    state = at(position)
    assert set(found) - {"exact"} == {"position", "objective", "value", "best", "actions"}
    assert found["position"] == position
    assert found["objective"] == objective
    ranked = found["actions"]
    wanted = ["roll"] if state.is_chance else list(map(format_action, legal_actions(state)))
    assert sorted(one["action"] for one in ranked) == sorted(wanted)
    assert found["best"] == ranked[0]["action"]
    assert ranked[0]["value"] == found["value"]
    assert ranked[0]["loss"] == 0
    for one, next_ in pairwise(ranked):
        assert one["value"] >= next_["value"]
        assert one["loss"] <= next_["loss"]
    for one in ranked:
        assert set(one) - {"exact"} == {"action", "value", "loss", "odds"}
        assert one["loss"] == pytest.approx(found["value"] - one["value"], abs=1e-9)
        leads = state.is_chance or one["action"].startswith(("take", "reroll"))
        assert (one["odds"] is not None) == leads


def test_score_is_the_objective_if_none_is_named(capsys: Capture) -> None:
    assert answer(capsys, "advise", USE) == answer(capsys, "advise", USE, "--objective", "score")


def test_turn_is_exact(capsys: Capture) -> None:
    found = answer(capsys, "advise", TAKE, "--objective", "turn")
    assert (found["value"], found["exact"]) == (3.828125, "245/64")
    assert found["actions"][0]["exact"] == "245/64"
    assert "exact" not in answer(capsys, "advise", TAKE)


def test_odds_are_fractions_with_floats_beside_them(capsys: Capture) -> None:
    ranked = answer(capsys, "advise", MORE)["actions"]
    odds = {one["action"]: one["odds"] for one in ranked}["reroll Um,P-"]
    assert odds["build"] == {"exact": "1", "float": 1.0}
    assert odds["stuck"] == {"exact": "0", "float": 0.0}
    take = answer(capsys, "advise", "m2 G1U1P1 - take 9.1")["actions"]
    odds = {one["action"]: one["odds"] for one in take}["take UPP"]
    assert odds["build"]["exact"] == "19/27"
    assert odds["build"]["float"] == pytest.approx(19 / 27)


def test_when_the_game_is_over_nothing_is_best(capsys: Capture) -> None:
    found = answer(capsys, "advise", "H3,l1 G1U1P1 - over 9.1 online")
    assert (found["best"], found["actions"], found["value"]) == (None, [], 10.0)


def test_people_read_what_is_best_and_what_is_lost(capsys: Capture) -> None:
    assert main(["advise", MORE]) == 0
    out, _ = capsys.readouterr()
    first, value, best, *others = out.splitlines()
    assert first == MORE
    assert value.startswith("  score 59.9")
    assert "  best" in best
    assert all("loses" in line for line in others)
    assert any("can build 100.00% = 1" in line for line in others)


# --- value ------------------------------------------------------------------------------------


@pytest.mark.parametrize("objective", ["score", "turn", "margin"])
@pytest.mark.parametrize("position", [TAKE, USE, MORE])
def test_the_value_is_that_of_the_best_action(
    capsys: Capture, position: str, objective: str
) -> None:
    found = answer(capsys, "value", position, "--objective", objective)
    best = advise(at(position), objective)
    assert found.pop("value") == pytest.approx(best.value, abs=1e-9)
    exact = {"exact": str(best.exact)} if objective == "turn" else {}
    assert found == {"position": position, "objective": objective, **exact}


def test_a_value_of_nothing_is_a_value(capsys: Capture) -> None:
    found = answer(capsys, "value", "- G1U1P1 P-,P- use 9.1 online", "--objective", "turn")
    assert (found["value"], found["exact"]) == (0.0, "0")


def test_people_read_the_value(capsys: Capture) -> None:
    assert main(["value", TAKE, "--objective", "turn"]) == 0
    assert capsys.readouterr().out == f"{TAKE}\n  turn 3.828125 = 245/64\n"


def test_winning_comes_with_an_interval_and_a_seed(capsys: Capture) -> None:
    words = ("--objective", "win", "--seed", "5", "--games", "40")
    found = answer(capsys, "advise", WIN, *words)
    assert found["best"] == "build Gl"
    assert (found["value"], found["high"], found["games"], found["seed"]) == (1.0, 1.0, 40, 5)
    assert 0.8 < found["low"] < 1
    assert [one["value"] for one in found["actions"]] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert all(one["low"] <= one["value"] <= one["high"] for one in found["actions"])
    value = answer(capsys, "value", WIN, *words)
    assert {**found, **value} == found
    assert main(["advise", WIN, *words]) == 0
    assert "win 100.0% (91.2% to 100.0%, 40 games, seed 5)" in capsys.readouterr().out


# --- many positions ---------------------------------------------------------------------------


def test_a_stream_of_positions(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = f"{TAKE}\nnonsense\n{USE}\n".encode()
    for command in ("advise", "value"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines)))
        assert main([command, "-", "--json"]) == 0
        first, bad, last = map(json.loads, capsys.readouterr().out.splitlines())
        assert first == answer(capsys, command, TAKE)
        assert last == answer(capsys, command, USE)
        assert list(bad) == ["error"]
        assert "nonsense" in bad["error"]


@pytest.mark.parametrize("command", ["advise", "value"])
def test_what_is_refused(capsys: Capture, command: str) -> None:
    assert "expected a position of six words" in refused(capsys, command, "nonsense")
    sentence = refused(capsys, command, TAKE, "--objective", "luck")
    assert "'luck': expected score, turn, margin, win" in sentence
    sentence = refused(capsys, command, TAKE, "--objective", "win", "--games", "0")
    assert "0 games" in sentence
    assert "seed -1" in refused(capsys, command, TAKE, "--objective", "win", "--seed", "-1")


# --- simulate ---------------------------------------------------------------------------------

STUDY = ("simulate", "--players", "2", "--bots", "random,greedy", "--games", "6", "--seed", "1")


def test_simulate_prints_scores_and_wins_with_intervals(capsys: Capture) -> None:
    found = answer(capsys, *STUDY, "--rules", "printed+nine")
    assert {name: found[name] for name in ("rules", "players", "games", "seed")} == {
        "rules": "printed+nine",
        "players": 2,
        "games": 6,
        "seed": 1,
    }
    assert [(seat["seat"], seat["bot"]) for seat in found["seats"]] == [
        (1, "random"),
        (2, "greedy"),
    ]
    for seat in found["seats"]:
        for number in (seat["score"], seat["wins"]):
            assert number["low"] <= number["value"] <= number["high"]
            assert number["level"] == 0.95
    assert sum(seat["wins"]["value"] for seat in found["seats"]) == pytest.approx(1)
    assert found == answer(capsys, *STUDY, "--rules", "printed+nine")


@pytest.mark.slow
def test_workers_change_nothing(capsys: Capture) -> None:
    assert answer(capsys, *STUDY, "--workers", "2") == answer(capsys, *STUDY)


def test_people_read_a_line_for_each_seat(capsys: Capture) -> None:
    assert main([*STUDY]) == 0
    head, first, second = capsys.readouterr().out.splitlines()
    assert head == "6 games, online, seed 1"
    assert first.startswith("  seat 1  random  score ")
    assert " wins " in second


def test_one_game_has_a_score_without_an_interval(capsys: Capture) -> None:
    words = ("simulate", "--bots", "random", "--games", "1", "--seed", "2")
    score = answer(capsys, *words)["seats"][0]["score"]
    assert (score["error"], score["low"], score["high"]) == (None, None, None)
    assert main([*words]) == 0
    assert "to" not in capsys.readouterr().out.splitlines()[1].partition("wins")[0]


def test_a_study_without_a_seed_gets_a_new_one(capsys: Capture) -> None:
    words = ("simulate", "--bots", "random", "--games", "1")
    assert answer(capsys, *words)["seed"] != answer(capsys, *words)["seed"]


def test_a_bar_is_drawn_on_standard_error(capsys: Capture) -> None:
    assert main([*STUDY, "--progress"]) == 0
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 3
    assert "6/6" in err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--bots", "random,nobody"), "player 'nobody': expected one of random, greedy, builder"),
        (("--bots", "random", "--players", "2"), "1 players for 2 seats"),
        (("--bots", "random,random", "--players", "5"), "5 players: expected 1 to 4"),
        (("--bots", "random", "--games", "0"), "0 games: expected a whole number from 1"),
        (("--bots", "random", "--games", "-3"), "-3 games"),
        (("--bots", "random", "--games", "many"), "many"),
        (("--bots", "random", "--workers", "0"), "0 workers"),
        (("--bots", "random", "--seed", "-1"), "seed -1"),
        (("--bots", "random", "--rules", "chess"), "'chess'"),
        ((), "--bots"),
    ],
)
def test_studies_that_are_refused(capsys: Capture, words: tuple[str, ...], expected: str) -> None:
    assert expected in refused(capsys, "simulate", *words)
