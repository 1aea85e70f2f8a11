# Parts of tables keep what the whole has; tables of other packages.

test_that("rows of an open table are read", {
  path <- new_path(".ecsv")
  write_ecsv(data.frame(name = c("a", "b"), flux = c(1.5, NA)), path)
  table <- asdf_open_table(path)
  expect_identical(table[1, "flux"], 1.5)
  expect_identical(table[2, "flux"], NA_real_)
  expect_identical(dim(table[2, ]), c(1L, 2L))
  expect_identical(names(table["name"]), "name")
  expect_status(table[1, "nothing"], "NOT_FOUND")
})

test_that("units survive every way to take a part, and go into the header", {
  frame <- data.frame(a = 1:30, b = seq(0.5, 15, by = 0.5))
  path <- new_path(".ecsv")
  write_ecsv(frame, path, units = c(b = "m"), meta = list(survey = "deep"))
  table <- read_ecsv(path)
  parts <- list(table[table$b > 5, ], table[order(-table$b), ], subset(table, b > 5), head(table), tail(table, 3),
    rbind(table, table), table[c("b", "a")], transform(table, c = a * 2))
  for (part in parts) {
    expect_identical(attr(part$b, "unit"), "m")
    again <- new_path(".ecsv")
    write_ecsv(part, again)
    expect_identical(attr(read_ecsv(again)$b, "unit"), "m")
  }
  expect_identical(attr(table[1:3, "b"], "unit"), "m")
  expect_identical(attr(rbind(table, table), "meta"), attr(table, "meta"))
  expect_output(print(table), "table of 30 rows x 2 columns; units: b [m]", fixed = TRUE)
  expect_output(print(table), "and 10 more rows", fixed = TRUE)
  expect_output(print(asdf_open_table(path)), "table of 30 rows x 2 columns: a, b", fixed = TRUE)
  file <- asdf_new()
  file[["catalogue"]] <- table
  expect_output(print(file), "catalogue: table of 30 rows x 2 columns", fixed = TRUE)
})

test_that("tables go through Arrow", {
  frame <- data.frame(a = c(1L, NA, 3L), b = c("x", "y", NA))
  stream <- .Call(asdfkit:::C_arrow_stream_new)
  asdfkit:::export_stream(frame, stream)
  expect_status(asdfkit:::export_stream(frame, stream), "INVALID_ARGUMENT")
  table <- asdf_from_arrow(stream)
  expect_identical(as.data.frame(table), frame, ignore_attr = TRUE)
  expect_status(asdf_from_arrow(stream), "INVALID_ARGUMENT")
  path <- new_path(".ecsv")
  write_ecsv(frame, path)
  batches <- ecsv_batches(path, rows = 2)
  asdfkit:::export_stream(batches, stream)
  expect_identical(dim(asdf_from_arrow(stream)), c(3L, 2L))
  skip_if_not_installed("nanoarrow")
  expect_identical(asdf_from_arrow(asdf_to_arrow(frame))[["a"]], frame$a)
  expect_identical(as.data.frame(nanoarrow::as_nanoarrow_array_stream(asdf_open_table(path)))$a, frame$a)
})
