[[ -x /opt/amazon/efa/bin/fi_info ]] || fail "EFA"
modinfo neuron >/dev/null || fail "the Neuron driver for kernel $(uname -r)"
[[ -x /opt/aws/neuron/bin/neuron-ls ]] || fail "the Neuron tools"
if [[ $WITH_LUSTRE == yes ]]; then
  modinfo lustre >/dev/null || fail "the Lustre client for kernel $(uname -r)"
fi
if [[ $WITH_EFS == yes ]]; then
  command -v mount.efs >/dev/null || fail "the EFS mount helper (amazon-efs-utils)"
fi
