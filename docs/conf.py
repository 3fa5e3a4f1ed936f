"""Settings of Sphinx for `make docs`: the Markdown pages of the repository as a site that needs no network.

The source folder is the root of the repository, so that a relative link, such as ``../README.md``, leads to the same
page in the site as in the repository.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

project = "Neuron Cluster Toolkit"
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**", "charts/*/README.md", "local_aws/README.md"]
exclude_patterns = [".*", "build", "cdk.out", "dist", "neuron_cluster", "node_modules", "tests"]  # are not searched
myst_enable_extensions = ["alert"]  # `> [!WARNING]`, as on a Git forge
myst_heading_anchors = 6  # levels of headings with an anchor, named as on a Git forge
nitpicky = True
smartquotes = False  # they make a dash of the two hyphens of an option

html_theme = "furo"
html_title = project
html_static_path = ["_static"]
html_css_files = ["tables.css"]
html_copy_source = False
html_show_copyright = False

CONTENTS = "\n\n```{{toctree}}\n:hidden:\n:glob:\n\n{pages}\n```\n"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", _add_pages_of_folder)
    app.connect("html-page-context", _collapse_navigation, priority=400)  # before the theme, whose priority is 500
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _add_pages_of_folder(app: Sphinx, page: str, source: list[str]) -> None:
    """``rules.md`` becomes the parent of the pages in ``rules/``, and an ``index.md`` of those in its folder."""
    path = Path(app.srcdir, page)
    if "{toctree}" not in source[0] and (path.name == "index" or path.is_dir()):
        source[0] += CONTENTS.format(pages="*" if path.name == "index" else f"{path.name}/*")


def _collapse_navigation(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: object) -> None:
    """Each page lists the pages of its own folder, not all pages: a build takes a third of the time (docs/adr/0030)."""
    if toctree := context.get("toctree"):
        context["toctree"] = lambda **options: toctree(**{**options, "collapse": True})
