"""Support for the black-box tests: it shares no code with the gateway, so that it can judge it."""
