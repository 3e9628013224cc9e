"""What the web sockets of a page have in common."""

from __future__ import annotations

from typing import Any

from jupyter_server.base.websocket import WebSocketMixin


class SteadyLine(WebSocketMixin):
    """A web socket that is pinged, for many small messages.

    Mixed into the handlers before tornado's own class.
    """

    @property
    def ping_timeout(self) -> int:
        """Milliseconds without an answer after which the line is closed.

        The name has two readers. Jupyter, which sends the pings, means milliseconds. Tornado
        asks once, while the line is being opened, means seconds, and complains about more
        than the interval; it is told 0, no pings of its own.
        """
        is_open = getattr(self, "ws_connection", None) is not None
        return int(super().ping_timeout) if is_open else 0

    def open(self, *args: Any, **kwargs: Any) -> Any:
        """Open the line and have each message sent at once.

        Otherwise the system collects small ones, and a question and its answer take 40 ms
        more.
        """
        self.set_nodelay(True)  # type: ignore[attr-defined]
        return super().open(*args, **kwargs)
