"""References between objects: ConfigMap keys, ServiceAccounts, selectors, scale targets, namespaces."""
