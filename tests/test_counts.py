"""Counts of the game tree: chance, decision and final positions to a depth, on small variants.

``counts.txt`` holds one case a line: dice, depth, position and the three counts, the first
position included.  A position that is reached in two ways counts twice.  The numbers come from
the naive table: ``python tests/test_counts.py`` computes them anew.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import naive
import pytest
from tables import at

from skyline_kernel.skyline import (
    DiceSet,
    State,
    format_action,
    legal_actions,
    parse_action,
    shipped_dice_set,
    successor,
)

COUNTS = Path(__file__).parent / "counts.txt"
TO_THE_END = 99

OWN_SETS = {
    "coins": ((1, 1, 0, 0), (1, 0, 1, 0), (0, 0, 1, 1)),
    "towers": ((0, 0, 1, 0), (0, 0, 1, 0), (0, 0, 1, 0)),
    "blanks": ((0, 0, 0, 1), (0, 0, 0, 1), (0, 0, 0, 1)),
    "two-mids": ((0, 1, 0, 0), (1, 2, 0, 0), (0, 1, 0, 2)),
}

Nodes = tuple[int, int, int]


class Case(NamedTuple):
    """A position whose tree is counted to a depth."""

    position: str
    depth: int
    expected: Nodes

    @property
    def dice_set(self) -> str:
        """Name of the dice set of the position."""
        return (
            [w for w in self.position.split()[5].split("+")[1:] if w not in ("nine", "box")]
            or ["standard"]
        )[0]


def add(*counts: Nodes) -> Nodes:
    """Add counts kind by kind."""
    chance, decision, final = map(sum, zip(*counts, strict=True))
    return chance, decision, final


def own_node(phase: str) -> Nodes:
    """Count one position by its phase."""
    return phase == "roll", phase not in ("roll", "over"), phase == "over"


# --- by the naive table -----------------------------------------------------------------------


def naive_faces(name: str) -> dict[str, tuple[int, ...]]:
    """Return the sides of a dice set as the naive table knows them."""
    if name in naive.DICE_SETS:
        return naive.DICE_SETS[name]
    return dict(zip("GUP", OWN_SETS[name], strict=True))


def naive_counts(name: str) -> Callable[[str, int], Nodes]:
    """Return a counter of positions with a dice set."""
    faces = naive_faces(name)

    @cache
    def count(position: str, depth: int) -> Nodes:
        table = naive.Table.read(position, faces)
        total = own_node(table.phase)
        if depth:
            for action in table.legal():
                total = add(total, count(naive_after(position, action, name), depth - 1))
        return total

    return count


def naive_after(position: str, action: str, name: str) -> str:
    """Play one action on the naive table."""
    table = naive.Table.read(position, naive_faces(name))
    table.act(action)
    return table.position()


# --- by the kernel ----------------------------------------------------------------------------


def kernel_counts() -> Callable[[State, int], Nodes]:
    """Return a counter of states."""

    @cache
    def count(state: State, depth: int) -> Nodes:
        total = own_node(state.phase)
        if depth:
            for action in legal_actions(state):
                total = add(total, count(successor(state, action), depth - 1))
        return total

    return count


# --- comparison -------------------------------------------------------------------------------


def read_cases() -> list[Case]:
    """Read the file of counts."""
    cases = []
    for line in COUNTS.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            position, depth, numbers = (part.strip() for part in line.split("|"))
            chance, decision, final = map(int, numbers.split())
            cases.append(Case(position, int(depth), (chance, decision, final)))
    return cases


def first_state(case: Case) -> State:
    """Read the position of a case."""
    name = case.dice_set
    own = [DiceSet(name, OWN_SETS[name])] if name in OWN_SETS else [shipped_dice_set(name)]
    return at(case.position, *own)


def by_first_action(case: Case) -> str:
    """Write the counts of both sides under each first action, those that differ marked."""
    state, count, slow = first_state(case), kernel_counts(), naive_counts(case.dice_set)
    fast = {
        format_action(a): count(successor(state, a), case.depth - 1) for a in legal_actions(state)
    }
    table = naive.Table.read(case.position, naive_faces(case.dice_set))
    expected = {
        action: slow(naive_after(case.position, action, case.dice_set), case.depth - 1)
        for action in table.legal()
    }
    return "\n".join(
        f"{'  ' if fast.get(a) == expected.get(a) else '! '}{a}: {fast.get(a)}, "
        f"expected {expected.get(a)}"
        for a in sorted({*fast, *expected})
    )


@pytest.mark.parametrize("case", read_cases() if COUNTS.exists() else [], ids=lambda c: str(c[:2]))
def test_the_tree_has_as_many_nodes_as_the_naive_table_counts(case: Case) -> None:
    counted = kernel_counts()(first_state(case), case.depth)
    if counted != case.expected:
        pytest.fail(f"{counted}, expected {case.expected}\n{by_first_action(case)}")


def test_the_counts_under_each_first_action_sum_to_the_whole() -> None:
    case = min(read_cases(), key=lambda c: sum(c.expected))
    state = first_state(case)
    under = [kernel_counts()(successor(state, a), case.depth - 1) for a in legal_actions(state)]
    assert add(own_node(state.phase), *under) == case.expected
    assert "!" not in by_first_action(case)


def test_actions_are_read_back_on_the_way_through_a_tree() -> None:
    seen = 0

    def walk(state: State, depth: int) -> None:
        nonlocal seen
        for action in legal_actions(state) if depth else ():
            assert parse_action(format_action(action)) == action
            seen += 1
            walk(successor(state, action), depth - 1)

    walk(at("h2,l1 G1U1P1 - take 9.1 printed+towers", DiceSet("towers", OWN_SETS["towers"])), 5)
    assert seen > 500


# --- regeneration -----------------------------------------------------------------------------

POSITIONS = (
    ("h1 G1U1P1 - take 1.1 online", 4),
    ("h1 G1U1P1 - take 1.1 printed", 4),
    ("h1 G1U1P1 - take 9.1 online", TO_THE_END),
    ("h1 G1U1P1 - take 9.1 printed", TO_THE_END),
    ("h5 G1U1P1 Uh,Ph,P- use 4.1 online", 5),
    ("h5/h1/- G1U1P1 Uh,Ph,P- use 4.1 printed", 5),
    ("h5/- G1U1P1 Ph use 4.1 online+towers", 8),
    ("h5/- G1U1P1 Ph use 4.1 online+nine+towers", 8),
    ("h5,m2,l1,L2/h1 G1U1P1 Gl,U?,P? roll 9.2 online", TO_THE_END),
    ("h5,m2,l1,L2/h1 G1U1P1 Gl,U?,P? roll 9.2 printed", TO_THE_END),
    ("h1/m1 G1U1P1 - take 9.1 online+coins", 6),
    ("h1/m1 G1U1P1 - take 9.1 printed+coins", 6),
    ("m1/h1 G1U1P1 G?,P? roll 9.2 online+coins", TO_THE_END),
    ("m1/h1 G1U1P1 G?,P? roll 9.2 printed+coins", TO_THE_END),
    ("h1/m1/l1/- G1U1P1 - take 9.1 printed+nine+towers", 6),
    ("h4,m1 G2U3P1 - take 8.1 online+towers", 5),
    ("m1,l1 G1U1P1 Um,Pm use 8.1 online+two-mids", 6),
    ("m1,l1 G1U1P1 Um,Pm use 8.1 printed+two-mids", 6),
    ("h1 G1U1P1 - take 9.1 online+blanks", TO_THE_END),
    ("h1 G1U1P1 - take 9.1 printed+blanks", TO_THE_END),
    ("m2 G1U1P1 Gm,Um,U? roll 9.1 online+uniform", TO_THE_END),
    ("m2 G1U1P1 Gm,Um,U? roll 9.1 printed+blank-upper", TO_THE_END),
    ("m1,M4 G1U1P1 Um,Um,P- more:demolish 9.1 printed", TO_THE_END),
    ("m1,M4 G1U1P1 Um,Um,P- more 9.1 online", TO_THE_END),
    ("h5,h5,h5,h5,h5,h5,h3,l1 G2U1P4 - take 9.1 online+box+towers", 4),
    ("h5,h5,h5,h5,h5,h5,h5,l1/l1 G0U0P4 - take 9.1 printed+box+towers", 5),
    ("h5,h5,h5,h5,h5,h5,h5 G1U0P7 - take 8.1 online+box+nine+blanks", 6),
)


def regenerate() -> None:
    """Count all cases anew by the naive table."""
    head = (__doc__ or "").split("\n\n")[1].splitlines()
    lines = [*(f"# {line}" for line in head), "", "# position | depth | chance decision final"]
    for position, depth in POSITIONS:
        case = Case(position, depth, (0, 0, 0))
        counts = naive_counts(case.dice_set)(
            naive.Table.read(position, naive_faces(case.dice_set)).position(), depth
        )
        lines.append(f"{position} | {depth} | {' '.join(str(int(n)) for n in counts)}")
    COUNTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    regenerate()
