"""Meanings of the exit code of a container."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Meaning(Struct, frozen=True):
    """``is_stop``: the program ended because it was to."""

    text: str
    advice: str = ""
    is_stop: bool = False


READ_LOG = "read the last lines of its log"
OF_CHARTS: Mapping[str, Mapping[int, Meaning]] = {
    "neuron-training": {
        75: Meaning(
            "the pods were stopped on demand (a drain, a preemption, a stop) after the ranks had time to save; the "
            "restart is not counted",
            "look for the drain or preemption among the events",
            is_stop=True,
        ),
        76: Meaning(
            "a node or a Neuron device was lost, here or at another pod of the job; the restart is not counted",
            "look for NotReady nodes, and for `a Neuron device failed` in the logs",
        ),
        1: Meaning("the ranks failed, here or at another pod of the job; the restart is counted", READ_LOG),
    },
    "collectives-check": {
        10: Meaning("a collective was slower than its minimum bus bandwidth", READ_LOG),
        11: Meaning("nccom-test could not be run, or the check was stopped", READ_LOG),
    },
    "serving-check": {
        10: Meaning("the server did not keep a limit", READ_LOG),
        11: Meaning("nothing could be measured, or the check was stopped", READ_LOG),
    },
    "model-store": {
        64: Meaning("a value of the chart is not valid", READ_LOG),
        65: Meaning("the data is not what it should be", READ_LOG),
        66: Meaning("the input does not exist", READ_LOG),
        74: Meaning("the volume is full", "free space or use a larger volume"),
        75: Meaning("the network or the storage failed for a while; the next pod continues", READ_LOG),
        77: Meaning("access is denied", READ_LOG),
    },
    "batch-inference": {
        10: Meaning("too many requests failed", READ_LOG),
        11: Meaning("the input or the output cannot be used", READ_LOG),
        12: Meaning("the server or the storage failed", READ_LOG),
        143: Meaning("the pod was stopped; the next one continues with the next shard", is_stop=True),
    },
}
"""Exit codes by chart: of verdict.py, run_check.py, check_server.py, problem.py and run_batch.py in their files/."""
GENERAL: Mapping[int, Meaning] = {
    0: Meaning("the program ended without an error", is_stop=True),
    126: Meaning("the command cannot be executed", "check its permissions in the image"),
    127: Meaning("the command was not found", "check the image, and the chart value that names the program"),
    134: Meaning("SIGABRT: the program aborted", READ_LOG),
    135: Meaning("SIGBUS: often /dev/shm is full", "raise machine.sharedMemoryGib"),
    137: Meaning(
        "SIGKILL: the memory limit, the end of the grace period, or a failed liveness probe",
        "compare machine.memoryGib, the grace period and the events",
    ),
    139: Meaning("SIGSEGV: the program accessed invalid memory", READ_LOG),
    143: Meaning("SIGTERM: the pod was stopped", is_stop=True),
}
"""128 + n is signal n (https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/)."""
SIGNALS, LAST_SIGNAL = 128, 64


def meaning_of(code: int, chart: str, reason: str = "") -> Meaning:
    """``reason`` is that of ``terminated`` in the container's status: ``OOMKilled``, ``Error``, …"""
    if reason == "OOMKilled":
        return Meaning("the container exceeded its memory limit (OOMKilled)", "raise machine.memoryGib")
    known = OF_CHARTS.get(chart, {}).get(code) or GENERAL.get(code)
    if known is not None:
        return known
    if SIGNALS < code <= SIGNALS + LAST_SIGNAL:
        return Meaning(f"signal {code - SIGNALS} ended the program", READ_LOG)
    return Meaning("the program failed", READ_LOG)
