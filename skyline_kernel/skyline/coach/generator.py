"""Fresh puzzles by theme and difficulty, the same from the same seed; one for every day.

A puzzle is found by drawing positions that a game could show: a skyline, a round, dice that were
taken, what they show.  One skyline is solved at a time, and what its rolls lead to is searched for
a decision of the theme and the difficulty that are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.random import Generator, default_rng

from ...chance import compositions
from ...errors import SettingError
from ...rolls import verify_seed
from ..actions import TAKE_DISTRICT, Build, Reroll
from ..advice import TOLERANCE
from ..choices import legal_builds
from ..columns import Column, Skyline, sorted_skyline
from ..dice import FACES, KINDS, Die, Kind, sorted_dice
from ..legality import DICE_FROM_YARD
from ..state import N_ROUNDS, Phase, Rules, State, Step, new_game
from .decisions import Choices, Offer, offer
from .puzzles import Difficulty, Puzzle, Theme, difficulty_of
from .worths import SolvedTurns

__all__ = ["THEMES", "daily_puzzle", "fits_theme", "fresh_puzzle", "gap_of"]

THEMES: Final[tuple[Theme, ...]] = tuple(theme for theme in Theme if theme is not Theme.MISTAKE)
"""The themes that fresh puzzles are made for."""

_MOST_DRAWS: Final = 400
_AT_ONCE: Final = 12
"""Decisions that are looked at for one drawn skyline."""


def fresh_puzzle(
    theme: Theme | str,
    difficulty: Difficulty | str,
    *,
    seed: int,
    rules: Rules | None = None,
) -> Puzzle:
    """Make a puzzle.

    Parameters
    ----------
    theme : Theme or str
        One of `THEMES`.
    difficulty : Difficulty or str
    seed : int
        The same seed gives the same puzzle.
    rules : Rules, optional
        The online edition with standard dice if left out.

    Raises
    ------
    SettingError
        If theme, difficulty or seed do not exist, or these dice show no such puzzle.
    """
    wanted_theme, wanted = _known(theme), _known_difficulty(difficulty)
    order = [THEMES.index(wanted_theme), list(Difficulty).index(wanted)]
    rng = default_rng([verify_seed(seed), *order])
    for _ in range(_MOST_DRAWS):
        for offered in _drawn(wanted_theme, rules or Rules(), rng):
            if not fits_theme(wanted_theme, offered):
                continue
            level = difficulty_of(gap_of(wanted_theme, offered), len(offered.values))
            if level is wanted:
                return Puzzle(offered.state, wanted_theme, level)
    raise SettingError(
        "theme {theme}, {difficulty}: no such puzzle with these dice",
        theme=wanted_theme.value,
        difficulty=wanted.value,
    )


def daily_puzzle(day: date, rules: Rules | None = None) -> Puzzle:
    """Return the puzzle of a day, the same for everybody; themes and difficulties take turns."""
    number = day.toordinal()
    theme = THEMES[number % len(THEMES)]
    difficulty = list(Difficulty)[number % len(Difficulty)]
    return fresh_puzzle(theme, difficulty, seed=number, rules=rules)


def _known(theme: Theme | str) -> Theme:
    if theme not in list(THEMES):
        raise SettingError(
            "theme {name!r}: expected one of {known}", name=str(theme), known=", ".join(THEMES)
        )
    return Theme(theme)


def _known_difficulty(difficulty: Difficulty | str) -> Difficulty:
    if difficulty not in list(Difficulty):
        raise SettingError(
            "difficulty {name!r}: expected one of {known}",
            name=str(difficulty),
            known=", ".join(Difficulty),
        )
    return Difficulty(difficulty)


# --- what a theme asks for --------------------------------------------------------------------


def fits_theme(theme: Theme, offered: Choices) -> bool:
    """Return whether a decision is one of the theme.

    Parameters
    ----------
    theme : Theme
        One of `THEMES`.
    offered : Choices
    """
    return offered.can_lose and _FITS[theme](offered)


def gap_of(theme: Theme, offered: Choices) -> float:
    """Return how far apart the choices are that a puzzle of the theme is about, in points.

    District and yard where these are the question; else the best choices and the next best.
    """
    return _district_gap(offered) if theme is Theme.DISTRICT_OR_YARD else offered.second_loss()


def _is_insurance(offered: Choices) -> bool:
    """Return whether the best choices roll again and keep a die that can be built."""
    bests = [offered.actions[number] for number in offered.best_actions().tolist()]
    fitting = {build.die for build in legal_builds(offered.state)}
    return all(
        isinstance(best, Reroll) and bool(_kept(offered.state, best) & fitting) for best in bests
    )


def _kept(state: State, reroll: Reroll) -> set[Die]:
    return {die for die in state.dice if state.dice.count(die) > reroll.dice.count(die)}


def _is_stop_or_go(offered: Choices) -> bool:
    """Return whether building with a die and rolling it again are the first two choices."""
    if offered.state.phase is not Phase.MORE:
        return False
    builds = {build.die for build in legal_builds(offered.state)}
    order = np.argsort(-offered.values, kind="stable").tolist()
    best = offered.actions[order[0]]
    for number in order[1:]:
        other = offered.actions[number]
        pair = {type(best), type(other)}
        if pair == {Build, Reroll} and offered.loss(number):
            build, reroll = (best, other) if isinstance(best, Build) else (other, best)
            assert isinstance(build, Build)
            assert isinstance(reroll, Reroll)
            return build.die in builds and build.die in reroll.dice
        if offered.loss(number):
            return False
    return False


def _is_district_or_yard(offered: Choices) -> bool:
    """Return whether dice are taken, and the district is worth more or less than the yard."""
    return offered.state.phase is Phase.TAKE and _district_gap(offered) > TOLERANCE


def _district_gap(offered: Choices) -> float:
    """Return how far apart the district and the best of the yard are, in points."""
    is_district = np.arange(len(offered.values)) == offered.actions.index(TAKE_DISTRICT)
    return abs(float(offered.values[is_district].max() - offered.values[~is_district].max()))


def _is_which_column(offered: Choices) -> bool:
    """One and the same die is best built in one place, and could be built in another."""
    bests = [offered.actions[number] for number in offered.best_actions().tolist()]
    if len(bests) != 1 or not isinstance(bests[0], Build):
        return False
    return sum(build.die is bests[0].die for build in legal_builds(offered.state)) > 1


def _is_last_round(offered: Choices) -> bool:
    state = offered.state
    return state.is_last_round or state.round == N_ROUNDS


_FITS: Final[Mapping[Theme, Callable[[Choices], bool]]] = MappingProxyType(
    {
        Theme.INSURANCE: _is_insurance,
        Theme.STOP_OR_GO: _is_stop_or_go,
        Theme.DISTRICT_OR_YARD: _is_district_or_yard,
        Theme.WHICH_COLUMN: _is_which_column,
        Theme.LAST_ROUND: _is_last_round,
    }
)


# --- drawing positions ------------------------------------------------------------------------


def _drawn(theme: Theme, rules: Rules, rng: Generator) -> Iterator[Choices]:
    """Draw a skyline and yield some decisions with it, solved together."""
    start = _drawn_turn(theme, rules, rng)
    draw = _districts if theme is Theme.DISTRICT_OR_YARD else _decisions
    states = draw(theme, start, rng)
    offers = [one for one in (offer(state, start) for state in states) if one is not None]
    offers = [one for one in offers if _may_fit(theme, one)]
    if offers:
        solved = SolvedTurns([start], [spot for one in offers for spot in one.spots])
        for one in offers:
            yield one.choices(solved)


def _may_fit(theme: Theme, offered: Offer) -> bool:
    """Leave out at once what cannot be of the theme."""
    if theme in (Theme.DISTRICT_OR_YARD, Theme.LAST_ROUND):
        return True
    builds = legal_builds(offered.state)
    if theme is Theme.WHICH_COLUMN:
        return len(builds) > len({build.die for build in builds})
    return bool(builds)


_COMMON: Final = tuple(column for column in Column if not column.is_finished)
_MOST_COLUMNS: Final[Mapping[Theme, int]] = MappingProxyType({Theme.DISTRICT_OR_YARD: 3})
"""Most unfinished columns, where not 4; fewer are solved faster."""


def _drawn_turn(theme: Theme, rules: Rules, rng: Generator) -> State:
    is_last = theme is Theme.LAST_ROUND
    round_number = N_ROUNDS if is_last else int(rng.integers(1, N_ROUNDS + 1))
    return replace(
        new_game(1, replace(rules, box=False)),
        skylines=(_drawn_skyline(round_number, _MOST_COLUMNS.get(theme, 4), rng),),
        round=round_number,
    )


def _districts(_theme: Theme, start: State, rng: Generator) -> Iterator[State]:
    """Yield the districts of one or two dice more than one of each kind, in a drawn order."""
    more = [counts for n_dice in (1, 2) for counts in compositions(n_dice, len(KINDS))]
    for number in rng.permutation(len(more)).tolist():
        ground, upper, penthouse = (1 + n for n in more[number])
        yield replace(start, district=(ground, upper, penthouse))


def _drawn_skyline(round_number: int, most: int, rng: Generator) -> Skyline:
    """Draw a few columns of no more dice than the yard can have given so far."""
    n_dice = 1 + DICE_FROM_YARD * (round_number - 1)
    columns: list[Column] = []
    for _ in range(int(rng.integers(1, most + 1))):
        possible = [column for column in _COMMON if column.floors <= n_dice]
        if possible:
            columns.append(possible[int(rng.integers(len(possible)))])
            n_dice -= columns[-1].floors
    return sorted_skyline(columns)


def _decisions(theme: Theme, start: State, rng: Generator) -> Iterator[State]:
    """Draw hands of some dice."""
    for _ in range(_AT_ONCE):
        least, most = _N_DICE.get(theme, (1, 4))
        n_dice = int(rng.integers(least, most + 1))
        kinds = [KINDS[number] for number in rng.integers(len(KINDS), size=n_dice).tolist()]
        dice = sorted_dice(_shown(start, kind, rng) for kind in kinds)
        phase = Phase.MORE
        if theme in (Theme.WHICH_COLUMN, Theme.LAST_ROUND) and rng.integers(2):
            phase = Phase.USE
        yield _in_turn(start, dice, phase)


_N_DICE: Final[Mapping[Theme, tuple[int, int]]] = MappingProxyType(
    {Theme.INSURANCE: (2, 4), Theme.WHICH_COLUMN: (1, 3)}
)
"""Fewest and most dice of a hand, where not 1 to 4."""


def _shown(start: State, kind: Kind, rng: Generator) -> Die:
    faces = [Die(kind + face) for face in FACES]
    weights = np.array([start.rules.dice_set.weight(die) for die in faces], dtype=np.float64)
    return faces[int(rng.choice(len(faces), p=weights / weights.sum()))]


def _in_turn(start: State, dice: Sequence[Die], phase: Phase) -> State:
    has_step = start.rules.is_printed and phase is Phase.MORE
    step = Step.BUILD if has_step else None
    return replace(start, dice=tuple(dice), phase=phase, step=step)
