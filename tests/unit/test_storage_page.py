"""The manifests of docs/storage.md are objects that Kubernetes takes, and fit each other."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import yaml

from neuron_cluster.manifest_law.run import judge_manifests

PAGE = Path(__file__).parents[2] / "docs" / "storage.md"


def test_volume_and_claim_of_the_page_bind_to_each_other() -> None:
    found = re.search(r"\n\n((?: {7}.*\n|\n)+)", PAGE.read_text().split("## Mounting it")[1])
    assert found
    volume, claim = yaml.safe_load_all(textwrap.dedent(found[1]))
    assert (volume["kind"], claim["kind"]) == ("PersistentVolume", "PersistentVolumeClaim")
    assert volume["spec"]["claimRef"] == {key: claim["metadata"][key] for key in ("namespace", "name")}
    assert claim["spec"]["volumeName"] == volume["metadata"]["name"]
    assert claim["spec"]["resources"]["requests"] == volume["spec"]["capacity"]
    for key in ("accessModes", "storageClassName"):
        assert claim["spec"][key] == volume["spec"][key]
    objects = [volume, claim]
    assert judge_manifests(objects, source="docs/storage.md", namespace="default", namespaces=["team-a"]) == []
