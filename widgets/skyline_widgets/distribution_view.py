"""Distributions side by side: chart, table, percentiles, and the chance to reach a target."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from skyline_kernel.distribution import Distribution, Probability
from skyline_kernel.errors import SettingError

from . import lab_items as items
from .charts import MOST_SERIES, BarChart, Series, chart_csv, svg_text
from .lab_base import File, LabWidget, number_in
from .lab_items import Item
from .language import Language

__all__ = [
    "DistributionView",
    "NamedDistributions",
    "distribution_chart",
    "distribution_items",
    "summary_csv",
]

PERCENTILES: Final = (5, 25, 50, 75, 95)
_MOST_BARS: Final = 160


@dataclass(frozen=True, slots=True)
class NamedDistributions:
    """Some distributions and a target.

    Parameters
    ----------
    names : tuple of str
        Shape ``(n,)``, one to four of them.
    distributions : tuple of Distribution
        Shape ``(n,)``.
    target : int
        Points to be reached.
    """

    names: tuple[str, ...]
    distributions: tuple[Distribution, ...]
    target: int

    @property
    def ends(self) -> tuple[int, int]:
        """Least and greatest value of all."""
        return (
            min(some.values[0] for some in self.distributions),
            max(some.values[-1] for some in self.distributions),
        )


class DistributionView(LabWidget[NamedDistributions]):
    """Look at distributions of points.

    Parameters
    ----------
    distributions : mapping of str to Distribution, or Distribution
        One to four, by the names that the legend shows.
    target : int, optional
        Points whose chance to be reached is shown; the rounded mean of the first if left out.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Raises
    ------
    SettingError
        If there are none or more than four.

    Examples
    --------
    >>> view = DistributionView(Distribution.of({0: Fraction(1, 4), 4: Fraction(3, 4)}))
    >>> view.target
    3
    """

    def __init__(
        self,
        distributions: Mapping[str, Distribution] | Distribution,
        *,
        target: int | None = None,
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        named = distributions if isinstance(distributions, Mapping) else {"": distributions}
        if not 1 <= len(named) <= MOST_SERIES:
            raise SettingError(
                "{n} distributions: expected 1 to {most}", n=len(named), most=MOST_SERIES
            )
        first = next(iter(named.values()))
        reached = round(first.mean) if target is None else target
        state = NamedDistributions(tuple(named), tuple(named.values()), reached)
        super().__init__(state, language=language, theme=theme)

    @property
    def target(self) -> int:
        """Points whose chance to be reached is shown."""
        return self._state.target

    def _title(self, lang: Language) -> str:
        return lang.say("Distribution")

    def _next(self, state: NamedDistributions, command: Mapping[str, Any]) -> NamedDistributions:
        if command.get("do") != "set" or command.get("name") != "target":
            raise SettingError("{name!r}: there is no such command", name=command.get("name"))
        low, high = state.ends
        return replace(state, target=number_in(command, low, high + 1))

    def _sections(self, state: NamedDistributions, lang: Language) -> list[Item]:
        saved = items.savers(lang, "distribution.csv", "distribution.svg", "summary.csv")
        return distribution_items(state, lang, saved)

    def _file(self, state: NamedDistributions, name: str, lang: Language) -> File:
        bars = distribution_chart(state, lang)
        match name:
            case "distribution.csv":
                return File("text/csv", chart_csv(bars))
            case "distribution.svg":
                return File("image/svg+xml", svg_text(bars, lang))
            case "summary.csv":
                return File("text/csv", summary_csv(state))
        return super()._file(state, name, lang)


def distribution_items(state: NamedDistributions, lang: Language, *more: Item) -> list[Item]:
    """Return the panels of some distributions: the target first, then the chart."""
    low, high = state.ends
    shown = lang.count("{n} point", "{n} points", state.target)
    target = items.slider("target", lang.say("Target"), state.target, (low, high + 1), shown)
    summary = items.table(
        lang.say("In short"),
        [
            lang.say("of"),
            lang.say("mean"),
            lang.say("spread"),
            *(f"{q} %" for q in PERCENTILES),
            "≥",
        ],
        [_summary(name, some, state.target, lang) for name, some in _named(state)],
    )
    percentiles = lang.say(
        "The columns with per cent are percentiles: so many per cent of the results are at most "
        "that number. The last column is the chance to reach the target."
    )
    return [
        items.section("target", lang.say("Target"), [target, summary, items.text(percentiles)]),
        items.section(
            "distribution",
            lang.say("Points and their chances"),
            [*items.chart(distribution_chart(state, lang), lang), *more],
        ),
    ]


def _named(state: NamedDistributions) -> list[tuple[str, Distribution]]:
    return list(zip(state.names, state.distributions, strict=True))


def _summary(name: str, some: Distribution, target: int, lang: Language) -> list[str]:
    return [
        name or lang.say("points"),
        lang.number(float(some.mean)),
        lang.number(some.standard_deviation),
        *(str(some.percentile(q)) for q in PERCENTILES),
        lang.percent(Fraction(some.chance_at_least(target))),
    ]


def distribution_chart(state: NamedDistributions, lang: Language) -> BarChart:
    """Return the chart of some distributions; very wide ones have their values put together.

    Bars that reach the target are singled out.
    """
    low, high = state.ends
    width = -(-(high + 1 - low) // _MOST_BARS)
    starts = range(low, high + 1, width)
    labels = tuple(str(at) if width == 1 else f"{at}–{at + width - 1}" for at in starts)
    series = []
    for name, some in _named(state):
        chances = [_chance_between(some, at, at + width) for at in starts]
        texts = tuple(_chance_words(chance, lang) for chance in chances)
        series.append(Series(name or lang.say("chance"), tuple(map(float, chances)), texts))
    marked = frozenset(i for i, at in enumerate(starts) if at >= state.target)
    title = lang.say("Points and their chances")
    return BarChart(title, lang.say("points"), labels, tuple(series), "percent", marked)


def _chance_between(some: Distribution, low: int, high: int) -> Probability:
    return some.chance_at_least(low) - some.chance_at_least(high)


def _chance_words(chance: Probability, lang: Language) -> str:
    if chance == 0:
        return "0"
    percent = lang.percent(Fraction(max(chance, 0)))
    is_short = isinstance(chance, Fraction) and chance.denominator < 10**6
    return f"{chance} = {percent}" if is_short else percent


def summary_csv(state: NamedDistributions) -> str:
    """Return mean, spread, percentiles and the chance of the target as comma-separated values."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    quantiles = [f"percentile {q}" for q in PERCENTILES]
    writer.writerow(["name", "mean", "standard deviation", *quantiles, f"at least {state.target}"])
    for name, some in _named(state):
        numbers = [float(some.mean), some.standard_deviation]
        reached = float(some.chance_at_least(state.target))
        writer.writerow([name, *numbers, *map(some.percentile, PERCENTILES), reached])
    return table.getvalue()
