"""Real faults: real processes that are stopped, killed, starved, lied to, while a run goes on.

Nothing here asserts how long anything took. Tests wait for what has to happen, and judge a run by its own
books: every control instant is accounted for, and what was recorded replays.
"""
