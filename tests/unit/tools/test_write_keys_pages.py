"""docs/keys/ has a row or a section for each key of the environment file."""

from __future__ import annotations

import re

from reference_pages import outdated
from write_keys_pages import NAME, keys_pages

from neuron_cluster.config.field_docs import field_doc, pattern_paths, without_positions

PAGES = keys_pages()
ROW = re.compile(r"^\| `(\w+)` \| ", re.MULTILINE)


def test_the_pages_in_the_documentation_are_fresh() -> None:
    assert outdated(NAME, PAGES) == [], "run tools/write_keys_pages.py"


def test_each_key_is_described_once_below_the_heading_of_its_mapping() -> None:
    mappings = [part.partition("`\n") for text in PAGES.values() for part in text.split("\n## `")[1:]]
    described = [f"{path}.{key}" for path, _, text in mappings for key in ROW.findall(_table_of_keys(text))]
    described += ROW.findall(PAGES[f"{NAME}.md"].partition("## Other keys")[2])
    sections = re.findall(r"^\| \[`(\w+)`\]", PAGES[f"{NAME}.md"], re.MULTILINE)
    assert sorted(map(without_positions, described + sections)) == sorted(pattern_paths())


def _table_of_keys(text: str) -> str:
    """Without the table of kinds before it."""
    return text.partition("| key | meaning |")[2]


def test_each_mapping_has_its_example_and_the_effect_of_an_edit() -> None:
    text = "\n".join(PAGES.values())
    mappings = [doc for path in pattern_paths() if (doc := field_doc(path)) and doc.keys]
    assert text.count("\n- **An edit**: ") == text.count("\n```yaml\n") == len(mappings)


def test_a_large_mapping_has_a_page_to_which_its_section_links() -> None:
    assert "[Its keys](eks.node_groups.md)" in PAGES[f"{NAME}/eks.md"]
    assert "`capacity_block`" in PAGES[f"{NAME}/eks.node_groups.md"]


def test_a_default_that_is_a_list_of_mappings_has_no_empty_values() -> None:
    namespaces = field_doc("eks.namespaces")
    assert namespaces is not None
    assert namespaces.default == "[{name: default, pod_security: restricted, service_accounts: [], bucket_access: []}]"
