"""What the README shows of a command is what the command says."""

from __future__ import annotations

import re
from pathlib import Path

from .conftest import PROJECT, Command

SHOWN_AS = "environments/my-cluster.yaml"


def shown_findings() -> list[str]:
    """The findings in the README, each in one line."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"(?m)^    {re.escape(SHOWN_AS)}:.*\n(?:      .*\n)+", text)
    return [" ".join(block.split()) for block in blocks]


def test_the_findings_of_the_readme_are_those_of_validate(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "my-cluster.yaml"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text(encoding="utf-8")
    file.write_text(shipped.replace("type: trn1.32xlarge", "type: trn1.32xlarg").replace("efa: efa", 'efa: "on"'))
    said = " ".join(command("validate", str(file)).out.replace(str(file), SHOWN_AS).split())
    shown = shown_findings()
    assert len(shown) == 2
    assert [finding for finding in shown if finding not in said] == []
