"""The languages of the examples: how their programs are compiled against the installation and run."""

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SOURCE = Path(os.environ["ASDFKIT_SOURCE"])
PREFIX = Path(os.environ["ASDFKIT_PREFIX"])
# Commands that compile a source, by its suffix.
COMPILERS = {
    ".c": [os.environ.get("CC", "cc"), "-O1", "-std=c11", "-Wpedantic"],
    ".cpp": [os.environ.get("CXX", "c++"), "-std=c++17", "-Wpedantic", "-Wconversion"],
    ".f90": ["gfortran", "-std=f2018", "-fcheck=all", "-ffpe-trap=invalid,zero,overflow"],
}
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
# Commands that run a source, by its suffix. Without optimization, small programs in Julia are compiled in less time.
INTERPRETERS = {
    ".py": [os.environ["ASDFKIT_PYTHON"]],
    ".jl": [os.environ.get("ASDFKIT_JULIA", ""), "--startup-file=no", "-O0"],
    ".R": [os.environ.get("ASDFKIT_R", ""), "--no-echo", "--no-restore"],
    ".sh": ["sh"],
}


class Languages:
    """The languages, with the compiled programs of the sources and the packages for the others."""

    def __init__(self, work: Path, sources: list[Path]) -> None:
        self.work = work
        self.compiled = {source: work / f"program{number}" for number, source in enumerate(sources)}
        self.failures: list[str] = []
        library = next(path for name in ("so", "dylib") for path in PREFIX.glob(f"lib/libasdfkit.{name}"))
        self.environment = {
            **os.environ,
            "ASDFKIT_LIBRARY": str(library),
            "JULIA_DEPOT_PATH": str(work / "depot"),
            "JULIA_LOAD_PATH": f"{SOURCE / 'bindings/julia'}:@stdlib",
            "LC_ALL": "C.UTF-8",
            "PATH": f"{PREFIX / 'bin'}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": str(PREFIX / "lib/pkgconfig"),
            "PYTHONPATH": str(work / "site"),
            "R_LIBS": str(work / "library"),
        }

    def knows(self, source: Path) -> bool:
        """Returns whether the file is a program."""
        return source.suffix in COMPILERS or source.suffix in INTERPRETERS

    def has(self, suffix: str) -> bool:
        """Returns whether programs of a language, which its suffix names, can run here."""
        return suffix in COMPILERS or INTERPRETERS[suffix][0] != ""

    def command(self, source: Path) -> list[str]:
        """Returns the command that runs a program; its arguments may follow."""
        if source.suffix == ".R":
            return [*INTERPRETERS[".R"], f"--file={source}", "--args"]
        if source.suffix in INTERPRETERS:
            return [*INTERPRETERS[source.suffix], str(source)]
        return [str(self.compiled[source])]

    def prepare(self, pool: ThreadPoolExecutor) -> None:
        """Compiles the programs, and installs the packages."""
        (self.work / "modules").mkdir(parents=True)
        done = [pool.submit(self.fortran), pool.submit(self.packages)]
        done += [pool.submit(self.build, source) for source in self.compiled if source.suffix in (".c", ".cpp")]
        for each in done:
            each.result()

    def call(self, *command: str | Path, directory: Path | None = None) -> str:
        """Runs a command, which must succeed, and returns its output."""
        done = subprocess.run(command, cwd=directory, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def build(self, source: Path) -> None:
        """Compiles a program. It must compile without a warning."""
        flags = self.call("pkg-config", "--cflags", "--libs", "asdfkit").split()
        if source.suffix == ".f90":
            flags = [f"-I{self.work / 'modules'}", *map(str, self.work.glob("modules/*.o")), *flags]
        options = [*COMPILERS[source.suffix], *WARNINGS]
        try:
            self.call(*options, source, *flags, f"-Wl,-rpath,{PREFIX / 'lib'}", "-o", self.compiled[source])
        except RuntimeError as problem:
            self.failures.append(f"FAILED {source} does not compile: {problem}")

    def fortran(self) -> None:
        """Compiles the modules, then the programs in Fortran."""
        modules = self.call("pkg-config", "--variable=sources", "asdfkit-fortran").split()
        self.call("gfortran", "-c", *modules, directory=self.work / "modules")
        for source in self.compiled:
            if source.suffix == ".f90":
                self.build(source)

    def packages(self) -> None:
        """Installs the packages of Python and R, and compiles that of Julia."""
        self.call(SOURCE / "tests/python/install.sh", self.work)
        if self.has(".jl"):
            self.call(*INTERPRETERS[".jl"], "-e", "using AsdfKit")
        else:
            print("ASDFKIT_JULIA is not set: the examples in Julia are NOT tested.")
        if self.has(".R"):
            self.call(SOURCE / "tests/r/install.sh", self.work, "--no-docs")
        else:
            print("ASDFKIT_R is not set: the examples in R are NOT tested.")
