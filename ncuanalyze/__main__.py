"""``python -m ncuanalyze``."""

from ncuanalyze.cli.main import main

main()
