#!/bin/bash
# Prints the variables of the Neuron runtime, EFA and the compile cache for a task.
# Setting: TaskProlog. Run by slurmstepd before each task, as the user of the job; lines `export NAME=value` count.
# Time-out: none. Other status than 0: Slurm cancels the task (SchedMD/slurm@284c3b9; 22.05 runs it).
# Variables that the job sets itself stay, but for NEURON_RT_VISIBLE_CORES, which follows the devices of the step.
set -u
folder=$(dirname "$0")
. "$folder/node.conf" || exit 1

default() {
  if [[ -n $2 && -z ${!1+set} ]]; then echo "export $1=$2"; fi
}

# A folder below ~/ is in the home of the user's record: a session of Session Manager has another HOME.
compile_cache() {
  local home
  if [[ $COMPILE_CACHE != \~/* ]]; then
    echo "$COMPILE_CACHE"
  elif home=$(getent passwd "$(id -u)" | cut -d : -f 6) && [[ -n $home ]]; then
    echo "$home/${COMPILE_CACHE#\~/}"
  fi
}

# NeuronCores of the step's devices. All of the node need no variable: torchrun and JAX divide them among ranks.
visible_cores() {
  local devices cores=() device core
  IFS=, read -r -a devices <<<"$1"
  if ((${#devices[@]} >= NEURON_DEVICES)); then return; fi
  for device in "${devices[@]}"; do
    for ((core = 0; core < CORES_PER_DEVICE; core++)); do cores+=($((device * CORES_PER_DEVICE + core))); done
  done
  if ((cores[-1] - cores[0] == ${#cores[@]} - 1 && ${#cores[@]} > 1)); then
    echo "export NEURON_RT_VISIBLE_CORES=${cores[0]}-${cores[-1]}"
  else
    (
      IFS=,
      echo "export NEURON_RT_VISIBLE_CORES=${cores[*]}"
    )
  fi
}

if [[ -n ${SLURM_STEP_GPUS:-} ]]; then visible_cores "$SLURM_STEP_GPUS"; fi
default NEURON_LOGICAL_NC_CONFIG "$LOGICAL_NC_CONFIG"
default NEURON_COMPILE_CACHE_URL "$(compile_cache)"
if ((EFA_INTERFACES > 0)); then
  default FI_PROVIDER efa
  default FI_EFA_USE_DEVICE_RDMA 1
  # Older kernels do not copy pinned pages at fork.
  if [[ $(printf '%s\n' 5.15 "$(uname -r)" | sort -V | head -n 1) != 5.15 ]]; then default FI_EFA_FORK_SAFE 1; fi
fi
