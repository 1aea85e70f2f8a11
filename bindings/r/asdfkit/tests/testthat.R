# Runs the tests of the package.
library(testthat)
library(asdfkit)
test_check("asdfkit")
