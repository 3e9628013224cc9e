"""The app on the page."""

from __future__ import annotations

import anywidget
import ipywidgets
import traitlets

_MODULE = """
export default {
  render({ model, el }) {
    const echo = document.createElement("button");
    echo.className = "echo";
    echo.dataset.skylineReady = "";
    const show = () => { echo.textContent = `Echo ${model.get("echoes")}`; };
    echo.onclick = () => model.send("click");
    model.on("change:echoes", show);
    show();
    el.append(echo);
  },
};
"""


class Echo(anywidget.AnyWidget):
    """Counts the clicks that reached the page process."""

    _esm = _MODULE
    echoes = traitlets.Int(0).tag(sync=True)

    def __init__(self) -> None:
        super().__init__()
        self.on_msg(self._count)

    def _count(self, _widget: object, _content: object, _buffers: object) -> None:
        self.echoes += 1


def build_app() -> ipywidgets.Widget:
    """Return what the page shows."""
    return ipywidgets.VBox([ipywidgets.Button(description="Hello"), Echo()])
