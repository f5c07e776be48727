"""One module a cause; its thresholds are in ``thresholds.toml``."""
