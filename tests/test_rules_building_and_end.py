"""By the book: building heights, finishing, the box, dice sets, end of the game and scoring."""

import pytest
from tables import EDITIONS, after, at, legal, legal_of, play, shown

from skyline_kernel.skyline import (
    Column,
    Die,
    IllegalActionError,
    LogEntry,
    apply,
    new_game,
    parse_action,
    parse_rules,
    points,
    ranking,
    yard,
)

BOXED = parse_rules("online+box")

both_editions = pytest.mark.parametrize("edition", EDITIONS)


def built(column: str, die: str) -> str | None:
    """Return what a die makes of a column, None if it does not fit."""
    position = f"{column}/- G1U1P1 {die} use 1.1 online+uniform"
    action = f"build {die}@{column}"
    if action not in legal(position):
        return None
    return after(position, action).split("/")[0]


# --- building ---------------------------------------------------------------------------------


@both_editions
@pytest.mark.parametrize(("die", "column"), [("Gl", "l1"), ("Gm", "m1"), ("Gh", "h1")])
def test_ground_floor_can_always_start_a_building(edition: str, die: str, column: str) -> None:
    for skyline in ("-", "h5", "h1,m1,l1", "H6"):
        position = f"{skyline}/- G1U1P1 {die},P- use 1.1 {edition}"
        state = play(position, f"build {die}")
        assert Column(column) in state.skylines[0]
        assert len(state.skylines[0]) == (0 if skyline == "-" else skyline.count(",") + 1) + 1


@pytest.mark.parametrize("die", ["Ul", "Um", "Uh", "Pm", "Ph"])
def test_upper_floor_and_penthouse_start_no_building(die: str) -> None:
    with pytest.raises(IllegalActionError, match="ground floor"):
        play(f"- G1U1P1 {die} use 1.1", f"build {die}")


@pytest.mark.parametrize("column", [column.value for column in Column])
@pytest.mark.parametrize("die", ["Gl", "Gm", "Gh"])
def test_ground_floor_goes_on_no_column(column: str, die: str) -> None:
    assert built(column, die) is None


def test_colour_of_die_and_building_must_agree() -> None:
    from skyline_kernel.skyline.columns import GROWTH

    for column in Column:
        for die in Die:
            if die.is_rolled and die.kind != "G" and die.style != column.style:
                assert (column, die) not in GROWTH


@pytest.mark.parametrize("die", ["U-", "P-", "G-"])
def test_blank_is_built_nowhere(die: str) -> None:
    from skyline_kernel.skyline.columns import GROWTH, STARTS

    assert Die(die) not in STARTS
    assert all((column, Die(die)) not in GROWTH for column in Column)


@pytest.mark.parametrize(
    ("column", "die", "result"),
    [
        ("l1", "Ul", "L2"),
        ("l1", "Pl", None),
        ("m1", "Um", "m2"),
        ("m2", "Um", "m3"),
        ("m3", "Um", None),
        ("m1", "Pm", "M2"),
        ("m2", "Pm", "M3"),
        ("m3", "Pm", "M4"),
        ("h1", "Uh", "h2"),
        ("h2", "Uh", "h3"),
        ("h3", "Uh", "h4"),
        ("h4", "Uh", "h5"),
        ("h5", "Uh", None),
        ("h1", "Ph", None),
        ("h2", "Ph", "H3"),
        ("h3", "Ph", "H4"),
        ("h4", "Ph", "H5"),
        ("h5", "Ph", "H6"),
    ],
)
def test_heights_low_1_to_2_mid_2_to_4_high_3_to_6(
    column: str, die: str, result: str | None
) -> None:
    assert built(column, die) == result


def test_no_penthouse_on_a_high_rise_with_one_floor() -> None:
    with pytest.raises(IllegalActionError, match="does not fit"):
        play("h1 G1U1P1 Ph use 1.1", "build Ph@h1")


@pytest.mark.parametrize("column", [column.value for column in Column if column.is_finished])
def test_a_finished_building_is_never_extended(column: str) -> None:
    for die in ("Ul", "Um", "Uh", "Pl", "Pm", "Ph"):
        assert built(column, die) is None


def test_low_rise_is_finished_by_its_upper_floor_without_penthouse() -> None:
    assert after("l1 G1U1P1 Ul,P- use 1.1", "build Ul@l1").split()[0] == "L2"


def test_mid_rise_and_high_rise_may_be_finished_early() -> None:
    assert after("h4,h2,m3,m1 G1U1P1 Ph,Pm use 1.1", "build Ph@h2", "build Pm@m1").split()[0] == (
        "h4,m3,H3,M2"
    )


def test_the_number_of_buildings_has_no_limit() -> None:
    many = ",".join(["l1"] * 30)
    assert after(f"{many} G1U1P1 Gl,P- use 1.1", "build Gl").split()[0] == f"{many},l1"


def test_a_die_names_the_column_that_it_goes_on() -> None:
    assert legal_of("m2,m1 G1U1P1 Um use 1.1", "build") == ["build Um@m2", "build Um@m1"]
    assert after("m2,m1/- G1U1P1 Um use 1.1", "build Um@m1").split()[0] == "m2,m2/-"


def test_a_built_die_is_no_longer_active() -> None:
    assert after("m1 G1U1P1 Um,Gl use 1.1", "build Um@m1").split()[2] == "Gl"


# --- the supply -------------------------------------------------------------------------------


@both_editions
def test_supply_never_runs_out_by_default(edition: str) -> None:
    columns = ",".join(["h5"] * 40)
    state = at(f"{columns} G99U99P99 - take 1.1 {edition}")
    assert yard(state) is None
    assert len(legal(state)) == 11


def test_box_holds_25_ground_28_upper_and_7_penthouse_dice() -> None:
    assert yard(at("-/- G1U1P1 - take 1.1 online+box")) == (24, 27, 6)


def test_box_set_up_takes_the_first_ground_floors_from_the_box() -> None:
    assert yard(new_game(2, parse_rules("printed+box"))) == (22, 27, 6)
    assert yard(new_game(4, parse_rules("printed+box"))) == (21, 27, 6)


def test_box_dice_in_columns_district_and_hand_are_not_in_the_yard() -> None:
    assert yard(at("h3,m2/l1 G2U3P1 G?,P? roll 1.1 online+box")) == (19, 22, 5)


def test_box_dice_of_a_finished_building_go_back_to_the_yard() -> None:
    before = at("h5 G1U1P1 Ph,Gl use 1.1 online+box")
    assert yard(before) == (22, 23, 5)
    assert yard(play(before, "build Ph@h5")) == (23, 27, 6)


def test_box_a_kind_that_is_out_cannot_be_taken() -> None:
    position = "- G1U1P7 - take 1.1 online+box"
    assert legal(position) == ["take GGG", "take GGU", "take GUU", "take UUU", "take district"]
    with pytest.raises(IllegalActionError, match="P0"):
        play(position, "take GUP")


def test_box_a_kind_that_is_short_is_taken_as_far_as_it_goes() -> None:
    actions = legal("- G1U1P5 - take 1.1 online+box")
    assert "take UPP" in actions
    assert "take PPP" not in actions


def test_box_a_kind_that_is_out_is_left_out_of_a_refill() -> None:
    # All seven penthouses are taken with the district, so none is left to refill it.
    state = play("- G2U1P7 - take 1.1 online+box", "take district")
    assert state.district == (1, 1, 0)
    assert yard(state) == (22, 26, 0)


def test_box_refill_comes_after_taking_so_the_dice_in_hand_are_not_in_the_yard() -> None:
    state = play("- G25U28P7 - take 1.1 online+box", "take district")
    assert state.district == (0, 0, 0)
    assert yard(state) == (0, 0, 0)


ALL_FLOORS = ",".join(["h5"] * 7 + ["l1"] * 18)
"""25 ground floors and 28 upper floors: all that the box holds."""


@both_editions
def test_box_refill_with_what_is_left_when_two_kinds_are_out(edition: str) -> None:
    state = at(f"{ALL_FLOORS}/- G0U0P5 - take 2.2 {edition}+box")
    assert yard(state) == (0, 0, 2)
    assert legal(state) == ["take district"]
    state = play(state, "take district")
    assert (state.district, yard(state)) == ((0, 0, 1), (0, 0, 1))


@both_editions
def test_box_with_nothing_left_refills_nothing_and_play_goes_on(edition: str) -> None:
    state = play(f"{ALL_FLOORS}/- G0U0P7 - take 2.2 {edition}+box", "take district")
    assert (state.district, yard(state)) == ((0, 0, 0), (0, 0, 0))
    state = play(state, "roll=Pm,Pm,Pm,Pm,Pm,Pm,Pm", "abandon Pm", "end")
    assert (state.district, yard(state)) == ((0, 0, 1), (0, 0, 6))
    assert legal(state) == ["take PPP", "take district"]


@both_editions
def test_box_without_a_district_leaves_the_yard_to_take_from(edition: str) -> None:
    state = at(f"{ALL_FLOORS} G0U0P0 - take 2.1 {edition}+box")
    assert legal(state) == ["take PPP"]
    with pytest.raises(IllegalActionError, match="district is empty"):
        play(state, "take district")


def test_box_never_runs_out_before_a_turn_since_penthouses_never_stand() -> None:
    # So a turn can always begin: with an empty district all seven are in the yard.
    for state in (at(f"{ALL_FLOORS} G0U0P0 - take 2.1 online+box"), new_game(4, BOXED)):
        n_floors = sum(c.floors for sky in state.skylines for c in sky if not c.is_finished)
        assert n_floors <= 25 + 28
        assert yard(state)[2] + state.district[2] == 7
        assert "end" not in legal(state)


@both_editions
def test_displayed_points_count_finished_buildings_and_low_rise_ground_floors(
    edition: str,
) -> None:
    state = at(f"h5,m3,l1,l1,H6,M4,L2/- G1U1P1 - take 5.1 {edition}")
    assert [points(skyline) for skyline in state.skylines] == [36 + 16 + 4 + 1 + 1, 0]


# --- dice sets --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind", "weights"),
    [
        ("standard", 0, (3, 2, 1, 0)),
        ("standard", 1, (3, 2, 1, 0)),
        ("standard", 2, (0, 2, 1, 3)),
        ("uniform", 0, (2, 2, 2, 0)),
        ("uniform", 1, (2, 2, 2, 0)),
        ("uniform", 2, (2, 2, 2, 0)),
        ("blank-upper", 0, (3, 2, 1, 0)),
        ("blank-upper", 1, (3, 1, 1, 1)),
        ("blank-upper", 2, (0, 2, 1, 3)),
    ],
)
def test_dice_sets_have_the_faces_of_the_table(
    name: str, kind: int, weights: tuple[int, int, int, int]
) -> None:
    from skyline_kernel.skyline import shipped_dice_set

    assert shipped_dice_set(name).weights[kind] == weights
    assert shipped_dice_set(name).sources[kind]


def test_uniform_low_rise_penthouse_counts_as_blank() -> None:
    for column in ("l1", "m3", "h5", "L2"):
        position = f"{column} G1U1P1 Pl use 1.1 online+uniform"
        assert legal(position) == ["abandon Pl", f"demolish Pl@{column}"]


def test_blank_upper_has_an_upper_floor_that_cannot_be_built() -> None:
    assert legal("h1,m1,l1 G1U1P1 U- use 1.1 online+blank-upper")[0] == "abandon U-"


# --- end of the game --------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["online", "printed", "online+nine", "printed+nine"])
@pytest.mark.parametrize("n_players", [1, 2, 3, 4])
def test_game_ends_after_the_ninth_round(rules: str, n_players: int) -> None:
    skylines = "/".join(["-"] * n_players)
    state = play(f"{skylines} G1U1P1 Gl use 9.{n_players} {rules}", "build Gl")
    assert state.is_over
    assert shown(state).split()[2:5] == ["-", "over", f"9.{n_players}"]
    if n_players > 1:
        earlier = play(f"{skylines} G1U1P1 Gl use 9.1 {rules}", "build Gl")
        assert not earlier.is_over


def test_round_eight_is_not_the_last() -> None:
    assert after("- G1U1P1 Gl use 8.1", "build Gl") == "l1 G1U1P1 - take 9.1"


@both_editions
def test_game_ends_after_the_round_in_which_a_six_storey_building_is_finished(
    edition: str,
) -> None:
    state = play(f"h5/-/- G1U1P1 Ph use 4.1 {edition}", "build Ph@h5")
    assert shown(state) == f"H6/-/- G1U1P1 - take 4.2! {edition}"
    turn = ("take GGG", "roll=Gl,Gl,Gl", "build Gl", "end")
    state = play(state, *turn)
    assert not state.is_over
    state = play(state, *turn)
    assert shown(state) == f"H6/l1/l1 G1U1P1 - over 4.3! {edition}"


def test_six_storeys_by_the_last_seat_end_the_game_at_once() -> None:
    assert after("-/h5 G1U1P1 Ph use 2.2", "build Ph@h5") == "-/H6 G1U1P1 - over 2.2!"


def test_six_storeys_leave_the_rest_of_the_own_turn() -> None:
    state = play("h5 G1U1P1 Gl,Ph use 2.1", "build Ph@h5")
    assert shown(state) == "H6 G1U1P1 Gl more 2.1! online"
    assert "build Gl" in legal(state)


@both_editions
def test_six_storeys_demolished_later_in_the_round_still_end_the_game(edition: str) -> None:
    state = play(f"h5 G1U1P1 Gl,Ph,P- use 2.1 {edition}", "build Ph@h5")
    if edition == "printed":
        state = play(state, "reroll Gl,P-", "roll=Gm,P-")
    state = play(state, "demolish P-@H6", "end")
    assert shown(state) == f"- G1U1P1 - over 2.1! {edition}"


@both_editions
def test_five_storeys_do_not_end_the_game(edition: str) -> None:
    assert after(f"h4 G1U1P1 Ph use 2.1 {edition}", "build Ph@h4") == "H5 G1U1P1 - take 3.1"


@both_editions
def test_an_unfinished_column_of_five_floors_does_not_end_the_game(edition: str) -> None:
    assert after(f"h4 G1U1P1 Uh use 2.1 {edition}", "build Uh@h4") == "h5 G1U1P1 - take 3.1"


@both_editions
def test_option_nine_plays_all_nine_rounds_despite_six_storeys(edition: str) -> None:
    rules = f"{edition}+nine"
    assert after(f"h5 G1U1P1 Ph use 2.1 {rules}", "build Ph@h5") == "H6 G1U1P1 - take 3.1"
    assert after(f"h5 G1U1P1 Ph use 9.1 {rules}", "build Ph@h5") == "H6 G1U1P1 - over 9.1"


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    state = at("H6 G1U1P1 - over 4.1!")
    assert legal(state) == []
    for action in ("take GGG", "roll=Gl", "build Gl", "abandon Gl", "demolish Gl@H6", "end"):
        with pytest.raises(IllegalActionError, match="the game is over"):
            play(state, action)


# --- final scoring ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "score"),
    [("L2", 4), ("M2", 4), ("M3", 9), ("M4", 16), ("H3", 9), ("H4", 16), ("H5", 25), ("H6", 36)],
)
def test_a_finished_building_scores_its_height_squared(column: str, score: int) -> None:
    assert points((Column(column),)) == score


def test_a_lone_low_rise_ground_floor_becomes_a_building_of_height_1() -> None:
    (standing,) = ranking(at("l1 G1U1P1 - over 9.1"))
    assert (standing.points, standing.buildings) == (1, 1)


@pytest.mark.parametrize("column", ["h1", "h2", "h3", "h4", "h5", "m1", "m2", "m3"])
def test_other_unfinished_columns_score_nothing_and_are_no_buildings(column: str) -> None:
    (standing,) = ranking(at(f"{column} G1U1P1 - over 9.1"))
    assert (standing.points, standing.buildings) == (0, 0)


def places(skylines: str) -> list[tuple[int, int]]:
    """Rank skylines and return (place, seat), best first."""
    n_players = skylines.count("/") + 1
    state = at(f"{skylines} G1U1P1 - over 9.{n_players}")
    return [(standing.place, standing.seat) for standing in ranking(state)]


def test_most_points_win() -> None:
    assert places("L2/H6/H3") == [(1, 2), (2, 3), (3, 1)]


def test_a_tie_is_broken_by_more_buildings_height_1_ones_included() -> None:
    assert places("M2/l1,l1,l1,l1") == [(1, 2), (2, 1)]
    assert places("M4/L2,L2,L2,l1,l1,l1,l1") == [(1, 2), (2, 1)]


def test_unfinished_columns_break_no_tie() -> None:
    assert places("h5,m1,L2/L2") == [(1, 1), (1, 2)]


def test_equal_points_and_buildings_share_the_victory() -> None:
    assert places("L2/M2/H6/l1") == [(1, 3), (2, 1), (2, 2), (4, 4)]
    assert places("L2/M2") == [(1, 1), (1, 2)]


def test_no_points_at_all_are_a_shared_victory_too() -> None:
    assert places("-/h5/-") == [(1, 1), (1, 2), (1, 3)]


# --- the log ----------------------------------------------------------------------------------


def test_each_action_leaves_a_record_of_what_it_did() -> None:
    state = at("h5/m1 G1U1P1 Ph use 3.1")
    _, entry = apply(state, parse_action("build Ph@h5"))
    assert entry == LogEntry(
        round=3,
        seat=1,
        action=parse_action("build Ph@h5"),
        points=36,
        finished=Column.FINISHED_HIGH_6,
        ends_turn=True,
        ends_game=False,
    )
    _, entry = apply(at("m1/l1 G1U1P1 Ul use 9.2"), parse_action("build Ul@l1"))
    assert (entry.points, entry.finished, entry.ends_game) == (4, Column.FINISHED_LOW_2, True)
    _, entry = apply(at("m1 G1U1P1 Um,Gl use 9.1"), parse_action("build Um@m1"))
    assert (entry.points, entry.finished, entry.ends_turn) == (0, None, False)
