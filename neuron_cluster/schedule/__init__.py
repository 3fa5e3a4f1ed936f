"""Which pods fit which nodes, as kube-scheduler decides it."""
