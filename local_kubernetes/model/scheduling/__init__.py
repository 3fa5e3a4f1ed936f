"""Which pods fit on which nodes, computed as kube-scheduler's filters do, without a cluster."""
