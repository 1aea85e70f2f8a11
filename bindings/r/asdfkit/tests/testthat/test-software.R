test_that("programs and extensions are stored and read", {
  file <- asdf_new()
  expect_identical(asdf_extensions(file), list())
  asdf_add_extension(file, "a.B", "asdf://x.org/e-1.0.0", list(name = "pipe", version = "2.1"))
  asdf_add_extension(file, "a.C", "asdf://x.org/e-1.0.0")
  expect_identical(asdf_extensions(file)[[1L]]$extension_class, "a.C")
  asdf_set_software(file, "by", "pipe", "2.1", author = "we")
  expect_identical(asdf_software(file, "by"),
                   data.frame(name = "pipe", version = "2.1", author = "we", homepage = "", stringsAsFactors = FALSE))
  file[["x"]] <- 5
  expect_status(asdf_software(file, "x"), "WRONG_TYPE")
})
