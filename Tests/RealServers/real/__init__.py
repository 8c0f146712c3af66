"""Support for the tests with unmodified servers: it installs them, starts them, and drives them through the gateway."""
import os
import sys

# The gateway's own black-box support: starts the binary, reads its logs.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'Conformance'))
