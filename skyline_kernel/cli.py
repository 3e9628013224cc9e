"""The command ``skyline``: positions and actions as text, for scripts, worksheets and tests.

Every command prints one JSON object with ``--json`` and the same for people without.  Where a
POSITION is ``-``, positions are read from standard input, one a line, and each is answered by
one line of JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

from .catalogue import LANGUAGES, language_of
from .errors import KitError, NotationError, one_line
from .rolls import verify_seed
from .skyline.actions import Roll
from .skyline.choices import chance_outcomes, legal_actions
from .skyline.commands import (
    add_objective,
    add_study,
    advise_answer,
    advise_lines,
    simulate_answer,
    simulate_lines,
    value_answer,
    value_lines,
)
from .skyline.dice import count_kinds
from .skyline.dice_sets import DiceSet, n_outcomes, read_dice_set
from .skyline.notation import (
    format_action,
    format_position,
    parse_action,
    parse_position,
    parse_rules,
)
from .skyline.record import read_record
from .skyline.rolling import numbered_roll
from .skyline.state import State, new_game
from .skyline.transitions import successor

__all__ = ["main"]

BAD_INPUT: Final = 2
MAX_LISTED: Final = 500_000
"""Most actions or outcomes that are listed; a large district has more than memory holds."""

STREAM: Final = "-"

Answer = dict[str, Any]
Command = Callable[[State, argparse.Namespace], Answer]


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one line."""
        self.exit(BAD_INPUT, f"{self.prog}: {one_line(message)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        The words after ``skyline``; those of the process if left out.
    """
    options = _parser().parse_args(arguments)
    try:
        status = int(options.run(options))
        sys.stdout.flush()
        return status
    except KitError as error:
        print(f"skyline: {error}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of a pipe has left; nothing is wrong, and Python shall not flush again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


# --- commands ---------------------------------------------------------------------------------


def _new(options: argparse.Namespace) -> int:
    rules = parse_rules(options.rules, _own_dice_sets(options))
    _print(options, {"position": format_position(new_game(options.players, rules))})
    return 0


def _legal(state: State, _options: argparse.Namespace) -> Answer:
    # Where chance is to move, the one action is the roll; `chances` lists its outcomes.
    actions: Sequence[Any] = [Roll()] if state.is_chance else legal_actions(state)
    _verify_listed(len(actions), "actions")
    return {
        "position": format_position(state),
        "actions": [format_action(action) for action in actions],
    }


def _verify_listed(n_lines: int, word: str) -> None:
    if n_lines > MAX_LISTED:
        raise NotationError(
            "{n_lines} {what}: too many to list, expected at most {most}",
            n_lines=n_lines,
            what=word,
            most=MAX_LISTED,
        )


def _chances(state: State, _options: argparse.Namespace) -> Answer:
    rolled = count_kinds(die.kind for die in state.dice if not die.is_rolled)
    _verify_listed(n_outcomes(state.rules.dice_set, rolled), "outcomes")
    return {
        "position": format_position(state),
        "outcomes": [
            {
                "roll": format_action(roll),
                "probability": str(probability),
                "float": float(probability),
            }
            for roll, probability in chance_outcomes(state)
        ],
    }


def _apply(state: State, options: argparse.Namespace) -> Answer:
    action = parse_action(options.action)
    seed = None if options.seed is None else verify_seed(options.seed)
    if action == Roll() and state.is_chance:
        if seed is None:
            raise NotationError("roll: expected roll= and an outcome, or --seed and a number")
        action = numbered_roll(state, seed, options.roll_number)
    return {"position": format_position(successor(state, action))}


def _simulate(options: argparse.Namespace) -> int:
    rules = parse_rules(options.rules, _own_dice_sets(options))
    _print(options, simulate_answer(rules, options))
    return 0


def _review(options: argparse.Namespace) -> int:
    from .skyline.coach.report import as_json, report
    from .skyline.coach.review import review
    from .skyline.coach.saying import Speaker

    reviewed = review(read_record(options.record), options.objective)
    if options.json:
        print(json.dumps(as_json(reviewed)))
    else:
        code = language_of() if options.language is None else options.language
        print("\n".join(report(reviewed, say=Speaker(code))))
    return 0


def _start(module: str, options: argparse.Namespace, *first: str) -> int:
    words = [sys.executable, "-m", module, *first, *options.rest]
    return subprocess.call(words)


def _app(options: argparse.Namespace) -> int:
    return _start("skyline_app", options)


def _lab(options: argparse.Namespace) -> int:
    folder = Path(__file__).parents[1] / "notebooks"
    return _start("jupyterlab", options, *([str(folder)] if folder.is_dir() else []))


# --- one position or many ---------------------------------------------------------------------


def _on_positions(command: Command) -> Callable[[argparse.Namespace], int]:
    def run(options: argparse.Namespace) -> int:
        dice_sets = _own_dice_sets(options)
        if options.position == STREAM:
            return _answer_stream(command, options, dice_sets)
        _print(options, command(parse_position(options.position, dice_sets), options))
        return 0

    return run


def _answer_stream(command: Command, options: argparse.Namespace, dice_sets: list[DiceSet]) -> int:
    for line in sys.stdin.buffer:
        try:
            text = line.decode("utf-8", errors="replace").rstrip("\r\n")
            answer = command(parse_position(text, dice_sets), options)
        except KitError as error:
            answer = {"error": str(error)}
        print(json.dumps(answer), flush=True)
    return 0


def _own_dice_sets(options: argparse.Namespace) -> list[DiceSet]:
    return [read_dice_set(path) for path in options.dice_set]


# --- output -----------------------------------------------------------------------------------


def _print(options: argparse.Namespace, answer: Answer) -> None:
    if options.json:
        print(json.dumps(answer))
    else:
        print("\n".join(options.lines(answer)))


def _lines(answer: Answer) -> list[str]:
    lines = [answer["position"]]
    lines += [f"  {action}" for action in answer.get("actions", ())]
    lines += [
        f"  {outcome['roll']}  {outcome['probability']}  {outcome['float']:.2%}"
        for outcome in answer.get("outcomes", ())
    ]
    return lines


# --- words of the command line ----------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="skyline", description="Rules, exact odds and decisions of the game Skyline."
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    new = commands.add_parser("new", help="print the first position of a game")
    new.add_argument("--players", type=int, default=1, metavar="N", help="1 to 4")
    new.add_argument("--rules", default="online", help="such as online+nine or printed+box")
    _add_common(new, _new)

    legal = commands.add_parser("legal", help="list what may be done in a position")
    chances = commands.add_parser("chances", help="list what a roll can show, with odds")
    apply = commands.add_parser("apply", help="print the position after an action")
    _add_position(legal, _legal)
    _add_position(chances, _chances)
    _add_position(apply, _apply)
    apply.add_argument("action", metavar="ACTION", help="such as 'build Um@m2'")
    apply.add_argument("--seed", type=int, metavar="S", help="draws the outcome of roll")
    apply.add_argument(
        "--roll-number", type=int, default=0, metavar="N", help="which roll of that seed (0)"
    )

    advise = commands.add_parser("advise", help="rank what may be done by what it is worth")
    value = commands.add_parser("value", help="say what a position is worth with best play")
    for command, answer, lines in (
        (advise, advise_answer, advise_lines),
        (value, value_answer, value_lines),
    ):
        _add_position(command, answer)
        add_objective(command)
        command.set_defaults(lines=lines)

    simulate = commands.add_parser("simulate", help="play many games of computer players")
    add_study(simulate)
    _add_common(simulate, _simulate)
    simulate.set_defaults(lines=simulate_lines)

    review = commands.add_parser("review", help="judge every decision of a recorded game")
    review.add_argument("record", type=Path, metavar="RECORD", help="the file of a game")
    review.add_argument("--objective", default="score", help="score")
    review.add_argument("--json", action="store_true", help="print JSON")
    review.add_argument("--language", choices=LANGUAGES, help="de or en; left out, that of LANG")
    review.set_defaults(run=_review)

    # Without a prefix of its own such a parser passes every option on, -h too.
    all_words: dict[str, Any] = {"prefix_chars": "\0", "add_help": False}
    _add_start(commands.add_parser("app", help="start the web app", **all_words), _app)
    _add_start(
        commands.add_parser("lab", help="open the notebooks in JupyterLab", **all_words), _lab
    )
    return parser


def _add_common(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--dice-set",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a dice set of your own that the rules may name",
    )
    parser.set_defaults(run=run, lines=_lines)


def _add_position(parser: argparse.ArgumentParser, command: Command) -> None:
    parser.add_argument(
        "position", metavar="POSITION", help="six words in quotes, or - to read many"
    )
    _add_common(parser, _on_positions(command))


def _add_start(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="options passed on")
    parser.set_defaults(run=run)


if __name__ == "__main__":
    sys.exit(main())
