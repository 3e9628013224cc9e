"""Storms of commands, sensible and not: a table stays sound whatever people do."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)
from playing import assert_sound, do
from skyline_widgets.play import Play, perform, resume, step

from skyline_kernel.errors import KitError
from skyline_kernel.skyline import HUMAN, Kind, Roll, Seat, parse_rules, start_game

WORDS = [
    "abandon",
    "build",
    "cancel",
    "choose",
    "demolish",
    "end",
    "pick",
    "roll",
    "select",
    "take-district",
    "undo",
    "unpick",
    "dance",
]
VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 12),
    st.floats(),
    st.sampled_from(["G", "U", "P", "", "GU", "?"]),
    st.lists(st.integers(0, 3), max_size=3),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
RULES = ["online", "printed", "online+box", "printed+nine", "online+blank-upper", "printed+uniform"]


class Storm(RuleBasedStateMachine):
    """People who press anything at any time, beside a computer player."""

    play: Play

    @initialize(
        rules=st.sampled_from(RULES),
        players=st.lists(st.sampled_from([HUMAN, HUMAN, "builder"]), min_size=1, max_size=4),
        seed=st.integers(0, 2**53 - 1),
    )
    def begin(self, rules: str, players: list[str], seed: int) -> None:
        """Set a game up."""
        seats = [Seat(f"Seat {i}", player) for i, player in enumerate(players)]
        self.play = resume(start_game(seats, parse_rules(rules), seed=seed))

    def attempt(self, word: str, **details: Any) -> bool:
        """Do something; if it is refused, the table must be what it was."""
        before = copy.deepcopy(self.play)
        try:
            after = do(self.play, word, **details)
        except KitError:
            assert self.play == before
            return False
        assert self.play == before, "a table is a value"
        self.play = after
        return True

    @rule(kinds=st.lists(st.sampled_from(list(Kind)), min_size=3, max_size=3))
    def take_and_roll(self, kinds: list[Kind]) -> None:
        """Take three dice and roll them."""
        for kind in kinds:
            self.attempt("pick", kind=kind)
        self.attempt("roll")

    @rule()
    def take_district_and_roll(self) -> None:
        """Take the district and roll it."""
        self.attempt("take district")
        self.attempt("roll")

    @rule(data=st.data())
    def select_some(self, data: st.DataObject) -> None:
        """Select some dice."""
        for thing in self.play.tray:
            self.attempt("select", die=thing.number, on=data.draw(st.booleans()))

    @rule(word=st.sampled_from(["build", "abandon", "demolish", "roll", "end", "undo", "cancel"]))
    def press(self, word: str) -> None:
        """Press a button."""
        self.attempt(word)

    @rule(index=st.integers(0, 5))
    def choose(self, index: int) -> None:
        """Click on a tower."""
        self.attempt("choose", column=index)

    @rule(
        word=st.sampled_from(WORDS),
        details=st.dictionaries(
            st.sampled_from(["kind", "die", "on", "column", "move", "all"]), VALUES, max_size=4
        ),
    )
    def press_anything(self, word: str, details: dict[str, Any]) -> None:
        """Send a command with any details."""
        self.attempt(word.replace("-", " "), **details)

    @rule(command=st.dictionaries(st.sampled_from(["do", "move", "die"]), VALUES, max_size=3))
    def send_anything(self, command: dict[str, Any]) -> None:
        """Send what no page sends."""
        before = self.play
        try:
            self.play = perform(self.play, command)
        except KitError:
            assert self.play == before

    @precondition(lambda self: not self.play.is_over and not self.play.is_persons_turn)
    @rule()
    def computer_moves(self) -> None:
        """Let the computer move."""
        self.play = step(self.play, np.random.default_rng(self.play.game.n_moves))

    @rule()
    def load_again(self) -> None:
        """Load the page again."""
        self.play = resume(self.play.game)

    @invariant()
    def is_sound(self) -> None:
        """Check the table."""
        if not hasattr(self, "play"):
            return
        assert_sound(self.play)

    @invariant()
    def marks_are_of_this_turn(self) -> None:
        """Check that what can be taken back is neither a roll nor before one nor another's."""
        if not hasattr(self, "play") or not self.play.marks:
            return
        open_entries = self.play.game.log[min(self.play.marks) :]
        assert {entry.seat for entry in open_entries} == {self.play.acting_seat}
        assert not any(isinstance(entry.action, Roll) for entry in open_entries)


Storm.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestStorm = pytest.mark.slow(Storm.TestCase)
