"""The tables of the lessons about whole games, beside the numbers that they tell."""

from __future__ import annotations

import pytest
from numpy.random import default_rng
from skyline_widgets.language import language_named
from skyline_widgets.lesson_games import (
    band_table,
    best_table,
    ledger_table,
    mistake_table,
    player_table,
    seat_table,
    skill_table,
)

from skyline_kernel.skyline import Game, Seat, parse_position, start_game
from skyline_kernel.skyline.advice import advise
from skyline_kernel.skyline.coach.ledger import Ledger, ledger
from skyline_kernel.skyline.coach.review import Review, review

DE, EN = language_named("de"), language_named("en")


@pytest.fixture(scope="module")
def game() -> Game:
    played, rng = (
        start_game([Seat("Ada", "builder"), Seat("Ben", "greedy")], seed=3),
        default_rng(1),
    )
    while not played.state.is_over:
        played = played.play(played.computer_action(rng))
    return played


@pytest.fixture(scope="module")
def books(game: Game) -> Ledger:
    return ledger(game)


@pytest.fixture(scope="module")
def judged(game: Game) -> Review:
    return review(game)


def test_the_ledger_adds_up_as_it_is_written(game: Game, books: Ledger) -> None:
    table = ledger_table(game, books, EN)
    assert table.head == ("", "Ada", "Ben")
    for place, seat in enumerate(books.seats, start=1):
        column = [float(row[place].replace("\u2212", "-")) for row in table.rows]
        assert column[-1] == round(seat.result, 2)
        assert abs(sum(column[:-1]) - column[-1]) < 0.01 * len(column)


def test_causes_that_played_no_part_are_left_out(game: Game, books: Ledger) -> None:
    words = [row[0] for row in ledger_table(game, books, DE).rows]
    assert words[0] == "Zu Beginn zu erwarten"
    assert "Gl\u00fcck der W\u00fcrfe" in words
    assert "Was die begrenzte Schachtel vorenthielt" not in words
    assert words[-1] == "Endpunkte"


def test_all_decisions_that_count_are_in_a_band(judged: Review) -> None:
    table = band_table(judged, DE)
    assert table.rows[0][0] == "am besten"
    for seat in (1, 2):
        counting = [one for one in judged.of_seat(seat) if one.counts]
        assert sum(int(row[seat]) for row in table.rows) == len(counting)


def test_a_decision_is_told_in_words(judged: Review) -> None:
    worst = max(judged.decisions, key=lambda decision: decision.loss)
    told = dict(mistake_table(judged, worst, DE).rows)
    assert told["Name"] in ("Ada", "Ben")
    assert told["Gew\u00e4hlt"] != told["Besser"]
    assert told["Verlust"] == DE.loss(worst.loss)


def test_skill_has_its_interval(judged: Review) -> None:
    for number, row in enumerate(skill_table(judged, EN).rows, start=1):
        loss = judged.skill(number).loss
        assert loss is not None
        assert row[1:] == tuple(EN.number(end, 3) for end in (loss.value, loss.low, loss.high))


def test_skill_that_cannot_be_told_is_a_dash() -> None:
    nothing = review(start_game([Seat("Ada")], seed=1))
    assert skill_table(nothing, EN).rows == (("Ada", *("\u2013",) * 3),)


def test_seats_with_and_without_the_six_storey_ending() -> None:
    assert seat_table({1: 88.48}, lang=DE).rows == (("1", "88,48"),)
    assert seat_table({1: 88.5}, {1: 85.25}, EN).rows == (("1", "88.50", "85.25", "\u22123.25"),)


def test_ways_to_play_have_the_names_of_the_comparison() -> None:
    rows = player_table({"greedy": 1.5, "mine": 2.0}, DE).rows
    assert rows == (("greedy: gierig nach Punkten", "1,50"), ("mine", "2,00"))


def test_best_actions_round_by_round() -> None:
    advices = [advise(parse_position(f"m2 G1U1P1 Gl,P- more {n}.1"), "turn") for n in (8, 9)]
    rows = best_table(advices, DE).rows
    assert [row[0] for row in rows] == ["8", "9"]
    assert rows[1][1:] == ("W\u00fcrfle erneut: Dachgeschoss leer", "6")
