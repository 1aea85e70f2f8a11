"""Enumerations of the C interface, which have types of their own in some languages."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Enumeration:
    """Constants with a prefix. Members of a set of flags can be combined."""

    name: str
    prefix: str
    doc: str
    is_flags: bool = False

    @property
    def class_name(self) -> str:
        return "".join(word.capitalize() for word in self.name.split("_"))


ENUMERATIONS = [
    Enumeration("kind", "ASDF_KIND_", "Kind of a node: what it means in ASDF."),
    Enumeration("node_type", "ASDF_NODE_", "Type of a node: what it is in YAML."),
    Enumeration("key_type", "ASDF_KEY_", "Type of the key of an item in a mapping."),
    Enumeration("byte_order", "ASDF_BYTE_ORDER_", "Byte order of stored numbers."),
    Enumeration("order", "ASDF_ORDER_", "Order of elements."),
    Enumeration("storage", "ASDF_STORAGE_", "Place of the elements of an array."),
    Enumeration("shuffle", "ASDF_SHUFFLE_", "Filter of Blosc before compression."),
    Enumeration("comment_position", "ASDF_COMMENT_", "Position of a comment in the YAML text."),
    Enumeration("access", "ASDF_ACCESS_", "Other files that may be opened."),
    Enumeration("save_mode", "ASDF_SAVE_", "Way of saving a file."),
    Enumeration("container", "ASDF_CONTAINER_", "Form of a file that is written."),
    Enumeration("insert_position", "ASDF_INSERT_", "Place of a new key in a mapping."),
    Enumeration("checksum", "ASDF_CHECKSUM_", "Result of the comparison of a block with its checksum."),
    Enumeration("severity", "ASDF_SEVERITY_", "Severity of a finding."),
    Enumeration("finding_kind", "ASDF_REPORT_KIND_", "Kind of a finding."),
    Enumeration("operation", "ASDF_OPERATION_", "Operation that turns the older description into the newer one."),
    Enumeration("spelling", "ASDF_SPELLING_", "Spelling of units."),
    Enumeration("unit_kind", "ASDF_UNIT_KIND_", "Kind of a unit."),
    Enumeration("table_form", "ASDF_TABLE_FORM_", "Form of a table in an ASDF file."),
    Enumeration(
        "column_names", "ASDF_COLUMN_NAMES_", "Treatment of column names that differ between line of names and header."
    ),
    Enumeration("delimiter", "ASDF_DELIMITER_", "Delimiter of fields in ECSV."),
    Enumeration("text_compression", "ASDF_TEXT_COMPRESSION_", "Compression of a whole ECSV file."),
    Enumeration("empty_strings", "ASDF_EMPTY_STRINGS_", "Treatment of empty strings that are not missing."),
    Enumeration(
        "json_numbers", "ASDF_JSON_NUMBERS_", "Spelling of infinite numbers and NaN as elements of arrays in ECSV."
    ),
    Enumeration("software_part", "ASDF_SOFTWARE_", "Part of the description of a program."),
    Enumeration("time_scale", "ASDF_TIME_SCALE_", "Scale of points in time."),
    Enumeration("time_format", "ASDF_TIME_FORMAT_", "Format of points in time."),
    Enumeration("frame_kind", "ASDF_FRAME_", "Kind of a coordinate frame."),
    Enumeration("coordinates_kind", "ASDF_COORDINATES_KIND_", "Kind of coordinates."),
    Enumeration("ndl_kind", "ASDF_NDL_KIND_", "Kind of an object in a description."),
    Enumeration("ndl_format", "ASDF_NDL_FORMAT_", "Format that a description is exported in."),
    Enumeration("ndl_values", "ASDF_NDL_VALUES_", "Arrays whose values are included in the description of a file."),
    Enumeration("repair", "ASDF_REPAIR_", "Parts of a file to repair.", is_flags=True),
    Enumeration("description_field", "ASDF_DESCRIPTION_", "Field of the description of an entry."),
    Enumeration("recover", "ASDF_RECOVER_", "Ways of recovering a file.", is_flags=True),
    Enumeration("ndl_ignore", "ASDF_NDL_IGNORE_", "Parts of descriptions that a comparison ignores.", is_flags=True),
]
# Names of the codes of datatypes.
DATATYPE = re.compile(r"ASDF_((U?INT|FLOAT|COMPLEX|BOOL)\d+|ASCII|UCS4|RECORD|STRING|JSON)")
