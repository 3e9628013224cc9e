"""Settings of the documentation: ``python tools/guide.py`` builds it in both languages.

Sphinx, because the docstrings are numpydoc and cross-references between them are wanted; MyST-NB,
because the notebooks are part of the guide.  Nothing is fetched while building or reading:
formulas become MathML, which browsers draw themselves, and widgets are left to JupyterLab.

English is what stands in the sources.  ``-D language=de`` brings the German guide: its sentences are
those of the gettext catalogues in ``locale/de``, and the notebooks are the German ones.

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
from sphinx.roles import XRefRole

if TYPE_CHECKING:
    from docutils.nodes import Element
    from sphinx.application import Sphinx
    from sphinx.config import Config
    from sphinx.environment import BuildEnvironment

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
exclude_patterns = ["_build", "jupyter_execute"]
templates_path = ["_templates"]
# A catalogue for each page. Literal blocks are in it for the recursion, which is partly in words.
locale_dirs = ["locale"]
gettext_compact = False
gettext_additional_targets = ["literal-block"]
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["language.css"]
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

#: Languages, in their own words.  Pages of each are built into a folder named after it.
LANGUAGES: Final = {"en": "This page in English", "de": "Diese Seite auf Deutsch"}
TITLES: Final = {"en": "Skyline kit", "de": "Skyline-Baukasten"}
#: Before and behind a folded cell of a notebook.
PROMPTS: Final = {
    "en": ("Show the code", "Hide the code"),
    "de": ("Code zeigen", "Code verbergen"),
}

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


# --- two languages ----------------------------------------------------------------------------


class NotebookRole(XRefRole):
    """``{notebook}`02_rules```: a link to a notebook in the language that is being built."""

    def process_link(
        self,
        env: BuildEnvironment,
        refnode: Element,
        has_explicit_title: bool,
        title: str,
        target: str,
    ) -> tuple[str, str]:
        """Make it a link to a page, whose title it takes."""
        refnode.attributes.update(refdomain="std", reftype="doc", refexplicit=has_explicit_title)
        return title, f"/notebooks/{env.config.language}/{target}"


def choose_language(_app: Sphinx, config: Config) -> None:
    """Take the words of the language, and leave out the notebooks of the others."""
    config.html_title = TITLES[config.language]
    config.nb_code_prompt_show, config.nb_code_prompt_hide = PROMPTS[config.language]
    others = [name for name in LANGUAGES if name != config.language]
    config.exclude_patterns += [f"notebooks/{name}" for name in others]


def add_language_links(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: nodes.document | None
) -> None:
    """Tell the template of a page where it stands in the other languages."""
    here = app.config.language
    top = "../" * (page.count("/") + 1)
    context["other_languages"] = [
        (name, code, f"{top}{code}/{page.replace(f'notebooks/{here}/', f'notebooks/{code}/')}.html")
        for code, name in LANGUAGES.items()
        if code != here
    ]


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
    app.add_role("notebook", NotebookRole())
    app.connect("config-inited", choose_language)
    app.connect("html-page-context", add_language_links)
    app.add_html_math_renderer("mathml", (visit_formula, None), (visit_formula, None))
