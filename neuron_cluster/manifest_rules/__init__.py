"""What schemas of Kubernetes objects do not see, judged over rendered manifests: one rule in each file, by subject."""
