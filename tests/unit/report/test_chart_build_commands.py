"""The script that builds a chart from its commit: a shell runs it twice, and it pushes once what Helm asks for."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.plan.chart_build import chart_builds
from neuron_cluster.plan.cluster_plan import ClusterPlan
from neuron_cluster.plan.needed_software import needed_charts, needed_images
from neuron_cluster.report.chart_build_commands import chart_build_commands
from neuron_cluster.report.images_page import closing_lines, images_tables
from neuron_cluster.report.mirror_commands import mirror_commands
from tests.hyperpod_plan import with_hyperpod

CATALOG = load_catalog()
ROW = CATALOG.charts["hyperpod-helm-chart"]
REGISTRY = "111122223333.dkr.ecr.us-west-2.amazonaws.com"
CHART = f"oci://{REGISTRY}/hyperpod-helm-chart"
PROGRAMS = {
    "aws": """
case "$2" in
  get-login-password) echo secret;;
  describe-repositories) grep -qx "$6" "$STATE/repositories";;
  create-repository) echo "$6" >> "$STATE/repositories";;
  describe-images) grep -qx "$6 ${8#imageTag=}" "$STATE/tags";;
esac
""",
    "git": """
case "$1" in
  clone) mkdir -p "${2##*/}/helm_chart/HyperPodHelmChart";;
  -C) test -d "$2"; echo "$4" > "$2/commit";;
esac
""",
    "helm": """
case "$1" in
  registry) cat >/dev/null;;
  dependency) test -d "$3"; touch "$3/updated";;
  package) test -f "$2/updated"; cp "$2/../../commit" "hyperpod-helm-chart-$4.tgz";;
  push)
    file=${2##*/}; version=${file#hyperpod-helm-chart-}; repository=${3#oci://*/}hyperpod-helm-chart
    grep -qx "$repository" "$STATE/repositories"
    echo "$repository $(echo "${version%.tgz}" | tr + _)" >> "$STATE/tags"
    cat "$2" >> "$STATE/commits";;
esac
""",
}
"""Stand-ins for the programs of the script. ECR's repositories and tags are lines of files in the folder STATE."""
PlanOf = Callable[..., ClusterPlan]


def script(plan: ClusterPlan) -> tuple[str, ...]:
    return chart_build_commands(chart_builds(plan, CATALOG))


def test_an_environment_without_hyperpod_groups_has_nothing_to_build(plan_of: PlanOf) -> None:
    assert script(plan_of("train-trn1")) == ()


def test_the_script_pushes_the_commit_once_under_the_version_that_helm_asks_for(
    plan_of: PlanOf, tmp_path: Path
) -> None:
    plan = with_hyperpod(plan_of("train-trn1"))
    programs, state = tmp_path / "programs", tmp_path / "state"
    programs.mkdir()
    state.mkdir()
    for name in ("repositories", "tags", "commits"):
        (state / name).touch()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\nset -eu\n{text}")
        (programs / name).chmod(0o755)
    for _ in range(2):
        run = subprocess.run(
            ["/bin/sh"],
            input="\n".join(script(plan)),
            env={"PATH": f"{programs}:/usr/bin:/bin", "STATE": str(state), "TMPDIR": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (0, "")
    (chart,) = [each for each in plan.charts if each.chart == ROW.name]
    tag = chart.version.replace("+", "_")
    assert (state / "tags").read_text() == f"{chart.repository.removeprefix(f'oci://{REGISTRY}/')} {tag}\n"
    assert (state / "repositories").read_text() == "hyperpod-helm-chart\n"
    assert ROW.git is not None
    assert (state / "commits").read_text() == f"{ROW.git.commit}\n"


def test_no_copy_of_the_chart_and_of_its_image_is_made(plan_of: PlanOf) -> None:
    """The chart is in ECR, and AWS has the image in ECR of the Region."""
    plan = with_hyperpod(plan_of("train-trn1", {"network.nat": "none", "eks.image_cache": True}))
    lines = mirror_commands(needed_charts(plan, CATALOG), needed_images(plan, CATALOG), plan)
    assert lines
    assert [line for line in lines if "hyperpod" in line] == []


def test_the_page_of_images_names_the_commit_and_the_command(plan_of: PlanOf) -> None:
    plan = with_hyperpod(plan_of("train-trn1"))
    charts, images = needed_charts(plan, CATALOG), needed_images(plan, CATALOG)
    rows = [row for table in images_tables(charts, images, plan, 200) for row in table.rows]
    (chart,) = [row for row in rows if row[0] == CHART]
    assert chart[1:4] == (ROW.version, "hyperpod_dependencies", "within AWS")
    (image,) = [row for row in rows if "health-monitoring-agent" in row[0]]
    assert image[2:4] == ("hyperpod_dependencies", "within AWS")
    lines = " ".join(closing_lines(images, plan, CATALOG, "train.yaml"))
    assert "`neuron-cluster images train.yaml --commands` prints what builds it from commit 011ca927123e" in lines
    assert "No registry has" not in " ".join(closing_lines(images, plan_of("train-trn1"), CATALOG, "train.yaml"))
