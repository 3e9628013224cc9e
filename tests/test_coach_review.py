"""The review: every decision beside the best, skill apart from luck, on the command line too."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from coach_games import any_game, game_from
from game_tools import played

from skyline_kernel.cli import main
from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import Edition, Game, Phase, Roll, Rules, write_record
from skyline_kernel.skyline.advice import TOLERANCE, advise
from skyline_kernel.skyline.coach.bands import Band, Bands
from skyline_kernel.skyline.coach.report import report
from skyline_kernel.skyline.coach.review import Decision, Review, review, skill_of
from skyline_kernel.skyline.coach.saying import Speaker

EXACT = 1e-9


@pytest.fixture(scope="module")
def game() -> Game:
    return played(Rules(), ["greedy", "builder"], 2)


@pytest.fixture(scope="module")
def reviewed(game: Game) -> Review:
    return review(game)


@pytest.mark.parametrize(
    ("rules", "players", "seed"),
    [(Rules(), ["greedy", "builder"], 3), (Rules(Edition.PRINTED, nine=True), ["random"], 12)],
)
def test_every_decision_is_judged_as_advice_ranks_it(
    rules: Rules, players: Sequence[str], seed: int
) -> None:
    game = played(rules, players, seed)
    judged = review(game)
    entries = [n for n, entry in enumerate(game.log) if not isinstance(entry.action, Roll)]
    assert [decision.entry for decision in judged.decisions] == entries
    for decision in judged.decisions:
        if len(decision.state.dice) > 6:
            continue
        advice = advise(decision.state)
        ranked = advice.of(decision.action)
        assert decision.action == game.log[decision.entry].action
        assert decision.n_actions == len(advice.actions)
        assert decision.loss == pytest.approx(ranked.loss, abs=EXACT)
        assert decision.is_best == (ranked.loss <= TOLERANCE)
        assert decision.n_best == sum(one.loss <= TOLERANCE for one in advice.actions)
        better = sum(one.value > ranked.value + TOLERANCE for one in advice.actions)
        assert decision.rank == 1 + better
        assert decision.odds == ranked.odds
        bests = {one.action for one in advice.actions if one.loss <= TOLERANCE}
        assert set(decision.best) <= bests
        assert len(decision.best) == min(5, len(bests))
        assert decision.best_odds == advice.of(decision.best[0]).odds


def test_an_equal_best_choice_is_never_blamed_and_stands_first(reviewed: Review) -> None:
    equal = [one for one in reviewed.decisions if one.n_best > 1 and one.is_best]
    assert equal
    for decision in equal:
        assert decision.best[0] == decision.action
        assert decision.rank == 1
        assert Bands(1e-9, 1e-9, 1e-9).of(decision.loss) is Band.BEST


def test_forced_decisions_do_not_count() -> None:
    words = ("take PPP", "roll=P-,P-,P-", "abandon P-", "end")
    take, forced, idle = review(game_from("-/- G1U1P1 - take 9.1 online", *words)).decisions
    assert take.counts
    assert forced.is_forced
    assert not forced.counts
    # There are several choices, but no columns that a penthouse could be lost for.
    assert not idle.is_forced
    assert not idle.counts
    assert idle.is_best


def test_the_last_mistake_is_listed_too(reviewed: Review) -> None:
    for seat in (1, 2):
        losing = [one for one in reviewed.of_seat(seat) if one.loss >= 0.25]
        assert reviewed.mistakes(seat) == tuple(losing)
    whole = reviewed.mistakes()
    assert sorted(whole, key=lambda one: one.entry) == list(whole)
    assert len(whole) == len(reviewed.mistakes(1)) + len(reviewed.mistakes(2))


# --- bands ------------------------------------------------------------------------------------


def test_bands_are_a_pure_function_of_the_loss() -> None:
    bands = Bands(0.5, 1.0, 3.0)
    losses = [0.0, 1e-9, 0.49, 0.5, 0.99, 1.0, 2.99, 3.0, 40.0]
    names = [bands.of(loss) for loss in losses]
    assert names == [
        Band.BEST,
        Band.GOOD,
        Band.GOOD,
        Band.INACCURACY,
        Band.INACCURACY,
        Band.MISTAKE,
        Band.MISTAKE,
        Band.BLUNDER,
        Band.BLUNDER,
    ]


@pytest.mark.parametrize(
    "numbers", [(0.0, 1.0, 2.0), (1.0, 0.5, 2.0), (1.0, 3.0, 2.0), (1.0, 2.0, float("nan"))]
)
def test_thresholds_that_are_not_in_order_are_refused(numbers: tuple[float, ...]) -> None:
    with pytest.raises(SettingError, match="rising"):
        Bands(*numbers)


def test_other_bands_recolour_the_same_decisions(reviewed: Review) -> None:
    strict, mild = Bands(0.01, 0.02, 0.03), Bands(50, 60, 70)
    assert reviewed.band_counts(1, strict)[Band.BLUNDER] > reviewed.band_counts(1)[Band.BLUNDER]
    assert reviewed.mistakes(bands=mild) == ()
    for bands in (strict, mild):
        counted = sum(one.counts for one in reviewed.of_seat(1))
        assert sum(reviewed.band_counts(1, bands).values()) == counted


# --- skill and luck ---------------------------------------------------------------------------


def test_skill_is_the_mean_loss_of_the_decisions_that_count(reviewed: Review) -> None:
    losses = np.array([one.loss for one in reviewed.of_seat(1) if one.counts])
    skill = reviewed.skill(1)
    assert skill.loss is not None
    assert skill.n_decisions == len(losses)
    assert skill.loss.value == pytest.approx(losses.mean())
    error = losses.std(ddof=1) / len(losses) ** 0.5
    assert skill.loss.high - skill.loss.value == pytest.approx(2.0 * error, rel=0.02)
    assert skill.loss.low < skill.loss.value < skill.loss.high


def test_too_few_decisions_are_refused_with_a_sentence(reviewed: Review) -> None:
    few = skill_of(reviewed.decisions[:6])
    assert few.loss is None
    assert few.refusal is not None
    assert str(few.refusal).endswith("at least 20 are needed.")
    assert skill_of([]).n_decisions == 0
    with pytest.raises(SettingError):
        skill_of(reviewed.decisions, least=1)


def test_the_same_player_has_the_same_skill_with_other_luck(reviewed: Review) -> None:
    better = [
        replace(one, value=one.value + 10, best_value=one.best_value + 10)
        for one in reviewed.decisions
    ]
    assert skill_of(better) == skill_of(reviewed.decisions)


def test_turning_points_are_the_largest_moves(reviewed: Review) -> None:
    points = reviewed.turning_points(4)
    amounts = [abs(term.amount) for one in reviewed.ledger.seats for term in one.terms]
    assert [abs(term.amount) for term in points] == sorted(amounts, reverse=True)[:4]
    assert all(term.seat == 2 for term in reviewed.turning_points(9, seat=2))


def test_turns_that_are_too_large_are_left_out_and_named() -> None:
    game = any_game(1, most_players=2)
    part = review(game, most_values=20_000)
    decided = {n for n, entry in enumerate(game.log) if not isinstance(entry.action, Roll)}
    assert part.unjudged
    assert set(part.unjudged) | {one.entry for one in part.decisions} == decided
    assert not set(part.unjudged) & {one.entry for one in part.decisions}


def test_only_the_score_adds_up_over_a_game(game: Game) -> None:
    with pytest.raises(SettingError, match="expected score"):
        review(game, "turn")


# --- the command ------------------------------------------------------------------------------


def test_the_command_prints_the_review(
    game: Game, reviewed: Review, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    write_record(game, path)
    assert main(["review", str(path), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["objective"] == "score"
    assert len(printed["decisions"]) == len(reviewed.decisions)
    for seat in printed["seats"]:
        account = seat["ledger"]
        causes = ("district", "shortage", "luck", "loss", "cut", "unsplit")
        total = account["start"] + sum(account[cause] for cause in causes)
        assert total == pytest.approx(account["result"], abs=EXACT)
    assert [len(row) for row in printed["expected"]] == [len(game.states)] * 2
    told = [one["entry"] for one in printed["reasons"]]
    assert told == [one.entry for one in reviewed.mistakes(least=Band.MISTAKE)]
    assert all(one["text"] and one["clauses"] for one in printed["reasons"])
    assert main(["review", str(path), "--language", "en"]) == 0
    text = capsys.readouterr().out
    assert "Turning points" in text
    assert "final score" in text


@pytest.mark.parametrize(
    ("environment", "option", "is_german"),
    [
        ({"LANG": "C.UTF-8"}, [], False),
        ({"LANG": "de_DE.UTF-8"}, [], True),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "de_CH"}, [], True),
        ({"LANG": "de_DE.UTF-8"}, ["--language", "en"], False),
        ({"LANG": "C"}, ["--language", "de"], True),
    ],
)
def test_the_report_is_german_where_that_is_wanted(
    game: Game,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    option: list[str],
    is_german: bool,
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, words in environment.items():
        monkeypatch.setenv(name, words)
    path = tmp_path / "game.json"
    write_record(game, path)
    assert main(["review", str(path), *option]) == 0
    text = capsys.readouterr().out
    assert ("Wendepunkte" in text) == is_german
    assert ("Turning points" in text) != is_german


def test_the_german_report_leaves_no_sentence_in_english(reviewed: Review) -> None:
    english, german = report(reviewed), report(reviewed, say=Speaker("de"))
    assert len(english) == len(german)
    same = {one.strip() for one, other in zip(english, german, strict=True) if one == other}
    assert same == {""}
    assert not [line for line in german if re.search(r"[0-9]\.[0-9]{2}\b", line)]
    assert not [line for line in german if re.search(r"\b(the|of|with|lost|best|is)\b", line)]
    assert list(map(numbers_in, german)) == list(map(numbers_in, english))


def numbers_in(line: str) -> list[str]:
    """The numbers of a line; sentences may order them differently."""
    return sorted(re.findall(r"[0-9]+(?:[.,][0-9]+)?", line.replace(",", ".")))


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(SettingError, match="expected de, en"):
        Speaker("fr")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.json"], "nowhere.json"),
        (["empty.json"], "record"),
        (["game.json", "--objective", "win"], "expected score"),
    ],
)
def test_bad_input_is_one_line_on_standard_error(
    words: list[str], said: str, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_record(game, tmp_path / "game.json")
    (tmp_path / "empty.json").write_text("")
    assert main(["review", str(tmp_path / words[0]), *words[1:]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_plain_types_say_the_same_as_the_review(reviewed: Review) -> None:
    told = reviewed.as_dict(Bands(1, 2, 3))
    assert json.loads(json.dumps(told)) == told
    first: Decision = reviewed.decisions[0]
    assert told["decisions"][0]["loss"] == first.loss
    assert told["bands"] == {"inaccuracy": 1, "mistake": 2, "blunder": 3}
    take = next(one for one in reviewed.decisions if one.state.phase is Phase.TAKE)
    assert take.odds is not None
    chances = take.as_dict()["odds"]
    assert chances["build"]["exact"] == str(take.odds.build)
