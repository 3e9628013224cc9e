"""The laboratory on the page: its script with a real browser and the real Python side.

The page's model is a small one of our own: what the script saves goes to the widget, and what the
widget then says comes back, as ipywidgets does it.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from skyline_widgets import (
    DistributionView,
    ExerciseSheet,
    OddsExplorer,
    OddsQuestion,
    PolicyComparison,
    PositionEditor,
    RuleCardDesk,
    WorksheetPrinter,
)
from skyline_widgets.exercise_store import ExerciseStore
from skyline_widgets.lab_base import LabWidget

from skyline_kernel.skyline import new_game, parse_position
from skyline_kernel.skyline.turn_odds import best_turn_distribution

if TYPE_CHECKING:
    from playwright.sync_api import Page

SYNCED = ("language", "theme", "view", "answer", "file", "narrow")
TURN = parse_position("m2,h3 G1U1P1 - take 9.1")

MODEL = """
async ({ module, style, state }) => {
  const url = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const widget = (await import(url)).default;
  const sheet = document.createElement("style");
  sheet.textContent = style;
  document.head.append(sheet);
  const listeners = {};
  const changed = {};
  window.model = {
    get: (name) => state[name],
    set: (name, value) => {
      state[name] = value;
      changed[name] = value;
      for (const listener of [...(listeners[`change:${name}`] || [])]) listener();
    },
    on: (event, listener) => (listeners[event] ||= new Set()).add(listener),
    off: (event, listener) => listeners[event].delete(listener),
    async save_changes() {
      const sent = { ...changed };
      for (const name of Object.keys(changed)) delete changed[name];
      for (const [name, value] of Object.entries(await window.toPython(sent))) {
        if (JSON.stringify(state[name]) === JSON.stringify(value)) continue;
        state[name] = value;
        for (const listener of [...(listeners[`change:${name}`] || [])]) listener();
      }
    },
  };
  window.count = () => Object.values(listeners).reduce((n, some) => n + some.size, 0);
  window.close_widget = widget.render({ model: window.model, el: document.body });
}
"""


def show(page: Page, widget: LabWidget[Any]) -> list[dict[str, Any]]:
    """Put a widget on the page; return the list that its requests are added to."""
    sent: list[dict[str, Any]] = []

    def to_python(changes: dict[str, Any]) -> dict[str, Any]:
        sent.append(changes)
        widget.set_state(changes)
        return {name: getattr(widget, name) for name in SYNCED}

    page.goto("about:blank")
    page.expose_function("toPython", to_python)
    state = {name: getattr(widget, name) for name in SYNCED}
    page.evaluate(MODEL, {"module": widget._esm, "style": widget._css, "state": state})
    page.wait_for_selector("[data-lab-ready]")
    return sent


def every_widget(tmp_path: Path) -> dict[str, LabWidget[Any]]:
    explorer = OddsExplorer(OddsQuestion(is_open=True, seed=1), language="de")
    explorer.act("roll", value=100)
    return {
        "odds": explorer,
        "position": PositionEditor(parse_position("h3,m1 G1U1P1 Gl,Um,P- use 9.1"), language="de"),
        "distribution": DistributionView(best_turn_distribution(TURN), language="de"),
        "players": PolicyComparison(TURN, ["greedy", "builder"], language="de"),
        "exercises": ExerciseSheet("rules", store=ExerciseStore(tmp_path), language="de"),
        "printing": WorksheetPrinter(language="de"),
        "cards": RuleCardDesk(language="de"),
    }


@pytest.mark.browser
@pytest.mark.slow
def test_nothing_overflows_a_narrow_page_in_both_themes(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 375, "height": 700})
    for name, widget in every_widget(tmp_path).items():
        fresh = page.context.new_page()
        fresh.set_viewport_size({"width": 375, "height": 700})
        for theme in ("light", "dark"):
            widget.theme = theme
            if theme == "light":
                show(fresh, widget)
            else:
                fresh.select_option("[data-setting=theme]", "dark")
                fresh.wait_for_selector(".skyline.lab[data-theme=dark]")
            width = fresh.evaluate("document.documentElement.scrollWidth")
            assert width <= 375, name
        fresh.close()


@pytest.mark.browser
def test_controls_have_names_and_charts_have_tables(page: Page, tmp_path: Path) -> None:
    for name, widget in every_widget(tmp_path).items():
        fresh = page.context.new_page()
        show(fresh, widget)
        nameless = fresh.evaluate(
            """() => [...document.querySelectorAll("button, select, input")].filter((one) =>
              !(one.getAttribute("aria-label") || one.closest("label")?.textContent.trim() || one.textContent.trim())).length"""
        )
        assert nameless == 0, name
        charts = fresh.locator("svg.chart")
        assert fresh.locator("table caption").count() >= charts.count(), name
        for chart in charts.all():
            assert chart.get_attribute("aria-label"), name
        fresh.close()


@pytest.mark.browser
def test_the_last_of_fifty_changes_in_a_second_is_shown_at_once(page: Page) -> None:
    """A slider must not lag behind the hand."""
    view = DistributionView(best_turn_distribution(TURN))
    sent = show(page, view)
    low, high = view._state.ends
    targets = [low + i % (high + 1 - low) for i in range(49)] + [high]
    late = page.evaluate(
        """async (targets) => {
          const slider = document.querySelector("input[type=range]");
          for (const value of targets) {
            slider.value = String(value);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
            await new Promise((done) => setTimeout(done, 20));
          }
          const begin = performance.now();
          const shown = () => document.querySelector("label.slider output").textContent;
          while (!shown().startsWith(`${targets.at(-1)} `)) {
            if (performance.now() - begin > 10000) return `never: ${shown()}`;
            await new Promise((done) => setTimeout(done, 2));
          }
          return performance.now() - begin;
        }""",
        targets,
    )
    assert isinstance(late, int | float), late
    print(f"the last value came {late:.0f} ms after it was set")
    assert view.target == high
    assert len(sent) <= 50


@pytest.mark.browser
def test_changes_that_pile_up_are_left_out_but_the_last(page: Page) -> None:
    view = DistributionView(best_turn_distribution(TURN))
    sent = show(page, view)
    page.evaluate(
        """() => {
          const slider = document.querySelector("input[type=range]");
          for (let value = 0; value < 15; value += 1) {
            slider.value = String(value);
            slider.dispatchEvent(new Event("input", { bubbles: true }));
          }
        }"""
    )
    page.wait_for_function(
        "document.querySelector('label.slider output').textContent.startsWith('14 ')"
    )
    assert view.target == 14
    assert len(sent) == 2


NASTY = "<script>window.hit = 1</script><img src=x onerror='window.hit = 1'>"


@pytest.mark.browser
def test_a_name_with_markup_is_a_name_in_the_chart(page: Page) -> None:
    fair = best_turn_distribution(TURN)
    show(page, DistributionView({NASTY: fair, "b": fair}))
    chart = page.locator("svg.chart")
    shown = chart.locator("text", has_text="<script>")
    assert shown.inner_html().startswith("&lt;script&gt;window.hit")
    assert page.locator("script, img, foreignObject").count() == 0
    assert page.evaluate("window.hit") is None


@pytest.mark.browser
def test_a_picture_is_read_part_by_part_and_nothing_else_of_it(page: Page) -> None:
    """Even if its text held more than Python ever draws."""
    view = DistributionView(best_turn_distribution(TURN))
    forged = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" onload="window.hit = 1">'
        '<script>window.hit = 1</script><g onclick="window.hit = 1"><text>kept</text></g>'
        '<use href="https://example.org/#a"/><foreignObject><p>out</p></foreignObject></svg>'
    )
    panels = json.loads(json.dumps(view.view["sections"]))
    for item in (item for panel in panels for item in panel["items"] if item["type"] == "chart"):
        item["svg"] = forged
    view.set_trait("view", {**view.view, "sections": panels})
    show(page, view)
    assert page.locator("svg.chart").text_content() == "kept"
    assert page.locator("svg.chart *").count() == 3
    assert page.locator("svg.chart [onclick], svg.chart [href], svg.chart script").count() == 0
    assert page.evaluate("window.hit") is None


@pytest.mark.browser
def test_a_chart_is_drawn_for_the_room_it_has_and_can_be_read(page: Page) -> None:
    view = DistributionView(best_turn_distribution(TURN), language="de")
    page.set_viewport_size({"width": 375, "height": 700})
    show(page, view)
    page.wait_for_function("document.querySelector('svg.chart').viewBox.baseVal.width < 400")
    assert view.narrow
    sizes = """() => [...document.querySelectorAll("svg.chart text")].map((text) =>
      text.getBoundingClientRect()).map((box) => [box.left, box.right, box.height])"""
    boxes = page.evaluate(sizes)
    assert len(boxes) > 8
    assert all(left >= 0 and right <= 375 and high >= 10 for left, right, high in boxes)
    page.set_viewport_size({"width": 1280, "height": 700})
    page.wait_for_function("document.querySelector('svg.chart').viewBox.baseVal.width > 400")
    assert not view.narrow


@pytest.mark.browser
def test_colours_of_a_chart_follow_the_theme(page: Page) -> None:
    view = DistributionView(best_turn_distribution(TURN), theme="light")
    show(page, view)
    colour = "getComputedStyle(document.querySelector('svg.chart text')).fill"
    light = page.evaluate(colour)
    page.select_option("[data-setting=theme]", "dark")
    page.wait_for_selector(".skyline.lab[data-theme=dark]")
    dark = page.evaluate(colour)
    assert (light, dark) == ("rgb(31, 36, 48)", "rgb(236, 239, 245)")


@pytest.mark.browser
def test_guess_then_answer_then_roll_by_keyboard(page: Page) -> None:
    explorer = OddsExplorer(OddsQuestion(counts=(2, 0, 0), seed=1), language="en")
    show(page, explorer)
    assert page.locator("svg.chart").count() == 0
    page.locator("button[data-do=reveal]").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("svg.chart")
    assert "3/4" in page.locator("[data-section=answer] .note").inner_text()
    page.locator("button[data-do=roll]").nth(3).click()
    page.wait_for_function(
        "document.querySelector('[data-section=rolls]').textContent.includes('1\\u202f000\\u202f000')"
    )
    assert explorer.question.n_rolls == 1_000_000


@pytest.mark.browser
def test_answers_come_back_after_a_reload(page: Page, tmp_path: Path) -> None:
    store = ExerciseStore(tmp_path)
    first = ExerciseSheet("chance", seed=3, store=store, language="en")
    show(page, first)
    answer = str(first.attempt.exercises[0].answer)
    box = page.locator("[data-question='0'] input")
    box.fill("1/7")
    box.press("Enter")
    page.wait_for_selector("[data-question='0'] [data-tone=bad]")
    box.fill(answer)
    box.press("Enter")
    page.wait_for_selector("[data-question='0'] [data-tone=good]")
    again = page.context.new_page()
    show(again, ExerciseSheet("chance", seed=3, store=store, language="en"))
    assert again.locator("[data-question='0'] input").input_value() == answer
    again.locator("[data-question='0'] [data-tone=good]").wait_for()
    again.close()


@pytest.mark.browser
def test_a_position_is_set_by_clicks_and_the_language_changes(page: Page) -> None:
    editor = PositionEditor(
        parse_position("m2 G1U1P1 Gl,P- use 9.1"), objective="turn", language="en"
    )
    show(page, editor)
    page.locator("[data-name='add column'] [data-code=h3]").click()
    page.wait_for_function(
        "document.querySelector('input[data-name=position]').value.startsWith('h3,m2')"
    )
    page.select_option("[data-setting=language]", "de")
    page.wait_for_function("document.querySelector('h1').textContent === 'Beliebige Stellung'")
    page.locator("input[data-name=position]").fill("h9 G1U1P1 - take 1.1")
    page.locator("input[data-name=position]").press("Enter")
    page.wait_for_selector(".notice.shown")
    assert editor.position == "h3,m2 G1U1P1 Gl,P- use 9.1 online"


@pytest.mark.browser
def test_a_file_is_saved(page: Page) -> None:
    show(page, WorksheetPrinter(language="en"))
    with page.expect_download() as saving:
        page.locator("button[data-do=file]").first.click()
    assert saving.value.suggested_filename == "worksheets.html"
    text = Path(saving.value.path()).read_text(encoding="utf-8")
    assert text.count("<section>") == 28


@pytest.mark.browser
def test_a_closed_widget_leaves_no_listener(page: Page) -> None:
    show(page, PolicyComparison(new_game(), ["greedy", "builder"]))
    assert page.evaluate("window.count()") > 0
    page.evaluate("window.close_widget()")
    assert page.evaluate("window.count()") == 0


# --- the script alone -------------------------------------------------------------------------


def in_node(tmp_path: Path, script: str) -> Any:
    """Run a script that has imported the laboratory's module as ``lab``."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    (tmp_path / "lab.mjs").write_text(WorksheetPrinter._esm, encoding="utf-8")
    (tmp_path / "run.mjs").write_text(
        f'import * as lab from "./lab.mjs";\nconsole.log(JSON.stringify({script}));\n', "utf-8"
    )
    done = subprocess.run(
        [node, "run.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def test_queue_keeps_commands_and_the_latest_change_of_a_control(tmp_path: Path) -> None:
    script = """
    [{do:"set",name:"a",value:1},{do:"set",name:"a",value:2},{do:"roll",value:1},
     {do:"roll",value:1},{do:"set",name:"a",value:3},{do:"set",name:"b",value:4}]
    .reduce(lab.queued, [])
    """
    left = in_node(tmp_path, script)
    assert [(one["do"], one["value"]) for one in left] == [
        ("set", 2),
        ("roll", 1),
        ("roll", 1),
        ("set", 3),
        ("set", 4),
    ]


def test_rows_and_themes_of_the_script(tmp_path: Path) -> None:
    items = '[{type:"text"},{type:"slider"},{type:"toggle"},{type:"chart"},{type:"field"}]'
    rows = in_node(tmp_path, f"lab.rowsOf({items}).map((r) => Array.isArray(r) ? r.length : 0)")
    assert rows == [0, 2, 0, 1]
    cases = (
        '[["dark"], ["auto", "true", true], ["auto", "false", false], ["auto", undefined, true]]'
    )
    assert in_node(tmp_path, f"{cases}.map((c) => lab.labTheme(...c))") == [
        "dark",
        "light",
        "dark",
        "dark",
    ]
