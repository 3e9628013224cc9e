"""``python -m skyline_kernel.skyline.solver``: rebuild or check the shipped tables."""

import sys

from .rebuild import main

if __name__ == "__main__":
    sys.exit(main())
