"""The position editor: set any position, any dice, any goal, and read what each action is worth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from skyline_kernel.errors import SettingError
from skyline_kernel.skyline import DiceSet, Rules, State, format_position, parse_position

from .advice_view import OBJECTIVES
from .lab_base import File, LabWidget, word_in
from .lab_items import Item
from .language import Language
from .position_answer import advice_csv, answer_section, remembered
from .position_edits import MOST_ACTIVE, Edited, Remembered, dice_set_toml, edited
from .position_panels import position_section, rules_section
from .solving import start_solving

if TYPE_CHECKING:
    from subprocess import Popen

    from skyline_kernel.skyline.advice import Advice

__all__ = [
    "MOST_ACTIVE",
    "Edited",
    "PositionEditor",
    "Remembered",
    "advice_csv",
    "dice_set_toml",
]

_FIRST: Final = "h3,m1 G1U1P1 Gl,Um,P- use 5.1 online"


class PositionEditor(LabWidget[Edited]):
    """Set a position with its dice and rules, and see what every action is worth.

    Parameters
    ----------
    state : State, optional
        The position to begin with.
    objective : str
        ``score``, ``turn`` or ``margin``.
    language : str, optional
        ``de`` or ``en``; that of the place if left out.
    theme : str
        ``auto``, ``light`` or ``dark``.

    Examples
    --------
    >>> editor = PositionEditor(parse_position("m2 G1U1P1 Gl,P- use 9.1"), objective="turn")
    >>> editor.act("add column", value="h3")
    >>> editor.position
    'h3,m2 G1U1P1 Gl,P- use 9.1 online'
    >>> editor.advice.exact
    Fraction(20, 3)
    """

    def __init__(
        self,
        state: State | None = None,
        *,
        objective: str = OBJECTIVES[0],
        language: str | None = None,
        theme: str = "auto",
    ) -> None:
        if objective not in OBJECTIVES:
            known = ", ".join(OBJECTIVES)
            raise SettingError("objective {name!r}: expected {known}", name=objective, known=known)
        self._solving: Popen[bytes] | None = None
        first = Edited(parse_position(_FIRST) if state is None else state, objective)
        super().__init__(first, language=language, theme=theme)

    @property
    def state(self) -> State:
        """The position as it stands in the editor.

        Raises
        ------
        NotationError
            If it is not sound.
        """
        if (problem := self._state.problem) is not None:
            raise problem
        return self._state.state

    @property
    def position(self) -> str:
        """The position as text, sound or not."""
        return format_position(self._state.state)

    @property
    def objective(self) -> str:
        """What is aimed for: ``score``, ``turn`` or ``margin``."""
        return self._state.objective

    @property
    def dice_set(self) -> DiceSet:
        """The dice in use."""
        return self._state.state.rules.dice_set

    @property
    def advice(self) -> Advice:
        """What each legal action of the position is worth.

        Raises
        ------
        NotationError
            If the position is not sound.
        """
        from skyline_kernel.skyline.advice import advise

        return advise(self.state, self._state.objective)

    def _title(self, lang: Language) -> str:
        return lang.say("Any position")

    def _next(self, state: Edited, command: Mapping[str, Any]) -> Edited:
        do = command.get("do")
        if do in ("solve", "poll"):
            return replace(state, is_solving=self._is_solving(state.state.rules))
        if do == "wait":
            return replace(state, awaited=state.state)
        if do == "remember":
            return replace(state, remembered=remembered(state))
        if do == "set" and command.get("name") == "objective":
            return replace(state, objective=word_in(command, OBJECTIVES))
        if do == "set" and command.get("name") == "position":
            text = str(command.get("value"))
            return replace(state, state=parse_position(text, state.own_dice_sets))
        return replace(state, state=edited(state.state, command))

    def _is_solving(self, rules: Rules) -> bool:
        if self._solving is None and not _has_table(rules):
            self._solving = start_solving(rules)
        if self._solving is not None and self._solving.poll() is not None:
            self._solving = None
        return self._solving is not None

    def _poll(self, state: Edited) -> bool:
        return state.is_solving

    def _sections(self, state: Edited, lang: Language) -> list[Item]:
        return [
            position_section(state, lang),
            answer_section(state, lang),
            rules_section(state, lang),
        ]

    def _file(self, state: Edited, name: str, lang: Language) -> File:
        match name:
            case "actions.csv":
                return File("text/csv", advice_csv(self.advice))
            case "my-dice.toml":
                return File("application/toml", dice_set_toml(state.state.rules.dice_set))
        return super()._file(state, name, lang)


def _has_table(rules: Rules) -> bool:
    from skyline_kernel.skyline.solver.store import has_table

    return has_table(rules.dice_set, nine=rules.nine)
