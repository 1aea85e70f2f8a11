# Changes one cell in each table of a folder: cells.R FROM TO PLAN. A line of the plan has, divided by tabs, the name of
# the file, the column, the row, the kind of the value, and the value; see cells.py.
library(asdfkit)

value_of <- function(kind, text) {
  if (kind == "missing") return(NA)
  if (kind == "text") return(text)
  numbers <- as.numeric(strsplit(text, " ", fixed = TRUE)[[1L]])
  if (kind == "flags") return(numbers != 0)
  if (kind == "complex") complex(real = numbers[[1L]], imaginary = numbers[[2L]]) else numbers
}

change <- function(table, fields) {
  table[as.numeric(fields[[3L]]) + 1, fields[[2L]]] <- value_of(fields[[4L]], fields[[5L]])
  table
}

main <- function(from, to, plan) {
  for (line in readLines(plan, encoding = "UTF-8")) {
    fields <- strsplit(paste0(line, "\t."), "\t", fixed = TRUE)[[1L]]
    source <- file.path(from, fields[[1L]])
    target <- file.path(to, fields[[1L]])
    if (endsWith(source, ".asdf")) {
      file <- asdf_open(source)
      made <- asdf_new()
      asdf_set(made, "t", change(asdf_open_table(file, "t"), fields))
      asdf_write(made, target)
      close(made)
      close(file)
    } else {
      write_ecsv(change(asdf_open_table(source), fields), target)
    }
  }
}

do.call(main, as.list(commandArgs(TRUE)))
