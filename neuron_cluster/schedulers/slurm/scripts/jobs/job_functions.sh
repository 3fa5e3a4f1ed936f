# Functions of the job scripts, which set NEURON_CLUSTER before.
# shellcheck shell=bash

# Programs of the Python environment of the machine image that the job names, if it does.
activate_environment() {
  if [[ -n ${VIRTUAL_ENVIRONMENT:-} ]]; then
    # shellcheck disable=SC1091 # of the machine image
    . "$VIRTUAL_ENVIRONMENT/bin/activate"
  fi
}

# Prints the first python3 that runs programs of the toolkit: that of Amazon Linux 2023 is 3.9.
# Source: https://docs.aws.amazon.com/linux/al2023/ug/python.html
python_program() {
  local name
  for name in python3 python3.{14..11}; do
    if command -v "$name" >/dev/null && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
      echo "$name"
      return
    fi
  done
  echo "no python3 on the search path is 3.11 or newer: set VIRTUAL_ENVIRONMENT, or install python3.11" >&2
  return 1
}

# A job with whole nodes: each step has all Neuron devices of its nodes. By default it has none of those that Slurm
# allocated because of --exclusive alone, and ConstrainDevices keeps it from them.
# Source: SchedMD/slurm@284c3b9 doc/man/man1/srun.1, --gres; 22.05 has the same sentence.
use_all_devices() {
  if [[ -z ${SLURM_GPUS_ON_NODE:-} ]]; then return; fi # no generic resources
  unset SLURM_GPUS SLURM_GPUS_PER_TASK SLURM_GPUS_PER_SOCKET SLURM_NTASKS_PER_GPU SLURM_TRES_PER_TASK
  export SLURM_GPUS_PER_NODE=$SLURM_GPUS_ON_NODE
}

# A port that no other job on this node has: its first Neuron device is no other job's.
own_port() {
  local first=${SLURM_JOB_GPUS:-0}
  echo $((${1} + ${first%%[,-]*}))
}

# Whether something on this node listens at the port.
is_used() {
  (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}
