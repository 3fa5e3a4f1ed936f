"""`neuron-cluster init` and `new`: a repository for environment files, and further environments in one."""
