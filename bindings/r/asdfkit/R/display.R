# Files, nodes, arrays and tables in documents of knitr: HTML where the document is a page, text elsewhere.

knit_print.asdf_file <- function(x, ...) knitted(x, function() {
  title <- utils::capture.output(print(x))[[1L]]
  paste0("<div><code>", escaped_html(title), "</code>", if (is_open(x)) html_items(x), "</div>")
})

knit_print.asdf_node <- function(x, ...) knitted(x, function() {
  title <- paste0(.Call(C_node_kind, x, ""), " at /", sub("^/", "", asdf_path(x)))
  paste0("<div><code>", escaped_html(title), "</code>", html_items(x), "</div>")
})

knit_print.asdf_array <- function(x, ...) knitted(x, function() {
  paste0("<code>", escaped_html(format(x)), "</code>")
})

# The first rows, with units below the names.
knit_print.asdf_table <- function(x, ..., n = 20L) knitted(x, function() {
  rows <- seq_len(min(n, nrow(x)))
  cells <- vapply(x, function(column) {
    part <- if (length(dim(column)) > 1L) apply(column[rows, , drop = FALSE], 1L, toString) else format(column[rows])
    escaped_html(as.character(part))
  }, character(length(rows)))
  cells <- matrix(cells, nrow = length(rows))
  units <- vapply(x, function(column) {
    unit <- attr(column, "unit", exact = TRUE)
    if (is.null(unit)) "" else as.character(unit)
  }, "")
  head <- paste0("<th>", escaped_html(names(x)), ifelse(nzchar(units), paste0("<br>", escaped_html(units)), ""), "</th>")
  body <- apply(cells, 1L, function(row) paste0("<tr>", paste0("<td>", row, "</td>", collapse = ""), "</tr>"))
  paste0(
    "<table><caption>", size_text(dim(x)), "</caption><thead><tr>", paste0(head, collapse = ""), "</tr></thead><tbody>",
    paste0(body, collapse = ""), "</tbody></table>"
  )
})

# Gives knitr a page, or the printed text.
knitted <- function(x, page) {
  if (knitr::is_html_output()) return(knitr::asis_output(page()))
  knitr::normal_print(x)
}

# Returns the first items of a node as nested lists, whose branches open and close.
html_items <- function(x, most = 20L, levels = 3L) {
  count <- .Call(C_node_count, x, "")
  keys <- .Call(C_node_keys, x, "")
  lines <- vapply(seq_len(min(count, most)), function(index) {
    item <- .Call(C_node_item, x, "", index)
    name <- if (is.null(keys)) paste0("[[", index, "]]") else keys[[index]]
    label <- paste0("<b>", escaped_html(name), "</b>: ", escaped_html(substr(item_text(item), 1L, 60L)))
    is_branch <- levels > 1L && .Call(C_node_kind, item, "") %in% c("mapping", "sequence")
    if (!is_branch || .Call(C_node_count, item, "") == 0) return(paste0("<li>", label, "</li>"))
    below <- html_items(item, most, levels - 1L)
    paste0("<li><details><summary>", label, "</summary>", below, "</details></li>")
  }, "")
  more <- if (count > most) paste0("<li>and ", count - most, " more</li>")
  paste0("<ul>", paste0(lines, collapse = ""), more, "</ul>")
}

escaped_html <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c("\"", "&quot;"), c("'", "&#39;"))) {
    text <- gsub(pair[[1L]], pair[[2L]], text, fixed = TRUE)
  }
  text
}
