// asdfkit for C++: read and write ASDF files, ECSV tables and NDL descriptions. This header includes all others.
//
//     asdf::file file = asdf::file::open("image.asdf");
//     double seconds = file["meta/exposure/time"].get<double>();
//     std::vector<float> pixels = file["data"].array().read<float>();
//
// The headers need C++17 and link to the library of the C interface (asdf.h). All names are in the namespace asdf;
// names in asdf::detail may change in any release.
#pragma once

#include "asdf/array.hpp"
#include "asdf/block.hpp"
#include "asdf/buffer.hpp"
#include "asdf/callback.hpp"
#include "asdf/chunk_map.hpp"
#include "asdf/codec.hpp"
#include "asdf/column.hpp"
#include "asdf/coordinates.hpp"
#include "asdf/datatype.hpp"
#include "asdf/elements.hpp"
#include "asdf/enumerations.hpp"
#include "asdf/error.hpp"
#include "asdf/extents.hpp"
#include "asdf/file.hpp"
#include "asdf/float16.hpp"
#include "asdf/handle.hpp"
#include "asdf/index_iterator.hpp"
#include "asdf/logical_columns.hpp"
#include "asdf/ndl.hpp"
#include "asdf/ndl_builder.hpp"
#include "asdf/ndl_datatype.hpp"
#include "asdf/ndl_place.hpp"
#include "asdf/node.hpp"
#include "asdf/node_arrays.hpp"
#include "asdf/node_functions.hpp"
#include "asdf/node_tables.hpp"
#include "asdf/options.hpp"
#include "asdf/progress.hpp"
#include "asdf/record.hpp"
#include "asdf/report.hpp"
#include "asdf/results.hpp"
#include "asdf/schemas.hpp"
#include "asdf/stream.hpp"
#include "asdf/string_array.hpp"
#include "asdf/table.hpp"
#include "asdf/table_reader.hpp"
#include "asdf/table_writer.hpp"
#include "asdf/text.hpp"
#include "asdf/times.hpp"
#include "asdf/unit.hpp"
#include "asdf/value.hpp"
#include "asdf/value_ranges.hpp"
#include "asdf/view.hpp"
#include "asdf/wcs.hpp"
