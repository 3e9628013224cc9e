"""By the book: set-up, taking, refill, rolling, using, rolling again, ending, in both editions."""

import pytest
from tables import EDITIONS, after, at, legal, legal_of, play, shown

from skyline_kernel.skyline import (
    IllegalActionError,
    SettingError,
    new_game,
    parse_rules,
)

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def step(edition: str, kind: str) -> str:
    """Return the phase after an action of some kind."""
    return f"more:{kind}" if edition == "printed" else "more"


# --- set-up -----------------------------------------------------------------------------------


@both_editions
@pytest.mark.parametrize(
    ("n_players", "skylines"),
    [(1, "h1"), (2, "h1/m1"), (3, "h1/m1/l1"), (4, "h1/m1/l1/-")],
)
def test_setup_gives_high_mid_low_and_nothing_to_seats_1_to_4(
    edition: str, n_players: int, skylines: str
) -> None:
    state = new_game(n_players, parse_rules(edition))
    assert shown(state) == f"{skylines} G1U1P1 - take 1.1 {edition}"


def test_setup_puts_one_die_of_each_kind_into_the_abandoned_district() -> None:
    assert new_game(3).district == (1, 1, 1)


def test_setup_starts_round_1_with_the_start_player_taking_dice() -> None:
    state = new_game(4)
    assert (state.round, state.seat, state.phase) == (1, 1, "take")


def test_setup_is_online_with_standard_dice_unless_told_otherwise() -> None:
    assert shown(new_game(2)).endswith(" online")


@pytest.mark.parametrize("n_players", [0, 5, -1, True])
def test_setup_is_for_1_to_4_players(n_players: int) -> None:
    with pytest.raises(SettingError, match="expected 1 to 4"):
        new_game(n_players)


# --- 1. take dice -----------------------------------------------------------------------------


@both_editions
def test_take_any_three_dice_of_the_construction_yard_or_the_whole_district(edition: str) -> None:
    threes = ["GGG", "GGU", "GGP", "GUU", "GUP", "GPP", "UUU", "UUP", "UPP", "PPP"]
    expected = [f"take {three}" for three in threes] + ["take district"]
    assert legal(f"- G2U1P1 - take 1.1 {edition}") == expected


@pytest.mark.parametrize("kinds", ["G", "GU", "GGUP", "GGUUPP"])
def test_take_three_dice_not_fewer_nor_more(kinds: str) -> None:
    with pytest.raises(IllegalActionError, match="three dice"):
        play("- G1U1P1 - take 1.1", f"take {kinds}")


def test_take_from_the_yard_leaves_the_district_as_it_is() -> None:
    assert after("h1 G2U0P3 - take 1.1", "take GUP") == "h1 G2U0P3 G?,U?,P? roll 1.1"


def test_take_the_district_takes_all_its_dice() -> None:
    assert after("h1 G2U0P3 - take 1.1", "take district").split()[2] == "G?,G?,P?,P?,P?"


@both_editions
def test_emptied_district_is_refilled_at_once_with_one_die_of_each_kind(edition: str) -> None:
    position = f"h1 G0U4P0 - take 3.1 {edition}"
    assert after(position, "take district") == "h1 G1U1P1 U?,U?,U?,U? roll 3.1"


@both_editions
def test_dice_abandoned_later_in_the_turn_add_to_the_refilled_district(edition: str) -> None:
    position = f"h1 G1U1P1 - take 1.1 {edition}"
    actions = ("take district", "roll=Gl,Ul,P-", "abandon P-", "abandon Ul")
    assert after(position, *actions) == f"h1 G1U2P2 Gl {step(edition, 'abandon')} 1.1"


def test_dice_are_taken_once_a_turn_and_before_all_else() -> None:
    for action in ("take GGG", "take district"):
        with pytest.raises(IllegalActionError, match="expected roll"):
            play("h1 G1U1P1 G?,G?,G? roll 1.1", action)
        with pytest.raises(IllegalActionError, match="not in phase use"):
            play("h1 G1U1P1 Gl use 1.1", action)


# --- 2. roll ----------------------------------------------------------------------------------


def test_roll_rolls_all_the_dice_taken() -> None:
    assert after("- G1U1P1 - take 1.1", "take GGU", "roll=Um,Gl,Gh") == (
        "- G1U1P1 Gl,Gh,Um use 1.1"
    )


@pytest.mark.parametrize("outcome", ["Gl", "Gl,Gl,Gl", "Gl,Ul", "Gl,Gl,Gl,Gl", "Pm,Gl,Gl"])
def test_roll_shows_faces_of_the_very_dice_that_are_rolled(outcome: str) -> None:
    with pytest.raises(IllegalActionError, match="expected faces of GGU"):
        play("- G1U1P1 G?,G?,U? roll 1.1", f"roll={outcome}")


def test_roll_shows_only_faces_that_the_dice_have() -> None:
    with pytest.raises(IllegalActionError, match="P"):
        play("- G1U1P1 P? roll 1.1", "roll=Pl")
    with pytest.raises(IllegalActionError, match="G-"):
        play("- G1U1P1 G? roll 1.1", "roll=G-")


def test_roll_without_an_outcome_is_left_to_chance() -> None:
    with pytest.raises(IllegalActionError, match="left to chance"):
        play("- G1U1P1 G? roll 1.1", "roll")


# --- 3. use at least one ----------------------------------------------------------------------


@both_editions
def test_after_every_roll_at_least_one_die_is_used(edition: str) -> None:
    position = f"m1 G1U1P1 Gl,Um use 1.1 {edition}"
    assert not [a for a in legal(position) if a == "end" or a.startswith("reroll")]
    with pytest.raises(IllegalActionError, match="at least one die"):
        play(position, "end")
    with pytest.raises(IllegalActionError, match="phase use"):
        play(position, "reroll Gl")


@both_editions
def test_after_a_reroll_at_least_one_die_is_used_again(edition: str) -> None:
    state = play(f"m1 G1U1P1 Gl,Um,Um use 1.1 {edition}", "build Gl", "reroll Um", "roll=Ul")
    assert shown(state).split()[1:4] == ["G1U1P1", "Ul,Um", "use"]
    assert not [a for a in legal(state) if a == "end" or a.startswith("reroll")]


@both_editions
def test_a_die_is_built_abandoned_or_used_to_demolish(edition: str) -> None:
    # A die is given up in each of the three ways; with one die both editions list the same.
    assert legal(f"m1 G1U1P1 Um use 1.1 {edition}") == [
        "build Um@m1",
        "abandon Um",
        "demolish Um@m1",
    ]


@both_editions
def test_an_abandoned_die_goes_to_the_abandoned_district(edition: str) -> None:
    phase = step(edition, "abandon")
    position = f"- G1U1P1 Gl,U-,P- use 1.1 {edition}+blank-upper"
    assert after(position, "abandon U-") == f"- G1U2P1 Gl,P- {phase} 1.1"
    assert after(position, "abandon P-") == f"- G1U1P2 Gl,U- {phase} 1.1"
    assert after(position, "abandon Gl") == f"- G2U1P1 U-,P- {phase} 1.1"


def test_a_blank_face_can_be_abandoned_used_to_demolish_or_rerolled_but_not_built() -> None:
    assert legal("h1,m3 G1U1P1 P- use 1.1") == [
        "abandon P-",
        "demolish P-@h1",
        "demolish P-@m3",
    ]
    assert "reroll P-" in legal("h1,m3 G1U1P1 P- more 1.1")


def test_equal_dice_and_equal_columns_are_one_action() -> None:
    actions = legal("m1,m1 G1U1P1 Um,Um use 1.1")
    assert actions == ["build Um@m1", "abandon Um", "demolish Um@m1"]


def test_online_several_kinds_of_action_follow_between_two_rolls() -> None:
    actions = ("build Gl", "abandon P-", "demolish Gm@m1")
    assert after("m1 G1U1P1 Gl,Gm,Uh,P- use 1.1", *actions) == "l1 G1U1P2 Uh more 1.1"


@pytest.mark.parametrize(
    ("first", "others"),
    [
        ("build Gl", ["abandon Gm", "demolish Gm@m1"]),
        ("abandon Gl", ["build Gm", "demolish Gm@m1"]),
        ("demolish Gl@h1", ["build Gm", "abandon Gm"]),
    ],
)
def test_printed_one_kind_of_action_a_step(first: str, others: list[str]) -> None:
    state = play("h1,m1 G1U1P1 Gl,Gm,Um use 1.1 printed", first)
    for action in others:
        assert action not in legal(state)
        with pytest.raises(IllegalActionError, match="one kind of action a step"):
            play(state, action)


@pytest.mark.parametrize(
    ("first", "second"), [("build Gl", "build Um@m1"), ("abandon Gl", "abandon Um")]
)
def test_printed_a_step_may_use_several_dice_for_its_kind(first: str, second: str) -> None:
    state = play("h1,m1 G1U1P1 Gl,Gm,Um use 1.1 printed", first)
    assert second in legal(state)
    assert shown(play(state, second)).split()[2] == "Gm"


def test_printed_the_next_step_may_be_of_another_kind() -> None:
    state = play("m1 G1U1P1 Gl,Gm use 1.1 printed", "build Gl", "reroll Gm", "roll=Gh")
    assert legal(state) == ["build Gh", "abandon Gh", "demolish Gh@m1", "demolish Gh@l1"]


# --- 4. roll again or stop --------------------------------------------------------------------


@both_editions
def test_any_non_empty_part_of_the_left_dice_is_rerolled(edition: str) -> None:
    position = f"- G1U1P1 Gl,Gl,Um {step(edition, 'abandon')} 1.1 {edition}"
    assert legal_of(position, "reroll") == [
        "reroll Gl,Gl,Um",
        "reroll Gl,Gl",
        "reroll Gl,Um",
        "reroll Gl",
        "reroll Um",
    ]


@pytest.mark.parametrize("wish", ["Gh", "Gl,Gl,Gl", "Um,Um"])
def test_only_dice_that_are_left_are_rerolled(wish: str) -> None:
    with pytest.raises(IllegalActionError, match="expected some of the active dice"):
        play("- G1U1P1 Gl,Gl,Um more 1.1", f"reroll {wish}")


@both_editions
def test_reroll_nothing_is_not_allowed(edition: str) -> None:
    from skyline_kernel.skyline import Reroll, can

    state = at(f"- G1U1P1 Gl {step(edition, 'build')} 1.1 {edition}")
    assert not can(state, Reroll(()))
    assert all(action.strip() != "reroll" for action in legal(state))


@both_editions
def test_kept_dice_show_their_faces_and_stay_usable_after_the_roll(edition: str) -> None:
    position = f"m1 G1U1P1 Gl,Um,P- {step(edition, 'abandon')} 1.1 {edition}"
    rolling = play(position, "reroll P-")
    assert shown(rolling).split()[2:4] == ["Gl,Um,P?", "roll"]
    rolled = play(rolling, "roll=Ph")
    assert legal_of(rolled, "build") == ["build Gl", "build Um@m1"]
    assert shown(play(rolled, "build Um@m1")).split()[2] == "Gl,Ph"


@both_editions
def test_a_kept_die_alone_meets_the_duty_to_use_one(edition: str) -> None:
    position = f"m1 G1U1P1 Um,P- {step(edition, 'abandon')} 1.1 {edition}"
    state = play(position, "reroll P-", "roll=P-", "build Um@m1")
    assert "end" in legal(state)


@both_editions
def test_the_turn_may_end_after_one_die_was_used_and_left_dice_go_to_the_yard(
    edition: str,
) -> None:
    position = f"h1/m1 G1U1P1 Gl,Um,P- use 4.1 {edition}"
    assert after(position, "build Gl", "end") == "h1,l1/m1 G1U1P1 - take 4.2"


def test_left_dice_go_back_to_the_limited_yard() -> None:
    from skyline_kernel.skyline import yard

    state = play("h1/m1 G1U1P1 Gl,Um,P- use 4.1 online+box", "abandon Gl")
    assert yard(state) == (21, 26, 5)
    assert yard(play(state, "end")) == (21, 27, 6)


@both_editions
@pytest.mark.parametrize("action", ["build Gl", "abandon Gl", "demolish Gl@h1"])
def test_without_dice_left_the_turn_is_over(edition: str, action: str) -> None:
    state = play(f"h1/m1 G1U1P1 Gl use 1.1 {edition}", action)
    assert (state.phase, state.round, state.seat) == ("take", 1, 2)


# --- turns and rounds -------------------------------------------------------------------------


def test_each_player_has_one_turn_a_round_and_the_same_player_starts() -> None:
    state = new_game(3)
    seen = []
    for _ in range(7):
        seen.append((state.round, state.seat))
        state = play(state, "take GGG", "roll=Gl,Gl,Gl", "build Gl", "end")
    assert seen == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)]


def test_a_player_builds_on_the_own_skyline_only() -> None:
    position = "h1/m1 G1U1P1 Um use 1.1"
    assert legal_of(position, "build") == []
    with pytest.raises(IllegalActionError, match="your own columns h1"):
        play(position, "build Um@m1")
    with pytest.raises(IllegalActionError, match="your own columns h1"):
        play(position, "demolish Um@m1")


def test_practice_for_one_starts_like_seat_1_and_plays_nine_rounds() -> None:
    state = new_game(1)
    assert shown(state) == "h1 G1U1P1 - take 1.1 online"
    for _ in range(9):
        state = play(state, "take GGG", "roll=Gl,Gl,Gl", "abandon Gl", "end")
    assert state.is_over


# --- demolish ---------------------------------------------------------------------------------


@both_editions
@pytest.mark.parametrize("column", ["h5", "m2", "l1", "H6", "M4", "L2"])
def test_demolish_an_unfinished_column_or_a_finished_building(edition: str, column: str) -> None:
    position = f"{column}/- G1U1P1 P-,Gl use 2.1 {edition}"
    phase = step(edition, "demolish")
    assert after(position, f"demolish P-@{column}") == f"-/- G1U1P1 Gl {phase} 2.1"


def test_demolish_removes_one_of_equal_columns() -> None:
    assert after("m2,m2 G1U1P1 P-,Gl use 2.1", "demolish P-@m2").split()[0] == "m2"


def test_demolish_online_takes_one_die_and_again_for_each_die() -> None:
    position = "h1,m1,l1 G1U1P1 Gl,Um use 1.1"
    with pytest.raises(IllegalActionError, match="one die"):
        play(position, "demolish Gl,Um@m1")
    state = play(position, "demolish Gl@m1")
    assert "demolish Um@l1" in legal(state)
    assert shown(play(state, "demolish Um@l1")).split()[0] == "h1"


def test_demolish_printed_takes_one_or_more_dice_and_one_building() -> None:
    position = "h1,m1/- G1U1P1 Gl,Um,Um use 1.1 printed"
    assert legal_of(position, "demolish") == [
        f"demolish {dice}@{column}"
        for column in ("h1", "m1")
        for dice in ("Gl,Um,Um", "Gl,Um", "Gl", "Um,Um", "Um")
    ]
    assert after(position, "demolish Gl,Um@m1") == "h1/- G1U1P1 Um more:demolish 1.1"
    assert after(position, "demolish Gl,Um,Um@m1") == "h1/- G1U1P1 - take 1.2"


def test_demolish_printed_once_a_step() -> None:
    state = play("h1,m1 G1U1P1 Gl,Um use 1.1 printed", "demolish Gl@m1")
    assert legal(state) == ["reroll Um", "end"]
    with pytest.raises(IllegalActionError, match="once a step"):
        play(state, "demolish Um@h1")
    again = play(state, "reroll Um", "roll=Ul")
    assert "demolish Ul@h1" in legal(again)


def test_demolish_returns_the_die_and_the_column_to_the_yard() -> None:
    from skyline_kernel.skyline import yard

    before = at("h3,l1 G1U1P1 Gl,Um use 1.1 online+box")
    assert yard(before) == (21, 24, 6)
    assert yard(play(before, "demolish Um@h3")) == (22, 27, 6)


def test_demolish_needs_a_building_of_ones_own() -> None:
    assert legal_of("-/h1 G1U1P1 Gl use 1.1", "demolish") == []
