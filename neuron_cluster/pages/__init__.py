"""A page as data, and its two forms: Markdown, and HTML that needs no script."""
