"""helm and kubectl as small typed functions: the only calls to these programs."""
