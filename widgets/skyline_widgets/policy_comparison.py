"""Computer players and rules of one's own side by side: exact for a turn, simulated for games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.distribution import Distribution
from skyline_kernel.errors import SettingError
from skyline_kernel.rolls import verify_seed
from skyline_kernel.skyline import PLAYERS, State, format_position
from skyline_kernel.skyline.players import BEST_PLAYERS
from skyline_kernel.statistics import Estimate, estimated_mean

from . import lab_items as items
from .charts import MOST_SERIES, BarChart, Series, chart_csv, svg_text
from .distribution_view import (
    NamedDistributions,
    distribution_chart,
    distribution_items,
    summary_csv,
)
from .lab_base import File, LabWidget, flag_in, number_in
from .lab_items import Item
from .language import Language

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from skyline_kernel.skyline.turn_odds import Policy

__all__ = ["Comparison", "PolicyComparison", "player_words", "turn_distributions"]

BEST_TURN: Final = "best-turn"
USUAL: Final = ("greedy", "builder", BEST_TURN)


def turn_distributions(
    state: State, policies: Mapping[str, Policy] | Sequence[str] = USUAL
) -> dict[str, Distribution]:
    """Return what the table shows at the end of this turn, for each of some policies.

    Parameters
    ----------
    state : State
        In any phase.
    policies : mapping of str to Policy, or sequence of str
        Functions from a position to an action, or names of computer players that leave nothing
        to chance.

    Returns
    -------
    dict of str to Distribution
        In fractions that sum to exactly 1.

    Raises
    ------
    SettingError
        If there is no player of a name, or it plays by chance.
    """
    from skyline_kernel.skyline.turn_odds import (
        best_turn_distribution,
        policy_of,
        turn_distribution,
    )

    if isinstance(policies, Mapping):
        return {name: turn_distribution(state, policy) for name, policy in policies.items()}
    return {
        # The same distribution, without following every position that can come up.
        name: best_turn_distribution(state)
        if name == BEST_TURN
        else turn_distribution(state, policy_of(name))
        for name in policies
    }


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is compared, and what of it is shown.

    Parameters
    ----------
    state : State
    turns : tuple of (str, Distribution)
        Points at the end of this turn, by the name of who plays it.
    hidden : frozenset of str
        Names that are not shown.
    target : int
    scores : tuple of (str, tuple of int)
        Final scores of simulated games, by the name of who plays them.
    """

    state: State
    turns: tuple[tuple[str, Distribution], ...]
    hidden: frozenset[str] = frozenset()
    target: int = 1
    scores: tuple[tuple[str, tuple[int, ...]], ...] = field(default=())

    @property
    def shown(self) -> NamedDistributions:
        """The distributions that are shown, the first one where none is wanted."""
        wanted = [pair for pair in self.turns if pair[0] not in self.hidden] or [self.turns[0]]
        some = wanted[:MOST_SERIES]
        return NamedDistributions(
            tuple(name for name, _ in some), tuple(one for _, one in some), self.target
        )


class PolicyComparison(LabWidget[Comparison]):
    """Compare who plays a turn how well, and whole games by simulation.

    The distributions of the turn are computed when the widget is made; its controls answer at
    once.  `simulate` adds whole games.

    Parameters
    ----------
    state : State
        The position whose turn is played.
    policies : mapping of str to Policy, or sequence of str
        As for `turn_distributions`, one to four.
    target : int, optional
        Points whose chance to be reached is shown; the rounded mean of the first if left out.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Raises
    ------
    SettingError
        If there are none or more than four policies, or one that does not exist.

    Examples
    --------
    >>> from skyline_kernel.skyline import new_game
    >>> comparison = PolicyComparison(new_game(), ["greedy", "builder"])
    >>> {name: str(one.mean) for name, one in comparison.turns.items()}
    {'greedy': '19/8', 'builder': '50/27'}
    """

    def __init__(
        self,
        state: State,
        policies: Mapping[str, Policy] | Sequence[str] = USUAL,
        *,
        target: int | None = None,
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        if not 1 <= len(policies) <= MOST_SERIES:
            raise SettingError(
                "{n} players: expected 1 to {most}", n=len(policies), most=MOST_SERIES
            )
        turns = tuple(turn_distributions(state, policies).items())
        reached = max(1, round(turns[0][1].mean)) if target is None else target
        super().__init__(Comparison(state, turns, target=reached), language=language, theme=theme)

    @property
    def target(self) -> int:
        """Points whose chance to be reached is shown."""
        return self._state.target

    @property
    def hidden(self) -> frozenset[str]:
        """Names that are not shown."""
        return self._state.hidden

    @property
    def turns(self) -> dict[str, Distribution]:
        """Exact distribution of the points at the end of the turn, by name."""
        return dict(self._state.turns)

    @property
    def scores(self) -> dict[str, Estimate]:
        """Mean final score of the simulated games with its confidence interval, by name."""
        return {name: estimated_mean(scores) for name, scores in self._state.scores}

    def simulate(
        self, n_games: int, *, seed: int, executor: Executor | None = None
    ) -> dict[str, Estimate]:
        """Play whole games for one with each player that comes with the kit, and show them.

        Parameters
        ----------
        n_games : int
            For each player; some fifty games a second and player.
        seed : int
        executor : concurrent.futures.Executor, optional
            Plays the games; this process if left out.

        Returns
        -------
        dict of str to Estimate
            Mean final score with its confidence interval.
        """
        from skyline_kernel.skyline.simulation import simulate
        from skyline_kernel.skyline.state import new_game

        verify_seed(seed)
        start = new_game(1, self._state.state.rules)
        names = [name for name, _ in self._state.turns if name in {**PLAYERS, **BEST_PLAYERS}]
        games = {
            name: simulate([name], n_games, seed=seed, start=start, executor=executor)
            for name in names
        }
        scores = tuple((name, tuple(one.scores[:, 0].tolist())) for name, one in games.items())
        self._put(replace(self._state, scores=scores))
        return self.scores

    def _title(self, lang: Language) -> str:
        return lang.say("Who plays how well?")

    def _next(self, state: Comparison, command: Mapping[str, Any]) -> Comparison:
        name = command.get("name")
        if command.get("do") != "set":
            raise SettingError("{name!r}: there is no such command", name=command.get("do"))
        if name == "target":
            low, high = state.shown.ends
            return replace(state, target=number_in(command, low, high + 1))
        if name not in dict(state.turns):
            raise SettingError("{name!r}: there is no such setting", name=name)
        hidden = state.hidden - {name} if flag_in(command) else state.hidden | {name}
        return _within(replace(state, hidden=hidden))

    def _sections(self, state: Comparison, lang: Language) -> list[Item]:
        visible = [
            items.toggle(name, player_words(name, lang), value=name not in state.hidden)
            for name, _ in state.turns
        ]
        who = items.section(
            "players",
            lang.say("Players"),
            [items.text(lang.say("Position: {text}", text=format_position(state.state))), *visible],
        )
        saved = items.savers(lang, "turn.csv", "turn.svg", "summary.csv")
        return [who, *distribution_items(state.shown, lang, saved), *_games(state, lang)]

    def _file(self, state: Comparison, name: str, lang: Language) -> File:
        bars = distribution_chart(state.shown, lang)
        match name:
            case "turn.csv":
                return File("text/csv", chart_csv(bars))
            case "turn.svg":
                return File("image/svg+xml", svg_text(bars, lang))
            case "summary.csv":
                return File("text/csv", summary_csv(state.shown))
            case "games.csv" if state.scores:
                return File("text/csv", chart_csv(_games_chart(state, lang)))
        return super()._file(state, name, lang)


def _within(state: Comparison) -> Comparison:
    low, high = state.shown.ends
    return replace(state, target=min(max(state.target, low), high + 1))


def player_words(name: str, lang: Language) -> str:
    """Name a way to play; one that is not of the kit has its own name."""
    words = {
        "greedy": lang.say("greedy for points"),
        "builder": lang.say("builds with a plan"),
        "best": lang.say("best for the final score"),
        "best-turn": lang.say("best for this turn"),
        "best-margin": lang.say("best for the margin"),
    }
    return f"{name}: {words[name]}" if name in words else name


def _games(state: Comparison, lang: Language) -> list[Item]:
    if not state.scores:
        return []
    n_games = len(state.scores[0][1])
    lead = lang.say(
        "Mean final score of {n} games for one each; the strokes are confidence intervals of 95 %.",
        n=n_games,
    )
    bars = items.chart(_games_chart(state, lang), lang)
    saved = items.savers(lang, "games.csv")
    return [items.section("games", lang.say("Whole games"), [items.text(lead), *bars, saved])]


def _games_chart(state: Comparison, lang: Language) -> BarChart:
    estimates = [estimated_mean(scores) for _, scores in state.scores]
    texts = tuple(
        f"{lang.number(one.value)} ({lang.number(one.low)} – {lang.number(one.high)})"
        for one in estimates
    )
    spans = tuple((max(one.low, 0.0), one.high) for one in estimates)
    bars = Series(lang.say("mean final score"), tuple(one.value for one in estimates), texts, spans)
    labels = tuple(name for name, _ in state.scores)
    return BarChart(lang.say("Whole games"), lang.say("player"), labels, (bars,))
