"""What every test shares: settings of its own, an index folder of its own."""

import os

os.environ.setdefault("RULINGS_DEBUG", "1")
