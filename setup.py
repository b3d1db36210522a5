"""pip install --no-build-isolation --no-deps .

Builds the module ricochet._core with CMake, in a folder of its own or in RICOCHET_BUILD_DIR if that is set (what is
built there is not built again). The program comes along where it can be linked without shared libraries of its own, and
the engine of its playground where that is built. The version is that of CMakeLists.txt.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\([^)]*?VERSION\s+([\d.]+)", text).group(1)


class CMakeBuild(build_ext):
    def build_extension(self, extension):
        target = pathlib.Path(self.get_ext_fullpath(extension.name)).resolve()
        given = os.environ.get("RICOCHET_BUILD_DIR")
        folder = pathlib.Path(given or pathlib.Path(self.build_temp).resolve() / "cmake")
        if not (folder / "CMakeCache.txt").exists():
            self.configure(folder)
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))
        subprocess.run(["cmake", "--build", folder, "--target", "ricochet_python", "--parallel", jobs], check=True)
        built = folder / "python" / "ricochet" / target.name
        if not built.exists():
            raise SystemExit(f"setup: {folder} builds the module for another Python than {sys.executable}")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(built, target)
        for built, name in (("portable/ricochet", "_ricochet"), ("playground/engine.json", "engine.json")):
            if (folder / built).exists():
                shutil.copy(folder / built, target.with_name(name))

    def configure(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        options = ["BUILD_TESTS=OFF", "BUILD_BENCH=OFF", "BUILD_CLI=OFF", "BUILD_PYTHON=ON"]
        command = ["cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
        if shutil.which("ninja"):
            command += ["-G", "Ninja"]
        subprocess.run([*command, *(f"-DRICOCHET_{option}" for option in options)], check=True)


setup(version=version(), ext_modules=[Extension("ricochet._core", sources=[])], cmdclass={"build_ext": CMakeBuild})
