"""What one object says of another: keys, accounts, selectors, targets, namespaces."""
