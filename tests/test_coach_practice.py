"""Practice: puzzles of one's own mistakes, fresh ones, and the record of what was practised."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from game_tools import played

from skyline_kernel.errors import IllegalActionError, RecordError, SettingError
from skyline_kernel.skyline import (
    Build,
    Phase,
    Reroll,
    Rules,
    TakeDistrict,
    chance_outcomes,
    format_position,
    legal_builds,
    parse_action,
    parse_position,
    shipped_dice_set,
    successor,
)
from skyline_kernel.skyline.advice import TOLERANCE, advise, value
from skyline_kernel.skyline.coach.bands import Band, Bands
from skyline_kernel.skyline.coach.generator import THEMES, daily_puzzle, fresh_puzzle
from skyline_kernel.skyline.coach.progress import Progress, format_progress, parse_progress
from skyline_kernel.skyline.coach.puzzles import (
    Difficulty,
    Puzzle,
    Session,
    Theme,
    difficulty_of,
    judge,
    mistake_puzzles,
)
from skyline_kernel.skyline.coach.review import review

EXACT = 1e-9
KEEP = Puzzle(parse_position("h5 G1U1P1 Ul,Ph more 9.1 online"), Theme.INSURANCE, Difficulty.EASY)


def test_every_listed_mistake_is_offered_the_last_one_too() -> None:
    judged = review(played(Rules(), ["greedy", "builder"], 4))
    for seat in (None, 1, 2):
        listed = judged.mistakes(seat)
        offered = mistake_puzzles(judged, seat)
        assert [one.state for one in offered] == [one.state for one in listed]
        assert [one.played for one in offered] == [one.action for one in listed]
    strict = mistake_puzzles(judged, bands=Bands(1, 2, 5), least=Band.BLUNDER)
    assert len(strict) == sum(one.loss >= 5 for one in judged.decisions)


def test_the_answer_is_hidden_until_it_is_found_or_asked_for() -> None:
    session = Session(KEEP)
    assert session.best == ()
    assert session.why is None
    assert set(map(str, KEEP.options)) == {
        str(ranked.action) for ranked in advise(KEEP.state).actions
    }
    shown = session.reveal()
    best = {one.action for one in advise(KEEP.state).actions if one.is_best}
    assert set(shown.best) == best
    assert shown.why is not None
    assert not shown.is_solved


def test_wrong_answers_are_priced_and_can_be_taken_back() -> None:
    wrong, right = parse_action("abandon Ph"), parse_action("build Ph@h5")
    session = Session(KEEP).answer(wrong)
    assert not session.is_solved
    assert session.tries[0].loss == pytest.approx(advise(KEEP.state).of(wrong).loss, abs=EXACT)
    again = session.answer(right)
    assert again.is_solved
    assert [one.is_right for one in again.tries] == [False, True]
    assert again.why is not None
    assert again.why.action == wrong
    back = session.take_back()
    assert back.tries == ()
    assert back.n_taken_back == 1
    with pytest.raises(IllegalActionError):
        back.take_back()
    with pytest.raises(IllegalActionError):
        again.answer(wrong)
    with pytest.raises(IllegalActionError):
        session.answer(parse_action("build Ph@h4"))


def test_every_choice_equal_to_the_best_is_accepted_and_no_other() -> None:
    for theme in THEMES:
        puzzle = fresh_puzzle(theme, Difficulty.MEDIUM, seed=3)
        for ranked in advise(puzzle.state).actions:
            tried = judge(puzzle, ranked.action)
            assert tried.is_right == (ranked.loss <= TOLERANCE)
            assert tried.loss == pytest.approx(ranked.loss, abs=EXACT)


def test_the_follow_up_is_the_likeliest_roll_that_falls_behind() -> None:
    tried = judge(KEEP, parse_action("reroll Ul,Ph"))
    follow = tried.follow_up
    assert follow is not None
    after = successor(KEEP.state, follow.actions[0])
    best = value(KEEP.state).value
    bad = {
        roll: chance
        for roll, chance in chance_outcomes(after)
        if value(successor(after, roll)).value < best - 1e-8
    }
    assert follow.probability == bad[follow.roll] == max(bad.values())
    shown = successor(after, follow.roll)
    assert follow.behind == pytest.approx(best - value(shown).value, abs=EXACT)
    assert advise(shown).of(follow.answer).is_best
    assert f"{follow.behind:.2f} points behind" in str(follow.sentence)
    assert judge(KEEP, parse_action("build Ph@h5")).follow_up is None


# --- fresh puzzles ----------------------------------------------------------------------------


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("difficulty", list(Difficulty))
def test_fresh_puzzles_are_of_their_theme_and_difficulty(
    theme: Theme, difficulty: Difficulty
) -> None:
    for seed in range(2):
        puzzle = fresh_puzzle(theme, difficulty, seed=seed)
        assert puzzle == fresh_puzzle(theme.value, difficulty.value, seed=seed)
        state, advice = puzzle.state, advise(puzzle.state)
        losses = [one.loss for one in advice.actions if one.loss > TOLERANCE]
        gap = min(losses)
        best = [one.action for one in advice.actions if one.loss <= TOLERANCE]
        match theme:
            case Theme.INSURANCE:
                fits = {build.die for build in legal_builds(state)}
                for reroll in best:
                    assert isinstance(reroll, Reroll)
                    assert any(state.dice.count(d) > reroll.dice.count(d) for d in fits)
            case Theme.STOP_OR_GO:
                second = next(one.action for one in advice.actions if one.loss > TOLERANCE)
                assert {type(best[0]), type(second)} == {Build, Reroll}
            case Theme.DISTRICT_OR_YARD:
                assert state.phase is Phase.TAKE
                district = advice.of(TakeDistrict()).value
                yard = max(one.value for one in advice.actions if one.action != TakeDistrict())
                gap = abs(district - yard)
            case Theme.WHICH_COLUMN:
                (build,) = best
                assert isinstance(build, Build)
                assert sum(other.die is build.die for other in legal_builds(state)) > 1
            case Theme.LAST_ROUND:
                assert state.round == 9
        assert difficulty_of(gap, len(advice.actions)) is difficulty


def test_other_seeds_give_other_puzzles_and_other_rules_their_own() -> None:
    states = {fresh_puzzle(Theme.INSURANCE, Difficulty.EASY, seed=n).state for n in range(8)}
    assert len(states) > 5
    printed = Rules(parse_position("- G1U1P1 - take 1.1 printed").rules.edition)
    puzzle = fresh_puzzle(Theme.WHICH_COLUMN, Difficulty.EASY, seed=1, rules=printed)
    assert puzzle.state.rules == printed
    assert puzzle.name != fresh_puzzle(Theme.WHICH_COLUMN, Difficulty.EASY, seed=1).name


@pytest.mark.slow
def test_the_puzzle_of_a_day_is_the_same_for_everybody() -> None:
    first = date(2026, 3, 1)
    days = [daily_puzzle(first + timedelta(days=n)) for n in range(15)]
    assert days[3] == daily_puzzle(date(2026, 3, 4))
    assert {(one.theme, one.difficulty) for one in days} == {
        (theme, difficulty) for theme in THEMES for difficulty in Difficulty
    }


@pytest.mark.parametrize(
    ("theme", "difficulty", "seed"),
    [
        ("mistake", "easy", 1),
        ("nothing", "easy", 1),
        ("insurance", "cruel", 1),
        ("insurance", "easy", -1),
    ],
)
def test_what_does_not_exist_is_refused(theme: str, difficulty: str, seed: int) -> None:
    with pytest.raises(SettingError):
        fresh_puzzle(theme, difficulty, seed=seed)


def test_dice_that_show_no_such_puzzle_are_refused() -> None:
    blank = replace(shipped_dice_set("standard"), name="blank", weights=((0, 0, 0, 1),) * 3)
    with pytest.raises(SettingError, match="no such puzzle"):
        fresh_puzzle(Theme.INSURANCE, Difficulty.EASY, seed=1, rules=Rules(dice_set=blank))


# --- progress ---------------------------------------------------------------------------------


def test_progress_is_kept_as_json() -> None:
    day = date(2026, 2, 28)
    wrong, right = parse_action("abandon Ph"), parse_action("build Ph@h5")
    tried = Session(KEEP).answer(wrong)
    kept = Progress().with_session(tried, day)
    position = format_position(KEEP.state)
    assert kept.open_positions() == (position,)
    assert kept.n_solved() == 0
    kept = kept.with_session(tried.answer(right), day + timedelta(days=1))
    assert kept.open_positions() == ()
    assert kept.n_solved(Theme.INSURANCE) == 1
    assert kept.n_solved(Theme.LAST_ROUND) == 0
    assert kept.days_in_a_row(date(2026, 3, 1)) == 2
    assert kept.days_in_a_row(date(2026, 3, 2)) == 0
    assert kept.practised[1].n_tries == 2
    assert kept.practised[1].cost == tried.tries[0].loss
    assert parse_progress(format_progress(kept)) == kept
    revealed = Progress().with_session(Session(KEEP).reveal().answer(right), day)
    assert revealed.n_solved() == 0


ROW = {
    "position": "h5 G1U1P1 Ul,Ph more 9.1 online",
    "theme": "insurance",
    "difficulty": "easy",
    "day": "2026-02-28",
    "tries": 0,
    "solved": False,
    "cost": 0,
}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"format": "skyline-practice", "version": 2, "practised": []}',
        '{"format": "skyline-practice", "version": 1, "practised": {}}',
        *(
            json.dumps({"format": "skyline-practice", "version": 1, "practised": [row]})
            for row in (
                None,
                {**ROW, "position": "h5"},
                {**ROW, "theme": "love"},
                {**ROW, "day": "yesterday"},
                {**ROW, "tries": -1},
                {**ROW, "cost": "much"},
                {name: ROW[name] for name in ("position", "theme")},
            )
        ),
    ],
)
def test_a_record_that_is_none_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_progress(text)
    assert "\n" not in str(caught.value)


def test_nothing_practised_is_not_nothing_solved() -> None:
    row = json.dumps({"format": "skyline-practice", "version": 1, "practised": [ROW]})
    (one,) = parse_progress(row).practised
    assert (one.n_tries, one.cost, one.is_solved) == (0, 0.0, False)
