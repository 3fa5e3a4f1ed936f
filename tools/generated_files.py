"""The files that each tool writes whole, for the table of CONTRIBUTING.md and for `.gitattributes`."""

from __future__ import annotations

OUTPUTS = {
    "make lock": (
        "package-lock.json",
        "requirements-checkov.lock",
        "requirements-parallelcluster.lock",
        "requirements-rehearse.lock",
        "requirements.lock",
    ),
    "tools/refresh_create_only.py": ("neuron_cluster/catalog/data/create_only.yaml",),
    "tools/write_architecture_page.py": ("docs/architecture.md", "docs/architecture.svg"),
    "tools/write_bindings.py": ("local_aws/resource_types/bindings.json", "local_aws/handlers/schemas/"),
    "tools/write_catalog_page.py": ("docs/catalog.md", "docs/catalog/"),
    "tools/write_changes_page.py": ("docs/changes.md", "docs/changes/"),
    "tools/write_cli_pages.py": ("docs/cli/",),
    "tools/write_deployed_fixture.py": ("tests/fixtures/deployed/",),
    "tools/write_editor_schema.py": ("environments/environment.schema.json", "environments/partial.schema.json"),
    "tools/write_gitattributes.py": (".gitattributes",),
    "tools/write_glossary_page.py": ("docs/glossary.md",),
    "tools/write_goldens.py": ("tests/golden/", "tests/fixtures/plan_summaries/"),
    "tools/write_identities.py": ("tests/golden/identities.json",),
    "tools/write_json_pages.py": ("docs/json/", "neuron_cluster/cli/formats/"),
    "tools/write_keys_pages.py": ("docs/keys.md", "docs/keys/"),
    "tools/write_local_aws_facts.py": ("local_aws/knowledge/facts/",),
    "tools/write_local_aws_page.py": ("docs/local-aws.md", "docs/local-aws/"),
    "tools/write_outcomes_page.py": ("docs/recorded-outcomes.md",),
    "tools/write_published_code.py": ("neuron_cluster/catalog/data/published_code.yaml",),
    "tools/write_rules_page.py": ("docs/rules.md", "docs/rules/", "neuron_cluster/rules/examples.json"),
}
"""Files, and folders whose files are all written, but for Python. ``write_promises`` writes parts of pages alone."""
