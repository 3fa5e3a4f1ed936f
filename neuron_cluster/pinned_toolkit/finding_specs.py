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
            "undo changes that the newer release made. A name without a version pins nothing here. "
            "Synthesis does not read the pin."
        ),
    ),
    "W1062": (
        "`requirements.txt` of the repository requires the toolkit by a wheel or with a hash, never by its bare name.",
        (
            "The toolkit is not on PyPI, where every user may upload a package of that name. "
            "`pip install -r requirements.txt` would install and run it, in CI with the role that deploys: a newer "
            "version, or the same one with a build tag. `--find-links` and `--extra-index-url` only add places to the "
            "index. A line with `--hash`, and a file with `--no-index` or an index of your own, is accepted, but no "
            "mirror of PyPI. Files of `-r` and `-c` are read too."
        ),
    ),
}


def finding_specs() -> tuple[FindingSpec, ...]:
    return specs_of_table("0: the file itself, and names", "requirements.txt of the project", ROWS)
