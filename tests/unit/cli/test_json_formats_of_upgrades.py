"""What `upgrade` prints as JSON, with every property of its schema."""

from __future__ import annotations

from pathlib import Path

from tests.json_outputs import FORMAT, accepted_mutations, unseen

from .conftest import PROJECT, Command


def test_every_property_of_an_upgrade_is_printed(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "train-trn1.yaml"
    shipped = (PROJECT / "environments" / "train-trn1.yaml").read_text()
    file.write_text(shipped.replace("sdk: 2.32.0", "sdk: 2.31.1"))
    found = command("upgrade", str(file), "--to", "2.33.0", *FORMAT).document
    assert unseen("upgrade", [found]) == []
    assert accepted_mutations("upgrade", found) == []
    assert [row["path"] for row in found["hosts"]] == ["eks.node_groups[1]"]
