"""The command and a small bundle, as the tests of the command have them."""

from tests.cli.conftest import bundle, cli

__all__ = ["bundle", "cli"]
