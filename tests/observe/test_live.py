from __future__ import annotations

import io

from rich.console import Console

from polyrhythm.observe import Live, Stats
from tests.observe.harness import Play, dual_plan


def test_one_line_per_episode_where_there_is_no_terminal() -> None:
    plan, out = dual_plan(), io.StringIO()
    stats = Stats(plan)
    with Live("duet", stats, Console(file=out, width=110)):
        Play(plan, [stats], tasks=["push", "open"], ticks=40, success=lambda task: task == "open").run()
    assert out.getvalue().splitlines() == [
        "episode 0 push (seed 7): failed after 40 ticks, 5 held",
        "episode 1 open (seed 7): succeeded after 40 ticks, 5 held",
    ]


def test_the_display_on_a_terminal_is_gone_when_the_run_is_over() -> None:
    plan, out = dual_plan(), io.StringIO()
    stats = Stats(plan)
    with Live("duet", stats, Console(file=out, width=110, force_terminal=True)):
        Play(plan, [stats], ticks=40).run()
    assert "\x1b[?25h" in out.getvalue()  # the cursor is back


def test_an_episode_without_a_notion_of_success_just_ends() -> None:
    plan, out = dual_plan(), io.StringIO()
    stats = Stats(plan)
    with Live("duet", stats, Console(file=out, width=110)):
        Play(plan, [stats], tasks=["push"], ticks=40, success=lambda task: None).run()
    assert out.getvalue().splitlines() == ["episode 0 push (seed 7): ended after 40 ticks, 5 held"]


def test_a_task_is_called_what_it_is_called() -> None:
    """Names may look like markup or like an emoji, and be long: an episode is one line."""
    plan, out = dual_plan(), io.StringIO()
    stats, tasks = Stats(plan), ["pick [red] cube", "stack [/blue] :cat: " + "far away " * 20]
    with Live("duet", stats, Console(file=out, width=110)):
        Play(plan, [stats], tasks=tasks, ticks=40).run()
    told = out.getvalue().splitlines()
    assert len(told) == 2
    assert told[0].startswith("episode 0 pick [red] cube (") and " stack [/blue] :cat: far away " in told[1]
