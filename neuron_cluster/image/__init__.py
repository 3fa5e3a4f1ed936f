"""The recipe of AMIs of nodes for EC2 Image Builder, which providers and schedulers add their components to."""
