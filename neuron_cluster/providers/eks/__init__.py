"""Amazon EKS: a cluster with managed node groups and the software that they need."""
