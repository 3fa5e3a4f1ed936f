"""What the findings about locks mean: by id, a sentence that says what must hold, and why."""

from __future__ import annotations

LOCK_PAGES: dict[str, tuple[str, str]] = {
    "E9101": (
        "The lock of an environment can be read, if there is one.",
        (
            "It is a file of at most 1 MiB, and its permissions let you read it. Without a lock nothing is pinned but "
            "what the environment file pins itself."
        ),
    ),
    "E9102": (
        "A lock is a YAML mapping.",
        "`neuron-cluster lock` writes nothing else. A merge with conflict marks ends like this: run it again.",
    ),
    "E9103": (
        "A lock is whole.",
        "Its last line is a checksum over every entry. A file without it was cut off, and entries may be missing.",
    ),
    "E9104": (
        "A lock is as `neuron-cluster lock` wrote it.",
        (
            "It holds what an account returned. What you want to choose yourself belongs into the environment file, "
            "which wins over the lock: ami_release of a node group, ami_id of a workstation. The checksum finds slips "
            "and bad merges. It has no key, so it does not protect against a person who edits the lock: review locks "
            "as code, run `neuron-cluster lock NAME --check` in CI, and `deploy` compares the owners of AMIs (E9542)."
        ),
    ),
    "E9105": (
        "A lock has a format that this release knows.",
        "A newer release may pin things that this one would leave out without a word.",
    ),
    "E9106": (
        "A lock is for the environment, account and Region of the file beside it.",
        "Ids of images differ in each Region, and what an account may use differs too.",
    ),
    "E9107": (
        "A lock has the keys of its format, with values of their form.",
        (
            "The checksum fits, so this is no slip of the hand: another tool or a person wrote the file, or a release "
            "with a mistake."
        ),
    ),
    "W9108": (
        "The registry told the digest of every chart and image.",
        (
            "One that does not answer is no failure: the version is pinned, the digest stays null. A lock pins AMI "
            "releases, AMI ids and add-on versions exactly. Images run by digest where their chart takes one. Other "
            "images and all charts are pulled by tag: `deploy` to AWS and `lock --check` compare the digests "
            "that their registries have with those of the lock (E9547)."
        ),
    ),
    "W9109": (
        "The lock that is replaced could be read.",
        "`neuron-cluster lock` writes a new one in any case; what moved since the old one cannot be shown.",
    ),
}
