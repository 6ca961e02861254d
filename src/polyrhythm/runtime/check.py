"""`check`: does what the manifest says fit what the bundle holds and what this machine has?

Everything that the text alone can tell was said by `polyrhythm.manifest`, everything about files by
`polyrhythm.bundle`. Here are signatures, links, rates and devices. All problems are reported at once.
"""

from __future__ import annotations

from collections.abc import Mapping

from polyrhythm.bundle import Bundle
from polyrhythm.bundle.signature import Entry, Tensor
from polyrhythm.manifest import Diagnostic
from polyrhythm.manifest.schema import Coded, Link, Module
from polyrhythm.robots import robot_names
from polyrhythm.runtime.adapter_check import CODES as ADAPTER_CODES
from polyrhythm.runtime.binding import outer_inputs, resident
from polyrhythm.runtime.chunk_check import check_chunks
from polyrhythm.runtime.consumed_check import check_consumed
from polyrhythm.runtime.device_check import CODES as DEVICE_CODES
from polyrhythm.runtime.device_check import check_devices, use
from polyrhythm.runtime.drop_check import check_drops
from polyrhythm.runtime.dsa_check import CODES as DSA_CODES
from polyrhythm.runtime.dsa_check import check_dsa
from polyrhythm.runtime.effort_check import check_policies
from polyrhythm.runtime.format_check import CODES as FORMAT_CODES
from polyrhythm.runtime.format_check import check_formats
from polyrhythm.runtime.idle_check import check_idle
from polyrhythm.runtime.island import CODES as ISLAND_CODES
from polyrhythm.runtime.island import check_island
from polyrhythm.runtime.island_export import CODES as EXPORT_CODES
from polyrhythm.runtime.island_policy import CODES as POLICY_CODES
from polyrhythm.runtime.island_policy import check_policy_time
from polyrhythm.runtime.paged_check import CODES as PAGED_CODES
from polyrhythm.runtime.paged_check import check_paging
from polyrhythm.runtime.partitions import check_cores
from polyrhythm.runtime.rate_check import check_rates
from polyrhythm.runtime.static_check import check_static
from polyrhythm.schedule import Loop

#: Code -> what it is about.
CODES = {
    "PC001": "a module names an entry that its artefact does not have",
    "PC002": "a module has several entries and the manifest names none",
    "PC003": "stages of one module disagree about a tensor",
    "PC004": "a link names an output or input that the module does not have",
    "PC005": "the two ends of a link have different dtypes or shapes",
    "PC006": "an input of a module has no link",
    "PC007": "no such driver",
    "PC008": "no such core",
    "PC009": "a module's planned cost exceeds its deadline",
    "PC010": "a device is asked for more time than there is",
    "PC011": "no such robot adapter",
    "PC012": "a robot that nothing drives",
    "PC013": "a loop of steps that cannot be made out",
    "PC014": "guidance that the module cannot give",
    "PC015": "chunks that cannot be made in time",
    "PC016": "the robot will stall between chunks",
    "PC017": "a limit that does not fit the action",
    "PC018": "a module that may miss its deadline",
    "PC019": "a cost file that cannot be used",
    "PC020": "a cost file of other modules, devices or another IREE",
    "PC021": "a cost file of another machine",
    "PC022": "a link to what a module keeps for itself",
    "PC023": "memory that a stage may write over while it is still needed",
    "PC025": "a stage that has no effect",
    "PC030": "a bundle for another robot",
    "PC031": "a device that is another one under the same name",
    "PC032": "chunks that are joined in another way",
    "PC033": "a bundle that does not fit beside what is resident",
    "PC034": "a bundle in a mode that does not run",
    "PC035": "a stage that keeps what plays waiting when it is warmed up",
    "PC040": "devices that share cores",
    "PC041": "a core that this process may not use",
    "PC042": "more computing threads than cores",
    "PC043": "a policy that has no effect",
    "PC044": "a stage longer than its budget",
    "PC045": "a deadline that nobody counts on",
    "PC060": "a bundle that does not fit into the memory there is",
    "PC061": "a group that does not fit into its budget",
    "PC062": "a bundle that does not fit beside others",
    "PC063": "a bundle that does not fit while another takes over from it",
    "PC064": "more memory than was planned",
    "PC065": "bundles together, and nothing that says how much memory there is",
    "PC050": "a power profile that takes from the robot what it needs",
    "PC051": "a module without an input under a power profile",
    "PC052": "a change between power profiles that is not proven",
    "PC080": "a static device and a module without a source to plan",
    "PC081": "a stage that cannot be planned statically",
    "PC082": "a static device on a machine that cannot make its runner",
    "PC156": "ranked threads that leave next to nothing of a core to others",
    **ADAPTER_CODES,
    **FORMAT_CODES,
    **DEVICE_CODES,
    **ISLAND_CODES,
    **DSA_CODES,
    **POLICY_CODES,
    **PAGED_CODES,
    **EXPORT_CODES,
}

Path = tuple[str | int, ...]
#: Entries of a module's stages, in order.
Stages = Mapping[str, tuple[Entry, ...]]


class Checker:
    """Collects diagnostics about one opened bundle.

    Args:
        bundle: the bundle.
        costs: measured costs by module, one for each stage that the manifest names; they go before `cost_ms`.
        pieces_ns, outliers: see `polyrhythm.runtime.costs.Costs`.
    """

    def __init__(
        self,
        bundle: Bundle,
        costs: Mapping[str, tuple[int, ...]] | None = None,
        pieces_ns: Mapping[str, int] | None = None,
        outliers: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self.bundle = bundle
        self.manifest = bundle.manifest
        self._costs = costs or {}
        #: Of modules: after how long their device gives way at most, where that was measured.
        self.pieces_ns = pieces_ns or {}
        self.outliers = outliers or {}
        self.diagnostics: list[Diagnostic] = []
        #: Stages in the order they are run, every step of a loop one.
        self.stages: dict[str, tuple[Entry, ...]] = {}
        self.loops: dict[str, Loop] = {}
        #: Modules with a link to an input that they don't have: a missing link there needs no second word.
        self._misdirected: set[str] = set()
        self._modules = {m.id: m for m in self.manifest.orchestration.modules}
        self._index = {m.id: i for i, m in enumerate(self.manifest.orchestration.modules)}

    def run(self) -> list[Diagnostic]:
        """All diagnostics, errors and notes."""
        for module in self._modules.values():
            if module.artefact in self.bundle.modules:  # opening the bundle has spoken of the others
                self._stages_of(module)
        for position, link in enumerate(self.manifest.orchestration.links):
            self._link(position, link)
        self._unlinked()
        check_consumed(self)
        check_idle(self)
        check_paging(self)
        check_devices(self)
        check_formats(self)
        check_static(self)
        check_dsa(self)
        check_cores(self)
        check_policies(self)
        check_rates(self)
        self._robot()
        check_island(self)
        check_policy_time(self)
        known = self.stages.keys() == self._modules.keys()  # else that was said of the bundle
        if known and not any(d.is_error for d in self.diagnostics):
            check_chunks(self)
            check_drops(self)
        return self.diagnostics

    # -- modules ------------------------------------------------------------------------------------------

    def _stages_of(self, module: Module) -> None:
        entries = self.bundle.running(module).entries
        path = self.path(module)
        if module.stages is None:
            if len(entries) != 1:
                self.say(
                    "PC002",
                    path,
                    f"{module.artefact} has {len(entries)} entries and `entry` names none",
                    module.artefact,
                    "one entry, or a list of stages: " + ", ".join(entries),
                    f"add `entry: {next(iter(entries), '...')}`",
                )
                return
            chosen = tuple(entries.values())
        else:
            unknown = [(i, name) for i, name in enumerate(module.stages) if name not in entries]
            for _, name in unknown:
                self.say(
                    "PC001",
                    (*path, "entry"),
                    f"{module.artefact} has no entry {name!r}",
                    name,
                    ", ".join(entries),
                    use(name, entries),
                )
            if unknown:
                return
            chosen = tuple(entries[name] for name in module.stages)
        chosen = self.stages[module.id] = self._unrolled(module, chosen)
        for clash in outer_inputs(chosen)[1]:
            self.say(
                "PC003",
                (*path, "entry"),
                f"stage {clash.stage} ({chosen[clash.stage].name}) takes {clash.name} as {clash.wanted}, "
                f"an earlier stage has it as {clash.found}",
                clash.name,
                str(clash.found),
                "give the two tensors different names, or one shape",
            )

    def _unrolled(self, module: Module, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        """The stages of a module with its step as often as `steps` says."""
        ports = {
            link.sink.port
            for link in self.manifest.orchestration.links
            if link.sink.owner == module.id and str(link.source) == "runtime.dt"
        }
        taking = [i for i, entry in enumerate(entries) if ports & {tensor.name for tensor in entry.inputs}]
        if module.steps is None and not taking:
            return entries
        if module.steps is None or len(taking) != 1:
            self.say(
                "PC013",
                (*self.path(module), "steps" if module.steps else "entry"),
                f"{module.id} has {len(taking)} stages that take `runtime.dt`"
                + ("" if module.steps else ", and `steps` does not say how often to run them"),
                ", ".join(entries[i].name for i in taking) or None,
                "`steps`, and one stage whose time step is linked from `runtime.dt`",
                f"link `runtime.dt` to {module.id} and name the stage once in `entry`"
                if module.steps
                else "add `steps: 5`, and name the stage once in `entry`",
            )
            return entries
        (first,) = taking
        full = module.steps.full
        self.loops[module.id] = Loop(first, full, module.steps.fast or full)
        return entries[:first] + full * entries[first : first + 1] + entries[first + 1 :]

    def is_measured(self, module: Coded) -> bool:
        """Whether its costs were measured."""
        return module.id in self._costs

    def known_ns(self, module: Coded) -> tuple[int, ...] | None:
        """Planned cost of every stage that the manifest names: measured or declared; None if neither."""
        return self._costs.get(module.id, module.cost_ns)

    def costs_ns(self, module: Module) -> tuple[int, ...]:
        """Planned cost of every stage; zeros if none is known."""
        stages, loop = self.stages[module.id], self.loops.get(module.id)
        costs = self.known_ns(module)
        if costs is None:
            return (0,) * len(stages)
        if loop is None:
            return costs
        return costs[: loop.first] + loop.full * costs[loop.first : loop.first + 1] + costs[loop.first + 1 :]

    def least_ns(self, module: Module) -> int:
        """Planned cost of a job with as few steps as are allowed."""
        costs, loop = self.known_ns(module) or (), self.loops.get(module.id)
        return sum(costs) + (0 if loop is None or not costs else (loop.fast - 1) * costs[loop.first])

    def _inputs(self, module: str) -> dict[str, Tensor]:
        return outer_inputs(self.stages[module])[0]

    def _outputs(self, module: str) -> dict[str, Tensor]:
        return {tensor.name: tensor for entry in self.stages[module] for tensor in entry.outputs}

    # -- links --------------------------------------------------------------------------------------------

    def _link(self, position: int, link: Link) -> None:
        path: Path = ("orchestration", "links", position)
        source = self._end(
            (*path, "from"), str(link.source), link.source.owner, link.source.port, output=True
        )
        sink = self._end((*path, "to"), str(link.sink), link.sink.owner, link.sink.port, output=False)
        if sink is None or (source is None and link.source.owner != "runtime"):
            return
        if link.source.owner == "runtime":
            if sink.dtype != "f32":
                self._mismatch(path, link, "f32 of any shape", str(sink))
        elif source is not None and link.sink.owner == "robot":
            if source.dtype != sink.dtype or source.shape[-1:] != sink.shape or len(source.shape) > 2:
                self._mismatch(
                    path, link, str(source), f"{sink}, or a chunk {sink.dtype}[H, {sink.shape[-1]}]"
                )
        elif source is not None and (source.dtype, source.shape) != (sink.dtype, sink.shape):
            self._mismatch(path, link, str(source), str(sink))

    def _mismatch(self, path: Path, link: Link, source: str, sink: str) -> None:
        self.say(
            "PC005",
            path,
            f"{link.source} is {source} but {link.sink} takes {sink}",
            source,
            sink,
            "link tensors of one dtype and shape, or rebuild one of the modules",
        )

    def _end(self, path: Path, text: str, owner: str, port: str, *, output: bool) -> Tensor | None:
        """The tensor at one end of a link; None if there is none, which has then been said."""
        robot = self.manifest.robot
        if owner == "runtime":
            return None
        if owner == "robot":
            if robot is None:
                return None
            spec = robot.observations.get(port) if output else robot.action
            return None if spec is None else Tensor(port, spec.dtype, spec.shape)
        if owner not in self.stages:
            return None
        ports = self._outputs(owner) if output else self._inputs(owner)
        if port in resident(self.stages[owner]):
            self.say(
                "PC022",
                path,
                f"{owner} updates {port} in place, from tick to tick: nobody else may read or write it",
                text,
                ", ".join(f"{owner}.{name}" for name in ports if name not in resident(self.stages[owner]))
                or "nothing",
                f"give {owner} an output of its own for what others are to see"
                if output
                else "remove the link: it is zero at the beginning of an episode",
            )
            return None
        if port not in ports:
            if not output:
                self._misdirected.add(owner)
            kind = "output" if output else "input"
            made = "" if output or port not in self._outputs(owner) else " (its stages make it themselves)"
            self.say(
                "PC004",
                path,
                f"{owner} ({self._modules[owner].artefact}) has no {kind} {port!r}{made}",
                text,
                ", ".join(f"{owner}.{name} {tensor}" for name, tensor in ports.items()) or "nothing",
                use(port, ports, owner + "."),
            )
        return ports.get(port)

    def _unlinked(self) -> None:
        linked = {(link.sink.owner, link.sink.port) for link in self.manifest.orchestration.links}
        severity = "note" if self.manifest.robot is None else "error"
        for module in self.stages:
            kv = self._modules[module].kv
            given = () if kv is None else kv.written
            for name, tensor in self._inputs(module).items():
                kept = name in given or name in resident(self.stages[module])
                if (module, name) not in linked and not kept and module not in self._misdirected:
                    mend = f"add a link `from: ...` `to: {module}.{name}`"
                    self.say(
                        "PC006",
                        self.path(self._modules[module]),
                        f"input {module}.{name} {tensor} has no link",
                        name,
                        "one link to every input"
                        if severity == "error"
                        else "no link: zeros, or set by the caller",
                        mend,
                        severity=severity,
                    )

    # -- the robot ---------------------------------------------------------------------------------

    def _robot(self) -> None:
        robot = self.manifest.robot
        if robot is None:
            return
        if robot.use not in (known := robot_names()):
            self.say(
                "PC011",
                ("robot", "use"),
                f"no robot adapter is called {robot.use!r}",
                robot.use,
                ", ".join(known),
                use(robot.use, known),
            )
        if not any(link.sink.owner == "robot" for link in self.manifest.orchestration.links):
            self.say(
                "PC012",
                ("robot",),
                "no link goes to robot.action: the robot will hold at every tick",
                None,
                "one link `to: robot.action`",
                "link the module that gives actions",
                severity="note",
            )

    # -- saying it ----------------------------------------------------------------------------------------

    def path(self, module: Module) -> Path:
        """Where a module stands in the manifest."""
        return ("orchestration", "modules", self._index[module.id])

    def cost_path(self, module: Module) -> Path:
        """Where the costs of a module stand: `cost_ms`, or the module if they were measured."""
        return self.path(module) if self.is_measured(module) else (*self.path(module), "cost_ms")

    def say(
        self,
        code: str,
        path: Path,
        message: str,
        value: object,
        allowed: str,
        mend: str,
        severity: str = "error",
    ) -> None:
        """Add a diagnostic about what stands at `path`."""
        where = self.bundle.locate(path)
        self.diagnostics.append(Diagnostic(code, severity, message, where, value, allowed, mend))  # type: ignore[arg-type]
