"""Positions, actions and rules as text: parse and format are inverse for every value."""

from itertools import combinations_with_replacement, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sound_states import STEADY, rolled_dice, rules, states
from tables import ALL_RULES, at, legal, shown

from skyline_kernel.skyline import (
    END,
    ROLL,
    TAKE_DISTRICT,
    Abandon,
    Action,
    Build,
    Column,
    Demolish,
    Die,
    Kind,
    NotationError,
    Phase,
    Reroll,
    Roll,
    Rules,
    State,
    Step,
    Take,
    format_action,
    format_position,
    format_rules,
    parse_action,
    parse_position,
    parse_rules,
)
from skyline_kernel.skyline.notation import format_dice, parse_dice

ROLLED = [die for die in Die if die.is_rolled]
HANDFULS = [hand for n_dice in (1, 2, 3) for hand in combinations_with_replacement(ROLLED, n_dice)]


def every_action() -> list[Action]:
    """List every action with up to three dice."""
    actions: list[Action] = [END, ROLL, TAKE_DISTRICT]
    actions += map(Take, combinations_with_replacement(Kind, 3))
    actions += map(Abandon, ROLLED)
    actions += [Build(die, column) for die in ROLLED for column in (None, *Column)]
    actions += map(Roll, HANDFULS)
    actions += map(Reroll, HANDFULS)
    actions += [Demolish(hand, column) for hand in HANDFULS for column in Column]
    return actions


# --- every value ------------------------------------------------------------------------------


def test_every_action_is_read_as_it_was_written() -> None:
    actions = every_action()
    texts = [format_action(action) for action in actions]
    assert [parse_action(text) for text in texts] == actions
    assert len(set(texts)) == len(actions)


def test_every_handful_of_dice_is_read_as_it_was_written() -> None:
    for hand in [
        (),
        *combinations_with_replacement(Die, 1),
        *combinations_with_replacement(Die, 3),
    ]:
        assert parse_dice(format_dice(hand)) == hand


def test_every_rules_word_is_read_as_it_was_written() -> None:
    assert [format_rules(parse_rules(word)) for word in ALL_RULES] == list(ALL_RULES)


def test_every_single_column_and_pair_is_read_in_canonical_order() -> None:
    for first in Column:
        for second in Column:
            pair = sorted([first, second], key=list(Column).index)
            text = f"{second},{first}/- G1U1P1 - take 1.1"
            assert shown(at(text)).split("/")[0] == ",".join(pair)


def test_columns_are_named_in_their_canonical_order() -> None:
    unfinished = ["h5", "h4", "h3", "h2", "h1", "m3", "m2", "m1", "l1"]
    assert [c.value for c in Column] == [
        *unfinished,
        *["H6", "H5", "H4", "H3", "M4", "M3", "M2", "L2"],
    ]


def test_dice_are_named_in_their_canonical_order() -> None:
    assert [die.value for die in Die] == [kind + face for kind in "GUP" for face in "lmh-?"]


@pytest.mark.parametrize("clock", [f"{r}.{s}" for r in range(1, 10) for s in range(1, 5)])
@pytest.mark.parametrize("last", ["", "!"])
def test_every_clock_is_read_as_it_was_written(clock: str, last: str) -> None:
    position = f"-/-/-/- G1U1P1 - take {clock}{last} online"
    assert shown(at(position)) == position


@pytest.mark.parametrize(
    ("dice", "phase", "clock", "rules"),
    [
        ("-", "take", "1.1", "online"),
        ("G?", "roll", "1.1", "online"),
        ("Gl", "use", "1.1", "online"),
        ("Gl", "more", "1.1", "online"),
        *[("Gl", f"more:{step}", "1.1", "printed") for step in Step],
        ("-", "over", "9.1", "printed"),
        ("-", "over", "1.1!", "online"),
    ],
)
def test_every_phase_is_read_as_it_was_written(
    dice: str, phase: str, clock: str, rules: str
) -> None:
    position = f"h1 G1U1P1 {dice} {phase} {clock} {rules}"
    assert shown(at(position)) == position


@STEADY
@given(rules)
def test_rules_are_read_as_they_were_written(in_force: Rules) -> None:
    assert parse_rules(format_rules(in_force), [in_force.dice_set]) == in_force


@STEADY
@given(states())
def test_positions_are_read_as_they_were_written(state: State) -> None:
    text = format_position(state)
    own = [state.rules.dice_set]
    assert parse_position(text, own) == state
    assert format_position(parse_position(text, own)) == text
    assert len(text.split(" ")) == 6


@STEADY
@given(st.lists(rolled_dice, min_size=1, max_size=12), st.sampled_from(Column))
def test_actions_with_many_dice_are_written_in_canonical_order(
    dice: list[Die], column: Column
) -> None:
    hand = tuple(sorted(dice, key=list(Die).index))
    for action, canonical in [
        (Roll(tuple(dice)), Roll(hand)),
        (Reroll(tuple(dice)), Reroll(hand)),
        (Demolish(tuple(dice), column), Demolish(hand, column)),
    ]:
        assert format_action(action) == format_action(canonical)
        assert parse_action(format_action(action)) == canonical


def test_bug_take_was_written_in_the_order_of_its_kinds_not_in_canonical_order() -> None:
    for kinds in permutations(["G", "U", "P"]):
        assert format_action(Take(tuple(map(Kind, kinds)))) == "take GUP"


# --- input in any order -----------------------------------------------------------------------


def test_example_of_a_position() -> None:
    text = "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online+nine"
    assert shown(at(text)) == text


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        ("L2,m1,h3/- G1U1P1 P-,Um,Gl use 5.1", "h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online"),
        ("h1 G1U1P1 - take 1.1 online+box+nine", "h1 G1U1P1 - take 1.1 online+nine+box"),
        (
            "h1 G1U1P1 - take 1.1 printed+uniform+box+nine",
            "h1 G1U1P1 - take 1.1 printed+nine+box+uniform",
        ),
        ("h1 G1U1P1 - take 1.1 online+standard", "h1 G1U1P1 - take 1.1 online"),
        ("h1 G01U1P1 - take 1.1", "h1 G1U1P1 - take 1.1 online"),
        ("  h1  G1U1P1\t- take 1.1 ", "h1 G1U1P1 - take 1.1 online"),
    ],
)
def test_input_in_any_order_is_written_in_canonical_order(loose: str, canonical: str) -> None:
    assert shown(at(loose)) == canonical


@pytest.mark.parametrize("district", ["".join(p) for p in permutations(["G2", "U0", "P3"])])
def test_bug_kinds_of_the_district_were_read_in_one_order_only(district: str) -> None:
    assert shown(at(f"h1 {district} - take 1.1")).split()[1] == "G2U0P3"


@pytest.mark.parametrize(
    ("loose", "canonical"),
    [
        ("take PUG", "take GUP"),
        ("roll=Um,Gl", "roll=Gl,Um"),
        ("reroll P-,Gl,Gh", "reroll Gl,Gh,P-"),
        ("demolish Um,Gl@M4", "demolish Gl,Um@M4"),
        (" build   Um@m2 ", "build Um@m2"),
    ],
)
def test_actions_in_any_order_are_written_in_canonical_order(loose: str, canonical: str) -> None:
    assert format_action(parse_action(loose)) == canonical


# --- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "six words"),
        ("h1", "six words"),
        ("h1 G1U1P1 - take", "got 4"),
        ("h1 G1U1P1 - take 1.1 online more", "got 7"),
        ("h6 G1U1P1 - take 1.1", "'h6'"),
        ("h0 G1U1P1 - take 1.1", "'h0'"),
        ("H2 G1U1P1 - take 1.1", "'H2'"),
        ("M1 G1U1P1 - take 1.1", "'M1'"),
        ("m4 G1U1P1 - take 1.1", "'m4'"),
        ("L1 G1U1P1 - take 1.1", "'L1'"),
        ("l2 G1U1P1 - take 1.1", "'l2'"),
        ("h1, G1U1P1 - take 1.1", "''"),
        ("h1/ G1U1P1 - take 1.1", "''"),
        ("-/-/-/-/- G1U1P1 - take 1.1", "1 to 4 players"),
        ("h1 G1U1 - take 1.1", "'G1U1'"),
        ("h1 G1U1P1P1 - take 1.1", "'G1U1P1P1'"),
        ("h1 G1U1G1 - take 1.1", "'G1U1G1'"),
        ("h1 G-1U1P1 - take 1.1", "'G-1U1P1'"),
        ("h1 G1000U1P1 - take 1.1", "'G1000U1P1'"),
        ("h1 G¹U1P1 - take 1.1", "'G¹U1P1'"),
        ("h1 G0U0P0 - take 1.1", "at least one die"),
        ("h1 G1U1P1 Gx use 1.1", "'Gx'"),
        ("h1 G1U1P1 gl use 1.1", "'gl'"),
        ("h1 G1U1P1 Gl, use 1.1", "''"),
        ("h1 G1U1P1 - use 1.1", "active dice in this phase"),
        ("h1 G1U1P1 - more 1.1", "active dice in this phase"),
        ("h1 G1U1P1 - roll 1.1", "active dice in this phase"),
        ("h1 G1U1P1 Gl take 1.1", "no active dice"),
        ("h1 G1U1P1 Gl over 9.1", "no active dice"),
        ("h1 G1U1P1 Gl roll 1.1", "with ? in phase roll"),
        ("h1 G1U1P1 G?,Gl use 1.1", "only in phase roll"),
        ("h1 G1U1P1 G? more 1.1", "only in phase roll"),
        ("h1 G1U1P1 G- use 1.1", "faces that the dice set has"),
        ("h1 G1U1P1 Pl use 1.1", "faces that the dice set has"),
        ("h1 G1U1P1 P- use 1.1 online+uniform", "faces that the dice set has"),
        ("h1 G1U1P1 - tale 1.1", "'tale'"),
        ("h1 G1U1P1 Gl more:reroll 1.1 printed", "'more:reroll'"),
        ("h1 G1U1P1 Gl more: 1.1 printed", "'more:'"),
        ("h1 G1U1P1 Gl use:build 1.1 printed", "'use:build'"),
        ("h1 G1U1P1 Gl more 1.1 printed", "kind of action"),
        ("h1 G1U1P1 Gl more:build 1.1 online", "kind of action"),
        ("h1 G1U1P1 - take 0.1", "'0.1'"),
        ("h1 G1U1P1 - take 10.1", "'10.1'"),
        ("h1 G1U1P1 - take 1.5", "'1.5'"),
        ("h1 G1U1P1 - take 1.2", "the seat of a player"),
        ("h1 G1U1P1 - take 1", "'1'"),
        ("h1 G1U1P1 - take 1.1!!", "'1.1!!'"),
        ("h1 G1U1P1 - take 1.1! online+nine", "no !"),
        ("h1 G1U1P1 - over 8.1", "last round"),
        ("h1/- G1U1P1 - over 9.1", "last seat"),
        ("h1 G1U1P1 - take 1.1 offline", "online or printed"),
        ("h1 G1U1P1 - take 1.1 online+", "dice sets"),
        ("h1 G1U1P1 - take 1.1 online+ten", "'ten'"),
        ("h1 G1U1P1 - take 1.1 online+nine+nine", "only once"),
        ("h1 G1U1P1 - take 1.1 online+uniform+blank-upper", "one dice set"),
        ("h1 G26U1P1 - take 1.1 online+box", "box holds"),
        ("h1 G25U1P1 - take 1.1 online+box", "box holds"),
        ("- G1U1P8 - take 1.1 online+box", "box holds"),
        ("h5,h5,h5,h5,h5,h5,h5 G1U1P1 - take 1.1 online+box", "box holds"),
        ("- G1U1P1 P?,P?,P?,P?,P?,P?,P? roll 1.1 online+box", "box holds"),
    ],
)
def test_bad_positions_are_refused_with_the_offending_word(text: str, word: str) -> None:
    with pytest.raises(NotationError) as caught:
        at(text)
    assert word in str(caught.value)
    assert "expected" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "jump",
        "take",
        "take GX",
        "take ggu",
        "take the district",
        "roll Gl",
        "roll=",
        "roll=-",
        "roll=G?",
        "roll= Gl",
        "build",
        "build Gl,Gm",
        "build -",
        "build G?",
        "build Um@",
        "build Um@m4",
        "build Um@m1@m2",
        "build Um @m1",
        "abandon",
        "abandon Gl,Um",
        "abandon Gl@m1",
        "demolish Gl",
        "demolish Gl@",
        "demolish @m1",
        "demolish -@m1",
        "reroll",
        "reroll -",
        "reroll G?",
        "end now",
        "END",
    ],
)
def test_bad_actions_are_refused_with_the_offending_word(text: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        parse_action(text)


@STEADY
@given(st.text(max_size=40))
def test_any_other_text_is_refused_in_one_printable_line(text: str) -> None:
    for parse in (parse_position, parse_action, parse_rules):
        try:
            parse(text)
        except NotationError as error:
            assert str(error).isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "h1," * 50_000 + "h1 G1U1P1 - take 1.1 " + "x" * 1000,
        "h1 G1U1P1 " + ",".join(["Gl"] * 1000) + " use 1.1",
        "h1 G" + "9" * 10_000 + "U1P1 - take 1.1",
        "x " * 100_000,
    ],
)
def test_endless_words_are_refused_in_a_short_line(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        at(text)
    assert len(str(caught.value)) < 300


def test_six_storeys_without_a_mark_are_a_set_up_of_analysts() -> None:
    # A mark says that the building was finished in this round, which a set-up need not claim.
    assert legal("H6 G1U1P1 - take 5.1")


def test_every_phase_has_its_word() -> None:
    assert [phase.value for phase in Phase] == ["take", "roll", "use", "more", "over"]
