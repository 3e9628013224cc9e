"""Saved games: written, read and replayed to the same game; a bad file says where it is wrong."""

import json
from pathlib import Path

import pytest
from game_tools import played
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY, rules

from skyline_kernel.skyline import (
    DiceSet,
    Game,
    RecordError,
    Rules,
    Seat,
    format_position,
    format_record,
    parse_action,
    parse_record,
    parse_rules,
    read_record,
    shipped_dice_set,
    start_game,
    write_record,
)
from skyline_kernel.skyline.record import FORMAT, MAX_RECORD, VERSION, schema

OWN = DiceSet("own-dice", ((1, 1, 1, 1), (0, 5, 1, 0), (0, 0, 1, 1)), ("here", "there", ""))


def small_game() -> Game:
    """Play the first turn of a game for one."""
    game = start_game([Seat("Ida")], parse_rules("online+nine"), seed=0)
    for action in ("take GGU", "roll"):
        game = game.play(parse_action(action))
    return game


SMALL = format_record(small_game())


def tampered(**changes: object) -> str:
    """Return the small record with some of its fields replaced; None leaves one out."""
    record = json.loads(SMALL)
    for key, value in changes.items():
        record[key] = value
        if value is None:
            del record[key]
    return json.dumps(record)


def refusal(text: str) -> str:
    """Return the sentence with which a record is refused."""
    with pytest.raises(RecordError) as caught:
        parse_record(text)
    sentence = str(caught.value)
    assert sentence.isprintable()
    assert len(sentence) < 700
    return sentence


# --- written and read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "players"),
    [
        ("online", ["random"]),
        ("printed", ["builder", "greedy"]),
        ("online+nine+box", ["greedy", "builder", "random"]),
        ("printed+uniform", ["builder", "builder", "greedy", "random"]),
        ("online+box+blank-upper", ["builder", "random"]),
    ],
)
def test_a_whole_game_is_read_as_it_was_written(
    word: str, players: list[str], tmp_path: Path
) -> None:
    game = played(parse_rules(word), players, seed=11)
    assert game.state.is_over
    path = tmp_path / "game.json"
    write_record(game, path)
    again = read_record(path)
    assert again == game
    assert format_record(again) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("n_moves", range(0, 30, 3))
def test_a_game_is_saved_at_any_time_and_goes_on_as_before(n_moves: int) -> None:
    whole = played(parse_rules("online"), ["builder", "greedy"], seed=4)
    part = start_game(whole.seats, whole.rules, seed=whole.seed)
    for entry in whole.log[:n_moves]:
        part = part.play(entry.action)
    part = parse_record(format_record(part))
    for entry in whole.log[n_moves:]:
        part = part.play(entry.action)
    assert part == whole


def test_a_game_with_ones_own_dice_carries_them() -> None:
    game = played(Rules(dice_set=OWN), ["builder"], seed=2)
    record = json.loads(format_record(game))
    assert record["dice_set"]["weights"] == [list(sides) for sides in OWN.weights]
    assert parse_record(format_record(game)) == game


@STEADY
@given(rules, st.integers(0, 2**53 - 1), st.integers(1, 4))
def test_games_under_all_rules_are_read_as_they_were_written(
    in_force: Rules, seed: int, n_players: int
) -> None:
    game = start_game([Seat(f"Å {i}") for i in range(n_players)], in_force, seed=seed)
    game = game.play(parse_action("take GUP")).play(parse_action("roll"))
    again = parse_record(format_record(game))
    assert again == game
    assert again.rules == in_force


def test_a_record_says_what_it_is() -> None:
    record = json.loads(SMALL)
    assert record["format"] == FORMAT == "skyline-game"
    assert record["version"] == VERSION == 1
    assert record["final"] == format_position(small_game().state)
    assert record["actions"][0] == "take GGU"
    assert record["actions"][1].startswith("roll=")


def test_a_record_holds_names_as_they_are(tmp_path: Path) -> None:
    game = start_game([Seat("Łukasz Ö. 東京"), Seat("x")], seed=0)
    write_record(game, tmp_path / "a.json")
    assert "Łukasz Ö. 東京" in (tmp_path / "a.json").read_text(encoding="utf-8")
    assert read_record(tmp_path / "a.json") == game


def test_a_roll_of_a_record_may_be_left_to_the_seed() -> None:
    actions = ["take GGU", "roll"]
    assert parse_record(tampered(actions=actions)) == small_game()


def test_the_schema_is_a_schema_and_a_record_fits_it() -> None:
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(schema())
    Draft202012Validator(schema()).validate(json.loads(SMALL))


# --- refused ----------------------------------------------------------------------------------


def test_a_record_cut_off_at_any_byte_is_refused_in_one_sentence(tmp_path: Path) -> None:
    game = start_game([Seat("Ö")], seed=0)
    raw = format_record(game).encode()
    path = tmp_path / "game.json"
    for n_bytes in range(len(raw.rstrip())):
        path.write_bytes(raw[:n_bytes])
        with pytest.raises(RecordError) as caught:
            read_record(path)
        assert str(caught.value).isprintable()
    path.write_bytes(raw.rstrip())
    assert read_record(path) == game


@pytest.mark.parametrize("key", sorted(json.loads(SMALL)))
@pytest.mark.parametrize("value", [None, [], {}, "x", -1, 1.5, True, [None], {"a": 1}, "\ud800"])
def test_any_field_that_is_missing_or_of_another_kind_is_refused(key: str, value: object) -> None:
    # Without its actions the record is sound up to the position that it ends in.
    place = "final" if (key, value) == ("actions", []) else key
    assert place in refusal(tampered(**{key: value}))


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"format": "chess-game"}, "format"),
        ({"version": 0}, "version"),
        ({"version": 2}, "version"),
        ({"version": "1"}, "version"),
        ({"version": 2, "undo": [], "seats": 3}, "version"),
        ({"seed": 1}, "actions[1]"),
        ({"seed": 2**53}, "seed"),
        ({"seed": -1}, "seed"),
        ({"seed": 0.0}, "seed"),
        ({"rules": "printed"}, "final"),
        ({"rules": "online"}, "final"),
        ({"rules": "online+moon"}, "'moon'"),
        ({"rules": "x" * 101}, "rules"),
        ({"seats": []}, "seats"),
        ({"seats": [{"name": "A", "player": "human"}] * 5}, "seats"),
        ({"seats": [{"name": "A", "player": "human"}] * 2}, "final"),
        ({"seats": [{"name": "A"}]}, "seats[0]"),
        ({"seats": [{"name": "", "player": "human"}]}, "seats[0].name"),
        ({"seats": [{"name": " A", "player": "human"}]}, "name"),
        ({"seats": [{"name": "A\n", "player": "human"}]}, "name"),
        ({"seats": [{"name": "A", "player": "chess"}]}, "player 'chess'"),
        ({"seats": [{"name": "A", "player": "human", "elo": 1}]}, "seats[0]"),
        ({"actions": ["take GGU"]}, "final"),
        ({"actions": ["take GGG", "roll"]}, "final"),
        ({"actions": ["take GGU", "roll=Gh,Gh,Uh"]}, "actions[1]"),
        ({"actions": ["take GGU", "roll=Gl"]}, "actions[1]"),
        ({"actions": ["take GGU", "roll", "end"]}, "actions[2]"),
        ({"actions": ["take GGU", "jump"]}, "actions[1]"),
        ({"actions": ["roll"]}, "actions[0]"),
        ({"actions": ["take GGU", 7]}, "actions[1]"),
        ({"final": "h1 G1U1P1 - take 1.1 online+nine"}, "final"),
        ({"comment": "hello"}, "comment"),
        ({"dice_set": {}}, "dice_set"),
        ({"dice_set": {"name": "x", "weights": [[1, 0, 0, 0]] * 2}}, "dice_set.weights"),
        ({"dice_set": {"name": "x", "weights": [[0, 0, 0, 0]] * 3}}, "at least one side"),
        ({"dice_set": {"name": "x", "weights": [[1.0, 0, 0, 0]] * 3}}, "whole number"),
        ({"dice_set": {"name": "uniform", "weights": [[1, 0, 0, 0]] * 3}}, "name 'uniform'"),
    ],
)
def test_tampering_with_a_field_is_refused_with_its_place(
    changes: dict[str, object], where: str
) -> None:
    assert where in refusal(tampered(**changes))


def test_a_game_with_other_dice_than_it_was_played_with_is_refused() -> None:
    record = json.loads(format_record(played(Rules(dice_set=OWN), ["builder"], seed=2)))
    record["dice_set"]["weights"] = [list(s) for s in shipped_dice_set("standard").weights]
    assert "actions[" in refusal(json.dumps(record))
    del record["dice_set"]
    assert "own-dice" in refusal(json.dumps(record))


def test_bug_dice_that_the_rules_do_not_name_were_passed_over() -> None:
    other = {"name": "own-dice", "weights": [[1, 0, 0, 0]] * 3}
    assert "own-dice" in refusal(tampered(dice_set=other))


@pytest.mark.parametrize(
    "text",
    ["", " ", "null", "[]", "7", '"game"', "{}", "{,}", "\ufeff" + SMALL, SMALL + SMALL, "NaN"],
)
def test_other_texts_are_refused(text: str) -> None:
    refusal(text)


def test_a_file_that_is_not_utf_8_or_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    with pytest.raises(RecordError, match=r"game\.json: No such file"):
        read_record(path)
    path.write_bytes(SMALL.replace("Ida", "Jörg").encode("latin-1"))
    with pytest.raises(RecordError, match=r"game\.json: is not UTF-8"):
        read_record(path)
    with pytest.raises(RecordError, match="directory"):
        read_record(tmp_path)


@pytest.mark.parametrize("depth", [*range(20, 1000, 20), *range(860, 1000, 3), 100_000])
@pytest.mark.parametrize("key", ["seed", "actions"])
def test_bug_deep_nesting_was_no_sentence(depth: int, key: str) -> None:
    refusal(SMALL.replace(f'"{key}": ', f'"{key}": {"[" * depth}{"]" * depth}, "x": ', 1))
    refusal("[" * depth + "]" * depth)
    refusal('{"a":' * depth + "1" + "}" * depth)


def test_bug_a_record_with_a_million_faults_took_half_a_minute() -> None:
    # Only the first fault is looked for; each of the others would cost as much.
    text = SMALL.replace('"actions": [', '"actions": [' + "0," * 1_000_000, 1)
    assert "actions" in refusal(text)


def test_a_record_longer_than_any_game_is_refused(tmp_path: Path) -> None:
    assert "at most" in refusal(SMALL + " " * MAX_RECORD)
    path = tmp_path / "game.json"
    path.write_text(SMALL + " " * MAX_RECORD, encoding="utf-8")
    with pytest.raises(RecordError, match="at most"):
        read_record(path)


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    refusal(SMALL.replace('"seed": 0', f'"seed": {"9" * 5000}'))


def test_bug_half_a_letter_in_a_record_made_a_message_that_no_page_can_send() -> None:
    for changes in ({"final": "\ud800"}, {"rules": "\udfff"}, {"actions": ["\ud800"]}):
        refusal(tampered(**changes)).encode("utf-8")


# --- whole or not at all ----------------------------------------------------------------------


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    write_record(small_game(), path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_record(start_game([Seat("Eve")], seed=9), path)
    assert read_record(path) == small_game()
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


def test_a_written_file_may_be_read_by_those_whom_the_system_lets(tmp_path: Path) -> None:
    path, plain = tmp_path / "game.json", tmp_path / "plain"
    plain.touch()
    write_record(small_game(), path)
    assert path.stat().st_mode == plain.stat().st_mode


def test_a_folder_that_is_not_there_is_an_error_of_the_system(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        write_record(small_game(), tmp_path / "nowhere" / "game.json")
