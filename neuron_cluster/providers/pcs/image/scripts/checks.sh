# Checks what a node of the cluster needs. Given: SLURM_VERSION, FOLDER, PROGRAMS, WITH_LUSTRE, WITH_EFS
# and WITH_CONTAINERS (yes or no).
slurm=/opt/aws/pcs/scheduler/slurm-$SLURM_VERSION
fail() {
  echo "the image lacks $1" >&2
  exit 1
}

[[ -s /opt/aws/pcs/version ]] || fail "the PCS agent"
[[ -x $slurm/bin/srun ]] || fail "Slurm $SLURM_VERSION"
[[ -x /opt/amazon/efa/bin/fi_info ]] || fail "EFA"
modinfo neuron >/dev/null || fail "the Neuron driver for kernel $(uname -r)"
[[ -x /opt/aws/neuron/bin/neuron-ls ]] || fail "the Neuron tools"
if [[ $WITH_LUSTRE == yes ]]; then
  modinfo lustre >/dev/null || fail "the Lustre client for kernel $(uname -r)"
fi
if [[ $WITH_EFS == yes ]]; then
  command -v mount.efs >/dev/null || fail "the EFS mount helper (amazon-efs-utils)"
fi
if [[ $WITH_CONTAINERS == yes ]]; then
  enroot version >/dev/null || fail "enroot"
  [[ -f $slurm/lib/slurm/spank_pyxis.so ]] || fail "pyxis"
fi
for program in $PROGRAMS; do
  [[ -x $FOLDER/$program ]] || fail "$FOLDER/$program"
done
