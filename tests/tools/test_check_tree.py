"""tools/check_tree.py finds a violation of each kind."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_tree  # noqa: E402


@pytest.fixture
def tree(tmp_path):
    files = {
        "CMakeLists.txt": "project(\n  x\n  VERSION 1.2.3\n  LANGUAGES CXX)\n",
        "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n",
        "README.md": "Packages: tools/packages.txt. First: `apt-get install git make`.\n",
        "tools/packages.txt": "# a comment\nlibfmt-dev  # build: text\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_clean_tree(tree):
    assert check_tree.violations(tree) == []


@pytest.mark.parametrize("folder", ["work", "farm", "root", "home"])
def test_path_of_a_machine(tree, folder):
    (tree / "a.cpp").write_text("// first\n#include <" + "/" + folder + "/someone/x.hpp>\n")
    assert [v.split(": ")[0] for v in check_tree.violations(tree)] == ["a.cpp:2"]


def test_relative_path_is_no_path_of_a_machine(tree):
    (tree / "a.md").write_text("docs/{}/notes and $PREFIX/{}/page\n".format("work", "home"))
    assert check_tree.violations(tree) == []


def test_build_folder_is_left_out(tree):
    (tree / "build").mkdir()
    (tree / "build/log.txt").write_text("/" + "home/someone\n")
    assert check_tree.violations(tree) == []


@pytest.mark.parametrize("text", ["needs libother-dev", "`sudo apt install -y libfmt-dev other`"])
def test_package_outside_the_list(tree, text):
    (tree / "INSTALL.md").write_text(text + "\n")
    (violation,) = check_tree.violations(tree)
    assert "other" in violation and "tools/packages.txt" in violation


def test_no_document_points_to_the_list(tree):
    (tree / "README.md").write_text("nothing\n")
    assert check_tree.violations(tree) == ["no document points to tools/packages.txt"]


def test_versions_differ(tree):
    (tree / "CITATION.cff").write_text("version: 1.2.4\n")
    assert check_tree.violations(tree) == ["CITATION.cff: version 1.2.4, but CMakeLists.txt has 1.2.3"]


def test_this_project():
    assert check_tree.violations(pathlib.Path(__file__).resolve().parents[2]) == []
