// Programs that read the selected node, in each language.

export const languages = ["Python", "C", "C++", "Fortran", "Julia", "R", "Rust", "shell"];

/** Returns a text in quotes, as all of these languages but Fortran and the shell read it. */
const quoted = text => JSON.stringify(text);
/** In Julia a dollar sign in quotes begins an expression. */
const julia = text => quoted(text).replaceAll("$", "\\$");
const single = text => `'${text.replaceAll("'", "''")}'`;
const shell = text => `'${text.replaceAll("'", "'\\''")}'`;

const C_TYPES = { float32: "float", float64: "double", int8: "int8_t", uint8: "uint8_t", int16: "int16_t", uint16: "uint16_t",
  int32: "int32_t", uint32: "uint32_t", int64: "int64_t", uint64: "uint64_t" };

export function program(language, name, node, format) {
  if (!node) return "";
  const path = node.path.replace(/^\//, "");
  if (format === "ecsv") return table(language, name);
  if (node.datatype) return array(language, name, path, node);
  return value(language, name, path);
}

function array(language, name, path, node) {
  const type = C_TYPES[node.datatype] ?? "double";
  switch (language) {
    case "Python": return `import asdfkit\n\nwith asdfkit.open(${quoted(name)}) as file:\n    values = file[${quoted(path)}][...]\n`;
    case "C": return `asdf_file *file = NULL;\nasdf_node *root = NULL;\nasdf_array *array = NULL;\nif (asdf_file_open(${quoted(name)}, NULL, &file) == ASDF_OK && asdf_file_root(file, &root) == ASDF_OK &&\n    asdf_node_get_array(root, ${quoted(path)}, &array) == ASDF_OK) {\n    /* asdf_array_read fills memory of yours */\n}\n`;
    case "C++": return `asdf::file file = asdf::file::open(${quoted(name)});\nstd::vector<${type}> values = file[${quoted(path)}].array().read<${type}>();\n`;
    case "Fortran": return `call file%open(${single(name)})\ncall file%load(${single(path)}, values)  ! an allocatable array of rank ${node.shape.length}\n`;
    case "Julia": return `using AsdfKit\n\nAsdfKit.open(${julia(name)}) do file\n    values = read(file[${julia(path)}])\nend\n`;
    case "R": return `library(asdfkit)\n\nfile <- asdf_open(${quoted(name)})\nvalues <- asdf_read(file, ${quoted(path)})\n`;
    case "Rust": return `let file = asdfkit::file::File::open(${quoted(name)})?;\nlet values = file.root()?.array(${quoted(path)})?.read_vec::<f64>()?;\n`;
    default: return `asdfkit get ${shell(name)} ${shell(path)}\n`;
  }
}

function value(language, name, path) {
  switch (language) {
    case "Python": return `import asdfkit\n\nwith asdfkit.open(${quoted(name)}) as file:\n    value = file[${quoted(path)}]\n`;
    case "C": return `asdf_file *file = NULL;\nasdf_node *root = NULL;\nchar text[256];\nif (asdf_file_open(${quoted(name)}, NULL, &file) == ASDF_OK && asdf_file_root(file, &root) == ASDF_OK)\n    asdf_node_get_text(root, ${quoted(path)}, text, sizeof text, NULL);\n`;
    case "C++": return `asdf::file file = asdf::file::open(${quoted(name)});\nstd::string text = file[${quoted(path)}].get<std::string>();\n`;
    case "Fortran": return `call file%open(${single(name)})\ncall file%get(${single(path)}, value)\n`;
    case "Julia": return `using AsdfKit\n\nAsdfKit.open(${julia(name)}) do file\n    value = file[${julia(path)}]\nend\n`;
    case "R": return `library(asdfkit)\n\nfile <- asdf_open(${quoted(name)})\nvalue <- file[[${quoted(path)}]]\n`;
    case "Rust": return `let file = asdfkit::file::File::open(${quoted(name)})?;\nlet text = file.root()?.text(${quoted(path)})?;\n`;
    default: return `asdfkit get ${shell(name)} ${shell(path)}\n`;
  }
}

function table(language, name) {
  switch (language) {
    case "Python": return `import asdfkit\n\ntable = asdfkit.read_ecsv(${quoted(name)})\n`;
    case "C": return `asdf_table *table = NULL;\nasdf_status status = asdf_table_read_ecsv(${quoted(name)}, NULL, &table);\n`;
    case "C++": return `asdf::table table = asdf::table::read_ecsv(${quoted(name)});\n`;
    case "Fortran": return `call table%read_ecsv(${single(name)})\n`;
    case "Julia": return `using AsdfKit\n\ntable = AsdfKit.read_ecsv(${julia(name)})\n`;
    case "R": return `library(asdfkit)\n\nrows <- read_ecsv(${quoted(name)})\n`;
    case "Rust": return `let table = asdfkit::table::ecsv::read(${quoted(name)}, &Default::default())?;\n`;
    default: return `asdfkit head ${shell(name)}\n`;
  }
}
