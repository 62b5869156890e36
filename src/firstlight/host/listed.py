"""From what a recorder saw to host.json, and to the names that must be redacted."""

from __future__ import annotations

from collections.abc import Mapping

from .contents import is_person
from .manifest import Entry, LeftOut, Manifest
from .model import FileInfo, Kind, Missing, Outcome, Process, Unread
from .model import text as text_of
from .recorder import Recorder, Recording
from .redact import Redactor

_WITHHELD = {"index": (Missing.NOT_CAPTURED, ""), "secret": (Missing.NOT_CAPTURED, "secret")}


def redactor_for(recorder: Recorder) -> Redactor:
    """A redactor that knows the names of this machine and of its people. It asks the host past the recorder."""
    host = recorder.host
    users: set[str] = set()
    hosts: set[str] = set()
    accounts = text_of(host, "/etc/passwd")
    for line in () if isinstance(accounts, Unread) else accounts.splitlines():
        fields = line.split(":")
        if is_person(fields):
            users.add(fields[0])
    for path in ("/etc/hostname", "/proc/sys/kernel/hostname"):
        name = text_of(host, path)
        if not isinstance(name, Unread) and name and name != "(none)":
            hosts.update((name, name.partition(".")[0]))
    variables = host.environment()
    if not isinstance(variables, Unread):
        users.update(variables.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER"))
        hosts.update(variables.get(name, "") for name in ("HOSTNAME", "HOST"))
    return Redactor(users=sorted(users - {""}), hosts=sorted(hosts - {""}))


def manifest_of(recorder: Recorder, redactor: Redactor, withheld: Mapping[str, str], version: str) -> Manifest:
    """host.json of all that was asked. `withheld`: real paths whose content is not given, and why."""
    seen = recorder.recording
    process, machine, created = recorder.process(), recorder.machine(), recorder.now()
    variables, dropped = _environment(recorder, redactor)
    left = [LeftOut(redactor.path(path), why) for path, why in sorted(withheld.items())]
    left += [LeftOut(f"environment {name}", "not-relevant") for name in dropped]
    return Manifest(
        schema="firstlight.host/1",
        created=None if isinstance(created, Unread) else created,
        firstlight=version,
        process=process if isinstance(process, Process) else None,
        environment=variables,
        machine=None if isinstance(machine, Unread) else machine,
        paths={redactor.path(path): _entry(path, seen, redactor, withheld) for path in sorted(seen.infos)},
        spaces={redactor.path(path): space for path, space in seen.spaces.items()},
        commands=[_outcome(outcome, redactor) for outcome in seen.commands.values()],
        read=[redactor.text(question) for question in seen.asked],
        left_out=left,
    )


def _environment(recorder: Recorder, redactor: Redactor) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    """With the working folder as PWD: a shell's own word for it may be old, or a link."""
    variables = recorder.environment()
    if isinstance(variables, Unread):
        return None, ()
    folder = recorder.host.resolve("/proc/self/cwd")
    here = {} if isinstance(folder, Unread) else {"PWD": folder}
    return redactor.environment({**variables, **here})


def _entry(path: str, seen: Recording, redactor: Redactor, withheld: Mapping[str, str]) -> Entry:
    info = seen.infos[path]
    if isinstance(info, Unread):
        return Entry(missing=info.reason, detail=info.detail)
    missing, detail = _content(path, seen, withheld)
    names = seen.listings.get(path)
    folder = info.kind is Kind.DIR
    if isinstance(names, Unread):
        missing, detail = names.reason, names.detail
    return Entry(
        kind=info.kind,
        missing=missing,
        detail=detail,
        mode=f"{info.mode:04o}",
        uid=info.uid,
        gid=info.gid,
        size=info.size,
        rdev=info.rdev,
        link=_link(path, info, redactor),
        mtime=info.mtime,
        names=_names(path, names, redactor) if folder and isinstance(names, tuple) else None,
        complete=False if folder and not isinstance(names, tuple) else None,
        sha256=seen.hashes.get(path),
    )


def _content(path: str, seen: Recording, withheld: Mapping[str, str]) -> tuple[Missing | None, str]:
    """Why the content of a file is not given."""
    data = seen.contents.get(path)
    if isinstance(data, Unread):
        return data.reason, data.detail
    return _WITHHELD.get(withheld.get(path, ""), (None, ""))


def _names(path: str, names: tuple[str, ...], redactor: Redactor) -> tuple[str, ...]:
    """Each name is redacted where it stands: `alice` below /home is somebody, elsewhere perhaps not."""
    base = path.rstrip("/")
    return tuple(sorted(redactor.path(f"{base}/{name}").rpartition("/")[2] for name in names))


def _link(path: str, info: FileInfo, redactor: Redactor) -> str | None:
    """Text of a link; one that is relative is redacted as if it stood at its place."""
    if info.link is None or info.link.startswith("/"):
        return info.link and redactor.path(info.link)
    base = path.rpartition("/")[0] + "/"
    whole = redactor.path(base + info.link)
    return whole.removeprefix(redactor.path(base))


def _outcome(outcome: Outcome, redactor: Redactor) -> Outcome:
    return Outcome(
        argv=tuple(redactor.text(word) for word in outcome.argv),
        code=outcome.code,
        stdout=redactor.text(outcome.stdout),
        stderr=redactor.text(outcome.stderr),
        seconds=outcome.seconds,
        timed_out=outcome.timed_out,
    )
