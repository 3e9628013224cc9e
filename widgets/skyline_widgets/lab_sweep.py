"""Sweeps: what a position is worth with one side of a die more, or one less."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import DiceSet, Face, Kind, State
from skyline_kernel.skyline.dice import FACES, KINDS
from skyline_kernel.skyline.dice_sets import FaceWeights

from .charts import BarChart, Series
from .language import Language
from .words import kind_name

__all__ = ["SweepPoint", "sweep_chart", "sweep_faces", "with_faces"]


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One dice set of a sweep.

    Parameters
    ----------
    n_sides : int
        Sides that show the face that is swept.
    dice_set : DiceSet
    value : float
        Of the position with best play, in points.
    exact : Fraction or None
        The same exactly, where the objective has it.
    """

    n_sides: int
    dice_set: DiceSet
    value: float
    exact: Fraction | None


def with_faces(dice_set: DiceSet, kind: Kind, weights: FaceWeights, name: str) -> DiceSet:
    """Return a dice set with other sides of one kind of die.

    Parameters
    ----------
    dice_set : DiceSet
    kind : Kind
    weights : FaceWeights
        Sides that show low-rise, mid-rise, high-rise and blank.
    name : str
        Of the new set.
    """
    place = KINDS.index(kind)
    ground, upper, penthouse = (
        weights if i == place else old for i, old in enumerate(dice_set.weights)
    )
    return DiceSet(name, (ground, upper, penthouse))


def sweep_faces(
    state: State,
    kind: Kind,
    face: Face,
    *,
    instead_of: Face,
    objective: str = "turn",
    sides: Iterable[int] | None = None,
) -> list[SweepPoint]:
    """Value a position for every number of sides that show one face.

    The sides are taken from another face, so the die keeps its number of sides.

    Parameters
    ----------
    state : State
        Its own dice set is the one that is changed.
    kind : Kind
        Of the die whose sides change.
    face, instead_of : Face
        Which face gets the sides, and which loses them.
    objective : str
        ``turn`` takes milliseconds for each set, ``score`` and ``margin`` some seconds, as each
        set is solved; solved sets are kept.
    sides : iterable of int, optional
        Numbers of sides; all from 0 to what both faces have together if left out.

    Raises
    ------
    SettingError
        If the two faces are the same, or have not so many sides.

    Examples
    --------
    >>> from skyline_kernel.skyline import parse_position
    >>> state = parse_position("m2 G1U1P1 P? roll 9.1")
    >>> points = sweep_faces(state, Kind.PENTHOUSE, Face.MID, instead_of=Face.BLANK)
    >>> [str(point.exact) for point in points]
    ['0', '3/2', '3', '9/2', '6', '15/2']
    """
    from skyline_kernel.skyline.advice import value

    if face == instead_of:
        raise SettingError("{face!r}: expected two different faces", face=face)
    old = state.rules.dice_set
    weights = old.weights[KINDS.index(kind)]
    both = weights[FACES.index(face)] + weights[FACES.index(instead_of)]
    points = []
    for n_sides in range(both + 1) if sides is None else sides:
        if not 0 <= n_sides <= both:
            raise SettingError("{n} sides: expected 0 to {most}", n=n_sides, most=both)
        dice_set = with_faces(old, kind, _moved(weights, face, instead_of, n_sides, both), "swept")
        worth = value(replace(state, rules=replace(state.rules, dice_set=dice_set)), objective)
        points.append(SweepPoint(n_sides, dice_set, worth.value, worth.exact))
    return points


def _moved(weights: FaceWeights, face: Face, other: Face, n_sides: int, both: int) -> FaceWeights:
    changed = {face: n_sides, other: both - n_sides}
    low, mid, high, blank = (
        changed.get(one, weight) for one, weight in zip(FACES, weights, strict=True)
    )
    return low, mid, high, blank


def sweep_chart(points: Iterable[SweepPoint], kind: Kind, lang: Language) -> BarChart:
    """Return the chart of a sweep."""
    listed = list(points)
    texts = tuple(
        lang.number(one.value) if one.exact is None else f"{one.exact} = {lang.number(one.value)}"
        for one in listed
    )
    shown = Series(lang.say("value"), tuple(one.value for one in listed), texts)
    title = lang.say("Value by sides of the {die}", die=kind_name(kind, lang))
    labels = tuple(str(one.n_sides) for one in listed)
    return BarChart(title, lang.say("sides"), labels, (shown,))
