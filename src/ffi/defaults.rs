//! Defaults of options as texts of the header.

use super::array::options::{ORDERS, SHUFFLES, STORAGES};
use super::file::options::{ACCESSES, CONTAINERS, SAVE_MODES};
use super::ndl::asdf::DESCRIBED_VALUES;
use super::options::keys::*;
use super::options::table::OptionKey;
use super::table::asdf::TABLE_FORMS;
use super::table::ecsv_read::COLUMN_NAMES;
use super::table::ecsv_write::{DELIMITERS, EMPTY_STRINGS, JSON_NUMBERS, TEXT_COMPRESSIONS};
use crate::array::ReadOptions;
use crate::codec::Shuffle;
use crate::file::{ArrayOptions, OpenOptions, WriteOptions};
use crate::ndl::asdf::DescribeOptions;
use crate::standard::TableWriteOptions;
use crate::table::ecsv;
use std::mem::discriminant;

/// Returns the default of an option; empty if the description of its key has it.
pub fn default_of(option: &OptionKey) -> String {
    let access = OpenOptions::default().access;
    let table = ecsv::WriteOptions::default();
    let constant = match option.key {
        ASDF_OPTION_ACCESS => ACCESSES.name_where(|other| discriminant(other) == discriminant(&access)),
        ASDF_OPTION_SAVE_MODE => SAVE_MODES.name(&WriteOptions::default().save_mode),
        ASDF_OPTION_CONTAINER => CONTAINERS.name(&WriteOptions::default().container),
        ASDF_OPTION_STORAGE => STORAGES.name(&ArrayOptions::default().storage),
        ASDF_OPTION_STORED_ORDER => ORDERS.name(&ArrayOptions::default().stored_order),
        ASDF_OPTION_SHUFFLE => SHUFFLES.name(&Shuffle::Byte),
        ASDF_OPTION_ORDER => ORDERS.name(&ReadOptions::default().order),
        ASDF_OPTION_TABLE_FORM => TABLE_FORMS.name(&TableWriteOptions::default().form),
        ASDF_OPTION_COLUMN_NAMES => COLUMN_NAMES.name(&ecsv::ReadOptions::default().names),
        ASDF_OPTION_DELIMITER => DELIMITERS.name(&table.delimiter),
        ASDF_OPTION_TEXT_COMPRESSION => TEXT_COMPRESSIONS.name(&table.compression),
        ASDF_OPTION_EMPTY_STRINGS => EMPTY_STRINGS.name(&table.empty_strings),
        ASDF_OPTION_JSON_NUMBERS => JSON_NUMBERS.name(&table.json_numbers),
        ASDF_OPTION_DESCRIBED_VALUES => DESCRIBED_VALUES.name(&DescribeOptions::default().values),
        _ => return (option.default)(),
    };
    constant.to_owned()
}
