"""Rule cards: exact prices, by two other routes, the search, and what is printed."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skyline_kernel.errors import IllegalActionError, NotationError, SettingError
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
from skyline_kernel.skyline.coach.card_notation import (
    format_card,
    format_line,
    parse_card,
    parse_line,
)
from skyline_kernel.skyline.coach.cards import card_html, card_lines, card_svg, card_text
from skyline_kernel.skyline.coach.chain import Chosen, View
from skyline_kernel.skyline.coach.costs import cost_by_line
from skyline_kernel.skyline.coach.find_cards import FIRST_CARDS, as_python, main
from skyline_kernel.skyline.coach.pricing import Way, price, price_below, price_function
from skyline_kernel.skyline.coach.remembered import CARDS, COSTS
from skyline_kernel.skyline.coach.rules import (
    BuildAny,
    Card,
    FewColumns,
    FewReady,
    Finish,
    GiveAway,
    Has,
    Lacks,
    LastTurns,
    Line,
    ManyColumns,
    ManyReady,
    Raise,
    RollAgain,
    RollUnfit,
    Start,
    TakeDice,
    TakeForReady,
    TurnsLeft,
)
from skyline_kernel.skyline.coach.search import PricedCard, curve_of, search_cards, shorter_cards
from skyline_kernel.skyline.coach.sentences import Sentence
from skyline_kernel.skyline.coach.vocabulary import conditions, library
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


CLEVER = Card(
    (
        Line(TakeDice(3, 0, 0), (TurnsLeft(8),)),
        Line(TakeForReady(3), (LastTurns(0), ManyReady(2, 3))),
        Line(TakeForReady(4, 5), (FewReady(3),)),
        Line(RollUnfit(5)),
        Line(Finish(None, 4, 5)),
        Line(Finish(HIGH, 3), (Lacks(MID),)),
        Line(Raise(None, 4), (Lacks(LOW, 2),)),
        Line(Start(MID)),
        Line(Finish(LOW, 2), (LastTurns(0),)),
        Line(BuildAny()),
    )
)


def by_hand(state: State, lines: tuple[Line, ...] = SENSIBLE.lines) -> Action:
    """The card read line by line, by somebody who knows nothing of arrays."""
    for number, line in enumerate(lines):
        if all(is_met(condition, state) for condition in line.conditions):
            found = wanted(line, state, lines[number + 1 :])
            if found is not None:
                return found
    if state.phase is Phase.TAKE:
        return Take((Kind.GROUND, Kind.UPPER, Kind.PENTHOUSE))
    return Reroll(state.dice) if state.phase is Phase.MORE else Abandon(state.dice[-1])


def is_met(condition: Any, state: State) -> bool:
    """Whether a condition holds."""
    unfinished = [column for column in state.skyline if not column.is_finished]
    styles = [column.style for column in unfinished]
    turns_left = 0 if state.is_last_round else 9 - state.round
    match condition:
        case FewColumns(n):
            return len(unfinished) < n
        case ManyColumns(n):
            return len(unfinished) >= n
        case LastTurns(n):
            return turns_left <= n
        case TurnsLeft(n):
            return turns_left >= n
        case Lacks(style, n):
            return styles.count(style) < n
        case Has(style, floors):
            return any(x.style is style and x.floors >= floors for x in unfinished)
        case ManyReady(n, height):
            return n_ready(state, height) >= n
        case FewReady(n, height):
            return n_ready(state, height) < n
    raise AssertionError(condition)


def n_ready(state: State, height: int) -> int:
    """How many buildings a penthouse would finish so high."""
    unfinished = [column for column in state.skyline if not column.is_finished]
    return sum(
        (x.style is MID and x.floors + 1 >= height)
        or (x.style is HIGH and x.floors > 1 and x.floors + 1 >= height)
        for x in unfinished
    )


def wanted(line: Line, state: State, below: tuple[Line, ...]) -> Action | None:
    """The action of a line, if it can be done."""
    legal = list(legal_actions(state))
    builds = [action for action in legal if isinstance(action, Build)]
    by_height = sorted(builds, key=lambda b: -(b.column.floors if b.column else 0))
    match line.do:
        case TakeDice(ground, upper, penthouse):
            return taken(state, ground, upper, penthouse)
        case TakeForReady(height, n_columns):
            penthouse = min(n_ready(state, height), 3)
            unfinished = sum(not column.is_finished for column in state.skyline)
            ground = min(max(n_columns - unfinished, 0), 3 - penthouse)
            return taken(state, ground, 3 - ground - penthouse, penthouse)
        case Finish() | Raise() | Start():
            return next((build for build in by_height if does(line.do, build)), None)
        case BuildAny():
            return any_build(builds) if state.phase is Phase.USE and builds else None
        case RollAgain():
            return Reroll(state.dice) if state.phase is Phase.MORE else None
        case RollUnfit(n):
            good = {build.die for one in below[:n] for build in uses(one, state)}
            unfit = tuple(die for die in state.dice if die not in good)
            return Reroll(unfit) if unfit and state.phase is Phase.MORE else None
        case GiveAway(kind):
            given = [die for die in state.dice if die.kind is kind]
            return Abandon(given[-1]) if given and state.phase is Phase.USE else None
    raise AssertionError(line)


def taken(state: State, ground: int, upper: int, penthouse: int) -> Action | None:
    """Dice of the yard."""
    kinds = (Kind.GROUND,) * ground + (Kind.UPPER,) * upper + (Kind.PENTHOUSE,) * penthouse
    return Take(kinds) if state.phase is Phase.TAKE else None


def any_build(builds: list[Build]) -> Build:
    """Ground floors before upper floors before penthouses, the highest result first."""
    styles = {HIGH: 0, MID: 1, LOW: 2}
    return min(
        builds,
        key=lambda b: (
            list(Kind).index(b.die.kind),
            styles[b.die.style or LOW],
            -(b.column.floors if b.column else 0),
        ),
    )


def uses(line: Line, state: State) -> list[Build]:
    """The builds of a line with any of the dice."""
    if not all(is_met(condition, state) for condition in line.conditions):
        return []
    builds = [action for action in legal_actions(state) if isinstance(action, Build)]
    is_build = isinstance(line.do, Finish | Raise | Start)
    return [build for build in builds if is_build and does(line.do, build)]


def does(do: Any, build: Build) -> bool:
    """Whether a build is what a line asks for."""
    style = build.die.style
    if style is not do.style and (do.style is not None or style is LOW):
        return False
    if build.column is None:
        return isinstance(do, Start)
    finishes = build.die.kind is Kind.PENTHOUSE or style is LOW
    if isinstance(do, Finish):
        return finishes and do.height <= build.column.floors + 1 <= do.most
    return isinstance(do, Raise) and not finishes and build.column.floors + 1 <= do.most


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
@pytest.mark.parametrize("card", [SENSIBLE, CLEVER])
def test_the_price_is_that_of_a_brute_force_in_fractions(card: Card, position: str) -> None:
    def read(state: State) -> Action:
        return by_hand(state, card.lines)

    state = parse_position(position)
    expected = float(exact_price(read, state))
    got = price(card, state)
    assert got.expected == pytest.approx(expected, abs=EXACT)
    assert price_function(read, state).expected == pytest.approx(expected, abs=EXACT)
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
@pytest.mark.parametrize("card", [SENSIBLE, CARDS[-1]])
def test_the_price_of_a_whole_game_is_the_mean_of_simulated_games(card: Card) -> None:
    told = price(card)
    rng = np.random.default_rng(7)
    scores = []
    for _ in range(300):
        state = new_game()
        while not state.is_over:
            if state.is_chance:
                action: Action = random_roll(state, rng)
            else:
                action = by_hand(state, card.lines)
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


def test_pricing_stops_when_the_limit_is_sure_to_be_passed() -> None:
    state = parse_position("h3,m2 G1U1P1 - take 7.1 online")
    told = price(CLEVER, state)
    assert price_below(CLEVER, told.cost + EXACT, state) == pytest.approx(told, abs=EXACT)
    assert price_below(CLEVER, told.cost, state) is None
    seen: list[int] = []

    class Slow:
        """Counts the turns that it is asked about."""

        def decide(self, view: View) -> Iterator[Chosen]:
            """Do as the worst card does."""
            seen.append(view.turns_left)
            yield from Card(()).decide(view)

    assert price_below(Slow(), 0.5, state) is None
    assert set(seen) == {2}


def test_somebody_writes_conditions_and_deeds_of_their_own() -> None:
    class EvenRound:
        """A condition in three lines."""

        words = parse_line("LastTurns 0: Start m").words

        def holds(self, view: View) -> Any:
            """Hold in rounds 2, 4, 6 and 8."""
            return np.full(len(view.keys), view.turns_left % 2 == 1)

    state = parse_position("h3,m2 G1U1P1 - take 8.1 online")
    own = Card((Line(TakeDice(0, 3, 0), (EvenRound(),)), *CLEVER.lines))
    known = Card((Line(TakeDice(0, 3, 0), (TurnsLeft(1),)), *CLEVER.lines))
    assert price(own, state) == price(known, state)
    with pytest.raises(NotationError, match="EvenRound"):
        format_card(own)


# --- the price line by line -------------------------------------------------------------------


@pytest.mark.parametrize("position", ["h5,m2 G1U1P1 - take 8.1", "h3 G1U1P1 - take 8.1 printed"])
def test_the_costs_of_the_lines_add_up_to_the_price(position: str) -> None:
    state = parse_position(position)
    costs = cost_by_line(CLEVER, state)
    assert [one.line for one in costs] == list(range(len(CLEVER.lines) + 1))
    assert sum(one.cost for one in costs) == pytest.approx(price(CLEVER, state).cost, abs=EXACT)
    for one in costs:
        assert one.cost >= -EXACT
        assert one.n_decisions >= 0
        assert (one.slip is None) == (one.cost < EXACT)


def test_a_slip_is_a_loss_that_advice_confirms() -> None:
    costs = cost_by_line(CLEVER, parse_position("h5,m2 G1U1P1 - take 8.1 online"))
    slips = [one.slip for one in costs if one.slip is not None]
    assert slips
    for slip in slips:
        advice = advise(slip.state)
        assert by_hand(slip.state, CLEVER.lines) == slip.action
        assert advice.of(slip.action).loss == pytest.approx(slip.loss, abs=EXACT)
        assert advice.of(slip.better).is_best
        assert 0 < slip.chance <= 1


# --- cards as text ----------------------------------------------------------------------------


@pytest.mark.parametrize("card", [SENSIBLE, CLEVER, *CARDS, Card(())])
def test_cards_are_written_and_read(card: Card) -> None:
    assert parse_card(format_card(card)) == card


def test_every_word_is_written_and_read() -> None:
    for line in library():
        assert parse_line(format_line(line)) == line
    for condition in conditions():
        line = Line(BuildAny(), (condition,))
        assert parse_line(format_line(line)) == line


@pytest.mark.parametrize(
    "text",
    ["Nonsense 1", "TakeDice 1", "TakeDice x 0 0", "LastTurns 1: ", "Has any 1: Start m", "Start"],
)
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_card(text)


@pytest.mark.parametrize("counts", ["9 9 9", "1 1 0", "0 0 4"])
def test_a_card_takes_three_dice_of_the_yard(counts: str) -> None:
    with pytest.raises(SettingError, match="expected 3"):
        parse_card(f"TakeDice {counts}")


# --- the search -------------------------------------------------------------------------------

EARLY = parse_position("h3,m2 G1U1P1 - take 9.1 online")


def test_the_search_finds_ever_cheaper_cards_and_prices_them_exactly() -> None:
    n_priced = 0

    def count(more: int) -> None:
        nonlocal n_priced
        n_priced += more

    curve = search_cards(EARLY, seed=3, n_prices=150, most=8, progress=count)
    costs = [one.price.cost for one in curve]
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0] / 2
    assert [one.card.complexity for one in curve] == sorted({c.card.complexity for c in curve})
    assert curve[0].card == Card(())
    assert max(one.card.complexity for one in curve) <= 8
    for one in curve:
        assert one.price == pytest.approx(price(one.card, EARLY), abs=EXACT)
    assert n_priced == 150
    assert search_cards(EARLY, seed=3, n_prices=150, most=8) == curve


def test_the_search_does_not_lose_what_it_begins_with() -> None:
    curve = search_cards(EARLY, seed=1, n_prices=40, most=30, starts=[SENSIBLE, CLEVER])
    best = min(price(SENSIBLE, EARLY).cost, price(CLEVER, EARLY).cost)
    assert curve[-1].price.cost <= best + EXACT


def test_a_long_card_is_made_shorter() -> None:
    assert shorter_cards(CLEVER, 99) == [CLEVER]
    short = shorter_cards(CLEVER, 7)
    assert short[0].lines == CLEVER.lines[: len(short[0].lines)]
    assert [one.complexity for one in short] == sorted((c.complexity for c in short), reverse=True)
    assert short[0].complexity <= 7


def test_the_curve_leaves_out_what_a_simpler_card_undercuts() -> None:
    cards = [parse_card("Start m"), parse_card("Start m\nStart l\nStart h"), CLEVER]
    priced = [PricedCard(card, price(card, EARLY)) for card in cards]
    worse = PricedCard(CLEVER, priced[0].price)
    assert curve_of([worse, *priced[::-1]])[-1] == priced[-1]


def test_the_search_works_with_other_dice() -> None:
    rules = Rules(Edition.PRINTED, nine=True, dice_set=shipped_dice_set("standard"))
    state = parse_position("h3 G1U1P1 - take 9.1 printed+nine")
    assert state.rules == rules
    assert search_cards(state, seed=1, n_prices=30)[-1].price.cost >= 0


def test_the_command_prints_the_curve(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "2", "--prices", "6", "--most", "3"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("# 0 words, ")
    assert "points behind best play" in printed


# --- the shipped cards ------------------------------------------------------------------------


def test_the_cards_to_remember_cost_what_is_said() -> None:
    assert len(CARDS) == len(COSTS)
    told = [(card.complexity, price(card).cost) for card in CARDS]
    assert [cost for _, cost in told] == pytest.approx(COSTS, abs=1e-6)
    assert [n for n, _ in told] == sorted({n for n, _ in told})
    assert list(COSTS) == sorted(COSTS, reverse=True)
    lines = remembered.__doc__ or ""
    for complexity, cost in told:
        assert f"\n{complexity:<11}  {cost:.1f}\n" in lines
    assert min(COSTS) < 10


def test_the_guide_tells_the_same_curve() -> None:
    guide = Path(__file__).resolve().parents[1] / "docs" / "guide" / "rule_cards.md"
    text = guide.read_text(encoding="utf-8")
    for card, cost in zip(CARDS, COSTS, strict=True):
        assert f"| {card.complexity} | {len(card.lines)} | {cost:.2f} |" in text
    nine = next(card for card in CARDS if len(card.lines) == 9)
    flat = " ".join(text.split())
    for number, line in enumerate(card_lines(nine), start=1):
        assert f"{number}. {str(line)[:1].upper()}{str(line)[1:]}" in flat


def test_the_module_of_cards_is_what_the_command_writes() -> None:
    curve = [PricedCard(card, price(card)) for card in CARDS]
    assert Path(remembered.__file__).read_text(encoding="utf-8") == as_python(curve)
    assert [parse_card(text).complexity for text in FIRST_CARDS]


@pytest.mark.parametrize("card", CARDS)
def test_the_price_of_each_card_is_that_of_a_brute_force_in_the_last_turn(card: Card) -> None:
    def read(state: State) -> Action:
        return by_hand(state, card.lines)

    state = parse_position("h4,m3,m1,l1 G1U1P1 - take 9.1 online")
    expected = float(exact_price(read, state))
    assert price(card, state).expected == pytest.approx(expected, abs=EXACT)


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
