"""The adversary: the real scheduler on the virtual clock, in a world of numbers, every rule checked.

`harness` drives a scheduler with devices and a robot that only cost time; `audit` checks what it answers;
`plans` and `worlds` make up what it has to cope with.
"""
