"""The findings about an edit of what is deployed, from the docstrings of the guards."""

from __future__ import annotations

from collections.abc import Iterator

from neuron_cluster.changes.guards.run import all_guards
from neuron_cluster.findings.spec import FindingSpec, docstring_parts

CHAPTER = "9: edits and deploys"
JUDGES = "the templates before and after the edit"


def finding_specs() -> Iterator[FindingSpec]:
    """One of each guard, and that of the two files, which no template shows."""
    for guard in all_guards():
        title, reason, consequence = docstring_parts(type(guard).__doc__ or "")
        yield FindingSpec(
            guard.id,
            CHAPTER,
            JUDGES,
            title,
            reason,
            consequence,
            guard.source,
            references=guard.references,
        )
    yield FindingSpec(
        "E9010",
        CHAPTER,
        "the file before and after the edit",
        "The two files are of one environment: the same account and Region.",
        "Another account or Region is another environment. Its deploy leaves the first one as it is with its data, "
        "and no file describes it any more.",
    )
