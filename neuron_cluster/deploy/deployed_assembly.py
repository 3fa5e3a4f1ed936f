"""A cloud assembly made of what is deployed, so that ``cdk destroy`` works whatever is in the file today."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from neuron_cluster.deploy.bootstrap import DEFAULT_QUALIFIER
from neuron_cluster.deploy.destination import Destination

ASSEMBLY_VERSION = "36.0.0"
"""Schema of the manifest (aws-cdk, cloud-assembly-schema); the CDK command reads every older one."""


def write_deployed_assembly(
    folder: Path,
    destination: Destination,
    partition: str,
    templates: Mapping[str, Mapping[str, Any]],
    qualifier: str = DEFAULT_QUALIFIER,
) -> None:
    """Writes the stacks, given in deploy order, each depending on those before it.

    The roles are those of CDK's default synthesizer, with which the stacks were deployed.
    """
    account, region = destination.account, destination.region
    role = f"arn:{partition}:iam::{account}:role/cdk-{qualifier}-{{}}-{account}-{region}"
    artifacts: dict[str, Any] = {}
    for name, template in templates.items():
        file = f"{name}.template.json"
        (folder / file).write_text(json.dumps(template), encoding="utf-8")
        artifacts[name] = {
            "type": "aws:cloudformation:stack",
            "environment": f"aws://{account}/{region}",
            "displayName": name,
            "dependencies": list(artifacts),
            "properties": {
                "stackName": name,
                "templateFile": file,
                "assumeRoleArn": role.format("deploy-role"),
                "cloudFormationExecutionRoleArn": role.format("cfn-exec-role"),
            },
        }
    manifest = {"version": ASSEMBLY_VERSION, "artifacts": artifacts}
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (folder / "cdk.out").write_text(json.dumps({"version": ASSEMBLY_VERSION}), encoding="utf-8")
