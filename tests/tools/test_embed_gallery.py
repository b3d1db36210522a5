"""cmake/embed_gallery.cmake: what comes out of the library is byte for byte what is in the files."""
import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRINT = r"""
#include <unistd.h>
#include "ricochet/scenario/gallery_texts.hpp"
int main() {
  for (auto [name, text] : ricochet::GALLERY())
    for (auto part : {name, std::string_view("\0", 1), text, std::string_view("\0", 1)})
      if (write(1, part.data(), part.size()) != static_cast<ssize_t>(part.size())) return 1;
}
"""


def embedded(folder, files, gallery="gallery_texts"):
    """The (name, text) pairs that a program with these files embedded prints."""
    for name, text in files:
        (folder / name).write_bytes(text.encode())
    (folder / "list.txt").write_text("".join(f"{folder / name}\n" for name, _ in files))
    (folder / "print.cpp").write_text(PRINT.replace("GALLERY", gallery))
    script = ["-P", str(ROOT / "cmake/embed_gallery.cmake")]
    subprocess.run(["cmake", "-D", "LIST=list.txt", "-D", "OUTPUT=texts.cpp", *script], cwd=folder, check=True)
    compiler = os.environ.get("CXX") or shutil.which("c++")
    flags = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{ROOT / 'include'}"]
    subprocess.run([compiler, *flags, "texts.cpp", "print.cpp", "-o", "print"], cwd=folder, check=True)
    parts = subprocess.run([folder / "print"], check=True, capture_output=True).stdout.decode().split("\0")[:-1]
    return list(zip(parts[::2], parts[1::2]))


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [("plain", 'title = "Ball"\n'), ("empty", "")],
        [("awkward", 'a = [1, 2]; b = "\\n ${x} $ENV{HOME} @y@" # θ ≥ ½ )toml" )toml_" ]==] "\\\\";\n\n;[;\n')],
        [("long", "# θ line of a long file, with several bytes a character\n" * 3000), ("after", "x = 1\n")],
    ],
)
def test_round_trip(tmp_path, texts):
    assert embedded(tmp_path, [(f"{name}.toml", text) for name, text in texts]) == texts


def test_other_files_keep_their_endings(tmp_path):
    scenario = ("ball.toml", "x = 1\n")
    others = [("frame.mtx", "%%MatrixMarket matrix array real general\n1 1\n2\n"), ("motion.csv", "t;a\n" + "0;1\n" * 20000)]
    assert embedded(tmp_path, [others[0], scenario, others[1]], "gallery_files") == others
    assert embedded(tmp_path, [others[0], scenario, others[1]]) == [("ball", "x = 1\n")]
    assert embedded(tmp_path, [scenario], "gallery_files") == []
