"""Structure: what an import loads, who imports whom, what the wheel holds."""

import ast
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KERNEL = ROOT / "skyline_kernel"
HEAVY = (
    "IPython",
    "ipywidgets",
    "anywidget",
    "traitlets",
    "matplotlib",
    "voila",
    "ipykernel",
    "jsonschema",
    "numba",
    "scipy",
    "numpy",
    "skyline_widgets",
    "skyline_app",
)
MAY_IMPORT = {
    "numpy",
    "scipy",
    "jsonschema",
    "skyline_kernel",
    "filelock",  # two processes that solve the same table
    "platformdirs",  # where the user's programs keep what they computed
    "tqdm",  # how far a study or a rebuild has come
}


def loaded_after(code: str) -> set[str]:
    """Run code in a fresh interpreter and return the top-level modules that it has loaded."""
    code += "\nimport sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "code",
    [
        "import skyline_kernel",
        "import skyline_kernel.skyline",
        "import skyline_kernel.cli",
        (
            "import skyline_kernel.skyline as s\n"
            "state = s.parse_position('h1 G1U1P1 G?,U? roll 1.1 printed+box')\n"
            "s.chance_outcomes(state); s.build_odds(state); s.format_position(state)"
        ),
    ],
)
def test_importing_the_kernel_loads_nothing_heavy(code: str) -> None:
    assert not loaded_after(code) & set(HEAVY)


def test_numbers_are_loaded_by_the_first_roll_and_the_schema_checker_by_the_first_record() -> None:
    code = (
        "import skyline_kernel.skyline as s\n"
        "game = s.start_game([s.Seat('A')], seed=1)\n"
        "game = game.play(s.parse_action('take GGG')).play(s.ROLL)\n"
    )
    assert loaded_after(code) & {"numpy", "jsonschema", "scipy"} == {"numpy"}
    reading = code + "s.parse_record(s.format_record(game))"
    assert loaded_after(reading) & {"numpy", "jsonschema", "IPython"} == {"numpy", "jsonschema"}


def imported_by(path: Path) -> set[str]:
    """Return the packages that a module names in its import statements, everywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            names.add(node.module.partition(".")[0])
    return names - set(sys.stdlib_module_names)


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: path.stem)
def test_the_kernel_imports_nothing_but_numbers_and_itself(path: Path) -> None:
    assert imported_by(path) <= MAY_IMPORT


@pytest.mark.parametrize("path", sorted(KERNEL.glob("*.py")), ids=lambda path: path.stem)
def test_what_any_game_needs_does_not_import_this_game(path: Path) -> None:
    if path.stem == "cli":
        return
    source = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    imported = [node.module or "" for node in source if isinstance(node, ast.ImportFrom)]
    assert not [name for name in imported if name.split(".")[0] == "skyline"]


@pytest.mark.parametrize("path", sorted(KERNEL.rglob("*.py")), ids=lambda path: path.stem)
def test_the_kernel_uses_no_global_randomness(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    taken = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("numpy", "numpy.random")
        for alias in node.names
    }
    assert "random" not in modules
    # `numpy.random` by name would reach its global generator; its classes have none.
    assert taken <= {"Generator", "NDArray", "Philox", "SeedSequence", "ndarray", "default_rng"}
    assert not [n for n in ast.walk(tree) if isinstance(n, ast.Attribute) and n.attr == "random"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Build the wheel of a copy of the tree and return the names that it holds."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    code = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, str(folder)], cwd=ROOT, check=True)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


@pytest.mark.slow
def test_the_wheel_holds_exactly_three_packages(wheel: list[str]) -> None:
    tops = {name.partition("/")[0] for name in wheel}
    packages = {top for top in tops if not top.endswith(".dist-info")}
    assert packages == {"skyline_kernel", "skyline_widgets", "skyline_app"}


@pytest.mark.slow
def test_the_wheel_holds_types_and_data(wheel: list[str]) -> None:
    for package in ("skyline_kernel", "skyline_widgets", "skyline_app"):
        assert f"{package}/py.typed" in wheel
    data = [p for p in (KERNEL / "skyline" / "data").rglob("*") if p.is_file()]
    assert len(data) >= 4
    for path in data:
        assert path.relative_to(ROOT).as_posix() in wheel
    assert "skyline_app/app.ipynb" in wheel
    for path in [*(ROOT / "notebooks").glob("[de][en]/*.ipynb")]:
        assert f"skyline_app/notebooks/{path.parent.name}/{path.name}" in wheel
    assert "skyline_kernel/locale/de/LC_MESSAGES/kernel.mo" in wheel
    assert not [name for name in wheel if "__pycache__" in name or name.startswith("tests")]


def test_the_page_of_the_game_does_without_lessons_and_laboratory() -> None:
    """Its process starts quickly and stays small, whatever the other pages need."""
    code = "import skyline_app.app, sys; print(*sorted(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    lab = ("lab_base", "lab_items", "exercise", "odds_explorer", "position_editor", "charts")
    assert "skyline_widgets.table" in loaded
    assert not loaded & {f"skyline_widgets.{name}" for name in lab}
    assert not loaded & {f"skyline_app.{name}" for name in ("lab", "learn", "lessons")}
    assert not loaded & {"mistune", "nbformat", "matplotlib"}
