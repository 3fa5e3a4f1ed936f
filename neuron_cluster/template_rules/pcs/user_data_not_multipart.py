from __future__ import annotations

import base64
import re

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations
from neuron_cluster.template_rules.pcs.compute_node_group import launch_template_of
from neuron_cluster.template_rules.property_tree import at, text

MULTIPART = re.compile(rb"^content-type:\s*multipart/", re.IGNORECASE | re.MULTILINE)


class UserDataNotMultipart(TemplateRule):
    """User data of nodes is MIME multipart (`UserData`).

    Parts of cloud-config run before the registration of the node, shell parts after it.

    Without this check AWS reports no error: PCS adds its own parts to the user data, and nodes never register.
    """

    id = "E8969"
    operation = "pcs:CreateComputeNodeGroup"
    error_code = None
    source = "https://docs.aws.amazon.com/pcs/latest/userguide/working-with_ec2-user-data.html"
    types = ("AWS::PCS::ComputeNodeGroup",)

    def check(self, context: TemplateContext) -> Violations:
        template = launch_template_of(context.resource, context.look_up)
        data = text(at(template.properties, "LaunchTemplateData", "UserData")) if template is not None else None
        if template is None or data is None:
            return
        head, _, _ = base64.b64decode(data).partition(b"\n\n")
        if not MULTIPART.search(head):
            yield Violation(
                "CustomLaunchTemplate",
                f"UserData of {template.logical_id} is not MIME multipart",
                'begin UserData with the header "Content-Type: multipart/mixed" and a boundary, and write the script '
                "as one part",
            )
