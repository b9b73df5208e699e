"""What a release consists of: workflows, containers, metadata, and code that can be imported on Windows."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from samestory.cli import parser
from tests.conftest import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML is installed with the documentation tools")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: Modules and functions that Python has on POSIX systems only.
POSIX_ONLY = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog")


def load(path: Path) -> dict[str, Any]:
    loaded = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_run_targets_and_scripts_that_exist(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for step in steps(load(path)):
        assert ("run" in step) != ("uses" in step)
        for target in re.findall(r"\bmake ([\w-]+)", step.get("run", "")):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
        for script in re.findall(r"python (scripts/\w+\.py)", step.get("run", "")):
            assert (ROOT / script).exists(), script
        assert "@" in step.get("uses", "@"), "an action without a version"


def test_wheels_are_built_for_every_platform_and_tried_on_every_python() -> None:
    jobs = load(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    targets = {row["target"] for row in jobs["wheel"]["strategy"]["matrix"]["include"]}
    for system in ("linux-gnu", "linux-musl", "apple-darwin"):
        assert {target.partition("-")[0] for target in targets if target.endswith(system)} == {"x86_64", "aarch64"}
    assert "x86_64-pc-windows-msvc" in targets
    prefix = "Programming Language :: Python :: 3."
    versions = [f"3.{each.removeprefix(prefix)}" for each in PYPROJECT["project"]["classifiers"] if prefix in each]
    assert jobs["try"]["strategy"]["matrix"]["python"] == versions
    assert jobs["publish"]["needs"] == "try" and "tags" in jobs["publish"]["if"]
    assert jobs["publish"]["permissions"] == {"id-token": "write"}


def test_versions_agree() -> None:
    version = PYPROJECT["project"]["version"]
    assert load(ROOT / "CITATION.cff")["version"] == version
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    assert cargo["workspace"]["package"]["version"] == version


def test_addresses_of_a_release_are_written_into_its_metadata(tmp_path: Path) -> None:
    script, copy = tmp_path / "scripts" / "project_urls.py", tmp_path / "pyproject.toml"
    script.parent.mkdir()
    script.write_text((ROOT / "scripts" / "project_urls.py").read_text())
    copy.write_text((ROOT / "pyproject.toml").read_text())
    for address in ("https://code.example/one/samestory", "https://code.example/two/samestory"):
        subprocess.run([sys.executable, str(script), address], check=True)
        changed = tomllib.loads(copy.read_text())
        assert changed["project"].pop("urls")["Issues"] == f"{address}/issues"
        assert changed == PYPROJECT
    assert subprocess.run([sys.executable, str(script), "ftp://x"], capture_output=True, check=False).returncode == 1


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile, with continued lines joined."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split(None, 1)[0], line.split(None, 1)[1]) for line in lines]


def test_the_image_is_pinned_small_and_not_root() -> None:
    found = instructions()
    images = [rest.split()[0] for name, rest in found if name == "FROM"]
    assert all(re.fullmatch(r"[\w/-]+:[\d.]+-slim-bookworm", image) for image in images), "libraries of one release"
    assert {rest for name, rest in found if name == "USER"} == {"news"}
    for name, rest in found:
        assert name != "ADD"
        if "apt-get install" in rest:
            assert "--no-install-recommends" in rest and "rm -rf /var/lib/apt/lists" in rest
        if "pip install" in rest:
            assert "--no-cache-dir" in rest
        if name == "COPY" and not rest.startswith("--from") and rest != ". .":
            assert (ROOT / rest.split()[0]).exists(), rest
    (command,) = [rest for name, rest in found if name == "CMD"]
    assert parser().parse_args([str(word) for word in yaml.safe_load(command)]).command == "portal"


def test_the_services_of_compose_have_valid_commands_and_wait_for_the_database() -> None:
    compose = load(ROOT / "compose.yaml")
    services = compose["services"]
    for name in ("follow", "portal"):
        assert parser().parse_args(services[name]["command"]).command == name
        assert services[name]["depends_on"]["database"]["condition"] == "service_healthy"
        assert "postgresql://samestory@database/samestory" in services[name]["command"]
    assert "healthcheck" in services["database"] and "healthcheck" in services["portal"]
    assert services["portal"]["ports"] == ["127.0.0.1:8000:8000"], "reachable from this machine only"
    volumes = {volume.partition(":")[0] for volume in services["database"]["volumes"]}
    assert volumes == set(compose["volumes"])
    code = services["portal"]["healthcheck"]["test"][-1]
    compile(code, "healthcheck", "exec")
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.search(r"PASSWORD: [^$]", text), "no password in the file"


def test_every_module_can_be_imported_without_posix() -> None:
    """As on Windows: without modules and functions that only POSIX systems have."""
    code = f"""
import importlib, os, pkgutil, signal, sys
for name in {POSIX_ONLY}:
    sys.modules[name] = None
for name in ("fork", "getuid", "geteuid", "killpg", "mkfifo"):
    vars(os).pop(name, None)
for name in ("SIGHUP", "SIGALRM", "SIGKILL", "SIGCHLD", "pthread_sigmask"):
    vars(signal).pop(name, None)
import samestory
failed = []
for found in pkgutil.walk_packages(samestory.__path__, "samestory."):
    if found.name.endswith("__main__") or ".spark" in found.name:
        continue
    try:
        importlib.import_module(found.name)
    except Exception as error:
        failed.append(f"{{found.name}}: {{error!r}}")
print("\\n".join(failed))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
