"""The findings about an edit of what is deployed."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

ROWS = {
    "E9001": (
        "No edit replaces what holds data.",
        (
            "A bucket, file system, key or volume that is replaced begins anew and empty; the data would stay in "
            "the old one, in no stack's care. Some settings can be chosen only once, and a change of what a resource "
            "stands on (its subnet, its key) replaces it too."
        ),
    ),
    "E9002": (
        "What holds data is not taken out of the file.",
        "The resource would be kept, billed, and belong to no stack any more.",
    ),
    "E9003": (
        "No edit replaces the cluster.",
        "Everything that runs on it would be lost: EKS fixes name, service addresses and encryption at creation.",
    ),
    "E9004": (
        "The cluster is not taken out of the file.",
        "A deploy deletes no cluster: `destroy` does, and says what it keeps.",
    ),
    "E9005": (
        "No edit changes a value that another deployed stack imports.",
        "CloudFormation refuses to change an export in use, after it has begun to update other stacks.",
    ),
    "E9006": (
        "No edit removes a value that another deployed stack imports.",
        "CloudFormation refuses to remove an export in use, after it has begun to update other stacks.",
    ),
    "E9007": (
        "A node group on reserved capacity is not replaced in one step.",
        (
            "The new group starts before the old one goes, and the reservation or block has no machine free: the "
            "new nodes fail to launch, and the deploy rolls back after its time-out."
        ),
    ),
    "E9008": (
        "What is replaced can stand beside its replacement.",
        (
            "CloudFormation makes the new resource before it deletes the old one; services refuse two of one name, and "
            "two subnets with the same addresses. A file system keeps its subnets, so `destroy` frees no address while "
            "there is data. What follows from the same edit is folded into one error."
        ),
    ),
    "W9009": (
        "What changes is of a type whose update behaviour is known.",
        (
            "Without the type's schema nobody can tell whether the change happens in place. CloudFormation's change "
            "set can."
        ),
    ),
    "E9010": (
        "The two files are of one environment: the same account and Region.",
        (
            "Another account or Region is another environment. Its deploy leaves the first one as it is with its data, "
            "and no file belongs to it any more."
        ),
    ),
    "E9011": (
        "A file system or volume grows and never shrinks.",
        "FSx and EC2 refuse a smaller size, in the middle of the deploy, which then rolls back.",
    ),
    "E9012": (
        "Kubernetes goes up one minor version at a time, and never down.",
        "EKS refuses any other update of the version, in the middle of the deploy, which then rolls back.",
    ),
    "E9031": (
        "The metadata configuration of a deployed Lustre file system stays (`storage.lustre.metadata`).",
        (
            "FSx sets it when it creates a file system. One that was created without it never gets it, and none loses "
            "it: FSx refuses the update with BadRequest, in the middle of the deploy, which then rolls back. Where the "
            "file leaves the key out, `deploy` and `neuron-cluster lock` record in the lock what the file system has."
        ),
    ),
    "W9017": (
        "A file system that was mirrored to the checkpoint bucket still is.",
        (
            "Without the data repository association nothing copies new checkpoints to the bucket, and the deploy says "
            "nothing of it. What is in the bucket stays there, and grows old."
        ),
    ),
    "E9018": (
        "Nodes of a capacity block are updated while the group has none.",
        (
            "EKS's guide on capacity blocks asks for a desired size of 0 before a managed node group is updated. An "
            "edit of the Kubernetes version, the image, the root volume or the reservation would end the nodes of a "
            "block that is paid for, one after the other, and start their successors in the same machines if EC2 gives "
            "them back in time."
        ),
    ),
    "W9019": (
        "A Neuron group that is replaced runs once, not twice.",
        (
            "CloudFormation makes the new group before it deletes the old one: for that time the account needs quota "
            "and EC2 needs machines for both, and both are billed. Where there is neither, the deploy rolls back after "
            "EKS has tried for half an hour."
        ),
    ),
    "E9020": (
        "The Kubernetes version goes up together with the managed add-ons.",
        (
            "EKS takes the default version of an add-on when it is created. Without a version in the template "
            "CloudFormation sees no change later: kube-proxy, the VPC CNI and CoreDNS would stay at the build of the "
            "first day for every Kubernetes version to come, with its vulnerabilities. A lock has a version of each "
            "for the new Kubernetes version."
        ),
    ),
    "W9504": (
        "Every deployed stack of the environment is asked for by the file.",
        (
            "With the last workstation, or without `observability`, their stack is in no file any more and would be "
            "billed on. A deploy deletes it, as it removes anything else that is taken out of the file; a stack that "
            "holds state or the cluster is refused instead, and one with termination protection ends in a failure."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("9: edits and deploys", "the templates before and after the edit", ROWS)
