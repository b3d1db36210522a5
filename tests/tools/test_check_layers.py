"""tools/check_layers.py finds a violation of each kind and accepts what is allowed."""
import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402


def found(tmp_path, path, text):
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(text, encoding="utf-8")
    return check_layers.violations(tmp_path)


@pytest.mark.parametrize(
    "path, line, sentence",
    [
        ("src/core/a.cpp", '#include "ricochet/model/model.hpp"', "core must not include model"),
        ("src/model/a.cpp", '#include "ricochet/complementarity/lcp.hpp"', "model must not include complementarity"),
        ("src/complementarity/a.cpp", "#include <ricochet/model/model.hpp>", "complementarity must not include model"),
        ("src/run/a.cpp", '  #  include "ricochet/io/format/csv.hpp"', "run must not include io/format"),
        ("include/ricochet/scheme/a.hpp", '#include "ricochet/run/simulate.hpp"', "scheme must not include run"),
        ("src/io/result/a.cpp", '#include "ricochet/report/page.hpp"', "io/result must not include report"),
        ("src/io/format/a.cpp", '#include "ricochet/scenario/build.hpp"', "io/format must not include scenario"),
        ("src/task/a.cpp", '#include "ricochet/present/study_page.hpp"', "task must not include present"),
        ("src/task/a.cpp", "#include <hdf5.h>", "task must not include hdf5.h"),
        ("src/scheme/kernel/a.hpp", '#include "ricochet/run/simulate.hpp"', "scheme must not include run"),
        ("src/io/a.cpp", "", "io is not a known layer"),
        ("src/run/a.cpp", "#include <iostream>", "must not include <iostream>"),
        ("src/study/a.cpp", "#include <fstream>", "must not include <fstream>"),
        ("src/core/a.cpp", "#include <cstdio>", "must not include <cstdio>"),
        ("src/formula/a.cpp", 'void f() { fmt::print("x"); }', "formula must not print or exit"),
        ("src/scheme/a.cpp", "void f() { std::exit(1); }", "scheme must not print or exit"),
        ("include/ricochet/io/result/a.hpp", "#include <nlohmann/json.hpp>", "a public header must not include nlohmann/json.hpp"),
        ("src/io/result/a.cpp", '#include "ricochet/ricochet.hpp"', "for those who use the library"),
        ("src/news/a.cpp", "", "news is not a known layer"),
    ],
)
def test_violation_is_found(tmp_path, path, line, sentence):
    result = found(tmp_path, path, "// first line\n" + line + "\n")
    assert len(result) == 1, result
    assert result[0][0] == path
    assert result[0][1] == (1 if "known layer" in sentence else 2)
    assert sentence in result[0][2]


def test_private_header_is_followed(tmp_path):
    (tmp_path / "src/io/format").mkdir(parents=True)
    (tmp_path / "src/io/format/chunks.hpp").write_text("")
    for name in ("../io/format/chunks.hpp", "io/format/chunks.hpp"):
        assert "run must not include io/format" in found(tmp_path, "src/run/a.cpp", f'#include "{name}"\n')[0][2]


@pytest.mark.parametrize(
    "path, text",
    [
        ("src/run/a.cpp", '#include "ricochet/core/state.hpp"\n#include <vector>\n#include <fmt/format.h>\n'),
        ("src/scheme/a.cpp", '#include "ricochet/model/model.hpp"\n#include "ricochet/complementarity/lcp.hpp"\n'),
        ("src/io/result/a.cpp", '#include "ricochet/run/simulate.hpp"\n#include <fstream>\n#include <hdf5.h>\n'),
        ("apps/cli/a.cpp", '#include "ricochet/ricochet.hpp"\n#include <cstdio>\n#include "verbs.hpp"\n'),
        ("src/core/a.cpp", "// std::exit(1) and #include <iostream> in a comment\n/* fmt::print\n#include <cstdio>\n*/\n"),
        ("include/ricochet/ricochet.hpp", '#include "ricochet/run/simulate.hpp"\n'),
    ],
)
def test_what_is_allowed(tmp_path, path, text):
    assert found(tmp_path, path, text) == []


def test_this_project():
    assert check_layers.violations(pathlib.Path(__file__).resolve().parents[2]) == []
