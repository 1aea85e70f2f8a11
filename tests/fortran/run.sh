#!/bin/sh
# A Fortran program with interfaces written by hand reads a file of Python asdf and writes one that Python asdf reads.
set -eu
cd "$(dirname "$0")"
work=$ASDFKIT_BUILD/tests/fortran
sample=$ASDFKIT_SOURCE/examples-c/quickstart.asdf
rm -rf "$work"
mkdir -p "$work"
flags=$(PKG_CONFIG_PATH=$ASDFKIT_PREFIX/lib/pkgconfig pkg-config --libs asdfkit)
# shellcheck disable=SC2086 # a list of words
gfortran -std=f2018 -Wall -Wextra -Wno-maybe-uninitialized -Werror -fcheck=all -J "$work" asdf_c.f90 images.f90 $flags \
    -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -o "$work/images"
"$work/images" "$sample" "$work/written.asdf" >"$work/printed"
cat "$work/printed"

"$ASDFKIT_PYTHON" -W error - "$sample" "$work" <<'END'
import sys
from pathlib import Path

import asdf
import numpy as np

work = Path(sys.argv[2])
with asdf.open(sys.argv[1]) as sample, asdf.open(work / "written.asdf", validate_checksums=True) as written:
    image = sample["data"].astype(float)
    assert written["meta"]["telescope"] == sample["meta"]["telescope"]
    assert written["data"].dtype == float
    assert np.array_equal(written["data"], image[:100, :200] * 2)
    assert np.array_equal(written["turned"], image[:100, :200].T * 2)
    assert np.array_equal(written["section"], image[20:200:3, 10:110:2].T)
    name, *printed = (work / "printed").read_text().split()
    assert name == "Roman:"
    expected = [139.8, 256, 256, image[80, 60], image.mean()]
    assert np.allclose([float(text) for text in printed], expected, rtol=0, atol=0.001)
END
