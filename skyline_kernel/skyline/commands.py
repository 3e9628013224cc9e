"""The commands ``advise``, ``value`` and ``simulate``.

What they need is imported when they run, so that the commands about the rules start quickly.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from ..errors import SettingError
from ..rolls import new_seed, verify_seed
from .notation import format_action, format_position, format_rules
from .odds import BuildOdds, Chance
from .state import Rules, State

if TYPE_CHECKING:
    from .advice import Advice, RankedAction

__all__ = [
    "add_objective",
    "add_study",
    "advise_answer",
    "advise_lines",
    "simulate_answer",
    "simulate_lines",
    "value_answer",
    "value_lines",
]

Answer = dict[str, Any]

WIN: Final = "win"
WIN_GAMES: Final = 400
STUDY_GAMES: Final = 100


# --- advise and value -------------------------------------------------------------------------


def add_objective(parser: argparse.ArgumentParser) -> None:
    """Add the words that say what is wanted."""
    parser.add_argument(
        "--objective", default="score", metavar="WHAT", help="score, turn, margin or win (score)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of objective win (0)")
    parser.add_argument(
        "--games",
        type=int,
        default=WIN_GAMES,
        metavar="K",
        help=f"simulated for each action by objective win ({WIN_GAMES})",
    )


def _advice(state: State, options: argparse.Namespace) -> Advice:
    from .advice import advise

    if options.objective == WIN:
        from .winning import advise_win

        return advise_win(state, seed=verify_seed(options.seed), n_games=options.games)
    return advise(state, options.objective)


def advise_answer(state: State, options: argparse.Namespace) -> Answer:
    """Rank the legal actions of a position."""
    advice = _advice(state, options)
    return {
        "position": format_position(state),
        "objective": str(advice.objective),
        **_worth(advice),
        "best": None if advice.best is None else format_action(advice.best),
        "actions": [_ranked(one, advice) for one in advice.actions],
    }


def value_answer(state: State, options: argparse.Namespace) -> Answer:
    """Say what a position is worth with best play from here."""
    from .advice import value

    head = {"position": format_position(state), "objective": options.objective}
    if options.objective == WIN:
        return {**head, **_worth(_advice(state, options))}
    worth = value(state, options.objective)
    return {**head, "value": worth.value, **_exact(worth.exact, options.objective)}


def _worth(advice: Advice) -> Answer:
    answer = {"value": advice.value, **_exact(advice.exact, advice.objective)}
    interval = getattr(advice, "interval", None)
    if interval is not None:
        answer |= {"low": interval.low, "high": interval.high, "level": interval.level}
        answer |= {"games": advice.n_games, "seed": advice.seed}  # type: ignore[attr-defined]
    return answer


def _exact(exact: object, objective: str) -> Answer:
    return {"exact": str(exact)} if objective == "turn" else {}


def _ranked(one: RankedAction, advice: Advice) -> Answer:
    answer = {
        "action": format_action(one.action),
        "value": one.value,
        **_exact(one.exact, advice.objective),
        "loss": one.loss,
        "odds": None if one.odds is None else _odds(one.odds),
    }
    interval = getattr(one, "interval", None)
    if interval is not None:
        answer |= {"low": interval.low, "high": interval.high}
    return answer


def _odds(odds: BuildOdds) -> Answer:
    return {"build": Chance(odds.build).as_dict(), "stuck": Chance(odds.stuck).as_dict()}


def value_lines(answer: Answer) -> list[str]:
    """Say the answer of ``value`` to people."""
    return [answer["position"], _worth_line(answer)]


def _worth_line(answer: Answer) -> str:
    objective = answer["objective"]
    if objective == WIN:
        return (
            f"  win {answer['value']:.1%} ({answer['low']:.1%} to {answer['high']:.1%}, "
            f"{answer['games']} games, seed {answer['seed']})"
        )
    exact = f" = {answer['exact']}" if "exact" in answer else ""
    return f"  {objective} {answer['value']:.6f}{exact}"


def advise_lines(answer: Answer) -> list[str]:
    """Say the answer of ``advise`` to people."""
    width = max((len(one["action"]) for one in answer["actions"]), default=0)
    return [
        *value_lines(answer),
        *(_ranked_line(one, width, answer["objective"]) for one in answer["actions"]),
    ]


def _ranked_line(one: Answer, width: int, objective: str) -> str:
    number = f"{one['value']:.1%}" if objective == WIN else f"{one['value']:.6f}"
    loss = f"{one['loss']:.1%}" if objective == WIN else f"{one['loss']:.6f}"
    verdict = "best" if one["loss"] == 0 else f"loses {loss}"
    line = f"  {one['action']:<{width}}  {number:>10}  {verdict}"
    if one["odds"] is None:
        return line
    build = one["odds"]["build"]
    return f"{line}  (can build {build['float']:.2%} = {build['exact']})"


# --- simulate ---------------------------------------------------------------------------------


def add_study(parser: argparse.ArgumentParser) -> None:
    """Add the words that describe a study."""
    parser.add_argument("--players", type=int, metavar="N", help="1 to 4, one for each bot")
    parser.add_argument(
        "--bots", required=True, metavar="A,B", help="computer players, in the order of the seats"
    )
    parser.add_argument(
        "--games", type=int, default=STUDY_GAMES, metavar="K", help=f"({STUDY_GAMES})"
    )
    parser.add_argument("--seed", type=int, metavar="S", help="a new one if left out")
    parser.add_argument("--rules", default="online", help="such as online+nine or printed+box")
    parser.add_argument("--workers", type=int, default=1, metavar="W", help="processes (1)")
    parser.add_argument("--progress", action="store_true", help="draw a bar on standard error")


def simulate_answer(rules: Rules, options: argparse.Namespace) -> Answer:
    """Play the games of a study.

    Raises
    ------
    SettingError
        If a player is unknown, or a number will not do.
    """
    from .simulation import simulate
    from .state import new_game

    bots = options.bots.split(",")
    start = new_game(len(bots) if options.players is None else options.players, rules)
    seed = new_seed() if options.seed is None else options.seed
    if options.workers < 1:
        raise SettingError("{workers} workers: expected at least 1", workers=options.workers)
    with _workers(options.workers) as executor, _bar(options) as progress:
        result = simulate(
            bots, options.games, seed=seed, start=start, executor=executor, progress=progress
        )
    return {"rules": format_rules(rules), **result.as_dict()}


@contextmanager
def _workers(n_workers: int) -> Iterator[Executor | None]:
    if n_workers == 1:
        yield None
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(n_workers, get_context("spawn")) as pool:
        yield pool


@contextmanager
def _bar(options: argparse.Namespace) -> Iterator[Any]:
    if not options.progress or options.games < 1:
        yield None
        return
    from tqdm import tqdm

    with tqdm(total=options.games, unit=" games") as bar:
        yield bar.update


def simulate_lines(answer: Answer) -> list[str]:
    """Say the answer of ``simulate`` to people."""
    head = f"{answer['games']} games, {answer['rules']}, seed {answer['seed']}"
    return [head, *(_seat_line(seat) for seat in answer["seats"])]


def _seat_line(seat: Answer) -> str:
    score, wins = seat["score"], seat["wins"]
    # One game says nothing of the spread, so its mean has no interval.
    spread = "" if score["low"] is None else f" ({score['low']:.2f} to {score['high']:.2f})"
    return (
        f"  seat {seat['seat']}  {seat['bot']}  score {score['value']:.2f}{spread}"
        f"  wins {wins['value']:.1%} ({wins['low']:.1%} to {wins['high']:.1%})"
    )
