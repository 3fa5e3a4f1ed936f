"""Requirements of pages on a folder: a block names it in a comment before, `<!-- setup: NAME -->`."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import yaml

from neuron_cluster.deploy.local_server import announced
from neuron_cluster.local_checks.product_local_aws import product_local_aws
from tests.docs.blocks import ROOT
from tests.five_teams import written_with_teams

FIXTURES = ROOT / "tests" / "fixtures"


def my_cluster(project: Path, _: ExitStack) -> None:
    text = (ROOT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    _write(project, "environments/my-cluster.yaml", text.replace("name: train-trn1\n", "name: my-cluster\n"))


def file_of_the_readme(project: Path, _: ExitStack) -> None:
    """The first YAML block of README.md."""
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    _write(project, "environments/my-cluster.yaml", page.partition("```yaml\n")[2].partition("```")[0])


def two_wrong_values(project: Path, _: ExitStack) -> None:
    text = (project / "environments" / "my-cluster.yaml").read_text(encoding="utf-8")
    wrong = text.replace("type: trn1.32xlarge", "type: trn1.32xlarg").replace("efa: efa", 'efa: "on"')
    _write(project, "environments/my-cluster.yaml", wrong)


def two_regions(project: Path, _: ExitStack) -> None:
    shutil.copytree(FIXTURES / "two_regions" / "environments", project / "environments", dirs_exist_ok=True)


def llama(project: Path, _: ExitStack) -> None:
    folder = project / "llama-3.1-8b"
    folder.mkdir()
    shutil.copy(FIXTURES / "models" / "llama-3.1-8b.json", folder / "config.json")


def teams(project: Path, _: ExitStack) -> None:
    """train-trn1 with the teams of the first block of docs/teams.md."""
    page = (ROOT / "docs" / "teams.md").read_text(encoding="utf-8")
    block = page[page.index("    teams:\n") :].split("\n\n", 1)[0]
    written_with_teams(project / "environments", yaml.safe_load(textwrap.dedent(block))["teams"])


def new_account(project: Path, until_the_end_of_the_page: ExitStack) -> None:
    """Starts the local AWS of `neuron-cluster local --fresh-account`."""
    aws = until_the_end_of_the_page.enter_context(product_local_aws(is_fresh_account=True))
    until_the_end_of_the_page.enter_context(announced(project, aws.endpoint, is_fresh_account=True))


SETUPS: dict[str, Callable[[Path, ExitStack], None]] = {
    "the file of the README": file_of_the_readme,
    "my-cluster": my_cluster,
    "two wrong values": two_wrong_values,
    "two Regions": two_regions,
    "llama-3.1-8b": llama,
    "teams": teams,
    "a new account on the local AWS": new_account,
}


def _write(project: Path, name: str, text: str) -> None:
    (project / name).write_text(text, encoding="utf-8")
