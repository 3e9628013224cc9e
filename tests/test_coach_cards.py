"""Rule cards: exact prices, by two other routes, the search, and what is printed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from skyline_kernel.errors import IllegalActionError, SettingError
from skyline_kernel.skyline import (
    END,
    Abandon,
    Action,
    Build,
    Demolish,
    Edition,
    Phase,
    Reroll,
    Rules,
    State,
    Style,
    Take,
    chance_outcomes,
    legal_actions,
    new_game,
    parse_position,
    points,
    random_roll,
    shipped_dice_set,
    successor,
)
from skyline_kernel.skyline.advice import advise, value
from skyline_kernel.skyline.coach import remembered
from skyline_kernel.skyline.coach.cards import card_html, card_lines, card_svg, card_text
from skyline_kernel.skyline.coach.pricing import Way, price, price_function
from skyline_kernel.skyline.coach.remembered import CARDS
from skyline_kernel.skyline.coach.rules import (
    Card,
    FewColumns,
    Finish,
    GiveAway,
    Has,
    LastTurns,
    Line,
    ManyColumns,
    Raise,
    RollAgain,
    Start,
    TakeDice,
)
from skyline_kernel.skyline.coach.search import library, search_cards
from skyline_kernel.skyline.coach.sentences import Sentence
from skyline_kernel.skyline.dice import ONE_OF_EACH, Kind

EXACT = 1e-9
HIGH, MID, LOW = Style.HIGH, Style.MID, Style.LOW
SENSIBLE = Card(
    (
        Line(TakeDice(3, 0, 0), (FewColumns(3),)),
        Line(TakeDice(0, 1, 2), (LastTurns(0), Has(HIGH, 3))),
        Line(TakeDice(0, 2, 1)),
        Line(Finish(HIGH, 4, 5)),
        Line(Finish(HIGH, 3), (LastTurns(0),)),
        Line(Finish(MID, 3)),
        Line(Raise(HIGH)),
        Line(Start(HIGH)),
        Line(RollAgain(), (ManyColumns(5),)),
        Line(Finish(LOW, 2)),
        Line(Raise(MID)),
        Line(Start(MID)),
        Line(GiveAway(Kind.PENTHOUSE)),
    )
)


def by_hand(state: State, lines: tuple[Line, ...] = SENSIBLE.lines) -> Action:
    """The card read line by line, by somebody who knows nothing of arrays."""
    unfinished = [column for column in state.skyline if not column.is_finished]
    turns_left = 0 if state.is_last_round else 9 - state.round
    for line in lines:
        holds = {
            FewColumns: lambda c: len(unfinished) < c.n,
            ManyColumns: lambda c: len(unfinished) >= c.n,
            LastTurns: lambda c: turns_left <= c.n,
            Has: lambda c: any(x.style is c.style and x.floors >= c.floors for x in unfinished),
        }
        if all(holds[type(condition)](condition) for condition in line.conditions):
            found = wanted(line, state)
            if found is not None:
                return found
    if state.phase is Phase.TAKE:
        return Take((Kind.GROUND, Kind.UPPER, Kind.PENTHOUSE))
    return Reroll(state.dice) if state.phase is Phase.MORE else Abandon(state.dice[-1])


def wanted(line: Line, state: State) -> Action | None:
    """The action of a line, if it can be done."""
    legal = list(legal_actions(state))
    builds = [action for action in legal if isinstance(action, Build)]
    by_height = sorted(builds, key=lambda b: -(b.column.floors if b.column else 0))
    match line.do:
        case TakeDice(ground, upper, penthouse):
            kinds = (Kind.GROUND,) * ground + (Kind.UPPER,) * upper + (Kind.PENTHOUSE,) * penthouse
            return Take(kinds) if state.phase is Phase.TAKE else None
        case Finish() | Raise() | Start():
            return next((build for build in by_height if does(line.do, build)), None)
        case RollAgain():
            return Reroll(state.dice) if state.phase is Phase.MORE else None
        case GiveAway(kind):
            given = [die for die in state.dice if die.kind is kind]
            return Abandon(given[-1]) if given and state.phase is Phase.USE else None
    return None


def does(do: Finish | Raise | Start, build: Build) -> bool:
    """Whether a build is what a line asks for."""
    if build.die.style is not do.style:
        return False
    if build.column is None:
        return isinstance(do, Start)
    finishes = build.die.kind is Kind.PENTHOUSE or do.style is LOW
    if isinstance(do, Finish):
        return finishes and do.height <= build.column.floors + 1 <= do.most
    return isinstance(do, Raise) and not finishes


def exact_price(way: Way, state: State) -> Fraction:
    """The expected final score in fractions, position by position, by the rules themselves."""

    @cache
    def worth(state: State) -> Fraction:
        if state.is_over:
            return Fraction(points(state.skyline))
        if state.is_chance:
            return sum(
                (chance * worth(successor(state, roll)) for roll, chance in chance_outcomes(state)),
                Fraction(0),
            )
        after = successor(state, way(state))
        if after.phase is Phase.TAKE:
            after = State(
                after.skylines, ONE_OF_EACH, (), Phase.TAKE, None, after.round, 1,
                after.is_last_round, after.rules,
            )  # fmt: skip
        return worth(after)

    return worth(state)


@pytest.mark.parametrize(
    "position",
    [
        "h4,m2 G1U1P1 - take 9.1 online",
        "h4,m2,l1 G1U1P1 - take 9.1 printed",
        "- G1U1P1 - take 8.1 online",
        "h5 G1U1P1 - take 8.1 online",
        "h5 G1U1P1 - take 8.1 online+nine",
    ],
)
def test_the_price_is_that_of_a_brute_force_in_fractions(position: str) -> None:
    state = parse_position(position)
    expected = float(exact_price(by_hand, state))
    got = price(SENSIBLE, state)
    assert got.expected == pytest.approx(expected, abs=EXACT)
    assert price_function(by_hand, state).expected == pytest.approx(expected, abs=EXACT)
    assert got.best == pytest.approx(value(state).value, abs=EXACT)
    assert got.cost >= 0


def test_best_play_costs_nothing() -> None:
    state = parse_position("h3,m2 G1U1P1 - take 9.1 online")

    def best(state: State) -> Action:
        found = advise(state).best
        assert found is not None
        return found

    assert price_function(best, state).cost == pytest.approx(0, abs=EXACT)


def test_demolishing_costs_what_stood_there() -> None:
    def wrecker(state: State) -> Action:
        legal = legal_actions(state)
        return next((one for one in legal if isinstance(one, Demolish)), legal[-1])

    state = parse_position("l1,l1 G1U1P1 - take 9.1 online")
    assert price_function(wrecker, state).expected == pytest.approx(
        float(exact_price(wrecker, state)), abs=EXACT
    )


@pytest.mark.slow
def test_the_price_of_a_whole_game_is_the_mean_of_simulated_games() -> None:
    told = price(SENSIBLE)
    rng = np.random.default_rng(7)
    scores = []
    for _ in range(300):
        state = new_game()
        while not state.is_over:
            action: Action = random_roll(state, rng) if state.is_chance else by_hand(state)
            state = successor(state, action)
        scores.append(points(state.skyline))
    error = np.std(scores) / len(scores) ** 0.5
    assert told.expected == pytest.approx(np.mean(scores), abs=4 * error)
    assert told.best == pytest.approx(value(new_game()).value, abs=EXACT)


def test_an_action_against_the_rules_is_refused() -> None:
    def cheat(state: State) -> Action:
        return END

    with pytest.raises(IllegalActionError):
        price_function(cheat)
    with pytest.raises(SettingError, match="phase take"):
        price(SENSIBLE, parse_position("h1 G1U1P1 Gl use 9.1 online"))


def test_a_function_sees_only_the_practice_position() -> None:
    seen: list[State] = []

    def look(state: State) -> Action:
        seen.append(state)
        return legal_actions(state)[0]

    price_function(look, parse_position("m2,H6/h1 G3U1P1 - take 9.1 online+box"))
    for state in seen:
        assert state.n_players == 1
        assert state.district == ONE_OF_EACH
        assert not any(column.is_finished for column in state.skyline)


# --- the search -------------------------------------------------------------------------------


def test_the_search_finds_ever_cheaper_cards_and_prices_them_exactly() -> None:
    state = parse_position("h3,m2 G1U1P1 - take 9.1 online")
    n_priced = 0

    def count(more: int) -> None:
        nonlocal n_priced
        n_priced += more

    some = [line for line in library() if line.complexity == 1]
    curve = search_cards(state, most=3, lines=some, progress=count)
    costs = [one.price.cost for one in curve]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0] / 2
    assert [one.card.complexity for one in curve] == sorted({c.card.complexity for c in curve})
    assert curve[0].card == Card(())
    for one in curve:
        assert one.price == price(one.card, state)
    assert n_priced > len(some)
    assert search_cards(state, most=3, lines=some) == curve


def test_the_first_step_of_the_search_is_the_cheapest_single_line() -> None:
    state = parse_position("h3,m2 G1U1P1 - take 9.1 online")
    curve = search_cards(state, most=1)
    singles = [price(Card((line,)), state).cost for line in library() if not line.conditions]
    assert curve[-1].price.cost == min(singles)


def test_a_long_card_is_made_shorter() -> None:
    state = parse_position("h3,m2 G1U1P1 - take 9.1 online")
    curve = search_cards(state, starts=[SENSIBLE], lines=())
    assert curve[-1].price.cost <= price(SENSIBLE, state).cost
    for one in curve:
        assert set(one.card.lines) <= set(SENSIBLE.lines)


def test_the_search_works_with_other_dice() -> None:
    rules = Rules(Edition.PRINTED, nine=True, dice_set=shipped_dice_set("standard"))
    state = parse_position("h3 G1U1P1 - take 9.1 printed+nine")
    assert state.rules == rules
    assert search_cards(state, most=2)[-1].price.cost >= 0


def test_the_cards_to_remember_cost_less_the_longer_they_are() -> None:
    told = {card.complexity: round(price(card).cost, 1) for card in CARDS}
    assert told == {3: 50.6, 5: 42.9, 10: 24.2, 12: 16.3, 13: 13.5}
    lines = remembered.__doc__ or ""
    for complexity, cost in told.items():
        assert f"\n{complexity:<12} {cost}\n" in lines


# --- what is printed --------------------------------------------------------------------------


def shouting(sentence: Sentence) -> str:
    """Another language."""
    fields = {name: say(value) for name, value in sentence.fields.items()}
    return sentence.template.upper().replace("{", "<").replace("}", ">") + repr(sorted(fields))


def say(value: object) -> str:
    """A field in another language."""
    return shouting(value) if isinstance(value, Sentence) else str(value)


@pytest.mark.parametrize("form", [card_text, card_html, card_svg])
def test_cards_are_printed_with_every_line_and_the_price(form: Callable[..., str]) -> None:
    told = price(SENSIBLE, parse_position("h3,m2 G1U1P1 - take 9.1 online"))
    printed = form(SENSIBLE, told)
    flat = " ".join(printed.split())
    assert f"{told.cost:.2f} more" in flat or "more" in flat
    assert "Nothing fits?" in flat
    assert len(card_lines(SENSIBLE)) == len(SENSIBLE.lines)
    if form is not card_text:
        ET.fromstring(printed)
        assert "script" not in printed
    else:
        for number, line in enumerate(card_lines(SENSIBLE), start=1):
            assert f"{number}. {str(line)[:1].upper()}{str(line)[1:]}\n" in printed
    assert "EXPECTED FINAL SCORE" in form(SENSIBLE, told, say=shouting)


def test_the_complexity_counts_actions_and_conditions() -> None:
    assert Card(()).complexity == 0
    assert SENSIBLE.complexity == 13 + 5
    words = str(SENSIBLE.lines[1].words)
    assert words.startswith(
        "if this is your last turn and you have an unfinished high-rise of 3 floors or more: take"
    )
