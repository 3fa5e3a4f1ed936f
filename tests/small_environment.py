"""The environment ``small`` of tests that deploy a cluster: a system node group, and one with Neuron devices."""

from __future__ import annotations

Lines = tuple[str, ...]


def small_environment(
    *, eks: Lines = (), trn1: Lines = (), network: Lines = (), desired: int = 0, maximum: int = 1
) -> str:
    """The file with further lines of the sections `eks` and `network` and of the node group ``trn1``.

    ``desired`` and ``maximum`` are the sizes of that node group.
    """
    lines = [
        "schema: 1",
        "name: small",
        "account: 111122223333",
        "region: us-west-2",
        "neuron: {sdk: 2.32.0}",
        "network:",
        "  cidr: 10.40.0.0/16",
        "  availability_zones: [usw2-az4, usw2-az1]",
        "  nat: single",
        *(f"  {line}" for line in network),
        "eks:",
        '  version: "1.35"',
        '  access: {admins: ["arn:aws:iam::111122223333:role/platform-admin"]}',
        *(f"  {line}" for line in eks),
        "  node_groups:",
        "    - name: system",
        "      instance_type: m7i.xlarge",
        "      count: {min: 2, desired: 2, max: 2}",
        "    - name: trn1",
        "      instance_type: trn1.2xlarge",
        f"      count: {{min: 0, desired: {desired}, max: {maximum}}}",
        *(f"      {line}" for line in trn1),
    ]
    return "\n".join([*lines, ""])
