"""An account of what a scheduler may answer, kept beside it: a plain model of every rule.

It sees events and commands; the first command that breaks a rule raises `AssertionError`.
"""

from polyrhythm.simulate.audit.auditor import Auditor
from polyrhythm.simulate.audit.bounds import Limits, Proven

__all__ = ["Auditor", "Limits", "Proven"]
