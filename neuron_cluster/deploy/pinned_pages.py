"""What the findings about pinned AMIs mean: by id, a sentence that says what must hold, and why."""

from __future__ import annotations

PINNED_PAGES: dict[str, tuple[str, str]] = {
    "E9542": (
        "AMIs are owned by Amazon or by an account that the file names (`ami_id`, `ami_owner`).",
        (
            "An AMI of a stranger runs as root on the workstation and mounts its home. The checksum of a lock finds "
            "slips, not forgeries: anyone who edits a lock can compute it. So EC2 is asked who owns the image."
        ),
    ),
    "E9543": (
        "Pinned AMIs and AMI releases exist in the Region (`ami_id`, `ami_release`, the lock).",
        "Machines of an AMI that does not exist, or that is not shared with the account, do not start.",
    ),
    "E9544": (
        "The image id and the release version of a lock are of the same AMI (`ami_releases`).",
        "`neuron-cluster lock` writes both from one release: a lock where they differ was edited.",
    ),
    "W9545": (
        "Owners, releases and digests that a file or a lock pins are checked before a deploy.",
        (
            "The check needs ec2:DescribeImages and ssm:GetParameter, and the local AWS does not know every AMI of "
            "AWS. Without it a forged lock can bring any AMI."
        ),
    ),
    "E9547": (
        "Charts and images have the digests of the lock (`charts`, `images`).",
        (
            "A tag or a chart version was published anew, or the lock was edited. Charts, and images of charts without "
            "a key for a digest, are pulled by tag: another content would run with the rights of the old one."
        ),
    ),
    "W9546": (
        "A pinned AMI release is at most 90 days older than the newest one (`ami_release`).",
        (
            "Old releases lack security fixes of the kernel, containerd and kubelet. An edit of a lock that goes back "
            "to one rolls the nodes onto it."
        ),
    ),
}
