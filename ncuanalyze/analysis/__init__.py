"""Analysed numbers of one launch, each from counters that it names."""
