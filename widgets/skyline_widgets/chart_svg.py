"""What makes of a drawn chart an SVG that can stand in a page among others.

Matplotlib writes a document: with a style for all elements, which would reach the whole page; with
names of elements that come again in the next chart; with colours of one theme.  Here it becomes an
element: names are its own, colours are those of the page, and it says in words what it is.
"""

from __future__ import annotations

import hashlib
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from typing import Final

__all__ = ["element_of", "one_line"]

_SPACE: Final = "http://www.w3.org/2000/svg"
_HREF: Final = "{http://www.w3.org/1999/xlink}href"
_NEEDLESS: Final = ("metadata", "style")
_GROUPS: Final = ("g", "defs")
_NAMED: Final = ("clipPath", "path", "pattern")

_REFERENCE: Final = re.compile(r"url\(#")
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b")
_FONT: Final = re.compile(r"font-family:[^;]*; ?")
_STYLE: Final = (
    "font-family: system-ui, 'DejaVu Sans', sans-serif; "
    "stroke-linejoin: round; stroke-linecap: butt"
)


def element_of(drawn: bytes, title: str, *, colours: Mapping[str, str] | None = None) -> str:
    """Return an SVG of matplotlib as one element.

    Parameters
    ----------
    drawn : bytes
        The document.
    title : str
        What the picture shows, for who cannot see it.
    colours : mapping of str to str, optional
        What a page has for which colour, such as ``var(--line)`` for ``#d9d3c7``; it fits itself
        into the page then.  Left out, it keeps its own colours and its own size.
    """
    # Our own drawing, in which every text is escaped; it comes from nowhere else.
    root = ET.fromstring(drawn)  # noqa: S314
    prefix = f"c{hashlib.sha256(drawn + title.encode()).hexdigest()[:8]}-"
    _strip(root)
    for element in root.iter():
        _adapt(element, prefix, colours or {})
    box = root.attrib["viewBox"]
    _, _, width, height = box.split()
    size = {"width": width, "height": height} if colours is None else {}
    words = {"class": "chart", "role": "img", "aria-label": one_line(title)}
    root.attrib = {"xmlns": _SPACE, "viewBox": box, **size, **words, "style": _STYLE}
    said = ET.Element("title")
    said.text = words["aria-label"]
    root.insert(0, said)
    return ET.tostring(root, encoding="unicode")


def _strip(parent: ET.Element) -> None:
    """Take out what a page has no use for: data about data, a style for all, empty groups."""
    parent.tag = parent.tag.rpartition("}")[2]
    if parent.tag != "text":
        parent.text = None
    for child in list(parent):
        _strip(child)
        child.tail = None
        if child.tag in _NEEDLESS or (child.tag in _GROUPS and not len(child)):
            parent.remove(child)


def _adapt(element: ET.Element, prefix: str, colours: Mapping[str, str]) -> None:
    """Make names those of this chart and colours those of the page."""
    attributes = element.attrib
    name = attributes.pop("id", "")
    if element.tag in _NAMED and name:
        attributes["id"] = prefix + name
    elif name and "_" not in name:  # the name of a part; matplotlib's own have a number
        attributes["class"] = name
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]
    if _HREF in attributes:
        attributes["href"] = f"#{prefix}{attributes.pop(_HREF)[1:]}"
    if "d" in attributes:
        attributes["d"] = " ".join(attributes["d"].split())
    if "fill" in attributes:  # the ground of a hatch; only a style may hold a variable
        attributes["style"] = f"fill: {attributes.pop('fill')}"
    for key in {"clip-path", "style"} & attributes.keys():
        attributes[key] = _REFERENCE.sub(f"url(#{prefix}", attributes[key])
    if "style" in attributes:
        style = _FONT.sub("", attributes["style"])
        attributes["style"] = _COLOUR.sub(lambda hit: colours.get(hit[0], hit[0]), style)


def one_line(text: str) -> str:
    """Return a text without what cannot be printed, such as ends of lines."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
