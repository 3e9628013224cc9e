"""The web server: what it sends, what it refuses, and when page processes end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import nbformat
import pytest
from conftest import kernel_id_in, running_server, wait_until
from jupyter_server.services.kernels.connection.base import (
    deserialize_msg_from_ws_v1,
    serialize_msg_to_ws_v1,
)
from playwright.sync_api import expect
from skyline_app.assets import find_asset
from skyline_app.headers import POLICY, content_security_policy
from skyline_app.kernels import refusal
from skyline_app.phrases import PHRASES, error_sentence, preferred_language
from skyline_app.server import AddressError, find_notebook, listen_on, parse_command_line
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from conftest import Server, Visit
    from playwright.sync_api import Browser
    from websockets.sync.client import ClientConnection

ECHO = """
import os, random
import anywidget, numpy, traitlets

class Echo(anywidget.AnyWidget):
    _esm = '''
    export default { render({ model, el }) {
      const button = document.createElement("button");
      button.dataset.skylineReady = "";
      const show = () => { button.textContent = `Echo ${model.get("echoes")}`; };
      button.onclick = () => model.send("click");
      model.on("change:echoes", show);
      show();
      el.append(button);
    } };
    '''
    _css = "button { font-size: 20px }"
    echoes = traitlets.Int(0).tag(sync=True)

echo = Echo()
echo.on_msg(lambda *_: echo.set_trait("echoes", echo.echoes + 1))
display("query=" + os.environ["QUERY_STRING"] + ";", "language=" + os.environ["SKYLINE_LANGUAGE"])
display(f"drawn={random.random()}/{numpy.random.random()}")
echo
"""
READY = "[data-skyline-ready]"


def write_notebook(folder: Path, code: str) -> Path:
    """Write a notebook of one cell."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    path = folder / "page.ipynb"
    nbformat.write(notebook, path)
    return path


@pytest.fixture(scope="module")
def echo_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server whose page has a button that counts its clicks in the page process."""
    folder = tmp_path_factory.mktemp("echo")
    notebook = write_notebook(folder, ECHO)
    with running_server(folder, "--notebook", str(notebook)) as running:
        yield running


# The page in the browser


@pytest.mark.browser
@pytest.mark.slow
def test_game_comes_to_the_table(server: Server, visit: Visit) -> None:
    visit.page.goto(server.url)
    visit.page.wait_for_selector(READY)
    expect(visit.page).to_have_title("Skyline")
    expect(visit.page.locator("html")).to_have_attribute("lang", "en")
    expect(visit.page.locator("#skyline-loading")).to_have_count(0)
    expect(visit.page.locator("#skyline-notice")).to_be_hidden()


@pytest.mark.browser
@pytest.mark.slow
def test_click_reaches_page_process_and_comes_back(echo_server: Server, visit: Visit) -> None:
    visit.page.goto(echo_server.url)
    button = visit.page.locator(READY)
    button.click()
    expect(button).to_have_text("Echo 1")
    button.click()
    expect(button).to_have_text("Echo 2")


@pytest.mark.slow
def test_page_works_under_another_base_url(tmp_path: Path, visit: Visit) -> None:
    notebook = write_notebook(tmp_path, ECHO)
    with running_server(tmp_path, "--base-url", "school/games", "--notebook", str(notebook)) as at:
        assert at.url.endswith("/school/games/")
        visit.page.goto(at.url)
        visit.page.locator(READY).click()
        expect(visit.page.locator(READY)).to_have_text("Echo 1")
        visit.page.goto("about:blank")
        wait_until(lambda: not at.page_processes(), what="the end of the page process")


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_overflows(echo_server: Server, browser: Browser, width: int, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 700},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    page.goto(echo_server.url, wait_until="commit")
    page.wait_for_selector("#skyline-loading")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.wait_for_selector(READY)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(echo_server.url + "nowhere")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", ground)[:3])) < 384) == (scheme == "dark")
    context.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize(
    ("attempt", "directive"),
    [
        ("node('script').textContent = 'window.broken = 1'", "script-src-elem"),
        ("node('script').src = 'http://127.0.0.2:9/x.js'", "script-src-elem"),
        ("node('img').src = 'http://127.0.0.2:9/x.png'", "img-src"),
        ("node('iframe').src = 'http://127.0.0.2:9/'", "frame-src"),
        ("fetch('http://127.0.0.2:9/').catch(() => 0)", "connect-src"),
        ("new WebSocket('ws://127.0.0.2:9/')", "connect-src"),
        ("setTimeout('window.broken = 1')", "script-src"),
    ],
)
def test_policy_stops_what_comes_from_outside(
    server: Server, browser: Browser, attempt: str, directive: str
) -> None:
    page = browser.new_page()
    page.goto(server.url + "nowhere")
    stopped = page.evaluate(
        f"""new Promise((stopped) => {{
          document.addEventListener("securitypolicyviolation", (event) => {{
            stopped(event.effectiveDirective);
          }});
          const node = (name) => document.body.appendChild(document.createElement(name));
          {attempt};
          setTimeout(() => stopped("nothing"), 20000);
        }})"""
    )
    assert stopped == directive
    page.close()


# The end of page processes


@pytest.mark.browser
@pytest.mark.slow
def test_closed_page_leaves_no_process(echo_server: Server, browser: Browser) -> None:
    first, second = browser.new_page(), browser.new_page()
    ids = []
    for page in (first, second):
        page.goto(echo_server.url)
        page.wait_for_selector(READY)
        ids.append(kernel_id_in(page.content()))
    before = len(echo_server.page_processes())
    first.close()
    wait_until(lambda: not echo_server.has_process(ids[0]), what="the end of the first process")
    wait_until(lambda: len(echo_server.page_processes()) == before - 1, what="one process less")
    assert echo_server.has_process(ids[1])
    second.locator(READY).click()
    expect(second.locator(READY)).to_have_text("Echo 1")
    second.close()
    wait_until(lambda: not echo_server.has_process(ids[1]), what="the end of the second process")


@pytest.mark.slow
def test_visitor_who_leaves_early_leaves_no_process(echo_server: Server) -> None:
    address = echo_server.url.removeprefix("http://").rstrip("/")
    host, port = address.split(":")
    with socket.create_connection((host, int(port))) as line:
        line.sendall(f"GET / HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
        received = b""
        while b"kernelId" not in received:
            received += line.recv(65536)
    kernel_id = kernel_id_in(received.decode())
    # A page that is asked for later has a process, so the earlier one had its time.
    later = echo_server.open_page()
    assert echo_server.has_process(later)
    wait_until(lambda: not echo_server.has_process(kernel_id), what="the end of the process")
    echo_server.ask(f"end/{later}", method="POST")


@pytest.fixture(scope="module")
def hasty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server that puts a page away after two seconds without a move."""
    folder = tmp_path_factory.mktemp("hasty")
    notebook = write_notebook(folder, ECHO)
    with running_server(folder, "--idle-minutes", "0.034", "--notebook", str(notebook)) as running:
        yield running


@pytest.mark.slow
def test_idle_page_is_put_away_says_so_and_comes_back(
    hasty_server: Server, browser: Browser
) -> None:
    page = browser.new_page()
    page.goto(hasty_server.url)
    expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["en"]["idle"], timeout=30_000)
    wait_until(lambda: not hasty_server.page_processes(), what="the end of the process")
    page.get_by_role("button", name=PHRASES["en"]["reload"]).click()
    page.wait_for_selector(READY)
    page.close()


@pytest.mark.slow
def test_page_that_nobody_opened_is_put_away(hasty_server: Server) -> None:
    kernel_id = hasty_server.open_page()
    wait_until(lambda: not hasty_server.has_process(kernel_id), what="the end of the process")


@pytest.mark.browser
@pytest.mark.slow
def test_page_whose_process_died_says_so(echo_server: Server, browser: Browser) -> None:
    others = set(echo_server.page_processes())
    page = browser.new_page(locale="de-AT")
    page.goto(echo_server.url)
    page.wait_for_selector(READY)
    (pid,) = set(echo_server.page_processes()) - others
    os.kill(pid, signal.SIGKILL)
    expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["de"]["died"], timeout=30_000)
    page.get_by_role("button", name=PHRASES["de"]["reload"]).click()
    page.locator(READY).click()
    expect(page.locator(READY)).to_have_text("Echo 1")
    page.close()


@pytest.mark.browser
@pytest.mark.slow
def test_page_whose_server_is_gone_says_so(tmp_path: Path, browser: Browser) -> None:
    page = browser.new_page()
    notebook = write_notebook(tmp_path, ECHO)
    with running_server(tmp_path, "--notebook", str(notebook)) as at:
        page.goto(at.url)
        page.wait_for_selector(READY)
        process_ids = at.page_processes()
        assert len(process_ids) == 1
    notice = page.locator("#skyline-notice")
    expect(notice).to_be_visible(timeout=30_000)
    expect(notice.get_by_role("button")).to_have_text(PHRASES["en"]["reload"])
    wait_until(lambda: not is_running(process_ids[0]), what="the end of the page process")
    page.close()


def is_running(pid: int) -> bool:
    """Tell whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
def test_killed_server_leaves_no_process(tmp_path: Path) -> None:
    with running_server(tmp_path) as at:
        at.open_page()
        (pid,) = at.page_processes()
        at.process.kill()
        at.process.wait()
        wait_until(lambda: not is_running(pid), what="the end of the page process")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such signal for one process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_server_ends_quietly(tmp_path: Path, number: signal.Signals) -> None:
    with running_server(tmp_path) as at:
        at.open_page()
        (pid,) = at.page_processes()
        at.process.send_signal(number)
        assert at.process.wait(30) == 0
        log = at.log.read_text(encoding="utf-8")
    assert log.splitlines() == [f"Skyline is at {at.url} (Ctrl+C ends it)"]
    wait_until(lambda: not is_running(pid), what="the end of the page process")


# A page that does not come


@pytest.mark.browser
@pytest.mark.slow
def test_game_that_fails_to_start_says_so_without_source(tmp_path: Path, browser: Browser) -> None:
    notebook = write_notebook(
        tmp_path, "secret_of_the_source = 1\nraise RuntimeError('secret of the error')"
    )
    with running_server(tmp_path, "--notebook", str(notebook)) as at:
        page = browser.new_page()
        page.goto(at.url)
        expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["en"]["failed"])
        for word in ("secret_of_the_source", "RuntimeError", "secret of the error", "Traceback"):
            assert word not in page.content()
        assert "secret of the error" in at.log.read_text(encoding="utf-8")
        wait_until(lambda: not at.page_processes(), what="the end of the page process")
        page.close()


@pytest.mark.slow
def test_page_process_that_dies_at_the_start_ends_the_waiting(tmp_path: Path) -> None:
    notebook = write_notebook(tmp_path, "import os; os._exit(3)")
    with running_server(tmp_path, "--notebook", str(notebook)) as at:
        status, _, text = at.ask()
    assert status == 200
    assert 'id="skyline-failed"' in text


@pytest.mark.slow
def test_page_that_takes_long_says_so(tmp_path: Path, browser: Browser) -> None:
    page = browser.new_page()
    page.clock.install()
    notebook = write_notebook(tmp_path, "import time; time.sleep(3600)")
    with running_server(tmp_path, "--notebook", str(notebook)) as at:
        page.goto(at.url, wait_until="commit")
        page.wait_for_selector("body[data-skyline=waiting]")
        expect(page.locator("#skyline-loading")).to_contain_text(PHRASES["en"]["loading"])
        page.clock.fast_forward(25_000)
        # The rest of the page has not come, so nothing but the upper part can say it.
        expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["en"]["slow"])
        page.close()


# Many visitors, and what they share


@pytest.mark.slow
def test_visitors_at_once_all_get_a_page_of_their_own(echo_server: Server) -> None:
    with ThreadPoolExecutor(12) as visitors:
        answers = list(visitors.map(lambda n: echo_server.ask(f"?visitor={n}"), range(12)))
    assert [status for status, _, _ in answers] == [200] * 12
    texts = [text for _, _, text in answers]
    for number, text in enumerate(texts):
        assert f"query=visitor={number};" in text
        assert text.rstrip().endswith("</html>")
    ids = {kernel_id_in(text) for text in texts}
    assert len(ids) == 12
    drawn = [re.search(r"drawn=([0-9.e-]+)/([0-9.e-]+)", text) for text in texts]
    for generator in (1, 2):
        assert len({match[generator] for match in drawn if match}) == 12
    for kernel_id in ids:
        assert echo_server.ask(f"end/{kernel_id}", method="POST")[0] == 204


@pytest.mark.slow
def test_request_reaches_the_app(echo_server: Server) -> None:
    german = {"Accept-Language": "de-CH,de;q=0.9,en;q=0.5"}
    _, _, text = echo_server.ask("?game=7%20x&v=%22", headers=german)
    assert "query=game=7%20x\\u0026v=%22;" in text
    assert "language=de" in text
    assert '<html lang="de">' in text
    echo_server.ask(f"end/{kernel_id_in(text)}", method="POST")


# What is sent, and what is not there


@pytest.mark.parametrize("path", ["", "nowhere", "api/kernels/none", "assets/none"])
def test_every_answer_has_the_security_headers(server: Server, path: str) -> None:
    _, headers, text = server.ask(path)
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'self'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers
    assert "://" not in re.sub(r"wss?://127\.0\.0\.1:\d+|http://www\.w3\.org/2000/svg", "", text)
    if not path:
        server.ask(f"end/{kernel_id_in(text)}", method="POST")


def test_policy_names_no_foreign_host() -> None:
    policy = content_security_policy("127.0.0.1:8866")
    assert re.findall(r"\S+://\S+", policy) == ["ws://127.0.0.1:8866", "wss://127.0.0.1:8866;"]
    assert content_security_policy("evil.example; script-src *") == "; ".join(
        f"{name} {value}" for name, value in POLICY.items()
    )


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "api/kernels", 404),
        ("POST", "api/kernels", 404),
        ("POST", "api/kernels/{id}/restart", 404),
        ("POST", "api/kernels/{id}/interrupt", 404),
        ("DELETE", "api/kernels/{id}", 403),
        ("GET", "api/sessions", 404),
        ("GET", "api/contents", 404),
        ("GET", "api/terminals", 404),
        ("GET", "api/status", 404),
        ("GET", "metrics", 404),
        ("GET", "login", 404),
        ("GET", "app.ipynb", 404),
        ("GET", "voila/files/app.ipynb", 404),
        ("GET", "voila/render/app.ipynb", 404),
        ("GET", "voila/tree/", 404),
        ("GET", "voila/execution/{id}", 404),
        ("POST", "", 403),
        ("PUT", "nowhere", 404),
    ],
)
def test_what_a_page_does_not_need_is_closed(
    server: Server, method: str, path: str, status: int
) -> None:
    found, headers, text = server.ask(path.format(id=uuid.uuid4()), method=method, body=b"")
    assert found == status
    assert headers["content-type"].startswith("text/html")
    assert error_sentence("en", status) in text
    assert "Traceback" not in text


def test_choices_of_the_visitor_come_before_those_of_the_browser(server: Server) -> None:
    german_and_dark = {"Cookie": "skyline_language=de; skyline_theme=dark"}
    _, _, text = server.ask("nowhere", headers=german_and_dark)
    assert '<html lang="de">' in text
    assert 'media="all"' in text
    nonsense = {"Cookie": 'skyline_language=x; skyline_theme="><script>'}
    _, _, text = server.ask("nowhere", headers=nonsense)
    assert '<html lang="en">' in text
    assert 'media="(prefers-color-scheme: dark)"' in text
    assert "<script" not in text


@pytest.mark.browser
@pytest.mark.slow
def test_page_follows_the_theme_and_language_of_the_game(tmp_path: Path, browser: Browser) -> None:
    marked = ECHO.replace(
        'Ready = "";', 'Ready = ""; button.dataset.theme = "dark"; button.lang = "de";'
    )
    notebook = write_notebook(tmp_path, marked)
    page = browser.new_page(color_scheme="light", locale="en-GB")
    with running_server(tmp_path, "--notebook", str(notebook)) as at:
        page.goto(at.url)
        page.wait_for_selector(READY)
        ground = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(ground) == "rgb(18, 22, 31)"
        expect(page.locator("html")).to_have_attribute("lang", "de")
        page.locator(READY).evaluate("button => { button.dataset.theme = 'light'; }")
        wait_until(lambda: page.evaluate(ground) == "rgb(244, 241, 234)", what="the light")
    expect(page.locator("#skyline-notice")).to_contain_text(PHRASES["de"]["reload"], timeout=30_000)
    page.close()


def test_error_page_speaks_german(server: Server) -> None:
    status, _, text = server.ask("nirgends", headers={"Accept-Language": "de"})
    assert status == 404
    assert '<html lang="de">' in text
    assert PHRASES["de"]["error_404"] in text


def test_foreign_name_of_this_machine_is_refused(server: Server) -> None:
    status, _, text = server.ask(headers={"Host": "rebound.example"})
    assert status == 403
    assert PHRASES["en"]["error_403"] in text


def test_page_of_another_origin_cannot_end_a_process(server: Server) -> None:
    kernel_id = server.open_page()
    foreign = {"Origin": "http://elsewhere.example"}
    assert server.ask(f"end/{kernel_id}", method="POST", headers=foreign)[0] == 403
    assert server.has_process(kernel_id)
    assert server.ask(f"end/{kernel_id}", method="POST")[0] == 204
    assert server.ask(f"end/{kernel_id}", method="POST")[0] == 204
    assert not server.has_process(kernel_id)


def test_goodbye_before_the_page_is_left_ends_nothing(server: Server) -> None:
    kernel_id = server.open_page()
    assert server.ask(f"voila/api/shutdown/{kernel_id}", method="POST")[0] == 204
    assert server.has_process(kernel_id)
    server.ask(f"end/{kernel_id}", method="POST")


def test_scripts_are_compressed_and_kept(server: Server) -> None:
    _, _, page = server.ask("nowhere")
    found = re.search(r'href="/(assets/\w+/own/skyline\.css)"', page)
    assert found is not None
    status, headers, plain = server.ask(found[1])
    assert status == 200
    assert headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in headers["cache-control"]
    _, squeezed, _ = server.ask(found[1], method="HEAD", headers={"Accept-Encoding": "gzip"})
    assert squeezed["content-encoding"] == "gzip"
    assert int(squeezed["content-length"]) < len(plain)
    known = {"If-None-Match": headers["etag"]}
    assert server.ask(found[1], headers=known)[0] == 304


def test_files_outside_a_folder_are_not_found(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.js").write_text("a")
    (tmp_path / "b.js").write_text("b")
    assert find_asset([tmp_path / "none", inside], "a.js") == inside / "a.js"
    for path in ("../b.js", str(tmp_path / "b.js"), "", ".", "a.js/../../b.js"):
        assert find_asset([inside], path) is None


# The web socket to a page process


class Line:
    """A web socket to a page process, opened by hand."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.session = uuid.uuid4().hex

    def send(self, kind: str, content: dict[str, object], channel: str = "shell") -> str:
        """Send a message and return its id."""
        header = {
            "msg_id": uuid.uuid4().hex,
            "msg_type": kind,
            "session": self.session,
            "username": "visitor",
            "version": "5.3",
            "date": "2026-01-01T00:00:00Z",
        }
        if self.socket.subprotocol:
            parts = [json.dumps(part).encode() for part in (header, {}, {}, content)]
            self.socket.send(serialize_msg_to_ws_v1(parts, channel))
        else:
            rest = {"parent_header": {}, "metadata": {}, "content": content, "channel": channel}
            self.socket.send(json.dumps({"header": header, **rest}))
        return header["msg_id"]

    def wait_for_answer(self, message_id: str) -> str:
        """Wait for the answer to a message and return its type."""
        while True:
            header, parent = self._receive()
            if parent.get("msg_id") == message_id and header["msg_type"].endswith("_reply"):
                return str(header["msg_type"])

    def _receive(self) -> tuple[dict[str, str], dict[str, str]]:
        message = self.socket.recv(timeout=30)
        if isinstance(message, bytes):
            _, parts = deserialize_msg_from_ws_v1(message)
            return json.loads(parts[0]), json.loads(parts[1])
        read = json.loads(message)
        return read["header"], read["parent_header"]


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["v1.kernel.websocket.jupyter.org", None])
def test_code_of_a_visitor_is_not_run(server: Server, tmp_path: Path, protocol: str | None) -> None:
    others = set(server.page_processes())
    kernel_id = server.open_page()
    (pid,) = set(server.page_processes()) - others
    url = f"{server.url.replace('http', 'ws')}api/kernels/{kernel_id}/channels?session_id=x"
    trace = tmp_path / "trace"
    code = {"code": f"open({str(trace)!r}, 'w').close()", "silent": False}
    subprotocols = [Subprotocol(protocol)] if protocol else None
    with connect(url, subprotocols=subprotocols, compression=None) as opened:
        line = Line(opened)
        for channel in ("shell", "control", "stdin", "iopub"):
            line.send("execute_request", code, channel)
        line.send("debug_request", {"command": "evaluate", "arguments": {}}, "control")
        line.send("inspect_request", {"code": "open", "cursor_pos": 3})
        line.send("complete_request", {"code": "op", "cursor_pos": 2})
        line.send("input_reply", {"value": "x"}, "stdin")
        line.send("interrupt_request", {}, "control")
        line.send("shutdown_request", {"restart": False}, "control")
        line.send("shutdown_request", {"restart": False}, "shell")
        line.send("comm_open", {"comm_id": "c", "target_name": "jupyter.widget", "data": {}})
        opened.send(b"\x00" if protocol else "{")
        # The process answers in order: once this is answered, all before has had its turn.
        question = line.send("comm_info_request", {})
        assert line.wait_for_answer(question) == "comm_info_reply"
    assert not trace.exists()
    assert pid in server.page_processes()
    log = server.log.read_text(encoding="utf-8")
    assert "the type is 'execute_request'" in log
    assert "the channel is 'control'" in log
    server.ask(f"end/{kernel_id}", method="POST")


@pytest.mark.slow
def test_page_of_another_origin_cannot_open_the_web_socket(server: Server) -> None:
    from websockets.exceptions import InvalidStatus

    kernel_id = server.open_page()
    for path in (f"api/kernels/{kernel_id}/channels", f"watch/{kernel_id}"):
        url = f"{server.url.replace('http', 'ws')}{path}"
        with (
            pytest.raises(InvalidStatus, match="403"),
            connect(
                url,
                origin=Origin("http://elsewhere.example"),
            ),
        ):
            pass
    server.ask(f"end/{kernel_id}", method="POST")


@pytest.mark.slow
def test_lines_stay_open_while_they_are_answered(tmp_path: Path) -> None:
    hasty = (
        "from skyline_app import pages, server\n"
        "server.PING_MILLISECONDS = 100\n"
        "pages.WatchHandler.HEARTBEAT_SECONDS = 0.1"
    )
    with running_server(tmp_path, before=hasty) as at:
        kernel_id = at.open_page()
        address = at.url.replace("http", "ws")
        channels = f"{address}api/kernels/{kernel_id}/channels?session_id=x"
        with connect(f"{address}watch/{kernel_id}") as watch, connect(channels) as opened:
            for _ in range(20):  # so there have been several pings
                assert json.loads(watch.recv(timeout=30)) == {"state": "alive"}
            line = Line(opened)
            question = line.send("comm_info_request", {})
            assert line.wait_for_answer(question) == "comm_info_reply"
        assert "ping" not in at.log.read_text(encoding="utf-8")


def test_watch_over_a_process_that_is_not_there(server: Server) -> None:
    with connect(f"{server.url.replace('http', 'ws')}watch/{uuid.uuid4()}") as line:
        assert json.loads(line.recv(timeout=30)) == {"state": "gone"}


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("", "cannot be read"),
        ("[]", "cannot be read"),
        ('{"channel": "shell"}', "cannot be read"),
        (b"\x00", "cannot be read"),
        ('{"channel": "shell", "header": {"msg_type": "execute_request"}, "content": {}}', "type"),
        ('{"channel": "control", "header": {"msg_type": "comm_msg"}, "content": {}}', "channel"),
        ('{"channel": "shell", "header": {"msg_type": "comm_open"}, "content": {}}', "target"),
        ('{"channel": "shell", "header": {"msg_type": "comm_open"}, "content": 1}', "read"),
        ('{"channel": "shell", "header": {"msg_type": "comm_msg"}, "content": {}}', None),
    ],
)
def test_refusal_names_its_reason(message: str | bytes, reason: str | None) -> None:
    found = refusal(message, v1=False)
    assert (found is None) if reason is None else (found is not None and reason in found)


# The command line


@pytest.mark.slow
def test_busy_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "skyline_app", "--no-browser", "--port", str(port)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.count("\n") == 1
    assert f"port {port}" in ended.stderr
    assert "--port" in ended.stderr


def test_free_port_is_taken_if_none_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("skyline_app.server.DEFAULT_PORT", port)
        found = listen_on("127.0.0.1", None)
        with found:
            assert found.getsockname()[0] == "127.0.0.1"
            assert found.getsockname()[1] not in {0, port}
        with pytest.raises(AddressError, match=str(port)):
            listen_on("127.0.0.1", port)


def test_notebook_that_cannot_be_read_is_one_sentence(tmp_path: Path) -> None:
    from skyline_app.server import NotebookError, load_notebook

    (tmp_path / "no.ipynb").write_text("{}")
    for name in ("no.ipynb", "none.ipynb"):
        with pytest.raises(NotebookError, match=name):
            load_notebook(tmp_path / name)
    assert load_notebook(find_notebook()).cells


@pytest.mark.parametrize(
    "arguments",
    [["--port", "x"], ["--port", "70000"], ["--idle-minutes", "0"], ["--idle-minutes", "nan"]],
)
def test_wrong_option_ends_with_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        parse_command_line(arguments)
    assert end.value.code == 2
    assert arguments[0] in capsys.readouterr().err


def test_options_have_careful_defaults() -> None:
    options = parse_command_line([])
    assert (options.ip, options.port, options.base_url) == ("127.0.0.1", None, "/")
    assert parse_command_line(["--base-url", "x"]).base_url == "/x/"


# The sentences


def test_languages_have_the_same_sentences() -> None:
    assert PHRASES["de"].keys() == PHRASES["en"].keys()
    for language in PHRASES.values():
        assert all(language.values())


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.8", "de"),
        ("fr,de;q=0.4,en;q=0.3", "de"),
        ("en,de", "en"),
        ("de;q=0.2,en;q=0.9", "en"),
        ("de;q=0", "en"),
        ("fr", "en"),
        (";;;,*;q=x,de", "de"),
    ],
)
def test_language_follows_the_browser(header: str, language: str) -> None:
    assert preferred_language(header) == language
