"""The adversary: the real scheduler on the virtual clock, in a world of numbers, every rule checked.

`harness` drives a scheduler with devices and a robot that only cost time; `audit` checks what it answers.
`trial` plays a `piece` (the plan of a bundle or a manifest, or a random one of `swarm`) while `faults`
strike; `campaign` plays many and `shrink` makes small what fails. `worlds` are for the scheduler's own tests.
"""

import os

# Before any of them is imported as source.
if _digest := os.environ.get("POLYRHYTHM_COMPILED"):
    from polyrhythm.simulate.compiled import use

    use(_digest)
