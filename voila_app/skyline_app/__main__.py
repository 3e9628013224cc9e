"""``python -m skyline_app`` starts the web server."""

import sys

from skyline_app.server import main

if __name__ == "__main__":
    sys.exit(main())
