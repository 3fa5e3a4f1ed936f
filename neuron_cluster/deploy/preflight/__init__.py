"""Questions to the account before a deploy builds anything: one module for each."""
