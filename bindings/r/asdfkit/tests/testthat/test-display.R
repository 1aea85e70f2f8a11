# Files, nodes, arrays and tables in documents of knitr.

knitted_page <- function(x) {
  old <- knitr::opts_knit$get("rmarkdown.pandoc.to")
  on.exit(knitr::opts_knit$set(rmarkdown.pandoc.to = old))
  knitr::opts_knit$set(rmarkdown.pandoc.to = "html")
  as.character(knitr::knit_print(x))
}

test_that("objects are pages in HTML documents", {
  skip_if_not_installed("knitr")
  file <- asdf_new()
  asdf_set(file, "meta", list(name = "Vega", "<script>" = "\"&'"))
  asdf_set(file, "image", matrix(1:6, 2))
  page <- knitted_page(file)
  expect_match(page, "<summary><b>meta</b>: mapping of 2</summary><ul><li><b>name</b>: Vega</li>", fixed = TRUE)
  expect_match(page, "<b>&lt;script&gt;</b>: &quot;&amp;&#39;", fixed = TRUE)
  expect_match(page, "<b>image</b>: int32 [2 x 3]", fixed = TRUE)
  expect_false(grepl("<script", page, fixed = TRUE))
  expect_match(knitted_page(file[["meta"]]), "mapping at /meta", fixed = TRUE)
  expect_match(knitted_page(asdf_array(file, "image")), "ASDF array int32 [2 x 3]", fixed = TRUE)
})

test_that("quantities and columns of tables are shown", {
  path <- written(function(file) {
    file[["temp"]] <- structure(88.5, unit = "K")
    file[["map"]] <- structure(c(1, 2), unit = "Jy")
    asdf_set(file, "cat", data.frame(name = "a", flux = 1.5), units = c(flux = "mJy"))
  })
  file <- asdf_open(path)
  expect_output(print(file), "temp: quantity 88.5 K", fixed = TRUE)
  expect_output(print(file), "map: quantity float64 [2] Jy", fixed = TRUE)
  expect_output(print(file[["cat"]]), "table of 1 rows x 2 columns at /cat>\n  name: string\n  flux: float64 [mJy]", fixed = TRUE)
})

test_that("tables have rows and units", {
  skip_if_not_installed("knitr")
  path <- new_path()
  writeLines(c(
    "# %ECSV 1.0", "# ---", "# datatype:", "# - {name: a, datatype: int64}",
    "# - {name: '<b>', datatype: string, unit: m}", "a <b>", "1 <i>", "2 x"
  ), path)
  page <- knitted_page(read_ecsv(path))
  expect_match(page, "<th>a</th><th>&lt;b&gt;<br>m</th>", fixed = TRUE)
  expect_match(page, "<td>&lt;i&gt;</td>", fixed = TRUE)
  expect_match(page, "table of 2 rows x 2 columns", fixed = TRUE)
})
