"""Rights inside the cluster: roles and who has them."""
