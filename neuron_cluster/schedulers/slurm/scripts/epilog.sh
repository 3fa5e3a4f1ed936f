#!/bin/bash
# Ends processes that a job left behind on Neuron devices: the next job could not open them.
# Setting: Epilog. Run by slurmd on each node of an allocation, as root, when the job has ended.
# Time-out: none (PrologEpilogTimeout); the node is COMPLETING until it ends, 15 seconds at most.
# Other status than 0: Slurm drains the node with the reason "Epilog error".
set -u
folder=$(dirname "$0")
. "$folder/node.conf" || exit 0 # the prolog drains the node

# Process ids of the job's user that have a Neuron device open.
holders() {
  find /proc/[0-9]*/fd -user "$SLURM_JOB_UID" -lname "$DEVICE_FOLDER/neuron[0-9]*" -printf '%h\n' 2>/dev/null |
    cut -d / -f 3 | sort -u
}

if [[ -z $(holders) ]]; then exit 0; fi
# Another job of this user may run here, on other devices.
if [[ -n $(squeue --noheader --nodelist="$SLURMD_NODENAME" --user="$SLURM_JOB_UID" --states=running) ]]; then exit 0; fi
for signal in TERM KILL; do
  for process in $(holders); do kill -s "$signal" "$process" 2>/dev/null; done
  for _ in {1..7}; do
    if [[ -z $(holders) ]]; then exit 0; fi
    sleep 1
  done
done
echo "processes hold Neuron devices: $(holders | xargs)" >&2
exit 1
