"""Exact distributions of the final score, estimates and tests of fit."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.random import default_rng
from scipy import stats
from tables import at

from skyline_kernel.distribution import Distribution
from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import Phase, State, chance_outcomes, points, successor
from skyline_kernel.skyline.advice import value
from skyline_kernel.skyline.dice import ONE_OF_EACH
from skyline_kernel.skyline.distributions import (
    best_score_distribution,
    distribution_of_play,
    practice_start,
    score_distribution,
)
from skyline_kernel.skyline.practice_play import PracticePlay, practice_play
from skyline_kernel.skyline.practice_simulation import PracticeSimulator
from skyline_kernel.skyline.turn_odds import Policy, best_policy, policy_of
from skyline_kernel.statistics import chi_square_p, estimated_mean, estimated_share

DIE = Distribution.of({0: Fraction(1, 2), 1: Fraction(1, 4), 3: Fraction(1, 4), 7: Fraction(0)})


# --- what one asks of a distribution ----------------------------------------------------------


def test_a_distribution_answers_exactly() -> None:
    assert DIE.values == (0, 1, 3)
    assert (DIE.total, DIE.mean, DIE.variance) == (1, 1, Fraction(3, 2))
    assert DIE.standard_deviation == pytest.approx(1.5**0.5)
    assert [DIE.chance_at_least(n) for n in (-1, 0, 1, 2, 3, 4)] == [
        1,
        1,
        Fraction(1, 2),
        Fraction(1, 4),
        Fraction(1, 4),
        0,
    ]
    assert [DIE.probability(n) for n in (0, 2, 3, 7)] == [Fraction(1, 2), 0, Fraction(1, 4), 0]


def test_percentiles_are_the_least_values_that_reach_them() -> None:
    assert [DIE.percentile(q) for q in (0, 50, 50.01, 75, 76, 100)] == [0, 0, 1, 1, 3, 3]
    tenths = Distribution.of(dict.fromkeys(range(10), 0.1))
    assert [tenths.percentile(10 * n) for n in range(11)] == [0, *range(10)]
    for q in (-0.1, 100.1):
        with pytest.raises(SettingError, match="expected a number from 0 to 100"):
            DIE.percentile(q)


@given(weights=st.dictionaries(st.integers(-5, 50), st.integers(1, 9), min_size=1))
def test_laws_of_distributions(weights: dict[int, int]) -> None:
    total = sum(weights.values())
    exact = Distribution.of({v: Fraction(w, total) for v, w in weights.items()})
    sample = np.repeat(list(weights), list(weights.values()))
    assert exact.total == 1
    assert float(exact.mean) == pytest.approx(sample.mean())
    assert float(exact.variance) == pytest.approx(sample.var())
    for q in (0, 1, 25, 50, 75, 99, 100):
        wanted = np.percentile(sample, q, method="inverted_cdf")
        assert exact.percentile(q) == wanted
        assert exact.chance_at_least(exact.percentile(q)) > 0
    assert exact.shifted(3).mean == exact.mean + 3


# --- best play --------------------------------------------------------------------------------

LATE = [
    "h1 G1U1P1 - take 9.1 online",
    "h5,m2 G1U1P1 - take 8.1 online",
    "h5,m2 G1U1P1 - take 8.1 online+nine",
    "m3,l1,L2 G1U1P1 Gl,Um,P- use 8.1 printed",
    "h4,m1/h3 G1U1P1 Uh,Um more:build 8.1 printed+nine",
    "h5,h5 G1U1P1 Gh,Ph,P? roll 8.1 online",
    "h5/l1 G1U1P1 Gh,Ph,P? roll 8.1! online",
    "m1,l1 G1U1P1 - take 8.1 online+uniform",
]


@pytest.mark.parametrize("position", LATE)
def test_best_play_position_by_position(position: str) -> None:
    state = at(position)
    pushed = best_score_distribution(state)
    followed = score_distribution(state, best_policy("score"))
    assert followed.total == 1
    assert pushed.values == followed.values
    assert pushed.probabilities == pytest.approx(
        list(map(float, followed.probabilities)), abs=1e-12
    )


@pytest.mark.parametrize(
    "position",
    [
        *LATE,
        "- G1U1P1 - take 5.1 online",
        "h5,h4,m3 G1U1P1 - take 6.1 online",
        "h3,m2,h5/l1/- G2U2P2 - take 8.2 online+nine",
        "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online",
        "h1 G1U1P1 - take 6.1 online+blank-upper",
        "H6,l1 G1U1P1 - over 9.1 online",
        "h5/h5 G1U1P1 - take 3.2! online",
    ],
)
def test_the_mean_is_the_value(position: str) -> None:
    state = at(position)
    distribution = best_score_distribution(state)
    assert float(distribution.total) == pytest.approx(1, abs=1e-12)
    assert float(distribution.mean) == pytest.approx(value(state).value, abs=1e-9)
    assert min(distribution.probabilities) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("position", "expected"),
    [("h1 G1U1P1 - take 1.1 online+nine", 88.4805968303), ("h1 G1U1P1 - take 1.1 online", None)],
)
def test_a_whole_game(position: str, expected: float | None) -> None:
    state = at(position)
    play = practice_play(state)
    distribution = distribution_of_play(play)
    assert float(distribution.total) == pytest.approx(1, abs=1e-9)
    assert float(distribution.mean) == pytest.approx(value(state).value, abs=1e-9)
    if expected is not None:
        assert float(distribution.mean) == pytest.approx(expected, abs=1e-9)
    games = PracticeSimulator(play).play_games(40_000, default_rng(20))
    assert fit(distribution, games.scores) > 1e-3


@cache
def three_turns() -> PracticePlay:
    return practice_play(at("h1 G1U1P1 - take 7.1 online"))


def test_chances_of_every_roll_sum_to_one() -> None:
    play = three_turns()
    sums = np.add.reduceat(play.probabilities, play.first_edges[:-1])
    assert sums == pytest.approx(1, abs=1e-12)
    assert (play.targets > play.sources)[play.targets >= 0].all()


def test_a_wrong_probability_is_noticed() -> None:
    play = three_turns()
    wrong = play.probabilities.copy()
    wrong[0] *= 0.99
    distribution = distribution_of_play(replace(play, probabilities=wrong))
    assert abs(float(distribution.total) - 1) > 1e-6


# --- any play ---------------------------------------------------------------------------------


def naive_scores(state: State, policy: Policy) -> dict[int, Fraction]:
    """Follow every path of a practice game to its end, one by one."""
    if state.is_over:
        return {points(state.skyline): Fraction(1)}
    if state.is_chance:
        ways = [(successor(state, roll), chance) for roll, chance in chance_outcomes(state)]
    else:
        ways = [(successor(state, policy(state)), Fraction(1))]
    chances: dict[int, Fraction] = {}
    for after, probability in ways:
        fresh = replace(after, district=ONE_OF_EACH) if after.phase is Phase.TAKE else after
        for score, chance in naive_scores(fresh, policy).items():
            chances[score] = chances.get(score, Fraction(0)) + probability * chance
    return chances


@pytest.mark.parametrize("name", ["greedy", "builder"])
@pytest.mark.parametrize("sees_finished", [True, False])
def test_given_play_path_by_path(name: str, sees_finished: bool) -> None:
    state, policy = at("h5,m2/h1 G1U2P1 Gl,Uh,Ph use 8.1 online"), policy_of(name)
    scores = score_distribution(state, policy, sees_finished=sees_finished)
    assert scores == Distribution.of(naive_scores(practice_start(state), policy))
    assert scores.total == 1


def test_no_play_has_a_better_mean_than_the_best() -> None:
    state = at("h2,m1 G1U1P1 - take 8.1 online")
    best = float(best_score_distribution(state).mean)
    for name in ("greedy", "builder"):
        assert float(score_distribution(state, policy_of(name)).mean) < best


def test_a_district_that_is_kept_is_there_in_the_next_turn() -> None:
    state, policy = at("h4,m1 G2U2P1 P?,P? roll 8.1 online"), policy_of("builder")
    fresh = score_distribution(state, policy)
    kept = score_distribution(state, policy, keeps_district=True)
    assert kept.total == fresh.total == 1
    assert kept.mean > fresh.mean


# --- simulation against the exact distributions -----------------------------------------------


def fit(distribution: Distribution, scores: np.ndarray) -> float:
    """Return the p-value of the test that scores follow a distribution."""
    assert set(np.unique(scores).tolist()) <= set(distribution.values)
    observed = [int((scores == v).sum()) for v in distribution.values]
    total = float(distribution.total)
    expected = [float(p) / total * len(scores) for p in distribution.probabilities]
    return chi_square_p(observed, expected)


def test_simulated_best_play_follows_the_exact_distribution() -> None:
    play = three_turns()
    games = PracticeSimulator(play).play_games(100_000, default_rng(1))
    assert games.n_turns <= 3 * 100_000
    assert fit(distribution_of_play(play), games.scores) > 1e-3


def test_the_test_of_fit_tells_a_slightly_different_game_apart() -> None:
    other = practice_play(at("h1 G1U1P1 - take 7.1 online+nine+blank-upper"))
    scores = PracticeSimulator(other).play_games(100_000, default_rng(1)).scores
    exact = distribution_of_play(three_turns())
    known = scores[np.isin(scores, exact.values)]
    assert fit(exact, known) < 1e-9


def test_simulation_is_fixed_by_its_generator() -> None:
    simulator = PracticeSimulator(three_turns())
    first, again, other = (
        simulator.play_games(1000, default_rng(seed)).scores for seed in (5, 5, 6)
    )
    assert (first == again).all()
    assert (first != other).any()


def test_games_without_a_roll_are_over_at_once() -> None:
    play = practice_play(at("H4 G1U1P1 - over 9.1 online"))
    assert PracticeSimulator(play).play_games(3, default_rng(0)).scores.tolist() == [16] * 3
    assert distribution_of_play(play) == Distribution.certain(16)


# --- estimates --------------------------------------------------------------------------------


@pytest.mark.parametrize(("k", "n"), [(0, 10), (10, 10), (5, 10), (1, 1000), (313, 400)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_shares_have_the_interval_of_wilson(k: int, n: int, level: float) -> None:
    share = estimated_share(k, n, level)
    judged = stats.binomtest(k, n).proportion_ci(level, method="wilson")
    assert (share.low, share.high) == pytest.approx((judged.low, judged.high), abs=1e-12)
    assert share.low <= share.value <= share.high


def test_means_have_the_interval_of_student() -> None:
    sample = [3, 1, 4, 1, 5, 9, 2, 6]
    mean = estimated_mean(sample, 0.9)
    low, high = stats.t.interval(0.9, 7, np.mean(sample), stats.sem(sample))
    assert (mean.low, mean.high) == pytest.approx((low, high))
    assert mean.error == pytest.approx(stats.sem(sample))


def test_one_observation_tells_nothing_of_the_spread() -> None:
    one = estimated_mean([7])
    assert (one.value, one.low, one.high) == (7, -inf, inf)
    assert one.as_dict()["low"] is None


@pytest.mark.parametrize("level", [0, 1, -3])
def test_levels_and_samples_that_will_not_do(level: float) -> None:
    with pytest.raises(SettingError, match="confidence level"):
        estimated_share(1, 2, level)
    with pytest.raises(SettingError, match="0 observations"):
        estimated_mean([])
    with pytest.raises(SettingError, match="3 successes"):
        estimated_share(3, 2)


def test_chi_square_is_that_of_scipy() -> None:
    observed, expected = [18, 25, 30, 27], [25.0, 25.0, 25.0, 25.0]
    judged = stats.chisquare(observed, expected).pvalue
    assert chi_square_p(observed, expected) == pytest.approx(judged)
    assert chi_square_p([1, 2, 97], [2.0, 2.0, 96.0]) == 1.0
    with pytest.raises(SettingError, match="10 observations: expected 12"):
        chi_square_p([10], [12.0])
