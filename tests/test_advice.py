"""How advice is ordered and what stands beside each action."""

from fractions import Fraction

import pytest
from tables import at

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import END, format_action, odds_of, parse_action
from skyline_kernel.skyline.advice import (
    TOLERANCE,
    Advice,
    Objective,
    _ranked,
    advise,
    value,
)
from skyline_kernel.skyline.solver.positions import Worth


def actions(advice: Advice):
    return [format_action(ranked.action) for ranked in advice.actions]


def test_best_comes_first_and_losses_grow():
    advice = advise(at("h3,m1,L2/- G1U1P1 Gl,Um,P- use 5.1 online+nine"))
    assert actions(advice)[0] == "build Um@m1" == format_action(advice.best)
    losses = [ranked.loss for ranked in advice.actions]
    assert losses == sorted(losses)
    assert losses[0] == 0
    for ranked in advice.actions:
        assert ranked.loss == pytest.approx(advice.value - ranked.value, abs=1e-12)


def test_equal_actions_stand_in_the_legal_order():
    advice = advise(at("m1,l1,l1 G1U1P1 Gh,Gl,Gl,Gm,Um use 9.1 online+nine"), "turn")
    equal = [
        format_action(ranked.action)
        for ranked in advice.actions
        if ranked.exact == Fraction(991, 128)
    ]
    assert equal[:4] == ["build Gm", "build Gh", "abandon Gm", "abandon Gh"]


def test_actions_as_good_as_the_best_are_all_best():
    advice = advise(at("- G1U1P1 Gm,Gh use 9.1 online"))
    assert actions(advice) == ["build Gm", "build Gh", "abandon Gm", "abandon Gh"]
    assert all(ranked.is_best and ranked.exact == Fraction(1, 2) for ranked in advice.actions)


def test_equal_floats_get_one_value_and_no_loss():
    advice = advise(at("h1 G1U1P1 - take 3.1 online"))
    yard, district = (advice.of(parse_action(a)) for a in ("take GUP", "take district"))
    assert yard.value == district.value
    assert yard.loss == district.loss > TOLERANCE


def test_a_worth_of_nothing_is_a_worth():
    advice = advise(at("- G1U1P1 P- use 9.1 online"))
    assert advice.value == 0
    assert advice.exact == Fraction(0)
    assert advice.exact is not None
    assert [ranked.exact for ranked in advice.actions] == [Fraction(0)]


def test_odds_stand_beside_what_leads_to_a_roll():
    state = at("h3,m1 G1U1P1 Gl,Um,P- more 5.1 online")
    for ranked in advise(state).actions:
        assert ranked.odds == odds_of(state, ranked.action)
    assert advise(state).of(END).odds is None


def test_a_roll_is_worth_its_mean_and_has_odds():
    advice = advise(at("h3,m1 G1U1P1 U?,P? roll 5.1 online"))
    assert actions(advice) == ["roll"]
    assert advice.value == value(advice.state).value
    assert advice.actions[0].odds is not None
    assert 0 < advice.actions[0].odds.build < 1


@pytest.mark.parametrize("objective", [Objective.TURN, "turn"])
def test_an_objective_goes_by_its_name(objective):
    assert advise(at("- G1U1P1 - take 9.1 online"), objective).exact == Fraction(245, 64)


def test_an_unknown_objective_is_refused_with_the_known_ones():
    with pytest.raises(SettingError, match="glory.*score, turn"):
        advise(at("- G1U1P1 - take 9.1 online"), "glory")


def test_an_action_that_is_not_legal_has_no_advice():
    with pytest.raises(KeyError):
        advise(at("- G1U1P1 - take 9.1 online")).of(END)


def test_the_same_question_has_the_same_answer():
    state = at("h3,m1,l1/h2 G2U1P1 Gl,Um,P- more 5.1 online")
    for objective in ("score", "turn", "margin"):
        assert advise(state, objective) == advise(state, objective)


def test_the_limited_box_offers_what_it_holds():
    columns = ",".join(["h5"] * 7)
    advice = advise(at(f"{columns} G1U0P1 - take 5.1 online+box"))
    assert "take GGG" in actions(advice)
    assert not [action for action in actions(advice) if "U" in action]


def test_floats_closer_than_their_error_are_equal_and_others_are_not():
    near, far, odds = 100.0 - TOLERANCE / 2, 100.0 - 3 * TOLERANCE, None
    rated = [
        (parse_action("end"), Worth(far, None), odds),
        (parse_action("abandon Um"), Worth(near, None), odds),
        (parse_action("build Gl"), Worth(100.0, None), odds),
    ]
    ranked = _ranked(rated)
    assert [format_action(r.action) for r in ranked] == ["abandon Um", "build Gl", "end"]
    assert [r.loss > 0 for r in ranked] == [False, False, True]
    assert [r.value for r in ranked] == [100.0, 100.0, far]
