"""What schemas of Kubernetes objects do not see, judged over rendered manifests: one law in each file, by subject."""
