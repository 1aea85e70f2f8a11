// asdfkit for C++: read and write ASDF files, ECSV tables and NDL descriptions. This header includes all others.
//
//     asdf::file file = asdf::file::open("image.asdf");
//     double seconds = file["meta/exposure/time"].get<double>();
//     std::vector<float> pixels = file["data"].array().read<float>();
//
// The headers need C++17 and link to the library of the C interface (asdf.h). All names are in the namespace asdf;
// names in asdf::detail may change in any release.
#pragma once

#include "asdf/buffer.hpp"
#include "asdf/callback.hpp"
#include "asdf/codec.hpp"
#include "asdf/datatype.hpp"
#include "asdf/enumerations.hpp"
#include "asdf/error.hpp"
#include "asdf/extents.hpp"
#include "asdf/handle.hpp"
#include "asdf/options.hpp"
#include "asdf/progress.hpp"
#include "asdf/report.hpp"
#include "asdf/text.hpp"
