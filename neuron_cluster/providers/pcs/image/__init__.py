"""The AMI of Slurm nodes: what EC2 Image Builder installs in a Neuron Deep Learning AMI."""
