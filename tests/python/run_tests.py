"""Runs all tests of a directory, of this one if none is given, and ends with "N passed, N failed"."""

import sys
import unittest
from pathlib import Path

suite = unittest.TestLoader().discover(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).parent))
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=2).run(suite)
failed = len({test.id().split(" ")[0] for test, _ in result.failures + result.errors})
print(f"{result.testsRun - failed} passed, {failed} failed")
sys.exit(failed != 0 or result.testsRun == 0)
