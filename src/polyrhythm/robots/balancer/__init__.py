"""A robot that falls when System 0 pauses: a mast on two wheels, in MuJoCo, on the ports of an island.

`body` is its physics, `robot` what the runtime sees of it, `process` its body in real time.
"""

from polyrhythm.robots.balancer.robot import INSTRUCTIONS, TASKS, Balancer, robot

__all__ = ["INSTRUCTIONS", "TASKS", "Balancer", "robot"]
