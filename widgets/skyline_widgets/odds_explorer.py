"""The odds explorer: dice and a question, a guess first, then the exact answer and many rolls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.rolls import new_seed
from skyline_kernel.skyline import DiceSet, Face, Kind, shipped_dice_set
from skyline_kernel.skyline.dice import FACES, KINDS, Die, KindCounts
from skyline_kernel.skyline.dice_sets import SHIPPED, STANDARD
from skyline_kernel.skyline.odds import at_least, count_chances, expected_count, face_chances

from . import lab_items as items
from .charts import BarChart, Series, chart_csv, svg_text
from .lab_base import File, LabWidget, number_in, word_in
from .lab_items import Item
from .language import Language
from .start import dice_set_words
from .words import face_name, kind_name

if TYPE_CHECKING:
    from numpy.random import Generator

__all__ = ["MOST_DICE", "ROLLS", "OddsExplorer", "OddsQuestion", "face_chart", "simulated_counts"]

MOST_DICE: Final = 6
"""Most dice of one kind in the explorer."""

ROLLS: Final = (1, 100, 10_000, 1_000_000)
"""How many rolls its buttons make."""

_AT_ONCE: Final = 50_000
_COUNTS: Final[Mapping[str, Kind]] = {
    "ground": Kind.GROUND,
    "upper": Kind.UPPER,
    "penthouse": Kind.PENTHOUSE,
}


@dataclass(frozen=True, slots=True)
class OddsQuestion:
    """How many of some dice show a face.

    Parameters
    ----------
    counts : KindCounts
        How many dice of each kind are rolled, 0 to `MOST_DICE` each.
    face : Face
        What is looked for.
    least : int
        At least so many dice shall show it.
    dice_set : DiceSet
    guess : int
        A guess in per cent.
    is_open : bool
        Whether the answer is shown.
    seed : int
        Of the rolls that are made.
    rolled : tuple of int
        How often 0, 1, ... dice showed the face so far; empty before the first roll.
    own : DiceSet or None
        A dice set of one's own, to be chosen beside those that come with the kit.
    """

    counts: KindCounts = (1, 1, 1)
    face: Face = Face.LOW
    least: int = 1
    dice_set: DiceSet = field(default_factory=lambda: shipped_dice_set(STANDARD))
    guess: int = 50
    is_open: bool = False
    seed: int = 0
    rolled: tuple[int, ...] = ()
    own: DiceSet | None = None

    @property
    def dice_sets(self) -> dict[str, DiceSet]:
        """The dice sets to choose from, by name."""
        own = {} if self.own is None else {self.own.name: self.own}
        return {name: shipped_dice_set(name) for name in SHIPPED} | own

    @property
    def chances(self) -> tuple[Fraction, ...]:
        """Chance of 0, 1, ... dice that show the face; sums to exactly 1."""
        return _chances(self.dice_set, self.counts, self.face)

    @property
    def answer(self) -> Fraction:
        """Chance that at least `least` dice show the face, in [0, 1]."""
        return at_least(self.chances, self.least).exact

    @property
    def n_rolls(self) -> int:
        """Number of rolls so far."""
        return sum(self.rolled)


@lru_cache(maxsize=256)
def _chances(dice_set: DiceSet, counts: KindCounts, face: Face) -> tuple[Fraction, ...]:
    return count_chances(dice_set, counts, lambda die: die.face is face)


def simulated_counts(
    dice_set: DiceSet, counts: KindCounts, face: Face, n_rolls: int, rng: Generator
) -> tuple[int, ...]:
    """Roll dice and count how many of them show a face.

    Parameters
    ----------
    dice_set : DiceSet
    counts : KindCounts
        How many dice of each kind are rolled together.
    face : Face
    n_rolls : int
        A million rolls of six dice take about a twentieth of a second.
    rng : numpy.random.Generator

    Returns
    -------
    tuple of int
        How often 0, 1, ... dice showed the face, shape ``(n_dice + 1,)``; sums to `n_rolls`.

    Examples
    --------
    >>> from numpy.random import default_rng
    >>> dice = shipped_dice_set("standard")
    >>> simulated_counts(dice, (1, 0, 0), Face.LOW, 1000, default_rng(1))
    (487, 513)
    """
    import numpy as np

    n_dice = sum(counts)
    found = np.zeros(n_dice + 1, dtype=np.int64)
    for begin in range(0, n_rolls, _AT_ONCE):
        size = min(_AT_ONCE, n_rolls - begin)
        shown = np.zeros(size, dtype=np.uint8)
        for kind, n in zip(KINDS, counts, strict=True):
            n_good = dice_set.weight(Die(kind + face))
            sides = rng.integers(dice_set.n_sides(kind), size=(n, size), dtype=np.uint16)
            shown += (sides < n_good).sum(axis=0, dtype=np.uint8)
        found += np.bincount(shown, minlength=n_dice + 1)
    return tuple(found.tolist())


def face_chart(dice_set: DiceSet, kind: Kind, lang: Language) -> BarChart:
    """Return the chart of what one die of a kind shows."""
    chances = face_chances(dice_set, kind)
    names = tuple(face_name(Die(kind + face), lang) for face in chances)
    texts = tuple(f"{chance} = {lang.percent(chance)}" for chance in chances.values())
    shown = Series(lang.say("chance"), tuple(map(float, chances.values())), texts)
    return BarChart(kind_name(kind, lang), lang.say("face"), names, (shown,), "percent")


class OddsExplorer(LabWidget[OddsQuestion]):
    """Ask how many of some dice show a face: guess, look, roll.

    The answer is hidden until a guess is made.  Then the exact chances stand as a chart and a
    table, and up to a million rolls can be held against them.

    Parameters
    ----------
    question : OddsQuestion, optional
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Examples
    --------
    >>> explorer = OddsExplorer(OddsQuestion(counts=(2, 0, 0)))
    >>> explorer.question.answer
    Fraction(3, 4)
    >>> explorer.act("set", name="ground", value=3)
    >>> explorer.question.answer
    Fraction(7, 8)
    """

    def __init__(
        self,
        question: OddsQuestion | None = None,
        *,
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        first = question or OddsQuestion(seed=new_seed())
        super().__init__(first, language=language, theme=theme)

    @property
    def question(self) -> OddsQuestion:
        """What is asked now."""
        return self._state

    def _title(self, lang: Language) -> str:
        return lang.say("What are the chances?")

    def _next(self, state: OddsQuestion, command: Mapping[str, Any]) -> OddsQuestion:
        match command.get("do"):
            case "set":
                return _changed(state, command)
            case "reveal":
                return replace(state, is_open=True)
            case "roll":
                return _rolled(state, command)
        raise SettingError("{name!r}: there is no such command", name=command.get("do"))

    def _sections(self, state: OddsQuestion, lang: Language) -> list[Item]:
        return [_question_section(state, lang), *_answer_sections(state, lang)]

    def _file(self, state: OddsQuestion, name: str, lang: Language) -> File:
        bars = _count_chart(state, lang)
        match name:
            case "chances.csv":
                return File("text/csv", chart_csv(bars))
            case "chances.svg":
                return File("image/svg+xml", svg_text(bars, lang))
        return super()._file(state, name, lang)


# --- commands ---------------------------------------------------------------------------------


def _changed(state: OddsQuestion, command: Mapping[str, Any]) -> OddsQuestion:
    name = command.get("name")
    if name == "guess":
        return replace(state, guess=number_in(command, 0, 100))
    if name == "least":
        return replace(state, least=number_in(command, 0, sum(state.counts)), is_open=False)
    fresh = replace(state, is_open=False, rolled=())
    if name in _COUNTS:
        return _with_count(fresh, list(_COUNTS).index(str(name)), number_in(command, 0, MOST_DICE))
    if name == "face":
        return replace(fresh, face=Face(word_in(command, list(Face))))
    if name == "dice_set":
        return replace(fresh, dice_set=state.dice_sets[word_in(command, state.dice_sets)])
    raise SettingError("{name!r}: there is no such setting", name=name)


def _with_count(state: OddsQuestion, place: int, n_dice: int) -> OddsQuestion:
    ground, upper, penthouse = (n_dice if i == place else n for i, n in enumerate(state.counts))
    if not ground + upper + penthouse:
        raise SettingError("At least one die must be rolled.")
    least = min(state.least, ground + upper + penthouse)
    return replace(state, counts=(ground, upper, penthouse), least=least)


def _rolled(state: OddsQuestion, command: Mapping[str, Any]) -> OddsQuestion:
    from numpy.random import SeedSequence, default_rng

    n_rolls = command.get("value")
    if n_rolls not in ROLLS or isinstance(n_rolls, bool):
        raise SettingError("{value!r}: expected one of {known}", value=n_rolls, known=ROLLS)
    # Each click goes on where the last one stopped, and the seed decides all of them.
    rng = default_rng(SeedSequence(state.seed, spawn_key=(state.n_rolls,)))
    found = simulated_counts(state.dice_set, state.counts, state.face, n_rolls, rng)
    before = state.rolled or (0,) * len(found)
    return replace(state, rolled=tuple(a + b for a, b in zip(before, found, strict=True)))


# --- drawing ----------------------------------------------------------------------------------


def _question_section(state: OddsQuestion, lang: Language) -> Item:
    n_dice = sum(state.counts)
    counters = [
        items.counter(name, kind_name(kind, lang), n, (0, MOST_DICE))
        for (name, kind), n in zip(_COUNTS.items(), state.counts, strict=True)
    ]
    sets = [[name, dice_set_words(name, lang)] for name in state.dice_sets]
    shown = lang.count("at least {n} die", "at least {n} dice", state.least)
    guess = lang.percent(Fraction(state.guess, 100))
    return items.section(
        "question",
        lang.say("The question"),
        [
            *counters,
            items.choice("face", lang.say("face"), state.face, _faces(lang)),
            items.choice("dice_set", lang.say("Dice"), state.dice_set.name, sets),
            items.slider(
                "least", lang.say("How many shall show it?"), state.least, (0, n_dice), shown
            ),
            items.text(_question_words(state, lang), is_strong=True),
            items.slider("guess", lang.say("Your guess"), state.guess, (0, 100), guess),
            items.buttons((lang.say("Show the answer"), {"do": "reveal"}), is_primary=True),
        ],
    )


def _faces(lang: Language) -> list[list[str]]:
    return [[face, face_name(Die(Kind.GROUND + face), lang)] for face in FACES]


def _question_words(state: OddsQuestion, lang: Language) -> str:
    return lang.say(
        "How likely is it that {dice} {least}: {face}?",
        dice=lang.count("of {n} die", "of {n} dice", sum(state.counts)),
        least=lang.count("at least {n} shows", "at least {n} show", state.least),
        face=face_name(Die(Kind.GROUND + state.face), lang),
    )


def _answer_sections(state: OddsQuestion, lang: Language) -> list[Item]:
    if not state.is_open:
        wait = lang.say("Guess first. Then show the answer.")
        return [items.section("answer", lang.say("The answer"), [items.text(wait)])]
    makers = [
        (lang.count("Roll {n} time", "Roll {n} times", n), {"do": "roll", "value": n})
        for n in ROLLS
    ]
    return [
        items.section(
            "answer",
            lang.say("The answer"),
            [
                items.note(_answer_words(state, lang), "plain"),
                *items.chart(_count_chart(state, lang), lang),
                items.savers(lang, "chances.csv", "chances.svg"),
            ],
        ),
        items.section(
            "rolls",
            lang.say("Try it"),
            [items.buttons(*makers), items.text(_rolls_words(state, lang))],
        ),
    ]


def _answer_words(state: OddsQuestion, lang: Language) -> str:
    off = abs(100 * state.answer - state.guess)
    return lang.say(
        "Exactly {fraction} = {percent}. Your guess is off by {off} percentage points. "
        "On average {mean} dice show it.",
        fraction=state.answer,
        percent=lang.percent(state.answer),
        off=lang.number(float(off), 1),
        mean=lang.number(float(expected_count(state.chances))),
    )


def _rolls_words(state: OddsQuestion, lang: Language) -> str:
    if not state.rolled:
        return lang.say("Nothing rolled yet.")
    share = Fraction(sum(state.rolled[state.least :]), state.n_rolls)
    return lang.say(
        "{n} rolls: {percent} of them; the chance is {exact}.",
        n=lang.whole(state.n_rolls),
        percent=lang.percent(share),
        exact=lang.percent(state.answer),
    )


def _count_chart(state: OddsQuestion, lang: Language) -> BarChart:
    chances = state.chances
    texts = tuple(f"{chance} = {lang.percent(chance)}" for chance in chances)
    series = [Series(lang.say("exact"), tuple(map(float, chances)), texts)]
    if state.rolled:
        shares = [Fraction(n, state.n_rolls) for n in state.rolled]
        written = tuple(map(lang.percent, shares))
        series.append(Series(lang.say("rolled"), tuple(map(float, shares)), written))
    return BarChart(
        lang.say("How many dice show it"),
        lang.say("dice"),
        tuple(str(n) for n in range(len(chances))),
        tuple(series),
        "percent",
        frozenset(range(state.least, len(chances))),
    )
