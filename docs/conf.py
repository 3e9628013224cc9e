"""Settings of the documentation: ``sphinx-build -W docs docs/_build``.

Sphinx, because the docstrings are numpydoc and cross-references between them are wanted; MyST-NB,
because the notebooks are part of the guide.  Nothing is fetched while building or reading:
formulas become MathML, which browsers draw themselves, and widgets are left to JupyterLab.

Notebooks are run while building, which takes a minute or two; ``-D nb_execution_mode=off`` leaves
that out.
"""

from __future__ import annotations

import os
import pkgutil
import shutil
import sys
from importlib import import_module
from pathlib import Path
from types import GenericAlias
from typing import TYPE_CHECKING, Any, Final

from docutils import nodes
from docutils.utils.math import latex2mathml
from sphinx.pycode import ModuleAnalyzer

if TYPE_CHECKING:
    from sphinx.application import Sphinx

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parent
sys.path[:0] = [str(ROOT), str(ROOT / "widgets")]
# The kernels of the notebooks find the packages as well.
os.environ["PYTHONPATH"] = os.pathsep.join(sys.path[:2])

project = "Skyline kit"
author = "The Skyline kit developers"
project_copyright = author
language = "en"

extensions = ["sphinx.ext.autodoc", "numpydoc", "myst_nb"]
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Skyline kit"
html_math_renderer = "mathml"

default_role = "literal"
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
suppress_warnings: list[str] = []

# Not kept from build to build: both languages run the same code, and a cache that goes by the code
# would show the one the charts of the other.
nb_execution_mode = "force"
nb_execution_timeout = 120
nb_execution_raise_on_error = True
nb_ipywidgets_js: dict[str, Any] = {}
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath"]

#: What is documented, and folders of this one that are made while building.
PACKAGES: Final = ("skyline_kernel", "skyline_widgets")
NOTEBOOKS: Final = HERE / "notebooks"
REFERENCE: Final = HERE / "reference"


# --- pages that are made ----------------------------------------------------------------------


def write_if_new(path: Path, text: str) -> None:
    """Write a page, but leave one that is as it should be: Sphinx looks at its date."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def module_names() -> list[str]:
    """List all modules of the packages, programs left out."""
    names = []
    for package in PACKAGES:
        names.append(package)
        path = import_module(package).__path__
        names += [module.name for module in pkgutil.walk_packages(path, f"{package}.")]
    return sorted(name for name in names if not name.endswith("__main__"))


def aliases_of(name: str) -> dict[str, str]:
    """Return the type aliases that a module defines, with what is said of them."""
    public = getattr(import_module(name), "__all__", ())
    found = {one: getattr(import_module(name), one) for one in public}
    said = ModuleAnalyzer.for_module(name).find_attr_docs()
    return {
        one: " ".join(said["", one])
        for one, value in found.items()
        if isinstance(value, GenericAlias) and ("", one) in said
    }


def module_page(name: str) -> str:
    """Return the page of a module.

    Type aliases are written apart, as data: autodoc takes them for classes and fails to find
    their signature.
    """
    aliases = aliases_of(name)
    lines = [name, "=" * len(name), "", f".. automodule:: {name}", "   :members:"]
    if aliases:
        lines.append(f"   :exclude-members: {', '.join(aliases)}")
    for one, words in aliases.items():
        lines += ["", f".. py:data:: {name}.{one}", "", f"   {words}"]
    return "\n".join(lines) + "\n"


def write_reference() -> None:
    """Write a page for every module."""
    names = module_names()
    for name in names:
        write_if_new(REFERENCE / f"{name}.rst", module_page(name))
    entries = "".join(f"   {name}\n" for name in names)
    head = "Reference\n=========\n\nEvery public module, class and function.\n\n"
    write_if_new(REFERENCE / "index.rst", f"{head}.. toctree::\n   :maxdepth: 1\n\n{entries}")
    for page in REFERENCE.glob("*.rst"):
        if page.stem not in {*names, "index"}:
            page.unlink()


def copy_notebooks() -> None:
    """Copy the notebooks of both languages to where Sphinx finds them."""
    for source in sorted((ROOT / "notebooks").glob("[de][en]/*.ipynb")):
        target = NOTEBOOKS / source.parent.name / source.name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)


# --- formulas ---------------------------------------------------------------------------------


def visit_formula(translator: Any, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML."""
    is_block = isinstance(node, nodes.math_block)
    translator.body.append(latex2mathml.tex2mathml(node.astext(), as_block=is_block))
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    """Prepare the pages that are made, and the formulas."""
    write_reference()
    copy_notebooks()
    app.add_html_math_renderer("mathml", (visit_formula, None), (visit_formula, None))
