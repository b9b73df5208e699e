"""`python -m samestory` is the command `samestory`."""

import sys

from samestory.cli import main

if __name__ == "__main__":
    sys.exit(main())
