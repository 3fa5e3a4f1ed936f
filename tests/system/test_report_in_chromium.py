"""The page of an environment in a real browser: nothing overlaps at three widths, and axe-core finds nothing.

Needs Chromium, which pip cannot bring (``apt-get install chromium``, or its path in ``NEURON_CLUSTER_CHROMIUM``), and
axe-core of ``node_modules``.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path

import pytest
from msgspec import structs

from neuron_cluster.pages.html_page import html_of
from neuron_cluster.report.environment_page import environment_document
from tests.report_parts import ENVIRONMENTS, environment_file, parts_of, some_status
from tests.system_tests import needs_program
from tests.thirty_groups import write_thirty_groups
from tests.two_clusters import write_two_clusters
from tests.unit.access.templates import golden_matrix

ROOT = Path(__file__).parents[2]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
NAMES = ("chromium", "chromium-browser", "google-chrome")
FRAMES = ((390, "light"), (390, "dark"), (1280, "light"), (1280, "dark"), (1920, "light"))
QUICK = ((390, "light"), (1280, "dark"))
"""Frames in which axe-core runs in `make test`: each width below the widest, each colour scheme. The exhaustive tests
run it in all of them.
"""
STANDING = ("private-trn1", "research-teams", "slurm-trn2-block", "storage-kinds", "train-trn1")
"""Environments whose pages together have every heading, row and class that any page has, but for names."""
Frames = Sequence[tuple[int, str]]
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>\n')
RESULT = re.compile(r'<pre id="result">(.*?)</pre>', re.DOTALL)
MINUTES = 5

CHROMIUM = os.environ.get("NEURON_CLUSTER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), "")
pytestmark = [pytest.mark.system, pytest.mark.slow, needs_program("chromium", CHROMIUM)]


def _checked(page: str, folder: Path, axe_in: Frames) -> dict[str, list[str]]:
    """Returns faults by frame, width and colour scheme. The checks are scripts, which the page's own policy forbids."""
    without_policy = POLICY.sub("", page)
    assert without_policy != page
    frames = "".join(_frame(without_policy, *frame, with_axe=frame in axe_in) for frame in FRAMES)
    checks = (Path(__file__).parent / "checks.js").read_text()
    scripts = f'<script type="text/plain" id="axe">{AXE.read_text()}</script><script>{checks}</script>'
    file = folder / "page.html"
    file.write_text(f'<!doctype html><meta charset="utf-8"><body>{scripts}{frames}<pre id="result"></pre></body>')
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=120000")
    shown = subprocess.run(
        [CHROMIUM, *options, f"--user-data-dir={folder / 'profile'}", "--window-size=1920,1080", file.as_uri()],
        capture_output=True, text=True, check=True, timeout=MINUTES * 60,
    ).stdout  # fmt: skip
    found = RESULT.search(shown)
    assert found is not None
    results: dict[str, list[str]] = json.loads(unescape(found[1]))
    return results


def _frame(page: str, width: int, scheme: str, *, with_axe: bool) -> str:
    style = f"color-scheme:{scheme};border:0;width:{width}px;height:900px"
    return f'<iframe id="{width}-{scheme}"{" data-axe" * with_axe} style="{style}" srcdoc="{escape(page)}"></iframe>'


def _require_legible(page: str, folder: Path, axe_in: Frames = QUICK) -> None:
    expected = [f"{width}-{scheme} {width} {scheme}" for width, scheme in FRAMES]
    assert _checked(page, folder, axe_in) == {each: [] for each in expected}


@pytest.mark.parametrize(
    ("environment", "axe_in"),
    [
        *(pytest.param(name, QUICK, id=name) for name in STANDING),
        *(pytest.param(name, FRAMES, id=f"{name}-all", marks=pytest.mark.exhaustive) for name in ENVIRONMENTS),
    ],
)
def test_the_page_of_every_environment_is_legible(environment: str, axe_in: Frames, tmp_path: Path) -> None:
    parts = parts_of(environment_file(environment), golden_matrix(environment))
    _require_legible(html_of(environment_document(parts)), tmp_path, axe_in)


def test_the_page_with_a_status_is_legible(tmp_path: Path) -> None:
    parts = structs.replace(parts_of(environment_file("dev-inf2"), golden_matrix("dev-inf2")), status=some_status())
    _require_legible(html_of(environment_document(parts)), tmp_path)


@pytest.mark.exhaustive
def test_the_page_of_thirty_groups_is_legible(tmp_path: Path) -> None:
    parts = parts_of(write_thirty_groups(tmp_path), golden_matrix("train-trn1"))
    _require_legible(html_of(environment_document(parts)), tmp_path)


def test_the_page_of_two_clusters_is_legible(tmp_path: Path) -> None:
    parts = parts_of(write_two_clusters(tmp_path), golden_matrix("slurm-storage"))
    _require_legible(html_of(environment_document(parts)), tmp_path)


def test_the_checks_find_a_text_over_another_and_a_table_without_a_title(tmp_path: Path) -> None:
    parts = parts_of(environment_file("dev-inf2"), golden_matrix("dev-inf2"))
    page = html_of(environment_document(parts))
    broken = re.sub(r'(<text class="body" x="[\d.]+" y=")[\d.]+', r"\g<1>50", page).replace(
        '<html lang="en">', "<html>"
    )
    found = _checked(broken, tmp_path, QUICK)["390-light 390 light"]
    assert any(" | " in each for each in found)
    assert any(each.startswith("html-has-lang") for each in found)
