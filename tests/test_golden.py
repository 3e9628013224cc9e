"""Golden playthroughs: whole games in full text, replayed line by line.

``python tests/test_golden.py`` writes them anew, after a change that is meant to change games.
"""

from pathlib import Path
from typing import NamedTuple

import pytest
from game_tools import played

from skyline_kernel.skyline import (
    Action,
    Game,
    Roll,
    Seat,
    State,
    chance_outcomes,
    format_action,
    format_position,
    legal_actions,
    odds_of,
    parse_action,
    parse_position,
    parse_rules,
    points,
    ranking,
    start_game,
    successor,
)

GOLDEN = Path(__file__).parent / "golden"


class Plan(NamedTuple):
    """A game that is written down."""

    name: str
    rules: str
    players: tuple[str, ...]
    seed: int


PLANS = (
    Plan("online_1", "online", ("builder",), 1),
    Plan("online_2", "online", ("builder", "greedy"), 2),
    Plan("online_3_six_storeys", "online", ("builder", "random", "builder"), 9),
    Plan("online_4_nine_box", "online+nine+box", ("builder", "greedy", "random", "builder"), 4),
    Plan("online_2_uniform", "online+uniform", ("random", "greedy"), 5),
    Plan("printed_1_nine", "printed+nine", ("random",), 6),
    Plan("printed_2", "printed", ("greedy", "builder"), 7),
    Plan("printed_3_box", "printed+box", ("random", "builder", "greedy"), 8),
    Plan(
        "printed_4_blank_upper",
        "printed+blank-upper",
        ("greedy", "builder", "random", "greedy"),
        10,
    ),
)


# --- text of a game ---------------------------------------------------------------------------


def text_of(game: Game) -> str:
    """Write a game down: what was done, by what chance, and the position after it."""
    lines = [
        f"rules {' '.join(format_position(game.states[0]).split()[5:])}",
        f"seed {game.seed}",
        f"seats {' '.join(seat.player for seat in game.seats)}",
        "",
        f"    {format_position(game.states[0])}",
    ]
    for before, entry, after in zip(game.states, game.log, game.states[1:], strict=False):
        lines += lines_of(before, entry.action, after)
    lines += ["", *map(ranking_line, range(len(game.seats)), [game.state] * len(game.seats))]
    return "\n".join(lines) + "\n"


def lines_of(before: State, action: Action, after: State) -> list[str]:
    """Write one action down in two lines."""
    shown = "/".join(str(points(skyline)) for skyline in after.skylines)
    return [
        f"{before.round}.{before.seat} {format_action(action)}{chance_of(before, action)}",
        f"    {format_position(after)}  points {shown}",
    ]


def chance_of(before: State, action: Action) -> str:
    """Write the chance of a roll, or to build after it, or how many other actions there were."""
    if isinstance(action, Roll):
        chance = dict(chance_outcomes(before))[action]
        return f"  chance {chance} = {float(chance):.6g}"
    choices = f"  one of {len(legal_actions(before))}"
    odds = odds_of(before, action)
    return choices if odds is None else f"{choices}, build {odds.build} = {float(odds.build):.6g}"


def ranking_line(place: int, state: State) -> str:
    """Write one line of the final ranking."""
    row = ranking(state)[place]
    return f"place {row.place} seat {row.seat} points {row.points} buildings {row.buildings}"


# --- reading it again -------------------------------------------------------------------------


def read_plan(name: str) -> tuple[list[str], list[str]]:
    """Return the head of a golden game and the lines of its play."""
    lines = (GOLDEN / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return lines[:3], lines[4:]


every_game = pytest.mark.parametrize("name", [plan.name for plan in PLANS])


@every_game
def test_a_golden_game_is_replayed_line_by_line(name: str) -> None:
    _, lines = read_plan(name)
    state = parse_position(lines[0])
    assert lines[0] == f"    {format_position(state)}"
    end = lines.index("")
    for number in range(1, end, 2):
        action = parse_action(lines[number].split("  ")[0].partition(" ")[2])
        after = successor(state, action)
        assert lines_of(state, action, after) == lines[number : number + 2]
        state = after
    assert state.is_over
    assert lines[end + 1 :] == [ranking_line(i, state) for i in range(state.n_players)]


@every_game
def test_a_golden_game_is_rolled_again_from_its_seed(name: str) -> None:
    (rules, seed, seats), lines = read_plan(name)
    players = seats.split()[1:]
    game = start_game(
        [Seat(player, player) for player in players],
        parse_rules(rules.split()[1]),
        seed=int(seed.split()[1]),
    )
    for line in lines[1 : lines.index("") : 2]:
        verb = line.split("  ")[0].partition(" ")[2].partition("=")[0]
        game = game.play(parse_action(verb))
    assert text_of(game) == "\n".join([rules, seed, seats, "", *lines]) + "\n"


def test_golden_games_cover_both_editions_all_options_and_both_ends() -> None:
    texts = {plan.name: (GOLDEN / f"{plan.name}.txt").read_text("utf-8") for plan in PLANS}
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(texts)
    endings = {name: text.split(" over ")[1].split()[0] for name, text in texts.items()}
    assert any(ending.endswith("!") for ending in endings.values())
    assert any(ending.startswith("9.") for ending in endings.values())
    together = "".join(texts.values())
    for word in ("take district", "demolish", "abandon", "reroll", " end ", "H6", "more:demolish"):
        assert word in together


def regenerate() -> None:
    """Write all golden games anew."""
    GOLDEN.mkdir(exist_ok=True)
    for plan in PLANS:
        game = played(parse_rules(plan.rules), plan.players, plan.seed)
        (GOLDEN / f"{plan.name}.txt").write_text(text_of(game), encoding="utf-8")


if __name__ == "__main__":
    regenerate()
