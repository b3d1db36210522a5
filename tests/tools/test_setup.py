"""tools/setup.sh with stand-ins for dpkg-query, apt-get, id and sudo."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


class Machine:
    """A machine with its own commands; `calls` is what apt-get and sudo were asked."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "bin").mkdir()
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/setup.sh", folder / "tools/setup.sh")
        for name in ("bash", "dirname", "sed", "tr", "grep", "tail", "mktemp", "rm", "env", "cat"):
            (folder / "bin" / name).symlink_to(shutil.which(name))
        self.packages("alpha # build: a\nbeta  # build: b\ngamma # test: c\n")
        self.installed("alpha")
        self.user(0)
        self.command("apt-get", f'echo "apt-get $*" >>{folder}/calls')

    def command(self, name, body):
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/bash\n{body}\n")
        file.chmod(0o755)

    def packages(self, text):
        (self.folder / "tools/packages.txt").write_text("# head line\n\n" + text)

    def installed(self, *names):
        lines = "".join(f"echo installed:{name};" for name in names)
        self.command("dpkg-query", f"echo config-files:beta; {lines} exit 1")

    def user(self, number):
        self.command("id", f"echo {number}")

    def setup(self, *groups):
        result = subprocess.run(
            [self.folder / "tools/setup.sh", *groups],
            env={"PATH": str(self.folder / "bin"), "TMPDIR": str(self.folder), "HOME": os.environ.get("HOME", "")},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        file = self.folder / "calls"
        self.calls = file.read_text().splitlines() if file.exists() else []
        return result


def installs(calls):
    return [set(call.split(" install ")[1].split()) - {"--no-install-recommends"} for call in calls if " install " in call]


def test_nothing_missing(machine):
    machine.installed("alpha", "beta", "gamma")
    result = machine.setup()
    assert (result.returncode, result.stdout, result.stderr, machine.calls) == (0, "", "", [])


def test_only_missing_packages_after_an_update(machine):
    result = machine.setup()
    assert result.returncode == 0, result.stderr
    assert machine.calls[0].endswith(" update") and " -y " in machine.calls[0]
    assert installs(machine.calls) == [{"beta", "gamma"}]


def test_npm_of_another_package_will_do(machine):
    machine.packages("alpha # build: a\nnpm # build: b\n")
    assert machine.setup().returncode == 0
    assert installs(machine.calls) == [{"npm"}]
    machine.command("npm", "exit 0")
    (machine.folder / "calls").unlink()
    assert machine.setup().returncode == 0
    assert machine.calls == []


def test_one_group(machine):
    assert machine.setup("build").returncode == 0
    assert installs(machine.calls) == [{"beta"}]


def test_sudo_where_not_root(machine):
    machine.user(1000)
    machine.command("sudo", f'echo "sudo $*" >>{machine.folder}/calls; shift; exec "$@"')
    machine.command("true", "exit 0")
    assert machine.setup().returncode == 0
    assert machine.calls[0] == "sudo -n true"
    assert any(call.startswith("sudo -n env DEBIAN_FRONTEND=noninteractive apt-get") for call in machine.calls)
    assert installs([call for call in machine.calls if call.startswith("apt-get")]) == [{"beta", "gamma"}]


def test_neither_root_nor_sudo(machine):
    machine.user(1000)
    result = machine.setup()
    assert result.returncode == 1 and machine.calls == []
    assert result.stderr.count("\n") == 1
    assert "apt-get install beta gamma" in result.stderr


def test_apt_get_fails(machine):
    machine.command("apt-get", 'echo "Reading lists"; echo "E: Unable to locate package beta" >&2; exit 100')
    result = machine.setup()
    assert result.returncode == 1
    assert "E: Unable to locate package beta" in result.stderr and "apt-get install beta gamma" in result.stderr
    assert "Reading lists" not in result.stderr + result.stdout


def test_line_without_a_group(machine):
    machine.packages("alpha\n")
    result = machine.setup()
    assert result.returncode == 1 and '"alpha" needs "# group: what for"' in result.stderr


def test_list_of_this_project():
    """Every line has a known group, and no package stands twice."""
    lines = [l for l in (ROOT / "tools/packages.txt").read_text().splitlines() if l and not l.startswith("#")]
    assert len(lines) > 10
    assert len({line.split()[0] for line in lines}) == len(lines)
    for line in lines:
        name, comment = line.split("#")
        assert comment.split(":")[0].strip() in {"build", "test", "bench", "package", "playground"}, line
        assert comment.split(":")[1].strip(), line
