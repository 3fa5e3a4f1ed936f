"""The findings about lock files."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

ROWS = {
    "E9101": (
        "The lock file of an environment, if it exists, can be read.",
        (
            "It is a file of at most 1 MiB, and you have permission to read it. Without a lock only the environment "
            "file pins versions."
        ),
    ),
    "E9102": (
        "A lock file is a YAML mapping.",
        "A merge can leave conflict markers in it: run `neuron-cluster lock` again.",
    ),
    "E9103": (
        "A lock file is complete.",
        "Its last line is a checksum over every entry. A file without it was truncated, and entries may be missing.",
    ),
    "E9104": (
        "A lock file is unchanged since `neuron-cluster lock` wrote it.",
        (
            "It contains what AWS returned. Set your own choices in the environment file, "
            "which has precedence over the lock: ami_release of a node group, ami_id of a workstation. The checksum "
            "detects accidental edits and bad merges. It has no key, so it does not protect against a person who edits "
            "the lock: review locks as code, run `neuron-cluster lock NAME --check` in CI, and `deploy` compares the "
            "owners of AMIs (E9542)."
        ),
    ),
    "E9105": (
        "A lock file has a format that this release supports.",
        "A newer release may pin values that this one would ignore without an error.",
    ),
    "E9106": (
        "A lock file is for the environment, account and Region of the file beside it.",
        "AMI ids differ in each Region, and the images that an account may use differ too.",
    ),
    "E9107": (
        "A lock file has the keys of its format, with valid values.",
        (
            "The checksum is correct, so this is not an accidental edit: another tool or a person wrote the file, or a "
            "release with a defect."
        ),
    ),
    "W9108": (
        "All chart and image digests were resolved.",
        (
            "If a registry does not respond, the version is pinned and the digest stays null. A lock pins "
            "AMI releases, AMI ids and add-on versions exactly. Images run by digest where their chart takes one. "
            "Other images and all charts are pulled by tag: `deploy` to AWS and `lock --check` compare the digests of "
            "their registries with those of the lock (E9547)."
        ),
    ),
    "W9109": (
        "The lock file that is replaced could be read.",
        "`neuron-cluster lock` writes a new one in any case; the changes since the old one cannot be shown.",
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("91: locks", "the lock of an environment", ROWS)
