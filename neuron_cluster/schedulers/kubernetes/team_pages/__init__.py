"""The hand-over pack of a team in a Kubernetes cluster, and what its departure leaves there."""
