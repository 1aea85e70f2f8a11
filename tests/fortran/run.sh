#!/bin/sh
# Fortran programs with hand-written interfaces. One reads a file of Python asdf and writes one that Python asdf reads;
# the other does the same with tables.
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

# Reads a catalogue into arrays and writes one of its bright stars.
cat >"$work/catalogue.ecsv" <<'END'
# %ECSV 1.0
# ---
# datatype:
# - {name: name, datatype: string}
# - {name: flux, unit: Jy, datatype: float64}
# - {name: position, datatype: string, subtype: 'float64[2]'}
name flux position
dim 0.5 [0.0,0.125]
Vega 2.25 [0.25,0.375]
lost "" [0.5,0.625]
Sirius 1000.0 [0.75,0.875]
"Mira A" 3.5 [1.0,1.125]
END
# shellcheck disable=SC2086 # a list of words
gfortran -std=f2018 -Wall -Wextra -Wno-maybe-uninitialized -Werror -fcheck=all -J "$work" asdf_c.f90 asdf_tables_c.f90 catalogue.f90 $flags \
    -Wl,-rpath,"$ASDFKIT_PREFIX/lib" -o "$work/catalogue"
"$work/catalogue" "$work/catalogue.ecsv" "$work/bright.ecsv" >"$work/stars"
diff - "$work/stars" <<'END'
Vega        2.250    0.250    0.375 Jy
Sirius   1000.000    0.750    0.875 Jy
Mira A      3.500    1.000    1.125 Jy
END
grep -v '^#' "$work/bright.ecsv" | diff - /dev/fd/3 3<<'END'
name flux
Vega 2.25
Sirius 1000.0
"Mira A" 3.5
END
grep -q '^# - {name: flux, unit: Jy, datatype: float64}$' "$work/bright.ecsv"
