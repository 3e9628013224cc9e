"""The security headers of every answer."""

from __future__ import annotations

import re
from typing import Final, cast

from tornado.web import RequestHandler

_HOST = re.compile(r"[A-Za-z0-9.\-]+(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")

#: What a page may load, and why it is not stricter. No entry names a foreign address.
POLICY: Final = {
    "default-src": "'self'",
    # blob: because anywidget imports each widget's module from a blob address. There is no
    # inline script on our pages, and nothing is evaluated from text.
    "script-src": "'self' blob:",
    # 'unsafe-inline' because the widgets' style sheets are put into the page as style
    # elements, and layouts are style attributes.
    "style-src": "'self' 'unsafe-inline'",
    # data: because the style sheets of the controls hold small pictures in themselves.
    "img-src": "'self' data:",
    "font-src": "'self' data:",
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'self'",
}


def content_security_policy(host: str) -> str:
    """Return the policy for a page that was asked for under a host name.

    Parameters
    ----------
    host : str
        The ``Host`` header. The web sockets of this host are allowed by name, since older
        browsers do not count them as ``'self'``. Anything that is not a plain host name
        (it comes from outside) is left out.
    """
    policy = dict(POLICY)
    if _HOST.fullmatch(host):
        policy["connect-src"] += f" ws://{host} wss://{host}"
    return "; ".join(f"{name} {value}" for name, value in policy.items())


class SecurityHeaders(RequestHandler):
    """Mixed into every handler: its answers carry the headers, errors included."""

    def set_default_headers(self) -> None:
        """Set the policy and the headers that go with it."""
        self.set_header("Content-Security-Policy", content_security_policy(self.request.host))
        self.set_header("Referrer-Policy", "same-origin")
        self.set_header("X-Content-Type-Options", "nosniff")
        # The name and version of the server are nobody's business.
        self.clear_header("Server")


def secured(handler: type[RequestHandler]) -> type[RequestHandler]:
    """Return a handler class whose answers carry the security headers."""
    return cast(
        "type[RequestHandler]", type(f"Secured{handler.__name__}", (SecurityHeaders, handler), {})
    )
