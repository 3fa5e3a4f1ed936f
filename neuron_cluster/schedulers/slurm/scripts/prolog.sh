#!/bin/bash
# Checks the node before a job starts on it.
# Setting: Prolog, with PrologFlags=Alloc. Run by slurmd on each node of an allocation, as root, before the first step.
# Time-out: none (PrologEpilogTimeout), but a batch job waits for it; the checks end within five minutes (MOUNT_WAIT_SECONDS).
# Other status than 0: Slurm drains the node and requeues the job, on hold unless SchedulerParameters has
# nohold_on_prolog_fail; a job of salloc or srun is cancelled.
set -u
folder=$(dirname "$0")
. "$folder/node.conf" || exit 1 # the start of the node did not write it: PCS agent before 1.5.0-1
. "$folder/node_checks.sh"

problem=$(metadata_problem)
if [[ -z $problem ]]; then problem=$(device_problem); fi
if [[ -z $problem ]]; then problem=$(root_problem); fi
if [[ -z $problem ]]; then
  # A file server in maintenance, or under load, responds again.
  until problem=$(mount_problem) && [[ -z $problem ]] || ((SECONDS >= MOUNT_WAIT_SECONDS)); do sleep 5; done
fi
if [[ -n $problem ]]; then
  drain "$problem" # with this reason; Slurm's own would be "Prolog error"
  echo "$problem" >&2
  exit 1
fi
