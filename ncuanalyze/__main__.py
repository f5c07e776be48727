"""``ncuanalyze`` and ``python -m ncuanalyze``: an interrupt is quiet from the first import on."""

import sys


def main() -> None:
    """Entry point of the console script."""
    try:
        from ncuanalyze.cli.main import main as run

        run()
    except KeyboardInterrupt:
        sys.exit("Aborted!")


if __name__ == "__main__":
    main()
