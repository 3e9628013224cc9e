"""Saved games: a JSON file with a version and a schema, replayed when it is read.

A record holds the seed, the rules, the seats, every action with what the dice showed, and the
position at the end.  Reading one replays it action by action, so a record that was tampered
with, cut off or made under other rules is refused and the message says where.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from ..errors import KitError, RecordError
from ..files import read_beginning, unreadable, write_whole
from .dice_sets import SHIPPED, DiceSet, verified_own
from .game import Game, Seat, start_game
from .notation import format_action, format_position, format_rules, parse_action, parse_rules
from .state import Rules

__all__ = [
    "FORMAT",
    "MAX_RECORD",
    "VERSION",
    "format_record",
    "parse_record",
    "read_record",
    "schema",
    "write_record",
]

FORMAT: Final = "skyline-game"
VERSION: Final = 1
MAX_RECORD: Final = 4_000_000
"""Longest record that is read, in characters; a game of four takes about 20 000."""


@cache
def schema() -> dict[str, Any]:
    """Return the JSON schema of a record (draft 2020-12)."""
    path = Path(__file__).parent / "data" / "game-record.schema.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def format_record(game: Game) -> str:
    """Return the record of `game` as JSON."""
    return json.dumps(_to_dict(game), ensure_ascii=False, indent=1) + "\n"


def _to_dict(game: Game) -> dict[str, Any]:
    record: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "seed": game.seed,
        "rules": format_rules(game.rules),
        "seats": [{"name": seat.name, "player": seat.player} for seat in game.seats],
        "actions": [format_action(entry.action) for entry in game.log],
        "final": format_position(game.state),
    }
    dice_set = game.rules.dice_set
    if dice_set.name not in SHIPPED:
        record["dice_set"] = _dice_set_to_dict(dice_set)
    return record


def _dice_set_to_dict(dice_set: DiceSet) -> dict[str, Any]:
    return {"name": dice_set.name, "weights": [list(sides) for sides in dice_set.weights]}


def write_record(game: Game, path: Path) -> None:
    """Save `game` to a file, whole or not at all.

    Raises
    ------
    OSError
        If the file cannot be written.
    """
    write_whole(path, format_record(game))


def read_record(path: Path) -> Game:
    """Load a game from a file.

    Raises
    ------
    RecordError
        If the file cannot be read or is no record; the message says where.
    """
    try:
        text = read_beginning(path, MAX_RECORD + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(
            "record {file}: {reason}", file=path.name, reason=unreadable(error)
        ) from error
    return parse_record(text)


def parse_record(text: str) -> Game:
    """Make a game of the text of its record by playing it again.

    Raises
    ------
    RecordError
        If the text is no JSON, breaks the schema, holds an action that the rules do not allow
        or a roll that the seed does not give, or ends in another position than it says.
    """
    if len(text) > MAX_RECORD:
        raise RecordError("record: expected at most {most} characters", most=MAX_RECORD)
    record = _parsed_json(text)
    _verify_schema(record)
    game = _replayed(_first(record), record["actions"])
    if format_position(game.state) != record["final"]:
        raise RecordError(
            "record: final: expected {position}, got {got}",
            position=format_position(game.state),
            got=_shortened(record["final"]),
        )
    return game


def _parsed_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise RecordError(
            "record: line {line}, column {column}: {reason}",
            line=error.lineno,
            column=error.colno,
            reason=error.msg,
        ) from error
    except (RecursionError, ValueError) as error:
        raise RecordError("record: expected a game as JSON") from error


def _verify_schema(record: Any) -> None:
    # Loaded here: the checker is heavy, and few processes ever read a record.
    from jsonschema import Draft202012Validator

    # The first defect is enough: a hostile record holds millions, or is nested so deep that it
    # cannot be shown.
    try:
        found = next(Draft202012Validator(schema()).iter_errors(record), None)
    except RecursionError as error:
        raise RecordError("record: expected a game as JSON") from error
    if found is not None:
        place = found.json_path.removeprefix("$").removeprefix(".") or "the whole"
        raise RecordError(
            "record: {place}: {reason}", place=place, reason=_shortened(found.message)
        )


def _shortened(text: str, most: int = 160) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def _first(record: dict[str, Any]) -> Game:
    try:
        own = _own_dice_sets(record)
        rules = parse_rules(record["rules"], own)
        _verify_used(own, rules)
        seats = [Seat(seat["name"], seat["player"]) for seat in record["seats"]]
        return start_game(seats, rules, seed=record["seed"])
    except KitError as error:
        raise RecordError("record: {reason}", reason=error) from error


def _verify_used(own: list[DiceSet], rules: Rules) -> None:
    for dice_set in own:
        if dice_set != rules.dice_set:
            raise RecordError(
                "dice_set: the rules {rules} do not name {name}",
                rules=format_rules(rules),
                name=dice_set.name,
            )


def _own_dice_sets(record: dict[str, Any]) -> list[DiceSet]:
    if "dice_set" not in record:
        return []
    ground, upper, penthouse = (tuple(sides) for sides in record["dice_set"]["weights"])
    return [verified_own(DiceSet(record["dice_set"]["name"], (ground, upper, penthouse)))]


def _replayed(game: Game, actions: list[str]) -> Game:
    for number, text in enumerate(actions):
        try:
            game = game.play(parse_action(text))
        except KitError as error:
            raise RecordError(
                "record: actions[{number}]: {reason}", number=number, reason=error
            ) from error
    return game
