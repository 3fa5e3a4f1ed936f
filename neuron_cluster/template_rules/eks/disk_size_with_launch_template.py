from __future__ import annotations

from neuron_cluster.template_rules.base import TemplateContext, TemplateRule, Violation, Violations

SETTINGS = {"DiskSize": "Ebs.VolumeSize of BlockDeviceMappings", "RemoteAccess": "KeyName"}
"""The launch template's property for each."""


class DiskSizeWithLaunchTemplate(TemplateRule):
    """A node group with a launch template does not set `DiskSize` or `RemoteAccess`."""

    id = "E8202"
    operation = "eks:CreateNodegroup"
    error_code = "InvalidParameterException"
    source = "boto/botocore 1.44.5: eks CreateNodegroupRequest diskSize, remoteAccess"
    types = ("AWS::EKS::Nodegroup",)

    def check(self, context: TemplateContext) -> Violations:
        if context.resource.properties.get("LaunchTemplate") is None:
            return
        for name, in_template in SETTINGS.items():
            if context.resource.properties.get(name) is not None:
                hint = f"remove {name}, and write {in_template} in the launch template"
                yield Violation(name, "is set together with a launch template", hint)
