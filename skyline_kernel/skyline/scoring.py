"""The final ranking (rules, "end of the game" and "scoring")."""

from __future__ import annotations

from dataclasses import dataclass

from .columns import n_buildings, points
from .state import State

__all__ = ["Standing", "ranking"]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one seat stands.

    Parameters
    ----------
    place : int
        1 is first; equal seats share a place.
    seat : int
    points : int
        Displayed points; the final score when the game is over.
    buildings : int
        Finished buildings and lone low-rise ground floors; more of them break a tie.
    """

    place: int
    seat: int
    points: int
    buildings: int


def ranking(state: State) -> tuple[Standing, ...]:
    """Rank the seats by points, then by buildings; seats equal in both share the place.

    Returns
    -------
    tuple of Standing
        Best first, equal ones in the order of seats.
    """
    results = [(points(skyline), n_buildings(skyline)) for skyline in state.skylines]
    order = sorted(range(len(results)), key=lambda i: results[i], reverse=True)
    return tuple(
        Standing(
            place=1 + sum(other > results[i] for other in results),
            seat=i + 1,
            points=results[i][0],
            buildings=results[i][1],
        )
        for i in order
    )
