"""What an edit does to what is deployed: a row for every field, and the comparison of templates."""
