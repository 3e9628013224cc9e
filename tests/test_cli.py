"""The command line: every command for scripts and for people, many positions, bad input."""

import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from tables import at, legal

from skyline_kernel.cli import main

START = "h1 G1U1P1 - take 1.1 online"
ROLLING = "h1 G1U1P1 G?,U? roll 1.1 online"
OWN_SET = """\
name = "coins"
ground-floor = { low-rise = 1, mid-rise = 1, high-rise = 0, blank = 0 }
upper-floor = { low-rise = 1, mid-rise = 1, high-rise = 0, blank = 0 }
penthouse = { low-rise = 0, mid-rise = 1, high-rise = 0, blank = 1 }
"""

Capture = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    """Run the command in this process and return its exit status."""
    try:
        return main(words)
    except SystemExit as ended:
        assert isinstance(ended.code, int)
        return ended.code


def answer(capsys: Capture, *words: str) -> dict[str, object]:
    """Run a command that works and return the one JSON object that it prints."""
    assert run(*words, "--json") == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.count("\n") == 1
    read: dict[str, object] = json.loads(out)
    return read


def refusal(capsys: Capture, *words: str) -> str:
    """Run a command that is refused: status 2, one line on standard error, nothing else."""
    assert run(*words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err[:-1].isprintable()
    assert err.startswith("skyline")
    return err


def feed(monkeypatch: pytest.MonkeyPatch, text: str | bytes) -> None:
    """Put text on standard input."""
    raw = text if isinstance(text, bytes) else text.encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(raw)))


# --- new --------------------------------------------------------------------------------------


def test_new_prints_the_first_position(capsys: Capture) -> None:
    assert answer(capsys, "new") == {"position": START}


@pytest.mark.parametrize(
    ("players", "skylines"),
    [("1", "h1"), ("2", "h1/m1"), ("3", "h1/m1/l1"), ("4", "h1/m1/l1/-")],
)
def test_new_takes_players_and_rules(capsys: Capture, players: str, skylines: str) -> None:
    words = ("new", "--players", players, "--rules", "printed+box+nine")
    assert answer(capsys, *words) == {"position": f"{skylines} G1U1P1 - take 1.1 printed+nine+box"}


@pytest.mark.parametrize(
    "words",
    [
        ("--players", "0"),
        ("--players", "5"),
        ("--players", "two"),
        ("--players", ""),
        ("--players", "9" * 6000),
        ("--players",),
        ("--rules", "both"),
        ("--rules", "online+ten"),
        ("--rules", ""),
        ("--rules", "online+\ud800"),
        ("--dice-set", "nowhere.toml"),
        ("--seed", "1"),
        ("extra",),
    ],
)
@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_new_refuses_other_settings(
    capsys: Capture, words: tuple[str, ...], json_too: tuple[str, ...]
) -> None:
    refusal(capsys, "new", *json_too, *words)


# --- legal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "position",
    [
        START,
        "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online+nine",
        "h3,m1,L2/- G1U1P1 Gl,Um more:demolish 5.1 printed",
        "h1 G1U1P1 - over 9.1 online",
        "-/- G1U1P1 - take 1.1 online",
    ],
)
def test_legal_lists_the_actions(capsys: Capture, position: str) -> None:
    assert answer(capsys, "legal", position) == {"position": position, "actions": legal(position)}


def test_legal_names_the_roll_where_chance_is_to_move(capsys: Capture) -> None:
    assert answer(capsys, "legal", ROLLING) == {"position": ROLLING, "actions": ["roll"]}


def test_legal_reads_any_order_and_writes_the_canonical_one(capsys: Capture) -> None:
    read = answer(capsys, "legal", "L2,m1,h3/- P1U1G1 P-,Um,Gl use 5.1")
    assert read["position"] == "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online"


def test_legal_for_people(capsys: Capture) -> None:
    assert run("legal", "m1 G1U1P1 Um use 1.1") == 0
    assert capsys.readouterr().out == (
        "m1 G1U1P1 Um use 1.1 online\n  build Um@m1\n  abandon Um\n  demolish Um@m1\n"
    )


def test_bug_more_actions_than_fit_into_memory_were_listed(capsys: Capture) -> None:
    dice = ",".join(k + f for k in "GU" for f in "lmh" for _ in range(50))
    words = refusal(capsys, "legal", f"h1 G1U1P1 {dice} more 1.1")
    assert "too many to list" in words


# --- chances ----------------------------------------------------------------------------------


def test_chances_list_the_outcomes_with_exact_probabilities(capsys: Capture) -> None:
    read = answer(capsys, "chances", ROLLING)
    outcomes = read["outcomes"]
    assert isinstance(outcomes, list)
    assert read["position"] == ROLLING
    assert outcomes[0] == {"roll": "roll=Gl,Ul", "probability": "1/4", "float": 0.25}
    assert sum(Fraction(outcome["probability"]) for outcome in outcomes) == 1
    assert {float(Fraction(o["probability"])) - o["float"] for o in outcomes} == {0.0}
    assert len({outcome["roll"] for outcome in outcomes}) == len(outcomes) == 9


def test_chances_for_people(capsys: Capture) -> None:
    assert run("chances", "h1 G1U1P1 P? roll 1.1") == 0
    assert capsys.readouterr().out.splitlines() == [
        "h1 G1U1P1 P? roll 1.1 online",
        "  roll=Pm  1/3  33.33%",
        "  roll=Ph  1/6  16.67%",
        "  roll=P-  1/2  50.00%",
    ]


@pytest.mark.parametrize("position", [START, "h1 G1U1P1 Gl use 1.1", "h1 G1U1P1 - over 9.1"])
def test_chances_are_refused_outside_phase_roll(capsys: Capture, position: str) -> None:
    assert "roll" in refusal(capsys, "chances", position)


def test_bug_more_outcomes_than_fit_into_memory_were_listed(capsys: Capture) -> None:
    dice = ",".join(k + "?" for k in "GUP" for _ in range(300))
    assert "too many to list" in refusal(capsys, "chances", f"h1 G1U1P1 {dice} roll 1.1")


# --- apply ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "action", "after"),
    [
        (START, "take UGG", "h1 G1U1P1 G?,G?,U? roll 1.1 online"),
        (ROLLING, "roll=Um,Gl", "h1 G1U1P1 Gl,Um use 1.1 online"),
        ("m2 G1U1P1 Um,P- use 1.1", "build Um@m2", "m3 G1U1P1 P- more 1.1 online"),
        (
            "M4 G1U1P1 Gl,Um,P- use 1.1 printed",
            "demolish Um,Gl@M4",
            "- G1U1P1 P- more:demolish 1.1 printed",
        ),
    ],
)
def test_apply_prints_the_position_after_an_action(
    capsys: Capture, position: str, action: str, after: str
) -> None:
    assert answer(capsys, "apply", position, action) == {"position": after}
    assert run("apply", position, action) == 0
    assert capsys.readouterr().out == after + "\n"


def test_apply_draws_a_roll_from_a_seed(capsys: Capture) -> None:
    from skyline_kernel.skyline import format_action, numbered_roll

    drawn = {}
    for seed, number in ((0, 0), (0, 1), (1, 0)):
        words = ("apply", ROLLING, "roll", "--seed", str(seed), "--roll-number", str(number))
        drawn[seed, number] = answer(capsys, *words)
        outcome = format_action(numbered_roll(at(ROLLING), seed, number))
        assert drawn[seed, number] == answer(capsys, "apply", ROLLING, outcome)
    assert answer(capsys, "apply", ROLLING, "roll", "--seed", "0") == drawn[0, 0]


def test_apply_roll_alone_needs_a_seed(capsys: Capture) -> None:
    assert "--seed" in refusal(capsys, "apply", ROLLING, "roll")


@pytest.mark.parametrize(
    "words",
    [
        (START, "take GX"),
        (START, "take GG"),
        (START, "end"),
        (START, "roll"),
        (START, "roll", "--seed", "1"),
        (START, "jump"),
        (START, ""),
        (START,),
        (ROLLING, "roll=Gl"),
        (ROLLING, "roll=Gl,U-"),
        (ROLLING, "roll", "--seed", "-1"),
        (ROLLING, "roll", "--seed", "1.5"),
        (ROLLING, "roll", "--seed", str(2**53)),
        (ROLLING, "roll=Gl,Ul", "--seed", "-1"),
        ("h1 G1U1P1 - over 9.1", "end"),
        ("h1 G1U1P1", "end"),
    ],
)
def test_apply_refuses_bad_positions_actions_and_seeds(
    capsys: Capture, words: tuple[str, ...]
) -> None:
    refusal(capsys, "apply", *words)


@pytest.mark.parametrize("number", ["-1", "x", str(2**53), "9" * 400])
def test_bug_a_bad_roll_number_ended_in_a_traceback(capsys: Capture, number: str) -> None:
    refusal(capsys, "apply", ROLLING, "roll", "--seed", "1", "--roll-number", number)


# --- many positions ---------------------------------------------------------------------------


def stream(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, text: str | bytes, *words: str
) -> list[dict[str, object]]:
    """Run a command on many positions and return its answers."""
    feed(monkeypatch, text)
    assert run(*words) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


@pytest.mark.parametrize("json_too", [(), ("--json",)])
def test_each_line_is_answered_in_order_bad_ones_too(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture, json_too: tuple[str, ...]
) -> None:
    lines = [START, "nonsense", "", ROLLING, "h9 G1U1P1 - take 1.1", START]
    read = stream(monkeypatch, capsys, "\n".join(lines), "legal", "-", *json_too)
    assert [set(line) for line in read] == [
        {"position", "actions"},
        {"error"},
        {"error"},
        {"position", "actions"},
        {"error"},
        {"position", "actions"},
    ]
    assert "'h9'" in str(read[4]["error"])


def test_many_positions_for_chances_and_apply(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    text = f"{START}\r\n{ROLLING}\r\n"
    read = stream(monkeypatch, capsys, text, "chances", "-")
    assert ["error" in line for line in read] == [True, False]
    read = stream(monkeypatch, capsys, text, "apply", "-", "take GGG", "--json")
    assert read[0] == {"position": "h1 G1U1P1 G?,G?,G? roll 1.1 online"}
    assert list(read[1]) == ["error"]
    read = stream(monkeypatch, capsys, text, "apply", "-", "roll", "--seed", "0")
    assert ["error" in line for line in read] == [True, False]


def test_lines_that_are_no_text_are_answered(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    raw = b"\xff\xfe\n" + START.encode() + b"\n\0\n" + b"x" * 100_000
    read = stream(monkeypatch, capsys, raw, "legal", "-")
    assert ["error" in line for line in read] == [True, False, True, True]


def test_no_lines_are_no_answers(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert stream(monkeypatch, capsys, "", "legal", "-") == []


# --- dice sets --------------------------------------------------------------------------------


def test_a_dice_set_of_ones_own_is_named_by_the_rules(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "coins.toml"
    path.write_text(OWN_SET, encoding="utf-8")
    own = ("--dice-set", str(path))
    read = answer(capsys, "new", "--rules", "online+coins", *own)
    assert read == {"position": "h1 G1U1P1 - take 1.1 online+coins"}
    outcomes = answer(capsys, "chances", "h1 G1U1P1 G? roll 1.1 online+coins", *own)["outcomes"]
    assert outcomes == [
        {"roll": "roll=Gl", "probability": "1/2", "float": 0.5},
        {"roll": "roll=Gm", "probability": "1/2", "float": 0.5},
    ]
    assert "coins" in refusal(capsys, "new", "--rules", "online+coins")


def test_a_bad_dice_set_is_refused(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "a\nb.toml"
    refusal(capsys, "new", "--dice-set", str(path))
    path.write_text('"x\\ny" = 1', encoding="utf-8")
    refusal(capsys, "new", "--dice-set", str(path))


# --- app and lab ------------------------------------------------------------------------------


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Catch the programs that would be started."""
    calls: list[list[str]] = []

    def call(words: list[str]) -> int:
        calls.append(words)
        return 7

    monkeypatch.setattr("subprocess.call", call)
    return calls


@pytest.mark.parametrize(
    "rest",
    [
        (),
        ("--port", "8000"),
        ("--no-browser",),
        ("-h",),
        ("8000", "--x"),
        ("--port=1", "--json", "a b"),
    ],
)
def test_bug_options_of_app_and_lab_were_refused(
    started: list[list[str]], rest: tuple[str, ...]
) -> None:
    assert run("app", *rest) == 7
    assert run("lab", *rest) == 7
    assert started[0] == [sys.executable, "-m", "skyline_app", *rest]
    assert started[1][:3] == [sys.executable, "-m", "jupyterlab"]
    assert started[1][len(started[1]) - len(rest) :] == list(rest)


# --- the command itself -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("play",),
        ("",),
        ("legal",),
        ("legal", START, "and more"),
        ("legal", START, "a\nb"),
        ("legal", "--yaml", START),
        ("legal", "--x\ny", START),
        ("legal", ""),
        ("legal", "\n\n"),
        ("legal", "-x"),
        ("legal", "h1 G1U1P1 - take 1.1 online online"),
        ("chances", "h1\ud800 G1U1P1 - take 1.1"),
    ],
)
def test_bad_words_are_refused_in_one_line(capsys: Capture, words: tuple[str, ...]) -> None:
    refusal(capsys, *words)


@pytest.mark.parametrize("words", [("-h",), ("legal", "-h"), ("new", "--help")])
def test_help_is_for_people(capsys: Capture, words: tuple[str, ...]) -> None:
    assert run(*words) == 0
    assert "usage: skyline" in capsys.readouterr().out


SKYLINE = [sys.executable, "-m", "skyline_kernel.cli"]


def process(words: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [*SKYLINE, *words], input=text, capture_output=True, text=True, check=False
    )


def test_in_a_process_of_its_own() -> None:
    done = process(["new", "--json"])
    assert (done.returncode, done.stdout, done.stderr) == (0, f'{{"position": "{START}"}}\n', "")
    done = process(["legal", "-", "--json"], f"{START}\nx\n")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 2, "")
    done = process(["legal", "x"])
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a POSIX shell")
@pytest.mark.parametrize("words", [["new"], ["legal", "-"]])
def test_bug_a_reader_that_has_left_was_met_with_a_traceback(words: list[str]) -> None:
    import os

    # Buffered as usual: then the last lines are written when all is done.
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    read_end, write_end = os.pipe()
    os.close(read_end)
    try:
        done = subprocess.run(
            [*SKYLINE, *words],
            input=f"{START}\n" * 3,
            stdout=write_end,
            stderr=subprocess.PIPE,
            env=buffered,
            text=True,
            check=False,
        )
    finally:
        os.close(write_end)
    assert (done.returncode, done.stderr) == (0, "")
