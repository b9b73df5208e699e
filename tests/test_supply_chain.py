"""What is linked, locked and promised about dependencies is current."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests.conftest import ROOT

SCRIPTS = ROOT / "scripts"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def script(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_notice_names_every_crate_that_is_linked_with_its_licence() -> None:
    done = script(SCRIPTS / "licences.py", "--check")
    if done.returncode == 3:
        pytest.skip(f"the crates of all platforms are not here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr


def test_the_crates_in_the_notice_are_those_of_the_lock_file() -> None:
    """Needs no cargo: a new version of a crate makes the notice old."""
    locked = {(each["name"], each["version"]) for each in lock("Cargo.lock")["package"]}
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    section = notice.partition("contains these crates, ")[2].partition("The texts of the licences:")[0]
    listed = re.findall(r"^(\S+) (\S+): \S", section, re.MULTILINE)
    assert set(listed) <= locked
    assert {"pyo3", "zstd-sys", "encoding_rs", "serde"} <= {name for name, _ in listed}
    licences = {each for line in re.findall(r"^\S+ \S+: (.+)", section, re.MULTILINE) for each in line.split(" and ")}
    assert licences <= set(lock("deny.toml")["licenses"]["allow"])
    names = {"BSD-3-Clause": "BSD 3-Clause", "MIT": "MIT", "Unicode-3.0": "Unicode", "Zlib": "Zlib"}
    texts = notice.partition("The texts of the licences:")[2]
    for each in licences - {"Apache-2.0"}:  # whose text is in LICENSE
        assert f"\n{names[each]} License (" in texts


def lock(name: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / name).read_text(encoding="utf-8"))


def locked_versions(name: str) -> dict[str, set[str]]:
    """The versions of a lock of Python packages, by name; a package may have one for each version of Python."""
    out: dict[str, set[str]] = {}
    for package, version in re.findall(
        r"^([\w.-]+)==([^\s;\\]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE
    ):
        out.setdefault(package.lower(), set()).add(version)
    return out


EXTRAS = PROJECT["project"]["optional-dependencies"]


@pytest.mark.parametrize(
    "name, wanted",
    [
        ("requirements/dev.txt", [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]),
        ("requirements/release.txt", [*PROJECT["project"]["dependencies"], *EXTRAS["portal"], *EXTRAS["postgres"]]),
    ],
)
def test_the_locks_have_every_requirement_with_checksums_and_no_address(name: str, wanted: list[str]) -> None:
    found, text = locked_versions(name), (ROOT / name).read_text(encoding="utf-8")
    for requirement in map(Requirement, wanted):
        versions = found[requirement.name.lower().replace("_", "-")]
        assert all(requirement.specifier.contains(version, prereleases=True) for version in versions), requirement
    assert "://" not in text and "index" not in text
    blocks = re.split(r"\n(?=[A-Za-z])", text.strip())
    assert len(blocks) >= sum(map(len, found.values()))
    assert all(" --hash=sha256:" in block for block in blocks)


def test_a_bill_of_materials_lists_what_a_wheel_contains(tmp_path: Path) -> None:
    wheel = tmp_path / "samestory-0.1.0-cp311-abi3-linux_x86_64.whl"
    wheel.write_bytes(b"the bytes of a wheel")
    program = (
        f"import sys; sys.path.insert(0, {str(SCRIPTS)!r}); import json, pathlib, sbom; "
        f"print(json.dumps(sbom.bill(pathlib.Path({str(wheel)!r}))))"
    )
    done = script("-c", program)
    if "RuntimeError" in done.stderr:
        pytest.skip("the crates of all platforms are not here")
    assert done.returncode == 0, done.stderr
    assert done.stdout == script("-c", program).stdout
    bill = json.loads(done.stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", bill["serialNumber"])
    by_name = {each["name"]: each for each in bill["components"]}
    sums = {(each["name"], each["version"]): each.get("checksum") for each in lock("Cargo.lock")["package"]}
    zstd = by_name["zstd-sys"]
    assert zstd["hashes"] == [{"alg": "SHA-256", "content": sums["zstd-sys", zstd["version"]]}]
    assert {"numpy", "pyarrow", "rich"} <= {name for name, each in by_name.items() if each["scope"] == "required"}
    refs = [each["bom-ref"] for each in bill["components"]]
    assert len(refs) == len(set(refs)) and bill["dependencies"][0]["dependsOn"] == refs
    assert not {"syn", "proc-macro2", "cc"} & by_name.keys()


def test_an_audit_without_its_programs_is_skipped_with_the_reason() -> None:
    if Path(sys.executable).with_name("pip-audit").exists():
        pytest.skip("pip-audit is installed here, and would fetch advisories")
    done = subprocess.run(
        [sys.executable, SCRIPTS / "audit.py"], cwd=ROOT, capture_output=True, text=True, env={"PATH": ""}, check=False
    )
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 5
    assert all(re.fullmatch(r"skipped: .*: \S+ is not installed", line) for line in lines)
