"""The release of the toolkit that ``requirements.txt`` of a repository pins."""
