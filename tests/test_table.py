"""The widget: its contract, requests of the page, faults inside, and what must not pile up."""

from __future__ import annotations

import gc
import json
import logging
from itertools import count
from typing import Any

import ipywidgets
import pytest
import traitlets
from playing import PERSON, ROBOT, game_at
from skyline_widgets import SkylineTable
from skyline_widgets import table as table_module

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import (
    Game,
    IllegalActionError,
    Roll,
    Seat,
    format_position,
    parse_position,
    start_game,
)

USE = "h1/m1 G1U1P1 Gl,Uh,P- use 1.1 online"
TAKE = "h1/m1 G1U1P1 - take 1.1 online"
FORM = {
    "seats": [{"name": "Ada", "player": "human"}, {"name": "Robo", "player": "builder"}],
    "edition": "online",
    "dice_set": "standard",
    "nine": False,
    "box": False,
}
CONTRACT = {
    "address",
    "advice",
    "answered",
    "language",
    "notice",
    "objective",
    "outlook",
    "pace",
    "position",
    "progress",
    "record",
    "remembers",
    "request",
    "theme",
    "tutor",
    "view",
}
WENT_WRONG = "Something went wrong. Nothing has changed; please go on."
STALE = "This was done already: the table has changed since."

clicks = count(1)


def press(table: SkylineTable, do: str, **details: Any) -> str:
    """Let a message of the page arrive, as ipywidgets does; return the sentence it brings."""
    move = 0 if table.game is None else table.game.n_moves
    request = {"move": move, "do": do, "click": next(clicks), **details}
    table.set_state({"request": json.loads(json.dumps(request))})
    return str(table.notice["text"])


def look(table: SkylineTable) -> tuple[Any, ...]:
    """Return all that a person sees and all that is kept."""
    return json.dumps(table.view), table.position, table.game


# --- contract ---------------------------------------------------------------------------------


def test_synced_traits_are_the_contract() -> None:
    table = SkylineTable()
    own = set(table.keys) - set(ipywidgets.DOMWidget().keys)
    assert {name for name in own if not name.startswith("_")} == CONTRACT


def test_unknown_keyword_is_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        SkylineTable(colour="red")  # type: ignore[call-arg]


@pytest.mark.parametrize(
    "setting",
    [
        {"language": "fr"},
        {"language": None},
        {"theme": "pink"},
        {"pace": "faster"},
        {"pace": 3},
        {"remembers": "yes"},
        {"advice": "all"},
        {"objective": "luck"},
        {"tutor": True},
    ],
)
def test_wrong_setting_is_refused(setting: dict[str, Any]) -> None:
    with pytest.raises(traitlets.TraitError):
        SkylineTable(**setting)
    table = SkylineTable(game_at(USE))
    before = look(table)
    ((name, value),) = setting.items()
    with pytest.raises(traitlets.TraitError):
        setattr(table, name, value)
    assert look(table) == before


@pytest.mark.parametrize("name", ["view", "position", "notice", "address", "record", "outlook"])
def test_what_the_table_says_cannot_be_set(name: str) -> None:
    table = SkylineTable(game_at(USE))
    with pytest.raises(traitlets.TraitError, match="read-only"):
        setattr(table, name, getattr(table, name))


@pytest.mark.parametrize("value", [None, [], "roll", 3, [["do", "roll"]]])
def test_request_that_is_no_mapping(value: Any) -> None:
    table = SkylineTable(game_at(USE))
    before = look(table)
    with pytest.raises(traitlets.TraitError):
        table.set_state({"request": value})
    assert look(table) == before
    assert press(table, "select", die=0, on=True) == ""


@pytest.mark.parametrize("position", [TAKE, USE, "h2,m1/L2 G2U1P1 Gm,P- more:abandon 3.1 printed"])
def test_position_is_that_of_the_game(position: str) -> None:
    table = SkylineTable(game_at(position))
    assert table.game is not None
    assert table.position == format_position(table.game.state)
    assert parse_position(table.position) == table.game.state


def test_position_is_empty_without_a_game() -> None:
    table = SkylineTable()
    assert (table.position, table.game) == ("", None)
    assert table.view["start"] is not None
    assert table.view["game"] is None


# --- requests ---------------------------------------------------------------------------------


def test_click_arrives() -> None:
    table = SkylineTable(game_at(USE))
    assert press(table, "select", die=1, on=True) == ""
    assert press(table, "build") == ""
    assert table.position == "h2/m1 G1U1P1 Gl,P- more 1.1 online"


def test_same_message_twice_acts_once() -> None:
    table = SkylineTable(game_at(TAKE))
    request = {"do": "take district", "move": 0, "click": 1}
    for _ in range(2):
        table.set_state({"request": request})
    assert table.game is not None
    assert table.game.n_moves == 1
    assert table.notice["text"] == ""


def test_double_click_acts_once() -> None:
    table = SkylineTable(game_at("h1/m1 G1U1P1 G?,U?,P? roll 1.1 online"))
    assert press(table, "roll", move=0) == ""
    after = look(table)
    assert press(table, "roll", move=0) == STALE
    assert look(table) == after


@pytest.mark.parametrize("do", ["take district", "end", "undo", "build"])
def test_stale_click_changes_nothing(do: str) -> None:
    table = SkylineTable(game_at(USE))
    before = look(table)
    assert press(table, do, move=7) == STALE
    assert look(table) == before


def test_every_request_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page sends the next one then; otherwise clicks in a row would be merged into the last."""
    table = SkylineTable(game_at(USE))
    for do in ("undo", "dance", "end", "build"):
        press(table, do, click=(click := next(clicks)))
        assert table.answered == click
    monkeypatch.setattr(table_module, "perform", break_down)
    press(table, "end", click=(click := next(clicks)))
    assert table.answered == click
    for strange in (None, True, "7", [1], 1.5):
        press(table, "end", click=strange)
        assert table.answered == click


def test_refusal_is_one_sentence_in_the_language_of_the_page() -> None:
    table = SkylineTable(game_at(USE), language="de")
    before = look(table)
    assert press(table, "end") == "Verwende zuerst mindestens einen Würfel."
    assert look(table) == before
    number = table.notice["number"]
    assert press(table, "end") != ""
    assert table.notice["number"] == number + 1, "said twice, it is news twice"
    assert press(table, "select", die=0, on=True) == "", "the sentence goes with the next action"


@pytest.mark.parametrize(
    "request_",
    [
        {"do": None},
        {"do": ["roll"]},
        {"do": {"roll": 1}},
        {"do": "select", "die": True},
        {"do": "select", "die": [0]},
        {"do": "select", "die": None},
        {"do": "select", "die": 1e308},
        {"do": "pick", "kind": ["G"]},
        {"do": "pick", "kind": {"G": 1}},
        {"do": "choose", "column": True},
        {"do": "undo", "move": False},
        {"do": "undo", "move": "0"},
        {"do": "start", "seats": "Ada"},
        {"do": "replay", "to": True},
        {"do": "replay", "to": -1},
        {"do": "replay", "to": 99},
        {"do": "upload", "text": None},
        {"do": "upload", "text": "x" * 500_000},
        {"do": "upload", "text": "[" * 100_000},
        {"do": "upload", "text": "{}"},
        {"do": "<img src=x onerror=alert(1)>"},
    ],
    ids=lambda request: str(request)[:40],
)
def test_hand_made_request_is_one_sentence(
    request_: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    table = SkylineTable(game_at(USE))
    before = look(table)
    said = press(table, **request_)
    assert said not in ("", WENT_WRONG)
    assert "\n" not in said
    assert look(table) == before
    assert caplog.records == []


# --- the start --------------------------------------------------------------------------------


def test_game_starts_from_the_form() -> None:
    table = SkylineTable()
    assert press(table, "start", **FORM) == ""
    assert table.position == "h1/m1 G1U1P1 - take 1.1 online"
    assert table.game is not None
    assert [(seat.name, seat.player) for seat in table.game.seats] == [
        ("Ada", "human"),
        ("Robo", "builder"),
    ]


def test_every_answer_of_the_form_counts() -> None:
    table = SkylineTable()
    form = {**FORM, "edition": "printed", "dice_set": "uniform", "nine": True, "box": True}
    assert press(table, "start", **form) == ""
    assert table.position.endswith("1.1 printed+nine+box+uniform")


STRANGE_FORMS: list[dict[str, Any]] = [
    {"seats": None},
    {"seats": []},
    {"seats": ["Ada"]},
    {"seats": [[]]},
    {"seats": FORM["seats"] * 3},  # type: ignore[operator]
    {"seats": [{"name": "Ada"}]},
    {"seats": [{"name": None, "player": "human"}]},
    {"seats": [{"name": True, "player": "human"}]},
    {"seats": [{"name": "", "player": "human"}]},
    {"seats": [{"name": "   ", "player": "human"}]},
    {"seats": [{"name": "x" * 41, "player": "human"}]},
    {"seats": [{"name": "a\u202eb", "player": "human"}]},
    {"seats": [{"name": "a\x00b", "player": "human"}]},
    {"seats": [{"name": "\ud800", "player": "human"}]},
    {"seats": [{"name": "Ada", "player": "cheater"}]},
    {"seats": [{"name": "Ada", "player": ["human"]}]},
    {"edition": "digital"},
    {"edition": None},
    {"edition": ["online"]},
    {"dice_set": "loaded"},
    {"dice_set": "../../etc/passwd"},
    {"dice_set": ["standard"]},
    {"dice_set": {}},
]


@pytest.mark.parametrize("change", STRANGE_FORMS, ids=lambda change: ascii(change)[:50])
def test_strange_form_is_refused_with_a_sentence(
    change: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    table = SkylineTable()
    before = look(table)
    said = press(table, "start", **{**FORM, **change})
    assert said not in ("", WENT_WRONG)
    assert look(table) == before
    assert caplog.records == []
    assert press(table, "start", **FORM) == ""


@pytest.mark.parametrize("value", [1, "yes", None, [], "true"])
def test_option_is_on_only_if_it_is_true(value: Any) -> None:
    table = SkylineTable()
    press(table, "start", **{**FORM, "nine": value, "box": value})
    assert table.position.endswith(" online")


@pytest.mark.parametrize(
    "name", ["<img src=x onerror=alert(1)>", "😀🎲", "שלום עולם", "x" * 40, "{0}{name}", "O'Neill"]
)
def test_name_is_text_whatever_it_holds(name: str) -> None:
    table = SkylineTable()
    seats = [{"name": name, "player": "human"}]
    assert press(table, "start", **{**FORM, "seats": seats}) == ""
    assert table.view["game"]["players"][0]["name"] == name
    assert table.view["game"]["status"]["prompt"].startswith(f"{name}: ")
    assert press(table, "take district") == ""
    assert table.view["game"]["log"][0]["text"].startswith(f"{name} takes")


def test_spaces_in_a_name_are_tidied() -> None:
    table = SkylineTable()
    seats = [{"name": "  Ada \t Lovelace ", "player": "human"}]
    assert press(table, "start", **{**FORM, "seats": seats}) == ""
    assert table.view["game"]["players"][0]["name"] == "Ada Lovelace"


def test_every_start_has_its_own_dice() -> None:
    seeds = set()
    for _ in range(20):
        table = SkylineTable()
        press(table, "start", **FORM)
        assert table.game is not None
        seeds.add(table.game.seed)
    assert len(seeds) == 20


def test_second_click_on_start_starts_no_second_game() -> None:
    table = SkylineTable()
    press(table, "start", **FORM)
    game = table.game
    press(table, "start", **FORM)
    assert table.game is game


def test_new_game_and_back() -> None:
    table = SkylineTable(game_at(USE))
    before = look(table)
    assert press(table, "new game") == ""
    assert table.view["start"] is not None
    assert table.view["can_go_back"]
    assert press(table, "roll") == "Start a game first."
    assert press(table, "back") == ""
    assert look(table) == before


def test_back_without_a_game() -> None:
    table = SkylineTable()
    before = look(table)
    press(table, "back")
    assert look(table) == before


# --- computer players -------------------------------------------------------------------------


def computers_turn() -> SkylineTable:
    return SkylineTable(game_at("h1/m1 G1U1P1 - take 1.1 online", seats=[ROBOT, PERSON]))


def test_computer_moves_step_by_step() -> None:
    table = computers_turn()
    press(table, "step")
    assert table.game is not None
    assert table.game.n_moves == 1


def test_computer_moves_at_once() -> None:
    table = computers_turn()
    press(table, "step", all=True)
    assert not table.view["game"]["status"]["computer"]
    assert table.view["game"]["status"]["seat"] == 2


def test_second_clock_on_one_table_is_silent() -> None:
    """Two pages of one table both lead the computer; the later step is no fault of a person."""
    table = computers_turn()
    assert press(table, "step", move=0) == ""
    after = look(table)
    assert press(table, "step", move=0) == ""
    assert look(table) == after


@pytest.mark.parametrize(("do", "details"), [("new game", {}), ("replay", {"to": 0})])
def test_clock_that_strikes_late_is_silent(do: str, details: dict[str, Any]) -> None:
    """The step was under way when the person pressed something else."""
    table = computers_turn()
    press(table, do, **details)
    before = look(table)
    assert press(table, "step") == ""
    assert look(table) == before


def test_a_best_player_waits_until_its_dice_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process solves them; the page is neither blocked nor told that nothing goes on."""

    class Process:
        ended: int | None = None

        def poll(self) -> int | None:
            return self.ended

    started: list[Process] = []

    def start(_rules: object) -> Process:
        started.append(Process())
        return started[-1]

    monkeypatch.setattr("skyline_widgets.solving.is_solved", lambda *_: False)
    monkeypatch.setattr("skyline_widgets.table.start_solving", start)
    table = SkylineTable(game_at(TAKE, seats=[Seat("Robo", "best"), PERSON]))
    for n in (1, 2):
        assert press(table, "step") == ""
        assert table.view["game"]["status"]["waits"] == n
        assert table.view["game"]["status"]["prompt"] == "The dice are being solved …"
    assert len(started) == 1
    assert table.view["game"]["move"] == 0
    started[0].ended = 0
    press(table, "step")
    assert "waits" not in table.view["game"]["status"]
    assert table.view["game"]["move"] == 1


@pytest.mark.parametrize("player", ["builder", "best-turn"])
def test_players_that_look_at_no_later_turn_wait_for_nothing(
    monkeypatch: pytest.MonkeyPatch, player: str
) -> None:
    monkeypatch.setattr("skyline_widgets.solving.is_solved", lambda *_: False)
    table = SkylineTable(game_at(TAKE, seats=[Seat("Robo", player), PERSON]))
    press(table, "step")
    assert table.view["game"]["move"] == 1


def test_step_of_a_person_is_silent() -> None:
    table = SkylineTable(game_at(TAKE, seats=[PERSON, ROBOT]))
    before = look(table)
    assert press(table, "step") == ""
    assert look(table) == before


def test_computer_decides_the_same_after_a_reload() -> None:
    first, second = computers_turn(), computers_turn()
    press(first, "step", all=True)
    press(second, "step", all=True)
    assert first.game == second.game


# --- language ---------------------------------------------------------------------------------


def test_language_change_keeps_everything_else() -> None:
    table = SkylineTable(game_at("h2,h1/m1 G1U1P1 Gl,Uh,P- use 1.1 online"))
    press(table, "select", die=1, on=True)
    press(table, "build")
    before = look(table)
    table.set_state({"language": "de"})
    assert table.view["labels"]["code"] == "de"
    assert table.view["game"]["status"]["prompt"].endswith("Obergeschoss Hochhaus")
    table.set_state({"language": "en"})
    assert look(table) == before


# --- faults inside ----------------------------------------------------------------------------


def break_down(*_args: Any, **_more: Any) -> Any:
    raise RuntimeError("a fault inside")


@pytest.mark.parametrize("broken", ["perform", "game_view", "format_position", "labels"])
def test_fault_inside_is_one_plain_sentence(
    broken: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept: list[Game] = []
    table = SkylineTable(game_at(TAKE), on_game=lambda game, _is_new: kept.append(game))
    before = look(table)
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR):
        patch.setattr(table_module, broken, break_down)
        assert press(table, "take district") == WENT_WRONG
    assert look(table) == before
    assert kept == [], "what cannot be shown is not kept either"
    (record,) = caplog.records
    assert record.exc_info is not None
    assert "a fault inside" in str(record.exc_info[1])
    assert capsys.readouterr() == ("", "")
    assert press(table, "take district") == ""
    assert table.game is not None
    assert table.game.n_moves == 1


@pytest.mark.parametrize(
    ("do", "broken"),
    [("new game", "start_view"), ("replay", "replay_view"), ("start", "game_view")],
)
def test_fault_on_the_way_to_another_page(
    do: str, broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = SkylineTable(game_at(TAKE))
    if do == "start":
        press(table, "new game")
    before = look(table)
    with monkeypatch.context() as patch, caplog.at_level(logging.CRITICAL):
        patch.setattr(table_module, broken, break_down)
        assert press(table, do, **({"to": 0} if do == "replay" else FORM)) == WENT_WRONG
    assert look(table) == before
    if do == "start":
        assert press(table, "back") == ""
    assert press(table, "take district") == ""


@pytest.mark.parametrize("error", [IllegalActionError("No room."), OSError("disk")])
def test_game_that_cannot_be_kept_is_not_played(
    error: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_game: Game, _is_new: bool) -> None:
        raise error

    table = SkylineTable(game_at(TAKE), on_game=refuse)
    before = look(table)
    said = press(table, "take district")
    assert said == ("No room." if isinstance(error, KitError) else WENT_WRONG)
    assert look(table) == before
    assert len(caplog.records) == (0 if isinstance(error, KitError) else 1)


def test_game_is_kept_before_it_is_shown() -> None:
    seen: list[tuple[int, str]] = []
    table = SkylineTable(game_at(TAKE))
    table = SkylineTable(
        game_at(TAKE), on_game=lambda game, _is_new: seen.append((game.n_moves, table.position))
    )
    press(table, "take district")
    press(table, "roll")
    assert [n for n, _ in seen] == [1, 2]
    assert seen[0][1] == TAKE
    assert " roll " in seen[1][1]


def test_selecting_is_not_kept() -> None:
    seen: list[Game] = []
    table = SkylineTable(game_at(USE), on_game=lambda game, _is_new: seen.append(game))
    press(table, "select", die=0, on=True)
    press(table, "demolish")
    press(table, "cancel")
    assert seen == []


def test_nothing_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    table = SkylineTable()
    press(table, "start", **FORM)
    for do in ("take district", "roll", "end", "dance"):
        press(table, do)
    assert capsys.readouterr() == ("", "")


# --- from code --------------------------------------------------------------------------------


def test_act_does_what_a_button_does() -> None:
    table = SkylineTable(game_at(USE))
    table.act("select", die=1, on=True)
    assert table.act("build") == "h2/m1 G1U1P1 Gl,P- more 1.1 online"
    with pytest.raises(IllegalActionError, match="Select at least one die"):
        table.act("roll")


def test_whole_game_without_a_front_end() -> None:
    table = SkylineTable(start_game([ROBOT, ROBOT], seed=5))
    table.act("step", all=True)
    assert table.view["game"]["status"]["over"]
    assert [row["place"] for row in table.view["game"]["ranking"]] == ["1.", "2."]


def test_table_is_shown_in_a_notebook() -> None:
    bundle = SkylineTable(game_at(USE))._repr_mimebundle_()[0]  # type: ignore[index]
    assert "application/vnd.jupyter.widget-view+json" in bundle


# --- nothing piles up -------------------------------------------------------------------------


def play_turn(table: SkylineTable) -> None:
    """Play a short turn of a person and the computer's after it."""
    press(table, "take district")
    press(table, "roll")
    press(table, "select", die=0, on=True)
    press(table, "abandon")
    press(table, "end")
    press(table, "step", all=True)


def n_objects(table: SkylineTable) -> tuple[int, int, int]:
    """Count widgets, observers of the table, and open lines to front ends."""
    gc.collect()
    observers = sum(
        len(handlers)
        for by_type in table._trait_notifiers.values()
        for handlers in by_type.values()
    )
    comms = [thing for thing in gc.get_objects() if type(thing).__name__.endswith("Comm")]
    return len(ipywidgets.widgets.widget._instances), observers, len(comms)


@pytest.mark.slow
def test_turns_and_new_games_leave_nothing_behind() -> None:
    table = SkylineTable()
    press(table, "start", **FORM)
    play_turn(table)
    before, n_turns = n_objects(table), 0
    for _ in range(50):
        press(table, "new game")
        assert press(table, "start", **FORM) == ""
        for _ in range(6):
            play_turn(table)
            n_turns += 1
    assert n_turns == 300
    assert table.game is not None
    assert sum(isinstance(entry.action, Roll) for entry in table.game.log) >= 12
    assert n_objects(table) == before
