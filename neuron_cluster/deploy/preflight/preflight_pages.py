"""What the findings of the preflight mean: by id, a sentence that says what must hold, and why."""

from __future__ import annotations

PREFLIGHT_PAGES: dict[str, tuple[str, str]] = {
    "E9550": (
        "The vCPU quotas of EC2 allow the machines that a deploy starts (`count.desired`, workstations).",
        (
            "New accounts have 5 vCPUs of Standard instances and none of Inf and Trn. Beyond a quota no instance "
            "starts; EKS tries for half an hour, then the node group is CREATE_FAILED and its stack rolls back. "
            "Quotas are asked by code (servicequotas:GetServiceQuota), in the Region of the file. A group of which "
            "one machine alone is larger than the quota is refused at any count. What else runs in the account is not "
            "known; nodes that EKS Auto Mode starts count too and are in no sum."
        ),
    ),
    "W9551": (
        "The vCPU quotas of EC2 allow the largest sizes of the environment (`count.max`).",
        (
            "The deploy succeeds; the node group becomes DEGRADED when it grows beyond the quota. Machines in a "
            "reservation count against the quota of the account that owns it, when it is made; capacity blocks have "
            "quotas of their own."
        ),
    ),
    "E9552": (
        "The IAM principals of `eks.access` exist in the account.",
        (
            "EKS refuses an access entry for a role or user that IAM does not have, with the path of its ARN, some "
            "twelve minutes into the deploy: the stack of the cluster rolls back. Principals of other accounts are "
            "not looked up."
        ),
    ),
    "E9553": (
        "Capacity reservations and capacity blocks exist, are not over, and fit their group (`capacity`).",
        (
            "EKS reads the block when it makes the node group, and EC2 starts nothing in a reservation of another "
            "type or zone. Of a resource group, all reservations that fit count together."
        ),
    ),
    "W9554": (
        "Capacity reservations and capacity blocks are active and hold `count.max` machines.",
        "Machines start when the reservation begins, and no more of them than it holds.",
    ),
    "E9555": (
        "The default encryption key of EBS is enabled, and Auto Scaling may use it.",
        (
            "Volumes are encrypted with the default key of the account. If that is a key of the customer, its policy "
            "or a grant must name AWSServiceRoleForAutoScaling; else instances end at launch "
            "(Client.InvalidKMSKey.InvalidState)."
        ),
    ),
    "W9556": (
        "Every question to the account before a deploy was answered.",
        (
            "The role that deploys lacks a permission to read, a service has no endpoint in the network, or the quota "
            "of an instance type is not known. What was not checked may fail later; it is never taken as in order."
        ),
    ),
}
