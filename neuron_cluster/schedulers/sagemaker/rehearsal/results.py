"""Writes model.tar.gz and output.tar.gz, the results of a training job.

Source: https://docs.aws.amazon.com/sagemaker/latest/dg/your-algorithms-training-algo-output.html
"""

from __future__ import annotations

import tarfile
from collections.abc import Sequence
from pathlib import Path

from neuron_cluster.schedulers.sagemaker.rehearsal.host import Host


def write_archives(hosts: Sequence[Host], target: Path) -> None:
    """Each has the files of all hosts; none is written without a file."""
    for name, folders in (("model", [host.model for host in hosts]), ("output", [host.output for host in hosts])):
        found = [(path, path.relative_to(folder)) for folder in folders for path in sorted(folder.rglob("*"))]
        if found:
            target.mkdir(parents=True, exist_ok=True)
            with tarfile.open(target / f"{name}.tar.gz", "w:gz") as archive:
                for path, inner in found:
                    archive.add(path, str(inner), recursive=False)
