# Describes the content of a file in NDL: describe_content.R FILE
library(asdfkit)

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) != 1) {
  message("usage: describe_content.R FILE")
  quit(status = 2)
}
tryCatch({
  cat(ndl_export(ndl_describe(arguments[[1]])))
}, asdf_error = function(problem) {
  message(conditionMessage(problem))
  quit(status = 1)
})
