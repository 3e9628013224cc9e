"""Dice sets as data: the shipped ones, one's own from a file, and each kind of defect."""

from fractions import Fraction
from pathlib import Path

import pytest
from tables import at, legal, play, shown

from skyline_kernel.skyline import (
    DiceSet,
    DiceSetError,
    Die,
    Kind,
    chance_outcomes,
    parse_rules,
    read_dice_set,
    shipped_dice_set,
)
from skyline_kernel.skyline.dice_sets import SHIPPED, parse_dice_set, verified_own

OWN = """\
name = "school-dice"

[ground-floor]
low-rise = 1
mid-rise = 1
high-rise = 0
blank = 2
source = "counted"

[upper-floor]
low-rise = 10
mid-rise = 0
high-rise = 0
blank = 0

[penthouse]
low-rise = 0
mid-rise = 0
high-rise = 1
blank = 0
source = ""
"""


def edited(*changes: tuple[str, str]) -> str:
    """Return the file with some of its text replaced."""
    text = OWN
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


# --- what a set is ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_set_has_six_sides_a_die_and_a_source_for_each(name: str) -> None:
    dice_set = shipped_dice_set(name)
    assert dice_set.name == name
    assert [dice_set.n_sides(kind) for kind in Kind] == [6, 6, 6]
    assert all(dice_set.sources)


def test_a_set_tells_weights_and_probabilities() -> None:
    dice_set = shipped_dice_set("standard")
    assert dice_set.probability(Die("Gl")) == Fraction(1, 2)
    assert dice_set.probability(Die("P-")) == Fraction(1, 2)
    assert dice_set.weight(Die("Pl")) == 0
    assert dice_set.weight(Die("G?")) == 0
    for kind in Kind:
        assert sum(dice_set.probability(die) for die in Die if die.kind is kind) == 1


def test_an_unknown_shipped_set_is_refused() -> None:
    with pytest.raises(DiceSetError, match="expected one of standard, uniform, blank-upper"):
        shipped_dice_set("loaded")


# --- one's own --------------------------------------------------------------------------------


def test_a_set_of_ones_own_is_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_text(OWN, encoding="utf-8")
    dice_set = read_dice_set(path)
    assert dice_set.name == "school-dice"
    assert dice_set.weights == ((1, 1, 0, 2), (10, 0, 0, 0), (0, 0, 1, 0))
    assert dice_set.sources == ("counted", "", "")


def test_a_set_of_ones_own_is_named_by_the_rules_and_decides_the_rolls() -> None:
    own = parse_dice_set(OWN)
    state = at("l1 G1U1P1 - take 1.1 online+nine+school-dice", own)
    assert shown(state) == "l1 G1U1P1 - take 1.1 online+nine+school-dice"
    chances = chance_outcomes(play(state, "take GUP"))
    assert [chance for _, chance in chances] == [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]
    rolled = play(state, "take GUP", "roll=G-,Ul,Ph")
    assert legal(rolled)[0] == "build Ul@l1"


def test_a_set_of_ones_own_is_unknown_where_it_is_not_given() -> None:
    with pytest.raises(ValueError, match="school-dice"):
        parse_rules("online+school-dice")


def test_a_file_may_begin_with_the_mark_that_windows_writes(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8-sig")
    assert read_dice_set(path) == parse_dice_set(OWN)


def test_lines_may_end_as_on_windows() -> None:
    assert parse_dice_set(OWN.replace("\n", "\r\n")) == parse_dice_set(OWN)


# --- defects ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([('name = "school-dice"\n', "")], "name is missing"),
        ([("[penthouse]", "[roof]")], "penthouse is missing"),
        ([("blank = 2\n", "")], r"blank is missing in \[ground-floor\]"),
        ([("blank = 2", "blank = 2\ngreen = 1")], r"green in \[ground-floor\]"),
        ([("[penthouse]", "[attic]\n[penthouse]")], "attic in the file"),
        ([("blank = 2", "blank = -1")], "whole number from 0 to 1000, got -1"),
        ([("blank = 2", "blank = 1001")], "got 1001"),
        ([("blank = 2", "blank = 2.0")], "got 2.0"),
        ([("blank = 2", "blank = true")], "got True"),
        ([("blank = 2", 'blank = "2"')], "got '2'"),
        ([("blank = 2", "blank = [2]")], "whole number"),
        ([("high-rise = 1", "high-rise = 0")], r"\[penthouse\]: expected a die with at least one"),
        ([('"school-dice"', '"standard"')], "name 'standard'"),
        ([('"school-dice"', '"nine"')], "name 'nine'"),
        ([('"school-dice"', '"box"')], "name 'box'"),
        ([('"school-dice"', '"online"')], "name 'online'"),
        ([('"school-dice"', '"School dice"')], "lower-case words"),
        ([('"school-dice"', '"-dice"')], "lower-case words"),
        ([('"school-dice"', '"a+b"')], "lower-case words"),
        ([('"school-dice"', '""')], "lower-case words"),
        ([('"school-dice"', '"dice\\n"')], "lower-case words"),
        ([('"school-dice"', f'"{"x" * 41}"')], "lower-case words"),
        ([('"school-dice"', "7")], "name 7"),
        ([('"school-dice"', "[]")], "lower-case words"),
        ([("[ground-floor]", "[ground-floor")], "dice set: "),
        ([("blank = 2", "blank = 2\nblank = 2")], "dice set: "),
        ([("blank = 2", "blank =")], "dice set: "),
    ],
)
def test_each_defect_of_a_file_is_refused_with_its_place(
    changes: list[tuple[str, str]], message: str
) -> None:
    with pytest.raises(DiceSetError, match=message) as caught:
        parse_dice_set(edited(*changes))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("text", ["", "\ufeff\ufeff" + OWN, "{}", "x = 1", "name", "\0", OWN[:100]])
def test_text_that_is_no_dice_set_is_refused(text: str) -> None:
    with pytest.raises(DiceSetError):
        parse_dice_set(text)


@pytest.mark.parametrize("n_letters", range(0, len(OWN.rstrip()) - 12, 7))
def test_a_file_that_is_cut_off_is_refused_in_one_line(n_letters: int) -> None:
    with pytest.raises(DiceSetError) as caught:
        parse_dice_set(OWN[:n_letters])
    assert str(caught.value).isprintable()


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_bytes(OWN.replace("counted", "gezählt").encode("latin-1"))
    with pytest.raises(DiceSetError, match="dice.toml: is not UTF-8"):
        read_dice_set(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DiceSetError, match="dice.toml: No such file"):
        read_dice_set(tmp_path / "dice.toml")
    with pytest.raises(DiceSetError, match="directory"):
        read_dice_set(tmp_path)


@pytest.mark.parametrize(
    "value",
    [
        "1" * 5000,
        "0x" + "f" * 5000,
        "[" * 5000 + "]" * 5000,
        "{a=" * 5000 + "1" + "}" * 5000,
        '"' + "x" * 5000 + '"',
        '"\\n\\u0007"',
    ],
)
def test_bug_huge_or_deep_values_of_a_dice_set_were_no_sentence(value: str) -> None:
    with pytest.raises(DiceSetError) as caught:
        parse_dice_set(edited(("blank = 2", f"blank = {value}")))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_bug_a_key_nested_by_dots_without_end_was_no_sentence() -> None:
    with pytest.raises(DiceSetError) as caught:
        parse_dice_set(edited(("blank = 2", f"blank.{'.'.join(['a'] * 3000)} = 2")))
    assert len(str(caught.value)) < 500


def test_bug_a_line_break_in_a_key_broke_the_sentence() -> None:
    with pytest.raises(DiceSetError) as caught:
        parse_dice_set(edited(("blank = 2", 'blank = 2\n"a\\nb" = 1')))
    assert str(caught.value).isprintable()


def test_bug_an_endless_file_was_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_text(OWN + "# " + "x" * 200_000, encoding="utf-8")
    with pytest.raises(DiceSetError, match="at most"):
        read_dice_set(path)


@pytest.mark.parametrize("name", ["x", "my-dice", "d6", "a1-b2"])
def test_names_are_lower_case_words_with_hyphens(name: str) -> None:
    weights = ((1, 0, 0, 0),) * 3
    assert verified_own(DiceSet(name, weights)).name == name


def test_sets_with_equal_sides_are_equal_wherever_the_numbers_come_from() -> None:
    weights = ((1, 0, 0, 0),) * 3
    assert DiceSet("x", weights, ("a", "b", "c")) == DiceSet("x", weights)
    assert hash(DiceSet("x", weights, ("a", "b", "c"))) == hash(DiceSet("x", weights))
    assert DiceSet("x", weights) != DiceSet("y", weights)


def test_a_die_that_is_no_table_is_refused() -> None:
    text = 'name = "x"\nground-floor = 1\nupper-floor = 1\npenthouse = 1\n'
    with pytest.raises(DiceSetError, match="ground-floor: expected a table"):
        parse_dice_set(text)
