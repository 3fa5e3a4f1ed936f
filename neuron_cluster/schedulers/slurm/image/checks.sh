# Checks what a node of the cluster needs. Given: SLURM_VERSION, FOLDER, PROGRAMS, WITH_LUSTRE, WITH_EFS
# and WITH_CONTAINERS (yes or no).
slurm=@FOLDER@
fail() {
  echo "the image lacks $1" >&2
  exit 1
}

@PROVIDER@
[[ -x $slurm/bin/srun ]] || fail "Slurm $SLURM_VERSION"
@COMMON@
if [[ $WITH_CONTAINERS == yes ]]; then
  enroot version >/dev/null || fail "enroot"
  [[ -f $slurm/lib/slurm/spank_pyxis.so ]] || fail "pyxis"
fi
for program in $PROGRAMS; do
  [[ -x $FOLDER/$program ]] || fail "$FOLDER/$program"
done
