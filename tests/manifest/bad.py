"""One small bad manifest for each diagnostic code."""

from __future__ import annotations

from polyrhythm.manifest.source import MAX_BYTES, MAX_DEPTH, MAX_PROBLEMS, MAX_VALUES

MODULES = """\
orchestration:
  modules:
  - { id: vlm, vmfb: vlm.vmfb, rate_hz: 3 }
  - { id: dit, vmfb: dit.vmfb, rate_hz: 10 }
"""

ROBOT = """\
robot:
  use: metaworld
  control_hz: 80
  observations: { proprio: { dtype: f32, shape: [39] } }
  action: { dtype: f32, shape: [4] }
"""


def module(keys: str) -> str:
    """A manifest with one module that has `keys` beside an id, an artefact and a rate."""
    return f"""\
orchestration:
  modules:
  - id: dit
    vmfb: dit.vmfb
    rate_hz: 10
    {keys}
"""


def links(*items: str, before: str = MODULES) -> str:
    """A manifest with two modules and the links `items`."""
    return before + "  links:\n" + "".join(f"  - {{ {item} }}\n" for item in items)


def power(profile: str = "", more: str = "") -> str:
    """A manifest with a robot, two modules and two power profiles; `profile` is the second."""
    linked = links("from: robot.proprio, to: dit.state", "from: dit.actions, to: robot.action")
    return f"""\
{ROBOT}power:
  profiles: {{ normal: {{}}, saver: {{ {profile} }} }}
  {more}
{linked}"""


def source(keys: str) -> str:
    """The same with a power source."""
    return power("rate_scale: { vlm: 0.5 }", f"source: {{ {keys} }}")


def island(keys: str = "", joint: str = "", before: str = ROBOT) -> str:
    """A manifest with an island of one joint, all of it in order but for what is given."""
    return f"""\
{before}island:
  joints:
    knee: {{ velocity: 20, torque: 2.5, torque_rate: 500, kp: 20, kd: 0.5{joint} }}
{keys}orchestration:
  modules:
  - {{ id: dit, vmfb: dit.vmfb, rate_hz: 10 }}
  links:
  - {{ from: robot.proprio, to: dit.state }}
"""


BAD: dict[str, str | bytes] = {
    # the text
    "PM002 latin-1": "# modules\nname: caf\u00e9\n".encode("latin-1"),
    "PM003": b"#" * (MAX_BYTES + 1),
    "PM004 in the text": "name: bell \x07\n" + MODULES,
    "PM004 escaped": 'name: "bell \\a"\n' + MODULES,
    "PM004 a line break to some": "name: a\u2028b\n" + MODULES,
    "PM005 indentation": "orchestration:\n\tmodules: []\n",
    "PM005 before a value": "name:\tdual system\n" + MODULES,
    "PM006 open bracket": "orchestration:\n  modules: [vlm, dit\n",
    "PM006 missing colon": "name dual system\norchestration:\n",
    "PM006 escape out of range": 'name: "\\UFFFFFFFF"\n',
    "PM007": "name: " + "[" * (MAX_DEPTH + 1),
    "PM008": "name: [" + "1," * MAX_VALUES + "]",
    "PM009": module("deadline_ms: &ms 50").replace("rate_hz: 10", "rate_hz: *ms"),
    "PM010": module("cost_ms: !!python/object:os.system 3"),
    "PM011": MODULES + "---\n" + MODULES,
    "PM012": module("rate_hz: 20"),
    "PM013": "? [vlm, dit]\n: 3\n",
    "PM014 infinite": module("deadline_ms: .inf"),
    "PM014 huge": module("max_failures: 100000000000000000000"),
    "PM015 empty": "",
    "PM015 comment only": "# to be done\n",
    "PM016": "\n".join(f"key{index}: 1" for index in range(MAX_PROBLEMS + 20)),
    # the shape of a value
    "PM020 misspelt": module("dead_line_ms: 50"),
    "PM020 foreign": module("colour: red"),
    "PM020 in rtc": module("rtc: { buffer_depth: 2, delays: 3 }"),
    "PM021": "orchestration:\n  modules:\n  - id: dit\n    vmfb: dit.vmfb\n",
    "PM021 artefact": "orchestration:\n  modules:\n  - { id: dit, rate_hz: 10 }\n",
    "PM021 at the top": "name: dual system\n",
    "PM022 boolean for a number": MODULES + "  qos: { dit: true }\n",
    "PM022 text for a boolean": module("check_finite: yes"),
    "PM022 number for a name": module("device: 3"),
    "PM022 text for a list": "orchestration:\n  modules: vlm\n",
    "PM022 text for milliseconds": module("deadline_ms: 50ms"),
    "PM022 keys without a value": module("rtc:\n      # inpaint: guided\n    kv: ~\n    deadline_ms: null"),
    "PM022 list for the manifest": "- vlm\n- dit\n",
    "PM023": "orchestration:\n  mode: sequental\n" + MODULES.partition("\n")[2],
    "PM023 far off": module("on_overrun: panic"),
    "PM024 rate": module("").replace("rate_hz: 10", "rate_hz: 0"),
    "PM024 time": module("deadline_ms: -5"),
    "PM024 count": module("rtc: { buffer_depth: 0 }"),
    "PM024 core": "devices: { cpu: { cores: [-1] } }\n" + MODULES,
    "PM024 version": "version: 2\n" + MODULES,
    "PM025": module("class: real time"),
    "PM025 key": "devices: { the cpu: {} }\n" + MODULES,
    "PM026 absolute": module("parameters: /opt/weights/dit.irpa"),
    "PM026 leaves the bundle": module("parameters: [dit.irpa, ../shared/base.irpa]"),
    "PM026 ending": module("parameters: dit.pt"),
    "PM026 folder": module("parameters: weights/"),
    "PM026 not plain": module("parameters: ./weights//dit.irpa"),
    "PM027 no port": links("from: vlm, to: dit.condition"),
    "PM027 nonsense": links("from: vlm -> dit, to: robot", before=ROBOT + MODULES),
    "PM028": module("").replace("rate_hz: 10", "rate_hz: 10 Hz"),
    "PM029 empty": "orchestration:\n  modules: []\n",
    "PM029 action": ROBOT.replace("[4]", "[50, 4]") + MODULES,
    # values that contradict each other
    "PM040": MODULES.replace("id: dit", "id: vlm"),
    "PM041": MODULES.replace("id: dit", "id: robot"),
    "PM042 misspelt": links("from: vml.hidden, to: dit.condition"),
    "PM042 unknown": links("from: vlm.hidden, to: policy.condition"),
    "PM043": links("from: robot.propio, to: dit.state", before=ROBOT + MODULES),
    "PM044": links("from: vlm.hidden, to: dit.condition", "from: dit.actions, to: robot.action"),
    "PM045 source": links("from: runtime.clock, to: dit.time"),
    "PM045 sink": links(
        "from: robot.proprio, to: dit.state", "from: dit.actions, to: robot.joints", before=ROBOT + MODULES
    ),
    "PM045 runtime as a sink": links("from: vlm.hidden, to: runtime.noise"),
    "PM046": links("from: vlm.hidden, to: dit.condition", "from: vlm.pooled, to: dit.condition"),
    "PM047": links("from: vlm.hidden, to: dit.condition, on_stale: hold"),
    "PM048": "devices: { cpu0: { cores: [0] }, cpu1: { cores: [1] } }\n" + module("device: cpu"),
    "PM048 none declared": module("device: npu"),
    "PM049": module("entry: [encode, step, step]\n    cost_ms: [4, 1.5]"),
    "PM049 no stages": module("cost_ms: [4, 1.5]"),
    "PM050": links("from: robot.proprio, to: dit.state", before=ROBOT + MODULES).replace(
        "shape: [39]", "shape: [39], rate_hz: 100"
    ),
    "PM051": links("from: vlm.hidden, to: dit.condition", "from: dit.actions, to: vlm.last_actions").replace(
        "  modules:", "  mode: sequential\n  modules:"
    ),
    "PM052": "devices: { cpu: { cores: [0, 1, 0] } }\n" + MODULES,
    "PM052 robot": "robot: { use: arm, control_hz: 80, cores: [1, 1], action: { dtype: f32, shape: [1] } }\n"
    + MODULES,
    "PM053": module("steps: { full: 1, fast: 5 }"),
    "PM053 range": module("steps: [5, 1]"),
    "PM054": module("rtc: { inpaint: hard, jacobian: vjp }").replace("  modules:", "  mode: rtc\n  modules:"),
    "PM056": module("artefact: dit.onnx"),
    "PM057": links("from: robot.proprio, to: robot.action", before=ROBOT + MODULES),
    "PM057 runtime": links(
        "from: robot.proprio, to: dit.state", "from: runtime.noise, to: robot.action", before=ROBOT + MODULES
    ),
    "PM055": module("rtc: { buffer_depth: 1 }").replace("  modules:", "  mode: rtc\n  modules:"),
    "PM075 no priority": "devices: { cpu: { threads: { policy: fifo } } }\n" + MODULES,
    "PM075 nice": "devices: { cpu: { threads: { policy: fifo, nice: 5 } } }\n" + MODULES,
    "PM075 priority": "devices: { cpu: { threads: { priority: 5 } } }\n" + MODULES,
    "PM076": module("budget: { ms: 60, period_ms: 50 }"),
    "PM023 bf16": ROBOT.replace("proprio: { dtype: f32", "proprio: { dtype: bf16") + MODULES,
    "PM023 policy": "devices: { cpu: { policy: edff } }\n" + MODULES,
    "PM021 period": module("budget: { ms: 5 }"),
    "PM024 nice": "devices: { cpu: { threads: { nice: 20 } } }\n" + MODULES,
    "PM020 rtc": module("rtc: { inpain: hard }").replace("  modules:", "  mode: rtc\n  modules:"),
    "PM022 steps": module("steps: many"),
    "PM024 steps": module("steps: { full: 0 }"),
    "PM024 beta": module("rtc: { beta: 0 }").replace("  modules:", "  mode: rtc\n  modules:"),
    "PM023 inpaint": module("rtc: { inpaint: gided }").replace("  modules:", "  mode: rtc\n  modules:"),
    "PM090": "memory: { total: 8 gigs }\n" + MODULES,
    "PM090 unit": "memory: { total: 8G }\n" + MODULES,
    "PM090 whole": module("bytes: { kv: 0.3 B }"),
    "PM022 size": module("bytes: { kv: true }"),
    "PM024 size": "memory: { process: 0 }\n" + MODULES,
    "PM020 kind": module("bytes: { weight: 1 GiB }"),
    "PM021 budget": "memory: { groups: { all: { modules: [vlm] } } }\n" + MODULES,
    "PM091": "memory: { groups: { slow: { modules: [vml], budget: 1 GiB } } }\n" + MODULES,
    "PM092": "memory: { groups: { a: { modules: vlm, budget: 1 }, b: { modules: [vlm, dit], budget: 1 } } }\n"
    + MODULES,
    "PM093": "memory: { total: 1 GiB, groups: { all: { modules: vlm, budget: 2 GiB } } }\n" + MODULES,
    # power profiles
    "PM020 power": power("rates: { vlm: 1.5 }"),
    "PM022 power steps": power("steps: 2"),
    "PM024 power steps": power("steps: { dit: 0 }"),
    "PM024 power scale": power("rate_scale: { vlm: 0 }"),
    "PM024 power poll": source("kind: file, path: /run/profile, every_ms: 1"),
    "PM029 no profiles": "power: { profiles: {} }\n" + MODULES,
    "PM080 start": power("rate_scale: { vlm: 0.5 }", "start: norml"),
    "PM080 level": source("kind: thermal, path: /t, levels: [{ profile: server, at: 80, back: 75 }]"),
    "PM081 rate": power("rate_hz: { vlms: 1.5 }"),
    "PM081 scale": power("rate_scale: { background: 0.5 }"),
    "PM081 drop": power("drop: [vml]"),
    "PM081 one to drop": power("drop: vml"),
    "PM081 steps": power("steps: { dti: 2 }"),
    "PM081 device": power("cost_scale: { gpu: 1.6 }"),
    "PM082": power("drop: dit"),
    "PM083": power("rate_hz: { vlm: 1.5 }, rate_scale: { vlm: 0.5 }"),
    "PM084 none": power("steps: { dit: 2 }"),
    "PM084 too few": power("steps: { dit: 1 }").replace(
        "vmfb: dit.vmfb,", "vmfb: dit.vmfb, steps: { full: 5, fast: 2 },"
    ),
    "PM085 back": source("kind: thermal, path: /t, levels: [{ profile: saver, at: 80, back: 85 }]"),
    "PM085 battery": source("kind: battery, path: /b, levels: [{ profile: saver, at: 20, back: 20 }]"),
    "PM085 twice": source(
        "kind: file, path: /f, levels: "
        "[{ profile: saver, at: 2, back: 1 }, { profile: normal, at: 2, back: 0 }]"
    ),
    "PM086": source("kind: battery, path: /sys/class/power_supply/BAT0/capacity"),
    "PM087": power("contexts: 2"),
    "PM088": "power: { profiles: { normal: {}, off: { drop: [vlm, dit] } } }\n" + MODULES,
    "PM089": source("kind: file, path: profile.txt"),
    # the island
    "PM110": island(before="").replace("  links:\n  - { from: robot.proprio, to: dit.state }\n", ""),
    "PM111": island("  ladder_ms: { decelerate: 400 }\n"),
    "PM111 equal": island("  ladder_ms: { extrapolate: 100 }\n"),
    "PM112": island(joint=", position: [1, -1]"),
    "PM112 a point": island(joint=", position: [1, 1]"),
    "PM113": island("  rate_hz: 50\n"),
    "PM114": island("  ladder_ms: { extrapolate: 10 }\n"),
    "PM120": island("  network: balance.net\n  policy: { vmfb: prior.vmfb }\n"),
    "PM121": island("  policy: { vmfb: prior.vmfb, budget_ms: 1 }\n"),
    "PM122": island("  policy: { vmfb: prior.vmfb, second_core: 0 }\n"),
    "PM123": island("  core: 1\n  policy: { vmfb: prior.vmfb, second_core: 1 }\n"),
    # paged keys and values
    "PM124": module("kv: { table: kv }"),
    "PM125": links(
        "from: vlm.hidden, to: dit.length", before=MODULES.replace("rate_hz: 10", "rate_hz: 10, kv: {}")
    ),
    "PM126": module("kv: { keep_tokens: 16 }"),
    "PM021 policy": island("  policy: { entry: act }\n"),
    "PM056 policy": island("  policy: { vmfb: prior.vmfb, artefact: prior.onnx }\n"),
    "PM020 policy": island("  policy: { vmfb: prior.vmfb, rate_hz: 100 }\n"),
    "PM020 joint": island(joint=", stiffness: 3"),
    "PM021 joint": island().replace("kp: 20, ", ""),
    "PM022 joint": island(joint=", position: wide"),
    "PM024 island": island("  rate_hz: 20000\n"),
    "PM024 gain": island().replace("kd: 0.5", "kd: -1"),
    "PM026 network": island("  network: /opt/balance.net\n"),
    "PM029 joint": island(joint=", position: [1]"),
    # notes
    "PM060": MODULES.replace("  modules:", "  mode: split\n  modules:"),
    "PM061": MODULES + "  qos: { dti: 0, background: 2 }\n",
    "PM062": ROBOT + MODULES,
    "PM063": module("deadline_ms: 150"),
    "PM064": links("from: robot.proprio, to: dit.state", before=ROBOT + MODULES).replace(
        "rate_hz: 10", "rate_hz: 200"
    ),
    "PM066": module("rtc: { inpaint: none }"),
    "PM065": module("class: background\n  qos: { dit: 0 }"),
}
