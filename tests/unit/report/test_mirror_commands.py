"""Commands that copy: a shell can read them, each public thing has one, and what is within AWS has none."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.report.mirror_commands import mirror_commands
from neuron_cluster.software.needed_software import Origin, needed_charts, needed_images

CATALOG = load_catalog()
REGISTRY = "111122223333.dkr.ecr.us-west-2.amazonaws.com"
PLUGIN = "public.ecr.aws/neuron/neuron-device-plugin:2.32.0.0"
PlanOf = Callable[..., ClusterPlan]


def commands(plan: ClusterPlan, digests: dict[str, str | None] | None = None) -> list[list[str]]:
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG, digests or {}), plan)
    return [shlex.split(line, comments=True) for line in lines]


def test_every_public_image_is_copied_to_a_repository_that_is_made_before(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1")
    lines = commands(plan)
    copies = {line[2]: line[3] for line in lines if line[:2] == ["crane", "copy"]}
    assert set(copies) == {i.reference for i in needed_images(plan, CATALOG) if i.origin is Origin.PUBLIC}
    assert copies[PLUGIN] == f"{REGISTRY}/train-trn1/mirror/{PLUGIN}"
    for line in lines:
        if line[:2] == ["crane", "copy"]:
            repository = line[3].removeprefix(f"{REGISTRY}/").rpartition(":")[0]
            assert lines.index(["repository", repository]) < lines.index(line)


def test_a_pinned_image_is_copied_by_its_digest_under_its_tag(plan_of: PlanOf) -> None:
    lines = commands(plan_of("train-trn1"), {PLUGIN: "sha256:01"})
    source = "public.ecr.aws/neuron/neuron-device-plugin@sha256:01"
    assert ["crane", "copy", source, f"{REGISTRY}/train-trn1/mirror/{PLUGIN}"] in lines


def test_charts_are_pulled_from_where_they_lie_and_pushed_below_one_folder(plan_of: PlanOf) -> None:
    lines = commands(plan_of("train-trn1"))
    oci = "oci://public.ecr.aws/neuron/neuron-helm-chart"
    assert ["helm", "pull", oci, "--version", "1.10.0"] in lines
    repository = ["--repo", "https://aws.github.io/eks-charts"]
    assert ["helm", "pull", "aws-efa-k8s-device-plugin", *repository, "--version", "v0.5.30"] in lines
    folder = f"oci://{REGISTRY}/train-trn1/mirror/charts"
    assert ["helm", "push", "aws-efa-k8s-device-plugin-v0.5.30.tgz", folder] in lines


def test_what_the_cache_gives_is_pulled_once_and_not_copied(plan_of: PlanOf) -> None:
    lines = commands(plan_of("train-trn1", {"eks.image_cache": True}))
    mirror = f"{REGISTRY}/train-trn1/ecr-public/neuron"
    assert ["crane", "pull", f"{mirror}/neuron-device-plugin:2.32.0.0", "/dev/null"] in lines
    assert ["helm", "pull", f"oci://{mirror}/neuron-helm-chart", "--version", "1.10.0"] in lines
    assert [line for line in lines if line[:2] == ["crane", "copy"]] == []
    assert ["repository", "train-trn1/mirror/charts/aws-efa-k8s-device-plugin"] in lines


def test_a_shell_takes_the_script(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"eks.image_cache": True})
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG), plan)
    subprocess.run(["/bin/sh", "-n"], input="\n".join(lines), text=True, check=True)


def test_where_nothing_is_public_there_is_nothing_to_do(plan_of: PlanOf) -> None:
    assert commands(plan_of("workstation", {"neuron.containers": []})) == []
