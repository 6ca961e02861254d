"""The adversary: the real scheduler in a world of numbers, on the virtual clock, every rule checked each time.

`harness` drives a scheduler with devices and a robot that only cost time; `audit` checks what it answers;
`plans` and `worlds` make up what it has to cope with.
"""
