"""What the page is told: controls, chances, log and ranking, in both languages."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from playing import PERSON, ROBOT, do, game_at, pick, play_at, select, tables, whole_game
from skyline_widgets.language import language_named
from skyline_widgets.play import Play, resume
from skyline_widgets.view import MAX_ODDS, game_view

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import (
    Action,
    Build,
    Reroll,
    Roll,
    Rules,
    Take,
    TakeDistrict,
    apply,
    chance_outcomes,
    format_action,
    legal_actions,
    parse_action,
    parse_rules,
)

EN, DE = language_named("en"), language_named("de")
LANGUAGES = pytest.mark.parametrize("lang", [EN, DE], ids=["en", "de"])


def some_tables() -> list[Play]:
    """Return a table in every phase, and some of whole games in both editions."""
    games = [whole_game(parse_rules(rules), seed=4) for rules in ("online+box", "printed")]
    return [*tables().values(), *(play for game in games for play in game[::7])]


@LANGUAGES
def test_view_is_plain_data(lang: Any) -> None:
    for play in some_tables():
        view = game_view(play, lang)
        assert json.loads(json.dumps(view, allow_nan=False)) == view


# --- controls ---------------------------------------------------------------------------------


def controls(play: Play, view: dict[str, Any]) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Return each control of the view with the command that it sends."""
    sent = [(row, {"do": "pick", "kind": row["kind"]}) for row in view["yard"]]
    sent.append((view["district"], {"do": "take district"}))
    sent += [
        (thing, {"do": "select", "die": thing["number"], "on": True}) for thing in view["tray"]
    ]
    return [*sent, *((action, {"do": action["do"]}) for action in view["actions"])]


def refusal(play: Play, lang: Any, word: str, **details: Any) -> str:
    try:
        do(play, word, **details)
    except KitError as error:
        return str(lang.error(error))
    return ""


@LANGUAGES
def test_controls_tell_what_is_allowed_and_why_not(lang: Any) -> None:
    for play in some_tables():
        for control, command in controls(play, game_view(play, lang)):
            word = command.pop("do")
            sentence = refusal(play, lang, word, **command)
            assert (control["can"], control["why"]) == (not sentence, sentence)


def test_targets_are_the_towers_that_can_be_chosen() -> None:
    n_waiting = 0
    for play in some_tables():
        players = game_view(play, EN)["players"]
        targets = [column["target"] for column in players[play.acting_seat - 1]["columns"]]
        assert targets == [can_choose(play, i) for i in range(len(targets))]
        others = [p for p in players if p["seat"] != play.acting_seat]
        assert not any(column["target"] for player in others for column in player["columns"])
        n_waiting += any(targets)
    assert n_waiting > 2


def can_choose(play: Play, index: int) -> bool:
    try:
        do(play, "choose", column=index)
    except KitError:
        return False
    return True


def test_actions_stand_in_the_same_place_in_every_phase() -> None:
    names = {
        tuple(action["name"] for action in game_view(play, EN)["actions"]) for play in some_tables()
    }
    assert names == {("Roll", "Build", "Abandon", "Demolish", "Take back", "End turn")}


def test_die_that_waits_is_marked() -> None:
    play = tables()["use, build where"]
    waiting = [thing["number"] for thing in game_view(play, EN)["tray"] if thing["waiting"]]
    assert play.target is not None
    assert waiting == [play.target.number]


# --- status -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "prompt"),
    [
        ("take", "Person 1: Take three dice of the yard, or the whole abandoned district."),
        ("roll", "Person 1: Roll your dice."),
        ("use", "Person 1: Select dice, then build, abandon or demolish with at least one."),
        ("use, build where", "Person 1: Choose the tower for: upper floor high-rise"),
        (
            "use, demolish which",
            "Person 1: Choose the building to demolish for: upper floor high-rise",
        ),
        ("more", "Person 1: Use more dice, select dice to roll again, or end your turn."),
        ("ended", "Person 1: No dice are left. End your turn, or take back."),
        ("computer", "Robo is playing."),
        ("over", "The game is over."),
    ],
)
def test_prompt_says_what_is_to_be_done(name: str, prompt: str) -> None:
    assert game_view(tables()[name], EN)["status"]["prompt"] == prompt


def test_printed_demolition_names_all_its_dice() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,P-,P- use 1.1 printed")
    view = game_view(do(select(play, 0, 1, 2), "demolish"), EN)
    assert view["status"]["prompt"].endswith("for: ground floor low-rise, 2 × penthouse blank")


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("8.2", ""),
        ("9.1", "Last round"),
        ("4.1!", "Last round: a six-storey building stands."),
    ],
)
def test_last_round_is_announced(clock: str, said: str) -> None:
    play = play_at(f"h1/m1 G1U1P1 - take {clock} online")
    assert game_view(play, EN)["status"]["last"] == said


def test_round_is_not_the_last_before_the_turn_is_handed_on() -> None:
    """The turn of round 8 is on the table until it is ended, though the next is of round 9."""
    play = do(play_at("h1/m1 G1U1P1 Gl use 8.2 online"), "build")
    status = game_view(play, EN)["status"]
    assert (status["round"], status["last"]) == ("Round 8 of 9", "")
    status = game_view(do(play, "end"), EN)["status"]
    assert (status["round"], status["last"]) == ("Round 9 of 9", "Last round")


# --- players ----------------------------------------------------------------------------------


def test_player_cards() -> None:
    play = play_at("h3,l1,M2/H6 G1U1P1 - take 4.1! online", seats=[PERSON, ROBOT])
    first, second = game_view(play, EN)["players"]
    assert (first["points"], first["points_name"]) == (5, "5 points")
    assert (second["points"], second["is_computer"]) == (36, True)
    assert [column["name"] for column in first["columns"]] == [
        "unfinished high-rise, 3 floors",
        "unfinished low-rise, 1 floor",
        "finished mid-rise, 2 floors",
    ]
    assert [(p["is_start"], p["is_turn"]) for p in (first, second)] == [
        (True, True),
        (False, False),
    ]


def test_one_point_is_one_point() -> None:
    view = game_view(play_at("l1/- G1U1P1 - take 1.1 online"), EN)
    assert [player["points_name"] for player in view["players"]] == ["1 point", "0 points"]


def test_picked_dice_are_missing_from_a_limited_yard() -> None:
    play = play_at("h1/m1 G1U1P5 - take 1.1 online+box")
    before = {row["kind"]: row["left"] for row in game_view(play, EN)["yard"]}
    rows = {row["kind"]: row for row in game_view(pick(play, "PP"), EN)["yard"]}
    assert before == {"G": 22, "U": 27, "P": 2}
    assert (rows["P"]["left"], rows["P"]["picked"]) == (0, 2)
    assert rows["P"]["why"] == "The construction yard has no more of these dice."
    assert {row["left"] for row in game_view(play_at("h1 G1U1P1 - take 1.1"), EN)["yard"]} == {None}


# --- chances ----------------------------------------------------------------------------------


def chance_by_listing(play: Play, action: Action) -> Fraction:
    """Return the chance to be able to build after a roll by looking at every outcome."""
    rolling = apply(play.game.state, action).state
    return sum(
        (
            probability
            for roll, probability in chance_outcomes(rolling)
            if any(isinstance(a, Build) for a in legal_actions(apply(rolling, roll).state))
        ),
        Fraction(0),
    )


def rolls(play: Play) -> list[Action]:
    """Return the legal actions that lead to a roll."""
    wanted = (Take, TakeDistrict, Reroll)
    return [action for action in legal_actions(play.game.state) if isinstance(action, wanted)]


POSITIONS = [
    "h1/m1 G1U1P1 - take 1.1 online",
    "-/m1 G3U0P2 - take 1.1 online",
    "h5,m1,l1/m1 G1U1P1 - take 1.1 online+blank-upper",
    "h1/m1 G1U1P1 Gl,Uh,P- more 1.1 online",
    "h1,m3/m1 G1U1P1 Um,Um,P-,P- more 1.1 online",
    "-/m1 G1U1P1 Ul,Um,Pl,Pl more 1.1 online+uniform",
    "M4/m1 G1U1P1 Uh,P- more:demolish 1.1 printed",
    "h2,l1/m1 G1U1P1 Gm,Ul,Uh,Ph,P- more:abandon 1.1 printed+blank-upper",
]


@pytest.mark.parametrize("position", POSITIONS)
def test_chances_are_those_of_all_outcomes(position: str) -> None:
    play = play_at(position)
    rows = game_view(play, EN)["odds"]["rows"]
    expected = {format_action(action): chance_by_listing(play, action) for action in rolls(play)}
    assert len(rows) == len(expected)
    for row in rows:
        chance = expected.pop(action_of(row, play))
        assert row["fraction"] == str(chance)
        assert row["share"] == float(chance)
        assert row["percent"] == EN.percent(chance)
    assert expected == {}


def action_of(row: dict[str, Any], play: Play) -> str:
    """Return the action that a row of the table is about, in notation."""
    if "district" in row["name"]:
        return "take district"
    if row["dice"][0].endswith("?"):
        return "take " + "".join(die[0] for die in row["dice"])
    return format_action(Reroll(parse_dice(row["dice"])))


def parse_dice(dice: list[str]) -> Any:
    action = parse_action("reroll " + ",".join(dice))
    assert isinstance(action, Reroll)
    return action.dice


def test_chances_are_ordered_best_first() -> None:
    for position in POSITIONS:
        shares = [row["share"] for row in game_view(play_at(position), EN)["odds"]["rows"]]
        assert shares == sorted(shares, reverse=True)


def test_chance_of_zero_is_shown() -> None:
    """A chance of nothing at all is a chance: it is written as 0, not left out."""
    rows = game_view(play_at("-/m1 G1U1P1 Ul,P- more 1.1 online"), EN)["odds"]["rows"]
    assert [(row["fraction"], row["percent"]) for row in rows] == [("0", "0.0%")] * 3
    takes = game_view(play_at("-/m1 G1U1P1 - take 1.1 online"), DE)["odds"]["rows"]
    assert (takes[-1]["fraction"], takes[-1]["percent"]) == ("0", "0,0\u202f%")


def test_certain_chance_is_shown() -> None:
    rows = game_view(play_at("h1/m1 G1U1P1 Gl,P- more 1.1 online"), EN)["odds"]["rows"]
    certain = {row["name"]: (row["fraction"], row["percent"]) for row in rows}
    assert certain["penthouse blank"] == ("1", "100.0%")


def test_chosen_roll_is_marked() -> None:
    play = play_at("h1/m1 G1U1P1 Gl,Gl,Uh,P- more 1.1 online")
    assert chosen(play) == []
    assert chosen(select(play, 1, 3)) == ["ground floor low-rise, penthouse blank"]
    assert chosen(select(play, 0, 1)) == ["2 × ground floor low-rise"]


def chosen(play: Play) -> list[str]:
    return [row["name"] for row in game_view(play, EN)["odds"]["rows"] if row["chosen"]]


def test_very_many_dice() -> None:
    """Too many parts to list: those that are selected have their chance."""
    all_faces = "Gl,Gm,Gh,Ul,Um,Uh,Pm,P-"
    just = play_at(f"h1/m1 G1U1P1 {all_faces} more 1.1 online")
    assert len(game_view(just, EN)["odds"]["rows"]) == MAX_ODDS == 255
    play = play_at("h1/m1 G1U1P1 Gl,Gm,Gh,Ul,Um,Uh,Pm,Ph,P- more 1.1 online")
    odds = game_view(play, EN)["odds"]
    assert (odds["rows"], bool(odds["note"])) == ([], True)
    picked = select(play, 4, 8)
    (row,) = game_view(picked, EN)["odds"]["rows"]
    assert row["chosen"]
    assert row["fraction"] == str(chance_by_listing(picked, Reroll(picked.chosen)))


@pytest.mark.parametrize("name", ["roll", "use", "ended", "computer", "over"])
def test_no_chances_where_no_roll_can_be_chosen(name: str) -> None:
    assert game_view(tables()[name], EN)["odds"]["rows"] == []


def test_chances_are_never_stale() -> None:
    """After taking back they are what they were; in another language they are the same numbers."""
    play = play_at("h2,h1/m1 G1U1P1 Gl,Uh,Ph,P- more 1.1 online")
    before = game_view(play, EN)["odds"]
    built = do(select(play, 0), "build")
    assert game_view(built, EN)["odds"] != before
    back = do(built, "undo")
    assert game_view(back, EN)["odds"] == before
    numbers = [(row["fraction"], row["share"]) for row in before["rows"]]
    german = game_view(back, DE)["odds"]["rows"]
    assert [(row["fraction"], row["share"]) for row in german] == numbers
    position = "m1/m1 G1U1P1 Uh,P- more 1.1 online"
    fewer = game_view(play_at(position + "+blank-upper"), EN)["odds"]
    assert fewer != game_view(play_at(position), EN)["odds"]


# --- log and ranking --------------------------------------------------------------------------


def test_log_says_every_action_as_a_sentence() -> None:
    play = resume(game_at("l1,h1,h2/m1 G1U1P1 Gl,Ul,Uh,Ph,P-,P- use 1.1 online"))
    play = do(select(play, 4, 5), "abandon")
    play = do(select(play, 1), "build")
    play = do(do(select(play, 2), "build"), "choose", column=1)
    play = do(do(select(play, 3), "demolish"), "choose", column=0)
    play = do(select(play, 0), "roll")
    play = do(do(select(play, 0), "abandon"), "end")
    play = do(do(play, "take district"), "undo")
    play = pick(play, "GGP")
    english = [entry["text"] for entry in game_view(play, EN)["log"]]
    rolled = english.pop(6)
    assert rolled.startswith("Person 1 rolls: ground floor ")
    finished = " – finished low-rise, 2 floors: 4 points!"
    assert english == [
        "Person 1 abandons: penthouse blank",
        "Person 1 abandons: penthouse blank",
        "Person 1 builds upper floor low-rise on: unfinished low-rise, 1 floor" + finished,
        "Person 1 builds upper floor high-rise on: unfinished high-rise, 1 floor",
        "Person 1 gives penthouse high-rise and demolishes: unfinished high-rise, 2 floors",
        "Person 1 rerolls: ground floor low-rise",
        "Person 1 abandons: " + rolled.partition(": ")[2],
        "Person 2 takes 2 ground floor dice, 1 penthouse die",
    ]
    german = [entry["text"] for entry in game_view(play, DE)["log"]]
    assert german[2] == (
        "Person 1 baut Obergeschoss Flachbau auf: Flachbau, unfertig, 1 Etage"
        " – Flachbau, fertig, 2 Etagen: 4 Punkte!"
    )
    assert len(german) == len(english) + 1


def test_log_numbers_are_those_of_the_moves() -> None:
    plays = whole_game(Rules(), seed=6)
    log = game_view(plays[-1], EN)["log"]
    n_moves = plays[-1].game.n_moves
    assert n_moves > len(log) == 60
    assert [entry["number"] for entry in log] == list(range(n_moves - 60, n_moves))
    assert [entry["seat"] for entry in log] == [e.seat for e in plays[-1].game.log[-60:]]


def test_last_action_tells_of_a_roll() -> None:
    play = do(play_at("h1/m1 G1U1P1 G?,U?,P? roll 1.1 online"), "roll")
    action = parse_action(game_view(play, EN)["last_action"])
    assert isinstance(action, Roll)
    assert action.outcome == play.game.state.dice
    assert game_view(play_at("h1/m1 G1U1P1 - take 1.1"), EN)["last_action"] == ""


def ranking(skylines: str) -> list[tuple[Any, ...]]:
    play = play_at(f"{skylines} G1U1P1 - over 9.{skylines.count('/') + 1} online")
    rows = game_view(play, EN)["ranking"]
    return [
        (row["place"], row["seat"], row["points"], row["buildings"], row["wins"], row["shared"])
        for row in rows
    ]


def test_ranking() -> None:
    assert ranking("H3/M4,m1/l1") == [
        ("1.", 2, "16 points", "1 building", True, False),
        ("2.", 1, "9 points", "1 building", False, False),
        ("3.", 3, "1 point", "1 building", False, False),
    ]


def test_ranking_by_buildings() -> None:
    assert ranking("M2/l1,l1,l1,l1") == [
        ("1.", 2, "4 points", "4 buildings", True, False),
        ("2.", 1, "4 points", "1 building", False, False),
    ]


def test_ranking_with_shared_victory() -> None:
    assert ranking("L2/h1/M2/-") == [
        ("1.", 1, "4 points", "1 building", True, True),
        ("1.", 3, "4 points", "1 building", True, True),
        ("3.", 2, "0 points", "0 buildings", False, False),
        ("3.", 4, "0 points", "0 buildings", False, False),
    ]


def test_no_ranking_before_the_last_turn_is_handed_on() -> None:
    play = do(play_at("h1/m1 G1U1P1 Gl use 9.2 online"), "build")
    assert game_view(play, EN)["ranking"] == []
    assert game_view(do(play, "end"), EN)["ranking"] != []
