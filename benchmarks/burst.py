"""A class at once: thirty visitors within one second, and what each of them waits for.

    python -m benchmarks.burst [--visitors 30]      (from the top folder)

Our app and, in the same run, a one-button notebook in a stock Voilà, one burst each. First
a real browser visits both and its requests are noted. Then each visitor sends the same
traffic without the browser: the page as a stream; every script and style the browser asked
for, compressed, over six kept connections, those named in the upper part as soon as it is
there and the others after the end of the page; then the web socket to the page process and
the question for the state of the widgets. A page counts as playable when that state is
there and holds the widget; what a browser would need to run the scripts is not in it. On
our page each visitor then presses a button and waits for the answer. At the end all say
goodbye as a browser does.

Silence is the longest time in which a visitor received nothing at all. Memory is the
proportional share (PSS) where the system tells it, resident memory elsewhere; that of the
notebook in all has one process too many, because the browser's own stays. Visitors and
servers run on this machine and share its cores; nothing is sent anywhere else. A visitor
gives up after 90 seconds, so the run ends by itself. Needs a Chromium, and Linux for the
numbers about the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Request, sync_playwright

from benchmarks.page import (
    OPTIONS,
    Candidate,
    candidates,
    chromium,
    descendants,
    only_this_machine,
    processes,
    serve,
)
from benchmarks.visitor import Kind, Traffic, Visitor

KINDS = (
    Kind("AppTable", "/end/{id}", answers=True, end_within=600.0),
    Kind("ButtonView", "/voila/api/shutdown/{id}", answers=False, end_within=5.0),
)


def note_traffic(candidate: Candidate, kind: Kind) -> Traffic:
    """Visit the page with a browser and return what it asked for; this warms up the server."""
    traffic = Traffic()
    requests = traffic.early

    def note(request: Request) -> None:
        found = urlsplit(request.url)
        if request.method == "GET" and not request.is_navigation_request() and local(request.url):
            path = found.path + (f"?{found.query}" if found.query else "")
            requests.append(re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "{id}", path))

    def end_of_page(request: Request) -> None:
        nonlocal requests
        if request.is_navigation_request():
            requests = traffic.late

    def note_line(url: str) -> None:
        traffic.watch = traffic.watch or "/watch/" in url

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=OPTIONS)
        page = browser.new_page()
        page.route("**/*", only_this_machine)
        page.on("request", note)
        page.on("requestfinished", end_of_page)
        page.on("websocket", lambda line: note_line(line.url))
        page.goto(candidate.url, wait_until="commit")
        page.wait_for_selector(candidate.selector, state="attached", timeout=60_000)
        page.wait_for_load_state("networkidle")
        running = len(descendants(candidate.pid))
        page.unroute("**/*")  # its goodbye must not wait for us
        page.close(run_before_unload=True)
        wait_until(lambda: len(descendants(candidate.pid)) < running, kind.end_within)
        browser.close()
    return traffic


def local(url: str) -> bool:
    """Tell whether an address is on this machine."""
    return urlsplit(url).hostname == "127.0.0.1"


def wait_until(look: Callable[[], bool], seconds: float) -> float | None:
    """Look again and again; return the seconds that it took, or None if it took too long."""
    began = time.monotonic()
    while not look():
        if time.monotonic() > began + seconds:
            return None
        time.sleep(0.05)
    return time.monotonic() - began


def mebibytes(pid: int) -> float:
    """Return the memory of a process: its proportional share where the system tells it."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8")
    except OSError:
        return processes().get(pid, (0, 0.0))[1]
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def processor_seconds(pids: set[int]) -> float:
    """Return the processor time that processes have used so far; 0 where it is not told."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            line = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
            ticks += sum(map(int, line.rpartition(")")[2].split()[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


@dataclass
class Burst:
    """What was measured of one server.

    Attributes
    ----------
    visitors : list of Visitor
        All of them.
    per_page, in_all : float
        Memory in MiB: median of the page processes; server and all its processes.
    work : tuple of float
        Processor seconds of the server, of its other processes, and of the visitors.
    seconds : float
        From the first request to the last page.
    goodbye : float or None
        Seconds until no page process was left, None if some stayed.
    """

    visitors: list[Visitor]
    per_page: float
    in_all: float
    work: tuple[float, float, float]
    seconds: float
    goodbye: float | None = None


async def burst(candidate: Candidate, kind: Kind, traffic: Traffic, number: int) -> Burst:
    """Let all visitors come within one second, measure, and let them go."""
    server = {candidate.pid}
    others = descendants(candidate.pid)
    visitors = [Visitor(candidate, kind, traffic) for _ in range(number)]
    before = processor_seconds(server), processor_seconds(others), time.process_time()
    began = time.monotonic()
    await asyncio.gather(*(one.come(n / number) for n, one in enumerate(visitors)))
    seconds = time.monotonic() - began
    family = descendants(candidate.pid)
    after = processor_seconds(server), processor_seconds(family), time.process_time()
    work = (after[0] - before[0], after[1] - before[1], after[2] - before[2])
    pages = [mebibytes(pid) for pid in family - others]
    in_all = sum(map(mebibytes, family | server))
    found = Burst(visitors, statistics.median(pages or [0.0]), in_all, work, seconds)
    began = time.monotonic()
    await asyncio.gather(*(one.leave() for one in visitors))
    left = asyncio.to_thread(
        wait_until, lambda: descendants(candidate.pid) <= others, kind.end_within
    )
    found.goodbye = None if await left is None else time.monotonic() - began
    return found


def row(found: Burst) -> dict[str, float]:
    """Return the numbers of one server by their names in the table."""
    nothing = float("nan")

    def of(name: str, choose: Callable[[list[float]], float]) -> float:
        values = [value for one in found.visitors if (value := getattr(one, name)) is not None]
        return choose(values) if values else nothing

    return {
        "first byte, median s": of("first_byte", statistics.median),
        "first byte, worst s": of("first_byte", max),
        "page complete, median s": of("complete", statistics.median),
        "page complete, worst s": of("complete", max),
        "playable, median s": of("playable", statistics.median),
        "playable, worst s": of("playable", max),
        "click answered, worst s": of("answered", max),
        "longest silence, s": of("silence", max),
        "last process gone after, s": nothing if found.goodbye is None else found.goodbye,
        "memory of a page, MiB": found.per_page,
        "memory in all, MiB": found.in_all,
        "processor: server, s": found.work[0],
        "processor: pages, s": found.work[1],
        "processor: visitors, s": found.work[2],
        "processor: cores busy": sum(found.work) / found.seconds,
    }


def report(both: list[Candidate], found: list[Burst]) -> None:
    """Print the table, ours as a multiple of the other, and every failure."""
    print(f"{'':28}" + "".join(f"{one.name:>21}" for one in both) + f"{'ratio':>8}")
    ours, other = map(row, found)
    for name, value in ours.items():
        print(f"{name:28}{value:21.2f}{other[name]:21.2f}{value / (other[name] or 1):8.2f}")
    for candidate, kind, one in zip(both, KINDS, found, strict=True):
        failures = [visitor.failure for visitor in one.visitors if visitor.failure]
        print(f"{candidate.name}: {len(failures)} of {len(one.visitors)} visitors failed")
        for failure, times in Counter(failures).items():
            print(f"    {times} times {failure}")
        if one.goodbye is None:
            print(f"    page processes were left {kind.end_within:.0f} s after the last goodbye")
        if refused := [visitor.refused for visitor in one.visitors if visitor.refused]:
            print(f"    {len(refused)} goodbyes were refused, e.g. {refused[0][:110]}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--visitors", type=int, default=30, help="in one second (default 30)")
    number = parser.parse_args().visitors
    load = os.getloadavg()[0]
    found = []
    with contextlib.ExitStack() as running:
        folder = Path(running.enter_context(tempfile.TemporaryDirectory()))
        both = candidates(folder, "[data-skyline-ready]")
        for candidate in both:
            running.enter_context(serve(candidate, folder))
        noted = [note_traffic(candidate, kind) for candidate, kind in zip(both, KINDS, strict=True)]
        for candidate, kind, traffic in zip(both, KINDS, noted, strict=True):
            found.append(asyncio.run(burst(candidate, kind, traffic, number)))
    print(
        f"{number} visitors within 1 s, Python {sys.version.split()[0]}, {os.cpu_count()} cores, "
        f"load before: {load:.1f}"
    )
    for candidate, traffic in zip(both, noted, strict=True):
        print(f"{candidate.name}: {len(traffic.early)} + {len(traffic.late)} files for each page")
    report(both, found)


if __name__ == "__main__":
    main()
