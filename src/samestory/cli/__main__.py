"""`python -m samestory.cli`."""

import sys

from samestory.cli import main

sys.exit(main())
