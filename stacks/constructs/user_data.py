"""User data of an instance: MIME with a part for nodeadm and a part for the shell."""

from __future__ import annotations

from collections.abc import Mapping

import aws_cdk as cdk

from neuron_cluster.plan.compute_group_plan import BootstrapPlan

BOUNDARY = "//"
"""Always the same, so that the same plan gives the same bytes; no line of a part begins with two hyphens and this."""

NODE_CONFIG = "application/node.eks.aws"
SHELL = 'text/x-shellscript; charset="us-ascii"'


def user_data(bootstrap: BootstrapPlan, shell_variables: Mapping[str, str]) -> str | None:
    """None where there is no user data. EKS adds the NodeConfig that names the cluster, for its own images.

    ``shell_variables`` are set before the instance's own shell: values that only a stack has.
    """
    parts: list[tuple[str, str]] = []
    if bootstrap.node_config is not None:
        parts.append((NODE_CONFIG, bootstrap.node_config))
    if bootstrap.shell is not None:
        assignments = "".join(f"{name}={value}\n" for name, value in sorted(shell_variables.items()))
        parts.append((SHELL, f"#!/bin/bash\nset -euo pipefail\n{assignments}{bootstrap.shell}"))
    if not parts:
        return None
    body = "".join(f"--{BOUNDARY}\nContent-Type: {kind}\n\n{text}" for kind, text in parts)
    head = f'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="{BOUNDARY}"\n\n'
    return cdk.Fn.base64(f"{head}{body}--{BOUNDARY}--\n")
