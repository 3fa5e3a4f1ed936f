"""The time limit of a job, in its queue and before its signal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from neuron_cluster.schedulers.slurm.cluster import SlurmQueuePlan
from neuron_cluster.schedulers.slurm.jobs.finding_specs import TIME
from neuron_cluster.schedulers.slurm.jobs.job import JobFinding
from neuron_cluster.schedulers.slurm.time_limit import FORMS, LONGEST, MINUTE, is_no_limit, seconds

SHORTEST = "--time-min"
DEFAULT_TIME, MAX_TIME = "DefaultTime", "MaxTime"
_SIGNAL = re.compile(r"[^@]+(?:@([0-9]+))?")
DEFAULT_NOTICE_SECONDS = 60
"""The notice of a signal without a time. Source: SchedMD/slurm@284c3b9 doc/man/man1/sbatch.1, ``--signal``."""


def time_findings(queue: SlurmQueuePlan, directives: Mapping[str, str]) -> Iterator[JobFinding]:
    """``directives``: values of the options of sbatch that the script has in the end."""
    limit, shortest = directives.get("--time"), directives.get(SHORTEST)
    if limit is not None and not is_no_limit(limit) and not seconds(limit):
        yield JobFinding(TIME, "--time", f"{limit!r} is not a time limit of Slurm", f"write {FORMS}")
        return
    most = seconds(queue.settings.get(MAX_TIME, ""))
    if limit is not None and most is not None and (is_no_limit(limit) or (seconds(limit) or 0) > most):
        message = f"{limit} is longer than {MAX_TIME} {queue.settings[MAX_TIME]} of queue {queue.name}"
        yield JobFinding(TIME, "--time", message, f"set --time {queue.settings[MAX_TIME]} at most")
        return
    longest = limit if limit is not None else queue.settings.get(MAX_TIME, "")
    if (
        shortest is not None
        and seconds(longest) is not None
        and (seconds(shortest) or LONGEST) > (seconds(longest) or 0)
    ):
        where = f"--time {limit}" if limit is not None else f"{MAX_TIME} {longest} of queue {queue.name}"
        yield JobFinding(TIME, "--sbatch", f"{SHORTEST}={shortest} is longer than {where}", f"set {longest} at most")
    yield from _before_signal(queue, limit, directives.get("--signal", ""))


def _before_signal(queue: SlurmQueuePlan, limit: str | None, signal: str) -> Iterator[JobFinding]:
    """A job whose signal is due when it starts."""
    form = _SIGNAL.fullmatch(signal)
    limits = {name: queue.settings[name] for name in (DEFAULT_TIME, MAX_TIME) if name in queue.settings}
    name, text = ("--time", limit) if limit is not None else next(iter(limits.items()), ("", ""))
    given = seconds(text)
    if form is None or given is None:
        return
    notice = int(form[1] or DEFAULT_NOTICE_SECONDS)
    if given <= notice:
        where = f"{name} {text}" if name == "--time" else f"{name} {text} of queue {queue.name}"
        message = f"{where}: the job is signalled {notice} s before it (--signal={signal}), which is when it starts"
        hint = f"set --time to more than {-(-notice // MINUTE)} minutes, or a shorter time: --sbatch=--signal=B:TERM@60"
        yield JobFinding(TIME, "--time", message, hint)
