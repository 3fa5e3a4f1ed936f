"""docs/local-aws.md and docs/local-aws/ are what the local AWS is now."""

import re

import pytest
from api_error_section import shown_message
from reference_pages import DOCS, outdated
from write_local_aws_page import NAME, pages

from local_aws.api_errors import error_rows, error_tables
from local_aws.handlers.discover import discover_providers
from neuron_cluster.template_rules.discover import all_template_rules

PAGE = DOCS / f"{NAME}.md"


def test_the_pages_are_fresh() -> None:
    assert outdated(NAME, pages()) == [], "run python tools/write_local_aws_page.py"


def test_every_type_rule_and_api_error_is_in_it() -> None:
    text = "".join(pages().values())
    names = [*discover_providers(), *(rule.id for rule in all_template_rules())]
    assert [name for name in names if f"| {name} |" not in text] == []
    errors = [(row.code, shown_message(row)) for service in error_tables() for row in error_rows(service).values()]
    assert len(errors) > 300
    assert [each for each in errors if "`{}`: {}".format(*each) not in text] == []


@pytest.mark.slow
def test_what_it_shows_of_tests_runs() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(program, str(PAGE), "exec"), {})  # noqa: S102 - our own page
