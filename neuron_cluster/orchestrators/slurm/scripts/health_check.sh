#!/bin/bash
# Drains the node when a Neuron device or EFA interface is missing, a device has uncorrectable errors, a mount does not
# respond or the root volume is full. Jobs that run on a node with a device fault are requeued: they cannot go on.
# Setting: HealthCheckProgram. Run by slurmd each HealthCheckInterval, and before it registers; as root.
# Time-out: 60 s, then it is killed. Its status changes nothing: it drains the node itself.
set -u
folder=$(dirname "$0")
. "$folder/node.conf" || exit 0 # the prolog drains the node
. "$folder/node_checks.sh"

problem=$(metadata_problem)
if [[ -n $problem ]]; then drain "$problem"; fi
if is_drained; then exit 0; fi # each check of a file server that is gone leaves a process
problem=$(device_problem)
if [[ -n $problem ]]; then
  drain "$problem"
  for job in $(squeue --noheader --nodelist="$node" --states=running --format=%A); do
    scontrol requeue Incomplete "$job" || true # one that may not be requeued stays
  done
  exit 0
fi
problem=$(volume_problem)
if [[ -n $problem ]]; then drain "$problem"; fi
