"""The ledger: every result is explained to the last digit, by terms that anyone can check."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from math import fsum
from multiprocessing import get_context

import pytest
from coach_games import any_game, game_from, sums_of
from game_tools import played

from skyline_kernel.skyline import (
    Column,
    Edition,
    Game,
    Phase,
    Roll,
    Rules,
    State,
    new_game,
    points,
)
from skyline_kernel.skyline.advice import value
from skyline_kernel.skyline.coach.ledger import Cause, Ledger, SeatLedger, ledger, ledgers
from skyline_kernel.skyline.columns import Skyline
from skyline_kernel.skyline.state import N_ROUNDS

EXACT = 1e-9
N_GAMES = 10_000
AT_ONCE = 500


def expect_sound(game: Game, account: Ledger) -> None:
    """Check what holds of every ledger."""
    for seat in account.seats:
        assert seat.total_of_all == pytest.approx(seat.result, abs=EXACT)
        assert fsum([seat.start, *map(seat.total, Cause)]) == pytest.approx(seat.result, abs=EXACT)
        expected = account.expected[seat.seat - 1]
        assert len(expected) == len(game.states)
        assert expected[-1] == pytest.approx(seat.result, abs=EXACT)
        for term in seat.terms:
            assert term.amount < 0 or term.cause not in (Cause.LOSS, Cause.CUT, Cause.SHORTAGE)
            assert term.amount > 0 or term.cause is not Cause.DISTRICT
        if game.state.is_over:
            assert seat.result == points(game.state.skylines[seat.seat - 1])


def test_the_sum_is_the_final_score_in_games_of_all_kinds() -> None:
    games = [any_game(number, most_players=2) for number in range(14)]
    accounts = ledgers(games, most_values=600)
    for game, account in zip(games, accounts, strict=True):
        expect_sound(game, account)
    causes = {term.cause for one in accounts for seat in one.seats for term in seat.terms}
    assert causes >= {Cause.DISTRICT, Cause.LUCK, Cause.LOSS, Cause.CUT, Cause.UNSPLIT}


@pytest.mark.slow
def test_the_sum_is_the_final_score_with_all_dice_and_four_players() -> None:
    games = [any_game(n, dice_sets=("standard", "uniform", "blank-upper")) for n in range(40)]
    for game, account in zip(games, ledgers(games, most_values=2000), strict=True):
        expect_sound(game, account)


def test_the_sum_holds_on_random_games() -> None:
    sums = sums_of(0, 12)
    assert sums.gap < EXACT
    assert sums.n_unsplit < sums.n_turns / 4


@pytest.mark.slow
def test_the_sum_holds_on_ten_thousand_random_games() -> None:
    begins = range(0, N_GAMES, AT_ONCE)
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        parts = list(pool.map(sums_of, begins, (begin + AT_ONCE for begin in begins)))
    assert sum(part.n_games for part in parts) == N_GAMES
    assert max(part.gap for part in parts) < EXACT
    # Nearly all turns are split into their terms.
    n_turns, n_unsplit = (sum(some) for some in zip(*(part[1:3] for part in parts), strict=True))
    assert n_unsplit < 0.03 * n_turns
    print(f"{n_unsplit} of {n_turns} turns hold too many dice to be split")


# --- the terms once more, by the values that the command line prints --------------------------


def yard_value(skyline: Skyline, turns: int, rules: Rules) -> float:
    """What a skyline is worth alone at the table, its turns taken from the yard."""
    if not turns:
        return float(points(skyline))
    # One die of each kind in the district is no more than the yard offers.
    first = new_game(1, replace(rules, box=False))
    return value(replace(first, skylines=(skyline,), round=N_ROUNDS + 1 - turns)).value


def turns_left(state: State, seat: int) -> int:
    """Own turns that are not yet begun."""
    rounds = 0 if state.is_last_round else N_ROUNDS - state.round
    return rounds + (seat > state.seat) if not state.is_over else 0


def told_by_values(game: Game, seat: int) -> list[tuple[Cause, int, float]]:
    """The terms of a seat, each from two values of neighbouring positions."""
    terms, before = [], yard_value(game.states[0].skylines[seat - 1], N_ROUNDS, game.rules)
    for number, state in enumerate(game.states):
        mine = state.seat == seat and not state.is_over
        entry = game.log[number - 1] if number else None
        acted = entry is not None and entry.seat == seat
        if acted and entry is not None:
            ended = entry.ends_turn
            skyline = state.skylines[seat - 1]
            left = turns_left(state, seat) + (ended and mine)
            after = yard_value(skyline, left, game.rules) if ended else value(state).value
            cause = Cause.LUCK if isinstance(entry.action, Roll) else Cause.LOSS
            terms.append((cause, number, after - before))
            before = after
        elif state.is_last_round and number and not game.states[number - 1].is_last_round:
            after = yard_value(state.skylines[seat - 1], turns_left(state, seat), game.rules)
            terms.append((Cause.CUT, number, after - before))
            before = after
        if mine and state.phase is Phase.TAKE:
            terms.append((Cause.DISTRICT, number, value(state).value - before))
            before = value(state).value
    return [term for term in terms if abs(term[2]) > EXACT]


def told(account: SeatLedger) -> list[tuple[Cause, int, float]]:
    """The terms of the ledger that are not lost in rounding."""
    terms = [(term.cause, term.state, term.amount) for term in account.terms]
    return [term for term in terms if abs(term[2]) > EXACT]


@pytest.mark.parametrize(
    ("players", "rules", "seed"),
    [
        (["greedy"], Rules(), 4),
        (["greedy", "builder"], Rules(Edition.PRINTED, nine=True), 5),
        (["builder", "builder", "greedy"], Rules(box=True), 11),
    ],
)
def test_every_term_is_a_difference_of_two_public_values(
    players: list[str], rules: Rules, seed: int
) -> None:
    game = played(rules, players, seed)
    for seat, account in enumerate(ledger(game).seats, start=1):
        expected = told_by_values(game, seat)
        for got, want in zip(told(account), expected, strict=True):
            assert got[:2] == want[:2]
            assert got[2] == pytest.approx(want[2], abs=EXACT)


# --- single terms -----------------------------------------------------------------------------


SIX = ("take UUP", "roll=Ul,Ul,Ph", "build Ph@h5", "end")


def test_anothers_six_storeys_cut_off_the_turns_that_they_take_away() -> None:
    game = game_from("h1/h5/m1 G1U1P1 - take 5.2 online", *SIX)
    account = ledger(game)
    first, second, third = account.seats
    assert first.total(Cause.CUT) == pytest.approx(
        -yard_value((Column.HIGH_1,), 4, Rules()), abs=EXACT
    )
    lost = yard_value((Column.MID_1,), 1, Rules()) - yard_value((Column.MID_1,), 5, Rules())
    assert third.total(Cause.CUT) == pytest.approx(lost, abs=EXACT)
    assert second.total(Cause.CUT) == 0
    assert first.own_end is None


def test_ones_own_six_storeys_are_a_decision_and_told_beside_the_sum() -> None:
    game = game_from("h1/h5/m1 G1U1P1 - take 5.2 online", *SIX)
    second = ledger(game).seats[1]
    assert second.own_end is not None
    assert second.own_end.n_turns == 4
    assert second.own_end.worth == pytest.approx(yard_value((), 4, Rules()), abs=EXACT)
    build = next(term for term in second.terms if term.state == 3)
    assert build.cause is Cause.LOSS
    assert build.amount < -10


def test_with_nine_rounds_nothing_is_cut_off() -> None:
    game = game_from("h1/h5/m1 G1U1P1 - take 5.2 online+nine", *SIX)
    for account in ledger(game).seats:
        assert account.total(Cause.CUT) == 0
        assert account.own_end is None


def test_dice_that_the_yard_has_run_out_of_are_a_shortage() -> None:
    # All 25 ground floor dice of the box stand in the first seat's columns.
    crowd = ",".join(["l1"] * 25)
    game = game_from(f"{crowd}/- G0U1P1 - take 9.2 online+box", "take UUU")
    account = ledger(game).seats[1]
    state = game.states[0]
    yard_only = yard_value(state.skyline, 1, Rules())
    lacking = value(state).value - yard_only
    assert lacking < -1
    assert account.total(Cause.SHORTAGE) == pytest.approx(lacking, abs=EXACT)
    assert account.total(Cause.DISTRICT) == 0


def test_a_game_under_way_sums_to_what_can_be_expected_now() -> None:
    game = played(Rules(), ["greedy", "greedy"], 8)
    part = replace(game, log=game.log[:61], states=game.states[:62])
    account = ledger(part)
    assert not account.is_over
    expect_sound(part, account)
    mover = part.state.seat
    assert account.seats[mover - 1].result == pytest.approx(value(part.state).value, abs=EXACT)
    assert ledger(replace(game, log=(), states=game.states[:1])).seats[0].terms == ()


def test_a_turn_that_is_too_large_is_one_term() -> None:
    game = any_game(1, most_players=2)
    whole, coarse = ledgers([game], most_values=4_000_000)[0], ledgers([game], most_values=100)[0]
    for fine, rough in zip(whole.seats, coarse.seats, strict=True):
        assert rough.total_of_all == pytest.approx(fine.total_of_all, abs=EXACT)
        assert {term.cause for term in rough.terms} == {Cause.UNSPLIT}
