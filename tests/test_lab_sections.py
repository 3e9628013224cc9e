"""The laboratory of the app on the Python side: sections, bench and address."""

from __future__ import annotations

from typing import Any

import pytest
from skyline_app.lab import Laboratory, build_lab
from skyline_app.lab_address import format_address, format_dice, parse_address, parse_dice
from skyline_app.lab_sections import FIRST_POSITION, SECTIONS

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import Face, shipped_dice_set
from skyline_kernel.skyline.dice_sets import DiceSet, parse_dice_set

MINE = DiceSet("mine", ((1, 1, 4, 0), (2, 2, 1, 1), (0, 4, 2, 0)))
MINE_FILE = """
name = "mine"
[ground-floor]
low-rise = 1
mid-rise = 1
high-rise = 4
blank = 0
source = "made up"
[upper-floor]
low-rise = 2
mid-rise = 2
high-rise = 1
blank = 1
source = "made up"
[penthouse]
low-rise = 0
mid-rise = 4
high-rise = 2
blank = 0
source = "made up"
"""


def opened(query: str = "", language: str = "en") -> Laboratory:
    return build_lab({"QUERY_STRING": query, "SKYLINE_LANGUAGE": language})


def go(lab: Laboratory, tab: object) -> None:
    """Let the page's wish for a tab arrive."""
    lab.set_state({"request": {"tab": tab, "number": lab.request.get("number", 0) + 1}})


def again(lab: Laboratory, language: str = "en") -> Laboratory:
    """Open the laboratory at the address that another one shows."""
    return opened(lab.address.removeprefix("?"), language)


# --- the address ------------------------------------------------------------------------------


@pytest.mark.parametrize("dice_set", [MINE, DiceSet("a-b", ((0, 0, 0, 1000),) * 3)])
def test_dice_come_back_as_they_were_written(dice_set: DiceSet) -> None:
    assert parse_dice(format_dice(dice_set)) == dice_set


@pytest.mark.parametrize(
    "word",
    [
        "",
        "mine",
        "mine:1.1.1.1",
        "mine:1.1.1_1.1.1_1.1.1",
        "mine:-1.1.1.1_1.1.1.1_1.1.1.1",
        "standard:3.2.1.0_3.2.1.0_0.2.1.3",
        "mine:0.0.0.0_1.1.1.1_1.1.1.1",
        "a b:1.1.1.1_1.1.1.1_1.1.1.1",
        "mine:1001.1.1.1_1.1.1.1_1.1.1.1",
        "mine:\u0663.1.1.1_1.1.1.1_1.1.1.1",
    ],
)
def test_dice_that_will_not_do(word: str) -> None:
    try:
        found = parse_dice(word)
    except KitError:
        return
    pytest.fail(f"read as {found}")


def test_address_keeps_every_sign() -> None:
    words = {"position": "h3,m1/- G1U1P1 G?,Um - roll 5.1! online+nine", "x": "ä&=#%+"}
    assert parse_address(format_address(words).removeprefix("?")) == words
    assert format_address({}) == ""
    assert parse_address("a=1&a=2&b") == {"a": "1"}
    assert parse_address("a=" + "x" * 100_000) == {"a": "x" * 1998}


# --- the sections -----------------------------------------------------------------------------


def test_the_rule_card_stands_in_the_address() -> None:
    lab = opened("tab=cards")
    desk = lab.shown["cards"]
    desk.act("set", name="line-0", value=False)
    assert "card=" in lab.address
    assert again(lab, "de").shown["cards"].card == desk.card
    assert again(lab).shown["cards"].card.complexity > 0


def test_a_card_that_cannot_be_read_is_named_in_one_sentence() -> None:
    for bad in ("Jump 3", "TakeDice 9 9 9", "Start h;Start h;" * 30):
        lab = opened(f"tab=cards&card={bad}")
        assert lab.notice
        assert lab.shown["cards"].card.complexity > 0


def test_a_section_is_built_when_it_is_opened() -> None:
    lab = opened()
    assert list(lab.shown) == ["odds"]
    assert [name for name, _ in lab.tabs] == [section.name for section in SECTIONS]
    odds = lab.shown["odds"]
    for section in SECTIONS:
        go(lab, section.name)
        assert lab.tab == section.name
        assert section.name in lab.shown
        assert lab.notice == ""
    assert lab.shown["odds"] is odds, "and stays as it is"


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.name)
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_section_can_be_opened_first(section: Any, language: str) -> None:
    lab = opened(f"tab={section.name}", language)
    assert list(lab.shown) == [section.name]
    assert lab.shown[section.name].language == language
    assert lab.address == "", "nothing has been set"


def test_the_language_is_that_of_the_visitor() -> None:
    assert opened(language="de").labels["title"] == "Labor"
    assert opened(language="fr").labels["title"] == "Laboratory"


def test_what_is_asked_stands_in_the_address() -> None:
    lab = opened()
    odds = lab.shown["odds"]
    for name, value in (("ground", 3), ("face", "h"), ("least", 2), ("guess", 20)):
        odds.act("set", name=name, value=value)
    odds.act("set", name="dice_set", value="uniform")
    question = again(lab).shown["odds"].question
    assert (question.counts, question.face, question.least) == ((3, 1, 1), Face.HIGH, 2)
    assert (question.guess, question.dice_set.name) == (20, "uniform")


def test_position_and_goal_stand_in_the_address() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    editor.act("set", name="position", value="m2/h1 G2U1P1 Gl,P- use 9.1 printed+nine")
    editor.act("set", name="objective", value="turn")
    other = again(lab, "de").shown["position"]
    assert other.position == "m2/h1 G2U1P1 Gl,P- use 9.1 printed+nine"
    assert other.objective == "turn"


def test_a_position_that_is_not_sound_is_not_put_on_the_bench() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    editor.act("set", name="position", value="m2 G1U1P1 Gl,P- use 9.1")
    sound = lab.address
    editor.act("set", name="sides.P.-", value=0)  # the die on the table shows a blank
    assert editor._state.problem is not None
    assert parse_address(lab.address[1:])["position"] == parse_address(sound[1:])["position"]
    assert "own" in parse_address(lab.address[1:])
    go(lab, "turn")
    assert lab.notice == ""


def test_dice_on_the_table_that_the_new_set_has_not_are_taken_away() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    assert editor.position == FIRST_POSITION
    editor.act("open dice", text=MINE_FILE)
    assert editor.position == "h3,m1 G1U1P1 Gl,Um use 5.1 online+mine"
    assert editor._state.problem is None
    editor.act("set", name="position", value="h3 G1U1P1 P- use 5.1")
    editor.act("open dice", text=MINE_FILE)
    assert editor.position == "h3 G1U1P1 - take 5.1 online+mine"


def test_other_sections_follow_the_position() -> None:
    lab = opened("tab=turn")
    first = lab.shown["turn"]
    go(lab, "position")
    lab.shown["position"].act("set", name="position", value="m2 G1U1P1 P? roll 9.1")
    go(lab, "turn")
    assert lab.shown["turn"] is not first
    assert lab.shown["turn"]._state.ends == (0, 9)
    assert "m2 G1U1P1 P? roll 9.1" in lab.lead["text"]
    assert again(lab).shown["turn"]._state == lab.shown["turn"]._state
    go(lab, "players")
    assert set(lab.shown["players"].turns) == {"greedy", "builder", "best-turn"}
    same = lab.shown["players"]
    go(lab, "odds")
    go(lab, "players")
    assert lab.shown["players"] is same, "nothing has changed for it"


def test_targets_and_hidden_players_stand_in_the_address() -> None:
    lab = opened("tab=turn")
    lab.shown["turn"].act("set", name="target", value=17)
    go(lab, "players")
    players = lab.shown["players"]
    players.act("set", name="target", value=8)
    players.act("set", name="builder", value=False)
    other = again(lab)
    assert other.shown["players"].target == 8
    assert other.shown["players"].hidden == {"builder"}
    go(other, "turn")
    assert other.shown["turn"].target == 17


def test_a_new_position_has_targets_of_its_own() -> None:
    lab = opened("tab=turn&target=26")
    go(lab, "position")
    lab.shown["position"].act("set", name="position", value="m2 G1U1P1 P? roll 9.1")
    go(lab, "turn")
    assert lab.notice == ""
    assert lab.shown["turn"].target == 3


# --- dice of one's own ------------------------------------------------------------------------


def test_own_dice_are_there_in_every_section_and_in_the_address() -> None:
    lab = opened("tab=position")
    lab.shown["position"].act("open dice", text=MINE_FILE)
    assert lab.shown["position"].position.endswith("online+mine")
    go(lab, "odds")
    lab.shown["odds"].act("set", name="dice_set", value="mine")
    assert lab.shown["odds"].question.dice_set == MINE
    other = again(lab)
    assert other.shown["odds"].question.dice_set == MINE
    go(other, "turn")
    assert other.lead["text"].endswith("online+mine")
    go(other, "position")
    assert other.shown["position"].dice_set == MINE


def test_own_dice_stay_when_standard_ones_are_used_again() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    editor.act("open dice", text=MINE_FILE)
    editor.act("set", name="dice_set", value="standard")
    go(lab, "odds")
    assert set(lab.shown["odds"].question.dice_sets) >= {"mine", "standard"}
    assert "mine" in again(lab).shown["odds"].question.dice_sets


def test_other_sides_make_other_distributions() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    editor.act("set", name="position", value="m2 G1U1P1 P? roll 9.1")
    go(lab, "turn")
    before = lab.shown["turn"]._state.distributions[0].mean
    editor.act("open dice", text=MINE_FILE)
    go(lab, "turn")
    assert before == 3
    assert lab.shown["turn"]._state.distributions[0].mean == 6
    # The name stays and a number changes: that is another distribution as well.
    editor.act("open dice", text=MINE_FILE.replace("mid-rise = 4", "mid-rise = 1"))
    go(lab, "turn")
    assert lab.shown["turn"]._state.distributions[0].mean == 3


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "ground-floor is missing"),
        ("{", "dice set"),
        (MINE_FILE.replace('"mine"', '"standard"'), "standard"),
        (MINE_FILE.replace("high-rise = 4", "high-rise = -4"), "-4"),
        (MINE_FILE.replace("[penthouse]", "[attic]"), "attic"),
        ("x" * 200_000, "at most"),
        ("\x00\ufffd", "dice set"),
    ],
)
def test_a_bad_file_is_one_sentence_and_changes_nothing(text: str, part: str) -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    before = editor.position
    editor.set_state({"request": {"do": "open dice", "text": text, "from": "x", "number": 1}})
    assert part in editor.view["notice"]
    assert "\n" not in editor.view["notice"]
    assert editor.position == before
    assert again(lab).shown["position"].position == before
    assert editor.answer == {"from": "x", "number": 1}


def test_saved_dice_can_be_opened() -> None:
    lab = opened("tab=position")
    editor = lab.shown["position"]
    editor.act("set", name="sides.P.-", value=0)
    editor.act("file", name="my-dice.toml")
    text = editor.file["text"]
    other = opened("tab=position").shown["position"]
    other.act("open dice", text=text)
    assert other.dice_set == parse_dice_set(text) == editor.dice_set
    assert other.dice_set != shipped_dice_set("standard")


# --- what will not do -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("tab=attic", "'attic'"),
        ("tab=position&position=x9", "'x9'"),
        ("tab=position&position=h3 G1U1P1 Gl use 5.1 online%2Bmine", "mine"),
        ("tab=position&goal=luck", "'luck'"),
        ("roll=0.0.0", "'0.0.0'"),
        ("roll=7.0.0", "'7.0.0'"),
        ("roll=1.1", "'1.1'"),
        ("face=z", "'z'"),
        ("dice=mine", "'mine'"),
        ("least=4", "'4'"),
        ("guess=x", "'x'"),
        ("own=mine", "'mine'"),
        ("tab=turn&target=900", "'900'"),
        ("tab=turn&target=%D9%A3", "expected a whole number"),
        ("tab=players&reach=-1", "'-1'"),
        ("tab=players&without=nobody", "'nobody'"),
    ],
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_bad_address_is_one_sentence_and_the_rest_is_there(
    query: str, part: str, language: str
) -> None:
    lab = opened(query, language)
    assert (part in lab.notice) or (language == "de" and lab.notice)
    assert "\n" not in lab.notice
    assert lab.tab in lab.shown


def test_the_sentence_goes_with_the_next_step() -> None:
    lab = opened("tab=attic")
    assert lab.notice
    go(lab, "position")
    assert lab.notice == ""


@pytest.mark.parametrize(
    ("position", "part"),
    [
        ("M4 G1U1P1 - over 9.1", "over"),
        ("- G3U3P3 - take 5.1", "9 dice"),
    ],
)
def test_a_turn_that_cannot_be_looked_at(position: str, part: str) -> None:
    lab = opened(f"tab=turn&position={position}")
    assert part in lab.notice
    assert "turn" not in lab.shown
    go(lab, "position")
    lab.shown["position"].act("set", name="position", value=FIRST_POSITION)
    go(lab, "turn")
    assert lab.notice == ""
    assert "turn" in lab.shown


@pytest.mark.parametrize("wish", [None, 7, "attic", ["odds"], {}])
def test_a_tab_that_is_not_there_changes_nothing(wish: object) -> None:
    lab = opened()
    go(lab, wish)
    assert lab.tab == "odds"
    assert lab.notice


def test_a_fault_is_a_plain_sentence(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import skyline_app.lab_sections as sections

    def broken(_state: object) -> None:
        raise RuntimeError("secret")

    monkeypatch.setattr(sections, "_verify_turn", broken)
    lab = opened("tab=turn")
    assert "went wrong" in lab.notice
    assert "secret" not in lab.notice
    assert "secret" in caplog.text
    go(lab, "odds")
    assert lab.notice == ""


def test_only_what_the_page_may_say_is_listened_to() -> None:
    lab = opened()
    before = {name: getattr(lab, name) for name in ("tab", "tabs", "address", "notice")}
    assert lab.trait_metadata("request", "sync")
    synced = {name for name in lab.keys if not name.startswith("_")}
    assert synced - {"layout", "tooltip", "tabbable"} == {
        "tabs", "tab", "shown", "labels", "lead", "notice", "address", "request",
    }  # fmt: skip
    assert {name: getattr(lab, name) for name in before} == before


def test_widgets_do_not_pile_up() -> None:
    from ipywidgets.widgets.widget import _instances

    lab = opened("tab=position")
    editor = lab.shown["position"]
    counts = []
    for n in range(1, 7):
        editor.act("set", name="round", value=n)
        go(lab, "turn")
        go(lab, "players")
        counts.append(len(_instances))
    assert counts[0] == counts[-1]
