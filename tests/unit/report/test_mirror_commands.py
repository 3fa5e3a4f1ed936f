"""Commands that copy: a shell can read them, each public thing has one, and what is within AWS has none."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import Origin, needed_charts, needed_images
from neuron_cluster.report.mirror_commands import mirror_commands

CATALOG = load_catalog()
REGISTRY = "111122223333.dkr.ecr.us-west-2.amazonaws.com"
PLUGIN = "public.ecr.aws/neuron/neuron-device-plugin:2.32.0.0"
GUARD = "there train-trn1/"
PlanOf = Callable[..., ClusterPlan]
TAGGED = """
tagged() { if grep -qx "$1 $2" tags; then echo "tag $2 is immutable" >&2; exit 1; fi; echo "$1 $2" >> tags; }
touch tags repositories
"""
PROGRAMS = {
    "aws": TAGGED
    + """
case "$2" in
  get-login-password) echo secret;;
  describe-repositories) grep -qx "$6" repositories;;
  create-repository) if grep -qx "$6" repositories; then exit 1; fi; echo "$6" >> repositories;;
  describe-images) grep -qx "$6 ${8#imageTag=}" tags;;
esac
""",
    "crane": TAGGED
    + """
case "$1" in
  auth) cat >/dev/null;;
  copy) name=${3#*/}; tagged "${name%:*}" "${name##*:}";;
esac
""",
    "helm": TAGGED
    + """
case "$1" in
  registry) cat >/dev/null;;
  pull) :;;
  push)
    file=${2%.tgz}; chart=${file%-*}; folder=${3#oci://}
    tagged "${folder#*/}/$chart" "${file##*-}";;
esac
""",
}
"""Stand-ins for the programs of the script. They keep repositories and tags in files."""


def commands(plan: ClusterPlan, digests: dict[str, str | None] | None = None) -> list[list[str]]:
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG, digests or {}), plan)
    return [shlex.split(line.rpartition(" || ")[2] if GUARD in line else line, comments=True) for line in lines]


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


def test_a_closed_network_gets_copies_under_the_names_that_its_charts_have(plan_of: PlanOf) -> None:
    edits = {"network.nat": "none", "eks.image_cache": True, "eks.addons.keda": True}
    plan = plan_of("train-trn1", edits)
    lines = commands(plan)
    assert plan.kubernetes is not None
    pushed = {
        f"{line[3]}/{line[2].removesuffix('.tgz').rpartition('-')[0]}" for line in lines if line[:2] == ["helm", "push"]
    }
    assert pushed == {chart.repository for chart in plan.kubernetes.charts if plan.is_copy(chart.repository)}
    assert f"oci://{REGISTRY}/train-trn1/mirror/charts/aws-efa-k8s-device-plugin" in pushed
    copied = {line[3] for line in lines if line[:2] == ["crane", "copy"]}
    assert copied == {i.mirror for i in needed_images(plan, CATALOG) if i.is_copied}
    assert f"{REGISTRY}/train-trn1/mirror/ghcr.io/kedacore/keda" in {name.rpartition(":")[0] for name in copied}
    assert not any(
        line[-1].startswith("ghcr.io") or "mirror/" in line[2] for line in lines if line[:2] == ["crane", "pull"]
    )


def test_a_shell_takes_the_script(plan_of: PlanOf) -> None:
    plan = plan_of("train-trn1", {"eks.image_cache": True})
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG), plan)
    subprocess.run(["/bin/sh", "-n"], input="\n".join(lines), text=True, check=True)


def test_the_script_runs_twice_and_copies_once(plan_of: PlanOf, tmp_path: Path) -> None:
    """With programs that refuse, as ECR does, what has the tag already."""
    plan = plan_of("train-trn1", {"network.nat": "none", "eks.image_cache": True, "eks.addons.keda": True})
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG), plan)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(f"#!/bin/sh\nset -eu\ncd {tmp_path}\n{text}")
        (tmp_path / name).chmod(0o755)
    for _ in range(2):
        run = subprocess.run(
            ["/bin/sh"],
            input="\n".join(lines),
            env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, "")
    copied = [image.mirror for image in needed_images(plan, CATALOG) if image.is_copied]
    charts = [chart for chart in needed_charts(plan, CATALOG) if chart.is_copied]
    tags = (tmp_path / "tags").read_text().splitlines()
    assert sorted(tags) == sorted(
        [str(name).partition("/")[2].replace(":", " ") for name in copied]
        + [f"{str(chart.mirror).partition(f'{REGISTRY}/')[2]} {chart.version}" for chart in charts]
    )


def test_where_nothing_is_public_there_is_nothing_to_do(plan_of: PlanOf) -> None:
    assert commands(plan_of("workstation", {"neuron.containers": []})) == []
