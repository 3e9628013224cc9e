"""Whole games of computer players: fixed by the seed, whoever plays them, and fair."""

from collections import defaultdict
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest
from distributed import Client
from tables import at

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import (
    BEST_PLAYERS,
    Rules,
    State,
    can,
    format_action,
    legal_actions,
    new_game,
    parse_rules,
    player_named,
    ranking,
)
from skyline_kernel.skyline.advice import Objective, advise, value
from skyline_kernel.skyline.distributions import score_distribution
from skyline_kernel.skyline.players import builder_player, greedy_player
from skyline_kernel.skyline.simulation import BLOCK, SimulationResult, play_games, simulate
from skyline_kernel.skyline.table_games import best_play_outcomes
from skyline_kernel.skyline.turn_odds import best_policy, policy_of, turn_ends
from skyline_kernel.skyline.winning import WinAdvice, advise_win, win_chance
from skyline_kernel.statistics import chi_square_p

LAST_ROUND = at("m2,l1/h2,m1 G1U1P1 - take 9.1 online")


def short(executor: Executor | None = None, n_games: int = 2 * BLOCK + 7) -> SimulationResult:
    return simulate(["builder", "random"], n_games, seed=3, start=LAST_ROUND, executor=executor)


def assert_same(first: SimulationResult, second: SimulationResult) -> None:
    assert (first.scores == second.scores).all()
    assert (first.places == second.places).all()


# --- the same games whoever plays them --------------------------------------------------------


def test_threads_play_the_same_games() -> None:
    with ThreadPoolExecutor(3) as pool:
        assert_same(short(pool), short())


@pytest.mark.slow
def test_processes_play_the_same_games() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert_same(short(pool), short())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_two_workers_of_a_cluster_play_the_same_games() -> None:
    with Client(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as client:
        assert len(client.scheduler_info()["workers"]) == 2
        assert_same(short(client.get_executor()), short())


def test_a_game_depends_on_the_seed_and_its_number_alone() -> None:
    result = short()
    scores, places = play_games(LAST_ROUND, ["builder", "random"], 3, 30, 5)
    assert (scores == result.scores[30:35]).all()
    assert (places == result.places[30:35]).all()
    assert_same(short(n_games=10), simulate(["builder", "random"], 10, seed=3, start=LAST_ROUND))
    other = simulate(["builder", "random"], 57, seed=4, start=LAST_ROUND)
    assert (other.scores != result.scores).any()


def test_progress_is_told_in_whole_games() -> None:
    told: list[int] = []
    simulate(["random"], BLOCK + 3, seed=0, start=at("h1 G1U1P1 - take 9.1"), progress=told.append)
    assert told == [BLOCK, 3]


# --- what is counted --------------------------------------------------------------------------


def test_a_shared_victory_counts_in_parts() -> None:
    even = at("M3/M3/L2 G1U1P1 P? roll 9.3 online")
    result = simulate(["builder"] * 3, 8, seed=1, start=even)
    assert result.scores.tolist() == [[9, 9, 4]] * 8
    assert [result.win_share(seat).value for seat in (1, 2, 3)] == [0.5, 0.5, 0.0]
    assert [result.n_shared(seat) for seat in (1, 2, 3)] == [8, 8, 0]
    assert result.score(1).value == 9
    assert result.score(1).low == result.score(1).high == 9


@pytest.mark.parametrize("rules", ["online", "printed+nine", "online+box+uniform"])
def test_places_are_those_of_the_ranking(rules: str) -> None:
    result = simulate(["greedy", "builder", "random"], 3, seed=5, rules=parse_rules(rules))
    assert result.scores.shape == (3, 3)
    assert result.wins.sum() == pytest.approx(3)
    best = result.scores == result.scores.max(axis=1, keepdims=True)
    assert best[result.places == 1].all()
    assert sum(seat["wins"]["value"] for seat in result.as_dict()["seats"]) == pytest.approx(1)


def test_own_players_are_functions() -> None:
    named = simulate(["greedy", "builder"], 5, seed=5, start=LAST_ROUND)
    own = simulate([greedy_player, builder_player], 5, seed=5, start=LAST_ROUND)
    assert_same(named, own)
    assert own.bots == ("greedy_player", "builder_player")


@pytest.mark.parametrize(
    ("bots", "n_games", "seed", "expected"),
    [
        (["builder"], 5, 1, "1 players for 2 seats"),
        (["builder", "nobody"], 5, 1, "player 'nobody'"),
        (["builder", "random"], 0, 1, "0 games"),
        (["builder", "random"], True, 1, "True games"),
        (["builder", "random"], 5, -1, "seed -1"),
    ],
)
def test_what_cannot_be_simulated(bots: list[str], n_games: int, seed: int, expected: str) -> None:
    with pytest.raises(SettingError, match=expected):
        simulate(bots, n_games, seed=seed, start=LAST_ROUND)


def test_five_players_are_too_many() -> None:
    with pytest.raises(SettingError, match="5 players"):
        simulate(["random"] * 5, 1, seed=1)


# --- against exact distributions --------------------------------------------------------------


@pytest.mark.parametrize("name", ["builder", "greedy"])
def test_simulated_scores_follow_the_exact_distribution(name: str) -> None:
    start = at("h2,m1 G1U1P1 - take 8.1 online")
    exact = score_distribution(start, policy_of(name), keeps_district=True)
    scores = simulate([name], 800, seed=11, start=start).scores[:, 0]
    observed = [int((scores == v).sum()) for v in exact.values]
    expected = [float(p) * 800 for p in exact.probabilities]
    assert sum(observed) == 800
    assert chi_square_p(observed, expected) > 1e-3


# --- players that play best -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["best", "best-turn", "best-margin"])
def test_best_players_choose_what_no_action_beats(name: str) -> None:
    objective = name.partition("-")[2] or "score"
    rng = np.random.default_rng(0)
    for position in (
        "h3,m1/l1 G2U1P1 - take 8.1",
        "h3,m1/l1 G1U1P1 Gl,Um,P- use 8.1 printed",
        "h5/h1 G1U1P1 Ph more 9.1",
    ):
        state = at(position)
        action = player_named(name)(state, rng)
        assert can(state, action)
        assert advise(state, objective).of(action).is_best


def test_best_play_ends_whole_games_under_all_rules() -> None:
    for rules in ("online", "printed+box"):
        result = simulate(["best", "best-margin"], 1, seed=2, rules=parse_rules(rules))
        assert result.scores.min() > 30


def test_a_crowded_district_does_not_stop_the_best_players() -> None:
    state = at("h2 G8U9P9 - take 3.1")
    for player in BEST_PLAYERS.values():
        assert can(state, player(state, np.random.default_rng(1)))


# --- the chance to win ------------------------------------------------------------------------


BEST = cache(best_policy("score"))


def exact_win(state: State, seat: int) -> Fraction:
    """The chance to win with best play of all seats, position by position."""
    if state.is_over:
        first = [one.seat for one in ranking(state) if one.place == 1]
        return Fraction(int(seat in first), len(first))
    ends = turn_ends(state, BEST)
    return sum((chance * exact_win(end, seat) for end, chance in ends.items()), Fraction(0))


SMALL = [
    "m2/M2,l1 G1U1P1 Pm,Ph use 9.2 online",
    "m1/h2 G1U1P1 P? roll 9.1 online",
    pytest.param("h5/h5 G1U1P1 P?,P? roll 4.1! printed", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("position", SMALL)
def test_chances_to_win_position_by_position(position: str) -> None:
    state = at(position)
    exact = float(exact_win(state, state.seat))
    outcomes = best_play_outcomes(state, [state], 3000, seed=1)
    assert outcomes.wins.sum(axis=-1) == pytest.approx(1)
    won = outcomes.wins[0, :, state.seat - 1]
    error = max(won.std() / len(won) ** 0.5, 1e-9)
    assert abs(won.mean() - exact) < 4 * error
    estimate = win_chance(state, seed=1, n_games=3000)
    assert estimate.value == pytest.approx(won.mean())


def final_scores(state: State) -> dict[tuple[int, ...], Fraction]:
    """The distribution of all seats' scores, position by position."""
    if state.is_over:
        scores = {one.seat: one.points for one in ranking(state)}
        return {tuple(scores[seat] for seat in sorted(scores)): Fraction(1)}
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for end, chance in turn_ends(state, BEST).items():
        for scores, probability in final_scores(end).items():
            found[scores] += chance * probability
    return found


@pytest.mark.slow
def test_games_side_by_side_follow_the_exact_distribution_of_all_scores() -> None:
    state = at("m3,h2/m2 G1U1P1 P? roll 9.1 online")
    exact = final_scores(state)
    assert sum(exact.values()) == 1
    games = best_play_outcomes(state, [state], 20_000, seed=2).scores[0]
    listed = sorted(exact)
    observed = [int((games == np.array(scores)).all(axis=1).sum()) for scores in listed]
    assert sum(observed) == 20_000
    assert chi_square_p(observed, [float(exact[scores]) * 20_000 for scores in listed]) > 1e-3


@pytest.mark.slow
def test_games_side_by_side_are_like_games_played_one_by_one() -> None:
    start = at("h3,m1,l1/h5,m2 G2U2P1 - take 8.1 printed")
    one_by_one = simulate(["best", "best"], 60, seed=4, start=start)
    together = best_play_outcomes(start, [start], 4000, seed=4)
    for seat in (0, 1):
        a, b = one_by_one.scores[:, seat], together.scores[0, :, seat]
        error = (a.var() / len(a) + b.var() / len(b)) ** 0.5
        assert abs(a.mean() - b.mean()) < 4 * error
        assert abs(one_by_one.wins[:, seat].mean() - together.wins[0, :, seat].mean()) < 0.27


def test_the_first_action_wins_the_most_games() -> None:
    state = at("m2,H3/M3 G1U1P1 Gl,Pm use 9.2 online")
    advice = advise_win(state, seed=9, n_games=40)
    assert isinstance(advice, WinAdvice)
    assert {one.action for one in advice.actions} == set(legal_actions(state))
    assert [one.value for one in advice.actions] == [1.0, 1.0, 0.5, 0.0, 0.0]
    assert advice.value == 1.0
    assert advice.interval.low < 1.0
    assert format_action(player_named("best-win")(state, np.random.default_rng(1))) == "build Gl"


def test_the_chance_to_win_is_fixed_by_its_seed() -> None:
    state = at("m1,h2/h2,m2 G1U1P1 Gl,Um,P- use 9.1 online")
    first, again, other = (advise_win(state, seed=seed, n_games=60) for seed in (1, 1, 2))
    assert first == again
    assert first.actions != other.actions
    assert value(state, Objective.WIN).value == advise(state, "win").value


def test_a_sole_player_always_wins() -> None:
    assert win_chance(at("h1 G1U1P1 - take 9.1"), n_games=20).value == 1.0
    with pytest.raises(SettingError, match="0 games"):
        win_chance(new_game(2, Rules()), n_games=0)
