"""Print the settings reference: `python -m bottega.settings > docs/settings.md`."""

import sys

from bottega.settings.template import reference

sys.stdout.write(reference())
