"""Reads metadata, an array and a window of image.asdf, and writes copy.asdf."""

import asdfkit

with asdfkit.open("image.asdf") as file:  # AsdfError names file, line and path
    seconds = file["meta/exposure/time"]
    data = file["data"]  # shape and dtype; nothing is read yet
    pixels = data[...]
    window = data[100:164:2, 200:264:2]
print(seconds, data.shape, window[0, 1])

out = asdfkit.new()
out["meta/telescope"] = "Roman"
out.set("data", pixels, compression="zlib")
out.write("copy.asdf", replace=True)
