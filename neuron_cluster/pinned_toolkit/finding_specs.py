"""The findings about the release of the toolkit."""

from __future__ import annotations

from neuron_cluster.findings.spec import FindingSpec, specs_of_table

ROWS = {
    "W1060": (
        "The running toolkit is not newer than the releases that `requirements.txt` of the repository allows.",
        (
            "A newer release can synthesize other templates: a deploy with it would change resources that no edit "
            "of the environment changes, and CI, which installs the pinned release, would change them back. "
            "Synthesis does not read the pin."
        ),
    ),
    "E1061": (
        "The running toolkit is not older than the releases that `requirements.txt` of the repository allows.",
        (
            "An older release lacks keys and rules that the environments may use, and a deploy with it would "
            "undo changes that the newer release made. A wheel, a URL or a name without a version pins nothing here. "
            "Synthesis does not read the pin."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("0: the file itself, and names", "requirements.txt of the project", ROWS)
