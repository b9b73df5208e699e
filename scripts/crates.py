"""The crates that are linked into the native module, from `cargo metadata`."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: The platforms of the wheels: some crates are linked on one of them only.
PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")

#: Of several licences that a crate offers, the first of these is used: the text of Apache 2.0 is in LICENSE.
PREFERRED = ("Apache-2.0", "MIT", "Zlib", "BSD-3-Clause", "Unicode-3.0")


@dataclass(frozen=True, order=True)
class Crate:
    """A crate, its licences as declared, its folder and its authors."""

    name: str
    version: str
    declared: str
    folder: Path
    authors: tuple[str, ...]

    @property
    def licences(self) -> tuple[str, ...]:
        """The licences under which it is used."""
        parts = re.split(r"\s+AND\s+", self.declared)
        return tuple(dict.fromkeys(chosen(part.strip("() ")) for part in parts))


def chosen(offered: str) -> str:
    """The licence that is chosen from an expression such as `MIT OR Apache-2.0`."""
    names = re.split(r"\s+OR\s+|/", offered)
    for each in PREFERRED:
        if each in names:
            return each
    raise SystemExit(
        f"licences: none of {', '.join(PREFERRED)} in {offered!r}: decide about it and add it to PREFERRED"
    )


def metadata(platform: str, offline: bool = True) -> dict[str, object]:
    """What cargo knows about the workspace on a platform; raises RuntimeError if it cannot tell."""
    words = ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", platform]
    try:
        done = subprocess.run(
            [*words, *(["--offline"] if offline else [])], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise RuntimeError("cargo is not installed") from None
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[0] if done.stderr.strip() else "cargo metadata failed")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def linked(offline: bool = True, platforms: tuple[str, ...] = PLATFORMS) -> list[Crate]:
    """The crates of others that are linked into the module on any of these platforms, by name."""
    found: set[Crate] = set()
    for platform in platforms:
        found |= set(_linked(metadata(platform, offline)))
    return sorted(found)


def _linked(found: dict[str, Any]) -> Iterator[Crate]:
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    left = [id for id, package in packages.items() if package["name"] == "samestory-py"]
    seen = set(left)
    while left:
        for dependency in nodes[left.pop()]["deps"]:
            id = dependency["pkg"]
            # build scripts and macros run in the compiler and are not linked
            is_normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            is_macro = any("proc-macro" in target["kind"] for target in packages[id]["targets"])
            if is_normal and not is_macro and id not in seen:
                seen.add(id)
                left.append(id)
    for id in seen:
        package = packages[id]
        if package["source"] is not None:
            yield Crate(
                package["name"],
                package["version"],
                package["license"] or "",
                Path(package["manifest_path"]).parent,
                tuple(package["authors"]),
            )


def checksums() -> dict[tuple[str, str], str]:
    """The checksums of crates by name and version, from Cargo.lock."""
    import tomllib

    packages = tomllib.loads((ROOT / "Cargo.lock").read_text(encoding="utf-8"))["package"]
    return {(each["name"], each["version"]): each["checksum"] for each in packages if "checksum" in each}
