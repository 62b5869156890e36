"""The layering rule, read from the import graph; and what may do what."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src" / "firstlight"
TESTS = ROOT / "tests"

ORDER = (
    "words", "errors", "progress", "host", "knowledge", "project", "binaries", "facts", "catalog", "transcript",
    "causes", "containers", "routes", "lockfile", "steps", "checks", "clusters", "bench", "report", "verbs", "text",
    "serve", "cli", "__main__",
)  # fmt: skip
"""A package imports only those before it."""

LONGEST_FILE = 400
LONGEST_FUNCTION = 60

STARTERS = {"subprocess", "pty", "multiprocessing"}
NETWORK = {"urllib3", "urllib.request", "http", "http.client", "socket", "ssl", "ftplib", "requests", "httpx"}
PROCESS_CALLS = {"system", "popen", "execv", "execve", "execvp", "execvpe", "execl", "execlp", "spawnv", "spawnvp",
                 "posix_spawn", "posix_spawnp", "startfile"}  # fmt: skip


@cache
def modules() -> dict[str, Path]:
    """Dotted name below `firstlight` -> file; a package is named by its folder."""
    found = {}
    for path in sorted(SRC.rglob("*.py")):
        parts = path.relative_to(SRC).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def package_of(name: str) -> str:
    return name.partition(".")[0]


def in_worker(name: str) -> bool:
    """Workers run in the target Python, as processes of their own."""
    return name.split(".")[1:2] == ["worker"]


def imports(name: str, path: Path, *, running: bool = False) -> Iterator[tuple[str, tuple[str, ...], bool]]:
    """(module, names taken from it, whether it is ours) of every import statement, also those inside functions."""
    inside = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    inside = [part for part in inside if part]
    for node in nodes(tree(path), running=running):
        if isinstance(node, ast.Import):
            for alias in node.names:
                own = alias.name == "firstlight" or alias.name.startswith("firstlight.")
                yield alias.name.removeprefix("firstlight").lstrip(".") if own else alias.name, (), own
        elif isinstance(node, ast.ImportFrom):
            yield resolved(node, inside)


def resolved(node: ast.ImportFrom, inside: list[str]) -> tuple[str, tuple[str, ...], bool]:
    names = tuple(alias.name for alias in node.names)
    module = node.module or ""
    if node.level:
        base = inside[: len(inside) - node.level + 1]
        return ".".join([*base, *(module.split(".") if module else [])]), names, True
    if module == "firstlight" or module.startswith("firstlight."):
        return module.removeprefix("firstlight").lstrip("."), names, True
    return module, names, False


def own_targets(name: str, path: Path) -> Iterator[str]:
    """Our modules that `name` imports: `from . import x` means module x where there is one."""
    for module, names, own in imports(name, path):
        if not own:
            continue
        below = [f"{module}.{one}".lstrip(".") for one in names]
        found = [one for one in below if one in modules()]
        yield from found
        if len(found) < len(names) or not names:
            yield module


def foreign(name: str, path: Path) -> set[str]:
    """Modules of others that are imported when it runs, dotted, with `from a import b` also as `a.b`."""
    found: set[str] = set()
    for module, names, own in imports(name, path, running=True):
        if not own:
            found |= {module, *(f"{module}.{one}" for one in names)}
    return found


def nodes(root: ast.AST, *, running: bool) -> Iterator[ast.AST]:
    """All nodes; with `running` without what only a type checker sees."""
    for node in ast.iter_child_nodes(root):
        if running and isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        yield node
        yield from nodes(node, running=running)


def test_every_package_has_its_place_in_the_order() -> None:
    assert {package_of(name) for name in modules() if name} <= set(ORDER)


def test_a_package_imports_only_those_above_it() -> None:
    wrong = [
        f"{name} imports {target or 'firstlight'}"
        for name, path in modules().items()
        if name
        for target in own_targets(name, path)
        if target
        and package_of(target) != package_of(name)
        and ORDER.index(package_of(target)) > ORDER.index(package_of(name))
    ]
    assert not wrong


def test_there_is_no_cycle_between_modules() -> None:
    graph = {name: set(own_targets(name, path)) & set(modules()) - {name} for name, path in modules().items()}
    while leaves := [name for name, targets in graph.items() if not targets]:
        for leaf in leaves:
            del graph[leaf]
        for targets in graph.values():
            targets.difference_update(leaves)
    assert not graph, "these modules are on a cycle, or import one that is"


def test_no_private_name_crosses_packages() -> None:
    wrong = [
        f"{name} takes {module}.{one}"
        for name, path in modules().items()
        for module, names, own in imports(name, path)
        if own and package_of(module) != package_of(name)
        for one in (*names, *module.split("."))
        if one.startswith("_") and not one.startswith("__")
    ]
    assert not wrong


def test_only_one_module_starts_processes() -> None:
    wrong = [
        name
        for name, path in modules().items()
        if name != "host.command" and not in_worker(name)
        if starts_processes(name, path)
    ]
    assert not wrong


def starts_processes(name: str, path: Path) -> bool:
    calls = {
        node.attr
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in ("os", "asyncio")
    }
    return bool(foreign(name, path) & STARTERS or calls & (PROCESS_CALLS | {"create_subprocess_exec", "fork"}))


def test_only_one_module_speaks_to_the_network() -> None:
    wrong = [
        name
        for name, path in modules().items()
        if name != "catalog.fetch" and not in_worker(name) and foreign(name, path) & NETWORK
    ]
    assert not wrong


def test_only_the_command_line_draws() -> None:
    wrong = [
        name
        for name, path in modules().items()
        if package_of(name) != "cli" and any(one == "rich" or one.startswith("rich.") for one in foreign(name, path))
    ]
    assert not wrong


def test_only_the_command_line_prints_and_exits() -> None:
    wrong = [
        f"{name}: {node.func.id if isinstance(node.func, ast.Name) else 'sys.exit'}"
        for name, path in modules().items()
        if package_of(name) != "cli" and not in_worker(name)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and prints_or_exits(node.func)
    ]
    assert not wrong


def prints_or_exits(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in ("print", "input", "exit", "quit")
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and (function.value.id, function.attr) in (("sys", "exit"), ("os", "_exit"))
    )


def test_workers_need_nothing_of_ours() -> None:
    wrong = [
        f"{name} imports {target}"
        for name, path in modules().items()
        if in_worker(name)
        for target in own_targets(name, path)
        if not in_worker(target) and target != ".".join(name.split(".")[:2])
    ]
    assert not wrong


SOURCES = [path for folder in (SRC, TESTS) for path in sorted(folder.rglob("*.py")) if "machines" not in path.parts]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE
    long = [
        f"{node.name}: {length}"
        for node in ast.walk(tree(path))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert not long
