"""The site's settings in a data folder of this test process's own."""

import atexit
import os
import shutil
import tempfile

_folder = tempfile.mkdtemp(prefix="rulings-tests-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ["RULINGS_DATA_DIR"] = _folder
os.environ["RULINGS_DEBUG"] = "1"
os.environ["RULINGS_WEBHOOKS"] = "off"  # a test delivers when it means to
for _name in ("DATABASE_URL", "RULINGS_SECRET_KEY", "RULINGS_ALLOWED_HOSTS", "RULINGS_HTTPS", "RULINGS_BEHIND_PROXY"):
    os.environ.pop(_name, None)

from rulings.settings import *  # noqa: E402, F403 - the environment comes first

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# A file, not memory: locks, WAL and threads behave as they do on the site.
DATABASES["default"]["TEST"] = {"NAME": os.path.join(_folder, "test.sqlite3")}  # noqa: F405, PTH118
SEARCH_ERRORS_RAISE = True
