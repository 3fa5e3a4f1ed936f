"""The state of an environment on its page."""

from __future__ import annotations

from neuron_cluster.pages.document import Document
from neuron_cluster.pages.html_page import html_of
from neuron_cluster.pages.markdown import markdown_of
from neuron_cluster.report.status_page import status_part
from tests.report_parts import some_status


def document() -> Document:
    return Document(title="a page", lead="", sections=(status_part(some_status()),))


def test_lines_that_are_not_healthy_have_verdict_cause_time_and_command() -> None:
    page = html_of(document())
    assert "Status at 2026-11-27 12:00 UTC" in page
    assert "In AWS account 111122223333, us-west-2: 1 ERROR, 1 warning, 1 not read, 3 healthy." in page
    for words in ("ERROR Compute groups: trn1", "warning Compute groups: system", "not read Compute groups: login"):
        assert words in page
    assert "Since 2026-11-27 07:00 UTC, for 5 h 0 min" in page
    assert "Next: <code>aws sts get-caller-identity</code>" in page
    assert page.index("ERROR Compute") < page.index("warning Compute") < page.index("not read Compute")


def test_texts_of_aws_are_no_markup_and_no_link() -> None:
    page = html_of(document())
    assert "&lt;no capacity&gt; in [us-west-2a](x)" in page
    assert "<no capacity>" not in page


def test_each_healthy_line_is_a_row_and_what_no_line_is_about_is_named() -> None:
    text = markdown_of(document())
    assert [f"train-trn1-{part}" in text for part in ("network", "storage", "cluster")] == [True] * 3
    assert "kubectl get nodes" in text
