"""Good and bad manifests that several test files use."""

from __future__ import annotations

SPECIFICATION = """\
orchestration:
  mode: pipelined_rtc   # pipelined | parallel | sequential
  modules:
  - id: vlm
    vmfb: vlm.vmfb
    rate_hz: 3
  - id: dit
    vmfb: action_head.vmfb
    rate_hz: 10
    rtc: { buffer_depth: 2 }
  links:
  - from: vlm.hidden
    to: dit.condition
  qos: { dit: 0, vit: 1, background: 2 }
"""

FULL = """\
version: 1
name: dual system
robot:
  use: metaworld
  options: { task: button-press, seed: 0, scale: 0.5, weights: [1, 0.25], render: false }
  control_hz: 80
  observations:
    depth: { dtype: f32, shape: [64, 64], rate_hz: 5 }
    proprio: { dtype: f32, shape: [39] }
  action: { dtype: f32, shape: [4] }
island:
  rate_hz: 1000
  joints:
    hip: { position: [-1, 1.5], velocity: 20, torque: 2.5, torque_rate: 500, kp: 20, kd: 0.5 }
    knee: { velocity: 20, torque: 2.5, torque_rate: 500, kp: 0, kd: 0 }
  ladder_ms: { extrapolate: 40, decelerate: 80.5, hold: 200, stop: 2000 }
  blind_ms: 5
  sensors: 4
  network: nets/balance.net
  core: 1
  priority: 50
  ports: arm
devices:
  slow: { driver: iree, uri: local-task, cores: [0], in_flight: 2 }
  fast: { cores: [1] }
memory:
  total: 16 GiB
  process: 150 MB
  groups:
    slow: { modules: vlm, budget: 6 GiB }
    fast: { modules: [dit], budget: 2147483648 }
orchestration:
  mode: pipelined_rtc
  modules:
  - id: vlm
    vmfb: vlm.vmfb
    parameters: vlm.safetensors
    rate_hz: 1/3
    device: slow
    class: background
    cost_ms: 60
    bytes: { weights: 3.5 GB, code: 4MiB, kv: 256 MiB, scratch: 0 }
  - id: dit
    vmfb: nets/action_head.vmfb
    parameters: [a.irpa, b.safetensors]
    rate_hz: 20
    device: fast
    entry: [encode, step, step]
    deadline_ms: 40.1
    phase_ms: 0.1
    on_overrun: catch_up
    cost_ms: [4, 1.5, 1.5]
    check_finite: false
    rtc: { buffer_depth: 3 }
    max_failures: 5
  links:
  - { from: robot.depth, to: vlm.image }
  - { from: robot.proprio, to: dit.proprio, max_age_ms: 12.5, on_stale: skip }
  - { from: runtime.noise, to: dit.noise }
  - { from: vlm.hidden, to: dit.condition }
  - { from: dit.actions, to: robot.action }
  qos: { dit: 0, background: 2 }
"""

GOOD = {"specification": SPECIFICATION, "full": FULL}

TEN_MISTAKES = """\
robot:
  use: metaworld
  control_hz: 80
  observations:
    depth: { dtype: float32, shape: [64, 64] }
    proprio: { dtype: f32, shape: [39], rate_hz: 100 }
  action: { dtype: f32, shape: [4] }
devices:
  cpu: { cores: [1, 1] }
orchestration:
  mode: paralel
  modules:
  - id: vlm
    vmfb: ../vlm.vmfb
    rate_hz: 0
    device: cpus
  - id: dit
    vmfb: action_head.vmfb
    rate: 10
    cost_ms: [1, 2]
  links:
  - { from: vlm.hidden, to: dot.condition }
  - { from: robot.propio, to: dit.proprio, on_stale: hold }
  - { from: robot.depth, to: dit.proprio }
  qos: { dit: true }
"""
