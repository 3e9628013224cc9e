"""Jupyter widgets to play and study Skyline.

The table is imported at once, the laboratory when it is asked for: a page that only plays stays
as light as it was.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from .table import SkylineTable

if TYPE_CHECKING:
    from .distribution_view import DistributionView
    from .exercise import ExerciseSheet
    from .odds_explorer import OddsExplorer, OddsQuestion
    from .policy_comparison import PolicyComparison
    from .position_editor import PositionEditor
    from .rule_card_desk import RuleCardDesk
    from .worksheets import WorksheetPrinter

__all__ = [
    "DistributionView",
    "ExerciseSheet",
    "OddsExplorer",
    "OddsQuestion",
    "PolicyComparison",
    "PositionEditor",
    "RuleCardDesk",
    "SkylineTable",
    "WorksheetPrinter",
]

_LATER: Final = {
    "DistributionView": "distribution_view",
    "ExerciseSheet": "exercise",
    "OddsExplorer": "odds_explorer",
    "OddsQuestion": "odds_explorer",
    "PolicyComparison": "policy_comparison",
    "PositionEditor": "position_editor",
    "RuleCardDesk": "rule_card_desk",
    "WorksheetPrinter": "worksheets",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
