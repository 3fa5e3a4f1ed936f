"""Public SSM parameters of images against the rows of DLAMIs and AMI releases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from pathlib import Path

from catalog_refresh.answer import Answer, Change
from catalog_refresh.data_file import flow, flow_list
from neuron_cluster.aws.images import image_description
from neuron_cluster.aws.session import Target
from neuron_cluster.aws.ssm import parameter
from neuron_cluster.catalog.ami_release import AmiRelease
from neuron_cluster.catalog.catalog import Catalog
from neuron_cluster.catalog.dlami import Dlami

SDK = re.compile(r"Neuron SDK (\d+\.\d+\.\d+)")
"""How an image's description names the release that it carries."""


def refresh_dlamis(targets: Mapping[str, Target], rows: Mapping[str, Dlami], data: Path) -> Answer:
    """In which of the Regions each kind is published, and the SDK of its newest image."""
    answer, file = Answer(), data / "dlamis.yaml"
    for name, row in rows.items():
        ids = {region: parameter(target, row.ssm_parameter) for region, target in targets.items()}
        without = {region for region in row.regions_without_parameter if region not in ids}
        without |= {region for region, image_id in ids.items() if image_id is None}
        if without != set(row.regions_without_parameter):
            answer.changes.append(Change(file, name, "regions_without_parameter", flow_list(tuple(sorted(without)))))
        published = [(region, image_id) for region, image_id in ids.items() if image_id is not None]
        found = {_sdk(targets[region], image_id) for region, image_id in published} - {None}
        if len(found) > 1:
            answer.notes.append(f"{name}: carries {' or '.join(sorted(map(str, found)))}, by Region; the row stays")
        elif found and found != {row.neuron_sdk}:
            answer.changes.append(Change(file, name, "neuron_sdk", str(found.pop())))
    return answer


def _sdk(target: Target, image_id: str) -> str | None:
    match = SDK.search(image_description(target, image_id))
    return match[1] if match else None


def refresh_ami_releases(
    target: Target, catalog: Catalog, rows: Mapping[str, AmiRelease], data: Path, as_of: date
) -> Answer:
    """The newest release of the Neuron AMI types for each Kubernetes version."""
    answer, file = Answer(), data / "ami_releases.yaml"
    newest: dict[str, dict[str, str]] = {}
    for ami_type in (row for row in catalog.ami_types if row.chips and row.release_version_parameter_pattern):
        for version in catalog.kubernetes_versions:
            release = parameter(target, ami_type.release_version_parameter(version.name))
            if release is not None:
                patch, _, day = release.rpartition("-")
                newest.setdefault(day, {})[version.name] = patch
    for day, patches in newest.items():
        row = rows.get(day)
        if row is None:
            answer.changes.append(Change(file, "", "", _new_release(day, patches, as_of)))
            answer.notes.append(f"AMI release {day} is new: look its driver up in the release notes")
        elif any(row.kubernetes_patches.get(version) != patch for version, patch in patches.items()):
            merged = dict(row.kubernetes_patches) | patches
            answer.changes.append(Change(file, day, "kubernetes_patches", _sorted(merged)))
    return answer


def _new_release(day: str, patches: Mapping[str, str], as_of: date) -> str:
    source = "SSM parameters of EKS (release_version)"
    return (
        f'- name: "{day}"\n  source: {source}\n  checked_on: {as_of}\n  driver: null\n'
        f"  kubernetes_patches: {flow(_sorted(patches))}\n"
    )


def _sorted(patches: Mapping[str, str]) -> dict[str, str]:
    return {version: patches[version] for version in sorted(patches)}
