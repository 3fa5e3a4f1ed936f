"""The findings about checkpoints on volumes of Mountpoint for S3 in user manifests."""

from __future__ import annotations

from neuron_cluster.findings.references import References
from neuron_cluster.findings.spec import FindingSpec, specs_of_table

SHOWN = "`schedule --workload` compares images, arguments and variables with words of the framework"
ROWS = {
    "E4110": (
        "Frameworks that rename files do not write checkpoints through Mountpoint for S3 (`volumeMounts`).",
        (
            "A general purpose bucket has no rename: each save of Orbax, and of safetensors from 0.8 on, fails at its "
            f"end. {SHOWN}, else it uses `storage.checkpoints.framework` of the environment."
        ),
    ),
    "W4111": (
        "The version of safetensors that writes through Mountpoint for S3 is known (`volumeMounts`).",
        f"From 0.8 on safetensors renames each file at the end of a save, which fails. {SHOWN} and its version.",
    ),
    "E4112": (
        "A volume on which a program deletes old checkpoints has allow-delete (`mountOptions`).",
        (
            "Without it Mountpoint for S3 rejects each deletion: the training stops at the first rotation, or keeps "
            "every checkpoint. Only arguments and variables of the program are compared, not its defaults."
        ),
    ),
    "W4113": (
        "A volume to which checkpoints are written has allow-overwrite (`mountOptions`).",
        (
            "Without it Mountpoint for S3 rejects a write to a file that exists: a job that restarts from an earlier "
            "step saves the same steps again. With it a program must also truncate the file when it opens it."
        ),
    ),
    "W4114": (
        "NxD does not write checkpoints through Mountpoint for S3 without a test (`volumeMounts`).",
        (
            "Its code renames no file, but no source reports a save or a restore there. "
            f"{SHOWN}, else it uses `storage.checkpoints.framework`."
        ),
    ),
    "W4115": (
        "Parts of an upload through Mountpoint for S3 are large enough for the files of a checkpoint (`mountOptions`).",
        (
            "An upload has at most 10,000 parts, 83.9 GB in the default size: the write of a larger file fails. The "
            "size of a file is the planned checkpoint of `storage.checkpoints` divided by its ranks; of frameworks "
            "with a file for each tensor it is not known."
        ),
    ),
}
REFERENCES: dict[str, References] = {
    "E4110": ("safetensors/safetensors#792", "awslabs/mountpoint-s3-csi-driver#463"),
    "W4111": ("safetensors/safetensors#792",),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    chapter = "4: storage (FSx for Lustre, S3 buckets, EBS homes)"
    return specs_of_table(chapter, "a user manifest", ROWS, REFERENCES)
