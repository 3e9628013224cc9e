"""Charts: what matplotlib draws, what a page gets of it, and that a game does without it."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import xml.etree.ElementTree as ET
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from skyline_widgets import DistributionView, OddsExplorer, OddsQuestion, SkylineTable
from skyline_widgets.charts import (
    BarChart,
    Series,
    chart_csv,
    chart_picture,
    chart_rows,
    page_picture,
    svg_text,
)
from skyline_widgets.language import language_named

from skyline_kernel.distribution import Distribution
from skyline_kernel.errors import SettingError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

EN, DE = language_named("en"), language_named("de")
FAIR = Distribution.of({0: Fraction(1, 2), 9: Fraction(1, 3), 16: Fraction(1, 6)})
TAG = "{http://www.w3.org/2000/svg}"


def bars_of(n_places: int, n_series: int = 1, **more: Any) -> BarChart:
    labels = tuple(str(place) for place in range(n_places))
    series = tuple(
        Series(f"series {s}", tuple((place * 7 + s * 3) % 10 / 2 + 1 for place in range(n_places)))
        for s in range(n_series)
    )
    return BarChart(**{"title": "t", "axis": "a", "labels": labels, "series": series, **more})


def axes_of(chart: BarChart, *, is_narrow: bool = False) -> Axes:
    from skyline_widgets import chart_drawing

    sheet = chart_drawing.NARROW if is_narrow else chart_drawing.PAGE
    (axes,) = chart_drawing.figure(chart, EN, sheet).axes
    return axes


def parts(axes: Axes, name: str) -> list[Any]:
    return [artist for artist in axes.collections if artist.get_gid() == name]


def boxes(axes: Axes, name: str) -> list[tuple[float, float, float, float]]:
    """Return the ends of all bars of a layer in the units of the data, from left to right."""
    extents = [path.get_extents() for part in parts(axes, name) for path in part.get_paths()]
    return sorted((box.x0, box.x1, box.y0, box.y1) for box in extents)


def heights(axes: Axes, name: str = "bars-0") -> list[float]:
    return [high if high > 0 else low for _, _, low, high in boxes(axes, name)]


def words_in(svg: str) -> list[str]:
    return [one.text or "" for one in ET.fromstring(svg).iter(f"{TAG}text")]


# --- what is drawn ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values", [(0.0, 0.0), (0.0, 1.0), (0.3, 0.001), (7.0, 88.48), (1e-9, 2e-9), (-3.0, 2.0)]
)
def test_bars_are_as_high_as_their_values_and_in_their_order(values: tuple[float, float]) -> None:
    axes = axes_of(BarChart("t", "a", ("x", "y"), (Series("s", values),)))
    assert heights(axes) == pytest.approx([value for value in values if value])
    low, high = axes.get_ylim()
    assert low <= min(0, *values)
    assert high >= max(0, *values)
    places = [round((left + right) / 2) for left, right, _, _ in boxes(axes, "bars-0")]
    assert places == [place for place, value in enumerate(values) if value]
    assert axes.get_yscale() == "linear"


@pytest.mark.parametrize("n_series", [1, 2, 3, 4])
def test_bars_of_all_series_stand_side_by_side_in_the_order_of_the_legend(n_series: int) -> None:
    axes = axes_of(bars_of(3, n_series))
    drawn = sorted(
        (left, right, s) for s in range(n_series) for left, right, _, _ in boxes(axes, f"bars-{s}")
    )
    assert [s for _, _, s in drawn] == list(range(n_series)) * 3
    assert all(one[1] <= other[0] + 1e-9 for one, other in pairwise(drawn))
    hatches = {part.get_hatch() for s in range(n_series) for part in parts(axes, f"bars-{s}")}
    assert len(hatches) == n_series


def test_marked_bars_have_an_outline_and_the_others_are_pale() -> None:
    chart = bars_of(6, marked=frozenset({1, 4}))
    axes = axes_of(chart)
    outlined = boxes(axes, "marked")
    assert [round((left + right) / 2) for left, right, _, _ in outlined] == [1, 4]
    shades = {len(part.get_paths()): part.get_alpha() for part in parts(axes, "bars-0")}
    assert shades[2] is None
    assert shades[4] < 0.5
    assert {part.get_alpha() for part in parts(axes_of(bars_of(6)), "bars-0")} == {None}


@pytest.mark.parametrize(("n_places", "n_series"), [(60, 1), (35, 3), (160, 4), (300, 1)])
def test_of_many_bars_the_marked_stand_on_a_shaded_ground(n_places: int, n_series: int) -> None:
    marked = frozenset({3, 4, 5, 9})
    axes = axes_of(bars_of(n_places, n_series, marked=marked))
    grounds = [patch for patch in axes.patches if patch.get_gid() == "marked"]
    ends = [(box.get_x(), box.get_x() + box.get_width()) for box in grounds]
    assert ends == [(2.5, 5.5), (8.5, 9.5)]
    assert not parts(axes, "marked")


@pytest.mark.parametrize(("n_places", "n_series"), [(160, 1), (160, 4), (300, 1)])
def test_hundreds_of_bars_are_a_few_shapes_with_the_same_heights(
    n_places: int, n_series: int
) -> None:
    chart = bars_of(n_places, n_series)
    axes = axes_of(chart)
    steps = [patch for patch in axes.patches if hasattr(patch, "get_data")]
    assert [tuple(step.get_data().values) for step in steps] == [one.values for one in chart.series]
    assert len({step.get_linestyle() for step in steps}) == n_series
    assert page_picture(chart, EN).count("<path") < 30


def test_intervals_are_strokes_from_end_to_end() -> None:
    spans = ((1.0, 4.0), (0.0, 7.5))
    axes = axes_of(BarChart("t", "a", ("x", "y"), (Series("s", (2.0, 5.0), (), spans),)))
    (strokes,) = parts(axes, "spans")
    ends = [(path.vertices[0][1], path.vertices[1][1]) for path in strokes.get_paths()]
    assert ends == [pytest.approx(span) for span in spans]
    assert axes.get_ylim()[1] >= 7.5


def test_numbers_of_the_axis_are_written_in_the_language() -> None:
    chart = BarChart("t", "a", ("x",), (Series("s", (12.0,)),))
    assert "7,5" in words_in(page_picture(chart, DE))
    assert "7.5" in words_in(page_picture(chart, EN))
    chance = BarChart("t", "a", ("x",), (Series("s", (0.9,)),), "percent")
    assert [text for text in words_in(page_picture(chance, EN)) if text.endswith("%")] == [
        *("0%", "20%", "40%", "60%", "80%", "100%")
    ]
    assert "100\u202f%" in words_in(page_picture(chance, DE))
    assert chart_rows(chance, DE) == [["x", "90,0\u202f%"]]


@pytest.mark.parametrize("is_narrow", [False, True])
@pytest.mark.parametrize(
    "labels",
    [
        tuple(str(n) for n in range(150)),
        tuple(f"{n}–{n + 2}" for n in range(0, 480, 3)),
        tuple(str(n) for n in range(4, 40)),
        tuple(f"a player of one's own, number {n}" for n in range(5)),
        tuple(f"a player of one's own, number {n}" for n in range(80)),
        ("a name that is longer than the whole picture is wide and does not end there",),
    ],
)
def test_labels_never_overlap_and_stay_on_the_sheet(
    labels: tuple[str, ...], *, is_narrow: bool
) -> None:
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    chart = BarChart("t", "a", labels, (Series("s", (1.0,) * len(labels)),))
    axes = axes_of(chart, is_narrow=is_narrow)
    FigureCanvasSVG(axes.figure).draw()
    shown = [label for label in axes.get_xticklabels() if label.get_text()]
    ends = [label.get_window_extent() for label in shown]
    assert len(shown) >= min(2, len(labels))
    assert all(one.x1 < other.x0 for one, other in pairwise(ends))
    assert ends[0].x0 >= 0
    assert ends[-1].x1 <= axes.figure.bbox.width


def test_labels_that_are_left_out_leave_round_numbers() -> None:
    chart = BarChart("t", "a", tuple(map(str, range(3, 60))), (Series("s", (1.0,) * 57),))
    texts = [label.get_text() for label in axes_of(chart).get_xticklabels()]
    assert texts
    assert all(int(text) % 2 == 0 or int(text) % 5 == 0 for text in texts)


# --- what comes of it -------------------------------------------------------------------------

NASTY = '<script>alert(1)</script>&"]]> $x^2$ \n\x07 😀'


def nasty_chart() -> BarChart:
    series = (Series(NASTY, (0.5, 2.0)), Series("b", (1.0, 1.0)))
    return BarChart(NASTY, NASTY, (NASTY, "b"), series)


@pytest.mark.parametrize("write", [svg_text, lambda chart: page_picture(chart, EN)])
def test_words_from_outside_stay_words(write: Any) -> None:
    root = ET.fromstring(write(nasty_chart()))
    assert not [one for one in root.iter() if one.tag.rpartition("}")[2] == "script"]
    texts = [one.text for one in root.iter(f"{TAG}text") if one.text]
    assert [text for text in texts if text.startswith("<script>")]
    title = root.find(f"{TAG}title")
    assert title is not None
    assert title.text == root.get("aria-label") == NASTY.replace("\n", " ").replace("\x07", " ")


def test_csv_holds_the_words_as_they_are() -> None:
    rows = list(csv.reader(io.StringIO(chart_csv(nasty_chart()), newline="")))
    assert rows[0] == [NASTY, NASTY, "b"]
    assert rows[2] == ["b", "2.0", "1.0"]


def test_a_picture_for_a_page_has_the_colours_and_names_of_the_page() -> None:
    one, other = (page_picture(bars_of(4, 3, title=name), EN) for name in ("one", "other"))
    root = ET.fromstring(one)
    assert root.get("role") == "img"
    assert root.get("aria-label") == "one"
    assert root.get("width") is None
    assert "#" not in "".join(part.get("style", "") for part in root.iter()).replace("url(#", "")
    assert not [part for part in root.iter() if part.tag in (f"{TAG}style", f"{TAG}metadata")]
    names = [
        {part.get("id") for part in ET.fromstring(svg).iter()} - {None} for svg in (one, other)
    ]
    assert names[0]
    assert not names[0] & names[1]
    assert all(f"#{name}" in one for name in names[0])


def test_the_same_chart_is_the_same_file_and_is_drawn_once() -> None:
    chart = bars_of(5, 2)
    first = page_picture(chart, EN)
    assert page_picture(bars_of(5, 2), EN) is first
    page_picture.cache_clear()
    assert page_picture(chart, EN) == first
    for kind in ("svg", "png", "pdf"):
        assert chart_picture(chart, kind, DE) == chart_picture(chart, kind, DE)


def test_files_are_of_the_kind_that_was_asked_for() -> None:
    chart = bars_of(5, 2, title="Points")
    small, large = (chart_picture(chart, "png", dpi=dpi) for dpi in (72, 144))
    assert small[:8] == large[:8] == b"\x89PNG\r\n\x1a\n"
    width = [int.from_bytes(file[16:20]) for file in (small, large)]
    assert width == [600, 1200]
    assert chart_picture(chart, "pdf").startswith(b"%PDF")
    assert chart_picture(chart, "svg").decode() == svg_text(chart)
    with pytest.raises(SettingError, match="expected one of svg, png, pdf"):
        chart_picture(chart, "bmp")


def test_a_file_stands_alone_with_title_and_legend() -> None:
    words = words_in(svg_text(bars_of(5, 2, title="Points", axis="dice")))
    assert {"Points", "dice", "series 0", "series 1"} <= set(words)
    assert "#ffffff" in svg_text(bars_of(5))


def test_a_notebook_shows_a_chart_in_its_language(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = BarChart("t", "a", ("x",), (Series("s", (12.0,)),))
    for language, number in (("de", "7,5"), ("en", "7.5")):
        monkeypatch.setenv("SKYLINE_LANGUAGE", language)
        assert number in words_in(chart._repr_svg_())


def test_settings_of_a_notebook_and_ours_do_not_meet() -> None:
    import matplotlib as mpl

    chart = bars_of(5, 2)
    plain = svg_text(chart)
    with mpl.rc_context({"font.size": 30, "axes.grid": True, "svg.fonttype": "path"}):
        before = dict(mpl.rcParams)
        assert svg_text(chart) == plain
        assert dict(mpl.rcParams) == before


# --- widgets ----------------------------------------------------------------------------------


def drawn_in(widget: Any) -> list[str]:
    found = [item for panel in widget.view["sections"] for item in panel["items"]]
    return [item["svg"] for item in found if item["type"] == "chart"]


def test_a_narrow_page_gets_another_picture_of_the_same_chart() -> None:
    view = DistributionView(FAIR, language="en")
    (wide,) = drawn_in(view)
    view.set_state({"narrow": True})
    (narrow,) = drawn_in(view)
    boxes = [ET.fromstring(svg).get("viewBox", "").split() for svg in (wide, narrow)]
    assert float(boxes[0][2]) > float(boxes[1][2])
    assert [word for word in words_in(wide) if "%" in word] == [
        word for word in words_in(narrow) if "%" in word
    ]


def test_a_change_that_changes_no_chart_draws_none() -> None:
    explorer = OddsExplorer(OddsQuestion(is_open=True, seed=1), language="en")
    before = page_picture.cache_info().misses
    for guess in range(40, 60):
        explorer.act("set", name="guess", value=guess)
    assert page_picture.cache_info().misses == before


def test_who_only_plays_has_no_matplotlib_in_memory() -> None:
    code = (
        "import sys\n"
        "from skyline_widgets import OddsExplorer, OddsQuestion, SkylineTable\n"
        "SkylineTable(); explorer = OddsExplorer(OddsQuestion())\n"
        "print('matplotlib' in sys.modules)\n"
        "explorer.act('reveal')\n"
        "print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "False"]
    assert SkylineTable.__name__ == "SkylineTable"
