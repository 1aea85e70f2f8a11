"""Writes two small FITS files: one with a header with a long text, and an image of unsigned integers; another with this
image as tiles. Usage: make_small.py FITS TILES
"""

import sys

import numpy as np
from astropy.io import fits

header = fits.Header()
header["LONGTEXT"] = "text " * 30
image = np.arange(65530, 65536, dtype="u2").reshape(2, 3)
fits.HDUList([fits.PrimaryHDU(header=header), fits.ImageHDU(image, name="SCI")]).writeto(sys.argv[1])
fits.HDUList([fits.PrimaryHDU(), fits.CompImageHDU(image, compression_type="RICE_1")]).writeto(sys.argv[2])
