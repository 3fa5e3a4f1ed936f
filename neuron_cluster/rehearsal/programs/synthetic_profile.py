"""A profile as the Neuron runtime leaves one: the names of its files, and nothing in them.

Names: aws-neuron/aws-neuron-sdk:tools/neuron-explorer/get-started.rst and how-to-profile-workload.rst @81ce03a.
"""

from __future__ import annotations

import os
from pathlib import Path

CONTENT = "synthetic: made by a rehearsal\n"
SYSTEM = ("trace_info.pb", "ntrace.pb")
DEVICE = ("neff_1_vnc_0.neff", "1_instid_0_vnc_0.ntff")


def write(folder: Path, names: tuple[str, ...]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text(CONTENT, encoding="ascii")


def write_if_enabled() -> None:
    """Writes the profiles of a program on NeuronCores where the runtime's variables ask for them."""
    if os.environ.get("NEURON_RT_INSPECT_ENABLE") != "1":
        return
    folder = Path(os.environ["NEURON_RT_INSPECT_OUTPUT_DIR"]) / "rehearsal_pid_1"
    for kind, names in (("SYSTEM", SYSTEM), ("DEVICE", DEVICE)):
        if os.environ.get(f"NEURON_RT_INSPECT_{kind}_PROFILE", "0") != "0":
            write(folder, names)
