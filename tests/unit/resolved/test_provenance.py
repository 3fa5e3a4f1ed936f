"""The file, a default or a repair: each value has one of them."""

from __future__ import annotations

from pathlib import Path

from rule_fixture import Case

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.config.loader import load_environment
from neuron_cluster.pipeline import check_environment
from neuron_cluster.protocol.registry import resolve_environment
from neuron_cluster.resolved.provenance import Provenance, Provenances

GROUP = ("eks", "node_groups", 1)
BROKEN = {"eks.node_groups[1].efa": "sometimes"}


def test_a_key_of_the_file_is_given_and_another_is_a_default(tmp_path: Path) -> None:
    file = tmp_path / "train-trn1.yaml"
    file.write_text(Case("train-trn1", {}).text(), encoding="utf-8")
    found = check_environment(file).require_resolved().provenances
    assert found.of((*GROUP, "efa")) is Provenance.GIVEN
    assert (*GROUP, "efa") in found
    assert found.of((*GROUP, "placement")) is Provenance.DEFAULT
    assert (*GROUP, "placement") not in found


def test_a_value_in_the_place_of_a_broken_one_is_repaired(tmp_path: Path) -> None:
    file = tmp_path / "train-trn1.yaml"
    file.write_text(Case("train-trn1", BROKEN).text(), encoding="utf-8")
    loaded = load_environment(file)
    assert loaded.config is not None
    found = resolve_environment(
        loaded.config, load_catalog(), Provenances(loaded.source.places, loaded.repairs)
    ).provenances
    assert found.of((*GROUP, "efa")) is Provenance.REPAIRED
    assert (*GROUP, "efa") not in found
