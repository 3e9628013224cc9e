"""The values of the game once more: slow, plain, in fractions, from the rules text alone.

Nothing here comes from the package under test: positions are read from their text, columns and
dice are strings, every action is tried, demolitions included, and every roll is spelled out.
Only small positions are affordable: few dice, and few turns left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import NamedTuple

Sky = tuple[str, ...]
Dice = tuple[str, ...]
District = tuple[int, int, int]

KINDS = "GUP"
TAKES = ["".join(kinds) for kinds in combinations_with_replacement(KINDS, 3)]
WEIGHTS = {
    "standard": {"G": "lllmmh", "U": "lllmmh", "P": "mmh---"},
    "uniform": {"G": "llmmhh", "U": "llmmhh", "P": "llmmhh"},
    "blank-upper": {"G": "lllmmh", "U": "lllmh-", "P": "mmh---"},
}
"""The sides of the dice."""


# --- the rules --------------------------------------------------------------------------------


@cache
def grow(column: str, die: str) -> str | None:
    """Put an upper floor or a penthouse on a column."""
    style, floors, kind, face = column[0], int(column[1]) + 1, die[0], die[1]
    if face != style or kind == "G":  # a finished column is upper case and equals no face
        return None
    if style == "l":
        return "L2" if kind == "U" else None
    lowest, highest = {"m": (2, 4), "h": (3, 6)}[style]
    if kind == "P":
        return f"{style.upper()}{floors}" if lowest <= floors <= highest else None
    return f"{style}{floors}" if floors < highest else None


@cache
def points(sky: Sky) -> int:
    """Count finished buildings by their squares, and a lone low-rise ground floor as 1."""
    return sum(int(c[1]) ** 2 if c[0].isupper() else int(c == "l1") for c in sky)


def without(items: tuple[str, ...], *gone: str) -> tuple[str, ...]:
    """Take some items away."""
    left = list(items)
    for item in gone:
        left.remove(item)
    return tuple(left)


@cache
def parts(dice: Dice) -> set[Dice]:
    """All different non-empty parts of some dice."""
    return {
        tuple(die for die, is_in in zip(dice, mask, strict=True) if is_in)
        for mask in product([False, True], repeat=len(dice))
        if any(mask)
    }


class Place(NamedTuple):
    """Where a turn stands."""

    sky: Sky
    ended: bool
    dice: Dice
    abandoned: Dice
    phase: str


class Game(NamedTuple):
    """Sides of the dice and rules in force."""

    sides: tuple[tuple[str, str], ...]
    printed: bool
    nine: bool


def uses(game: Game, place: Place) -> Iterator[tuple[str, Place]]:
    """Every way to use dice now, with what follows."""
    sky, ended, dice, abandoned, phase = place
    step = phase.partition(":")[2]

    def after(
        kind: str, sky: Sky, *gone: str, ended: bool = ended, left: Dice = abandoned
    ) -> Place:
        phase = f"more:{kind}" if game.printed else "more"
        return Place(tuple(sorted(sky)), ended, without(dice, *gone), left, phase)

    for die in set(dice):
        if step in ("", "build"):
            if die[0] == "G" and die[1] != "-":
                yield f"build {die}", after("build", (*sky, f"{die[1]}1"), die)
            for column in set(sky):
                taller = grow(column, die)
                if taller:
                    ends = ended or (taller == "H6" and not game.nine)
                    new = (*without(sky, column), taller)
                    yield f"build {die}@{column}", after("build", new, die, ended=ends)
        if step in ("", "abandon"):
            left = tuple(sorted((*abandoned, die[0])))
            yield f"abandon {die}", after("abandon", sky, die, left=left)
    if not step:
        for given in parts(dice) if game.printed else {(die,) for die in dice}:
            for column in set(sky):
                name = f"demolish {','.join(given)}@{column}"
                yield name, after("demolish", without(sky, column), *given)


# --- the values -------------------------------------------------------------------------------

Leaf = Callable[[Sky, bool, Dice], Fraction]
"""What a turn is worth when it is over: skyline, whether the game ends, abandoned dice."""


class Turn:
    """Best play in one turn, for the mean of what stands at its end."""

    def __init__(self, game: Game, leaf: Leaf) -> None:
        self.game = game
        self.sides = dict(game.sides)
        self.leaf = cache(leaf)
        self.value = cache(self._value)

    def actions(self, place: Place) -> dict[str, Fraction]:
        """The value of every action."""
        found = {name: self.value(after) for name, after in uses(self.game, place)}
        if place.phase.startswith("more"):
            for again in parts(place.dice):
                unrolled = tuple(die[0] + "?" for die in again)
                dice = tuple(sorted((*without(place.dice, *again), *unrolled)))
                found[f"reroll {','.join(again)}"] = self.value(
                    place._replace(dice=dice, phase="roll")
                )
            found["end"] = self.leaf(place.sky, place.ended, place.abandoned)
        return found

    def _value(self, place: Place) -> Fraction:
        if not place.dice:
            return self.leaf(place.sky, place.ended, place.abandoned)
        if place.phase != "roll":
            return max(self.actions(place).values())
        unrolled = next((die for die in place.dice if die[1] == "?"), None)
        if unrolled is None:
            return self.value(place._replace(phase="use"))
        faces = self.sides[unrolled[0]]
        rest = without(place.dice, unrolled)
        rolled = [tuple(sorted((*rest, unrolled[0] + face))) for face in faces]
        total = sum(self.value(place._replace(dice=dice)) for dice in rolled)
        return Fraction(total) / len(faces)

    def take(self, sky: Sky, kinds: str) -> Fraction:
        """The value of taking dice of these kinds."""
        dice = tuple(sorted(kind + "?" for kind in kinds))
        return self.value(Place(sky, False, dice, (), "roll"))


@cache
def yard_value(game: Game, sky: Sky, turns: int) -> Fraction:
    """The final score to be expected with so many turns from the yard.

    Finished buildings are set aside: in later turns nothing is gained by demolishing them.
    """
    if not turns:
        return Fraction(points(sky))
    done = tuple(column for column in sky if column[0].isupper())
    rest = without(sky, *done)
    turn = score_turn(game, turns - 1)
    return points(done) + max(turn.take(rest, kinds) for kinds in TAKES)


@cache
def score_turn(game: Game, turns_after: int) -> Turn:
    """A turn played for the final score."""

    def leaf(sky: Sky, ended: bool, _abandoned: Dice) -> Fraction:
        return yard_value(game, sky, 0 if ended else turns_after)

    return Turn(game, leaf)


@cache
def points_turn(game: Game) -> Turn:
    """A turn played for the displayed points at its end."""
    return Turn(game, lambda sky, _ended, _abandoned: Fraction(points(sky)))


class Position(NamedTuple):
    """The six words of a position."""

    skylines: tuple[Sky, ...]
    district: District
    dice: Dice
    phase: str
    clock: str
    game: Game

    @property
    def round(self) -> int:
        """The round."""
        return int(self.clock[0])

    @property
    def seat(self) -> int:
        """The seat to move."""
        return int(self.clock[2])

    @property
    def is_last(self) -> bool:
        """Whether the round was made the last one."""
        return self.clock.endswith("!")


def read(text: str, sides: dict[str, str] | None = None) -> Position:
    """Read a position."""
    skylines, district, dice, phase, clock, rules = text.split()
    edition, *options = rules.split("+")
    name = next((option for option in options if option not in ("nine", "box")), "standard")
    game = Game(tuple((sides or WEIGHTS[name]).items()), edition == "printed", "nine" in options)
    return Position(
        tuple(() if s == "-" else tuple(sorted(s.split(","))) for s in skylines.split("/")),
        (int(district[1]), int(district[3]), int(district[5])),
        () if dice == "-" else tuple(sorted(dice.split(","))),
        phase,
        clock,
        game,
    )


def gift(position: Position, sky: Sky, ended: bool, district: District) -> Fraction:
    """What the district is worth to the next seat beyond one die of each kind."""
    n_seats = len(position.skylines)
    is_last = position.is_last or ended
    same_round = position.seat < n_seats
    round_then = position.round + (not same_round)
    if round_then > 9 or (is_last and not same_round):
        return Fraction(0)
    owner = sky if n_seats == 1 else position.skylines[position.seat % n_seats]
    taker = tuple(column for column in owner if column[0].islower())
    turn = score_turn(position.game, 0 if is_last else 9 - round_then)

    def best(district: District) -> Fraction:
        kinds = "".join(kind * n for kind, n in zip(KINDS, district, strict=True))
        return max(turn.take(taker, some) for some in [*TAKES, kinds])

    return best(district) - best((1, 1, 1))


def margin_turn(position: Position, district: District) -> Turn:
    """A turn played for the score less the gift; `district` is what it begins with."""
    turns_after = 0 if position.is_last else 9 - position.round
    memo, n_seats = cache(gift), len(position.skylines)

    def leaf(sky: Sky, ended: bool, abandoned: Dice) -> Fraction:
        left = tuple(n + abandoned.count(k) for n, k in zip(district, KINDS, strict=True))
        score = yard_value(position.game, sky, 0 if ended else turns_after)
        return score - memo(position, sky if n_seats == 1 else (), ended, left)

    return Turn(position.game, leaf)


def action_values(
    text: str, objective: str = "score", sides: dict[str, str] | None = None
) -> dict[str, Fraction]:
    """The value of every action of a position, equal dice and equal columns once."""
    position = read(text, sides)
    sky = position.skylines[position.seat - 1]

    def turn(district: District) -> Turn:
        if objective == "turn":
            return points_turn(position.game)
        if objective == "margin":
            return margin_turn(position, district)
        return score_turn(position.game, 0 if position.is_last else 9 - position.round)

    if position.phase == "take":
        found = {f"take {kinds}": turn(position.district).take(sky, kinds) for kinds in TAKES}
        kinds = "".join(kind * n for kind, n in zip(KINDS, position.district, strict=True))
        return found | {"take district": turn((1, 1, 1)).take(sky, kinds)}
    place = Place(sky, False, position.dice, (), position.phase)
    played = turn(position.district)
    if position.phase == "roll":
        return {"roll": played.value(place)}
    return played.actions(place)
