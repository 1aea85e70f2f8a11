//! Elements of arrays that are computed from a FITS file when the core asks for them.

use std::sync::{Arc, OnceLock};

use crate::core::Elements;
use crate::failure::{Failure, Result, status, zeros};
use crate::fits::compressed::{Compressed, Structure};
use crate::fits::file::FitsFile;
use crate::fits::image::ImageForm;
use crate::fits::table::Table;
use crate::fits::text_table::TextTable;

/// Splits a range of bytes into whole items of a size, and decodes these.
fn by_items(item: usize, offset: u64, bytes: &mut [u8], decode: impl Fn(usize, &mut [u8]) -> Result<()>) -> Result<()> {
    let offset = usize::try_from(offset).map_err(|_| Failure::new(status::OUT_OF_RANGE, "offset beyond memory"))?;
    let item = item.max(1);
    let (first, skipped) = (offset / item, offset % item);
    if skipped == 0 && bytes.len().is_multiple_of(item) {
        return decode(first, bytes);
    }
    let count = (skipped + bytes.len()).div_ceil(item);
    let mut whole: Vec<u8> = zeros(count * item)?;
    decode(first, &mut whole)?;
    bytes.copy_from_slice(&whole[skipped..skipped + bytes.len()]);
    Ok(())
}

/// Pixels of an image.
pub(crate) struct ImageElements {
    pub(crate) file: Arc<FitsFile>,
    pub(crate) hdu: usize,
    pub(crate) form: ImageForm,
}

impl Elements for ImageElements {
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let item = self.form.element().size();
        let stored = self.form.stored_size();
        let data = self.file.data(&self.file.hdus[self.hdu]);
        by_items(item, offset, bytes, |first, elements| {
            let count = elements.len() / item;
            let range = data.get(first * stored..(first + count) * stored);
            let range = range.ok_or_else(|| Failure::new(status::OUT_OF_RANGE, "element beyond the image"))?;
            self.form.decode(range, elements);
            Ok(())
        })
    }
}

/// Stored bytes of the data of an HDU.
pub(crate) struct StoredBytes {
    pub(crate) file: Arc<FitsFile>,
    pub(crate) hdu: usize,
}

impl Elements for StoredBytes {
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let data = self.file.data(&self.file.hdus[self.hdu]);
        by_items(1, offset, bytes, |first, elements| {
            let range = data.get(first..first + elements.len());
            elements.copy_from_slice(range.ok_or_else(|| Failure::new(status::OUT_OF_RANGE, "byte beyond the data"))?);
            Ok(())
        })
    }
}

/// Pixels of a compressed image. The image is opened when the first pixel is needed.
pub(crate) struct CompressedElements {
    pub(crate) file: Arc<FitsFile>,
    pub(crate) hdu: usize,
    pub(crate) structure: Structure,
    pub(crate) opened: OnceLock<Compressed>,
}

impl CompressedElements {
    fn open(&self) -> Result<&Compressed> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = Compressed::open(&self.file, &self.file.hdus[self.hdu], self.structure.form)?;
        Ok(self.opened.get_or_init(|| opened))
    }
}

impl Elements for CompressedElements {
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let (image, hdu) = (self.open()?, &self.file.hdus[self.hdu]);
        let size = self.structure.form.element().size();
        by_items(size, offset, bytes, |first, elements| {
            self.structure.check(hdu, self.file.data(hdu), first, elements.len() / size)?;
            image.read(first, elements)
        })
    }
}

/// Cells of a column, or their mask.
pub(crate) struct ColumnElements {
    pub(crate) file: Arc<FitsFile>,
    pub(crate) hdu: usize,
    pub(crate) table: Arc<Table>,
    pub(crate) column: usize,
    pub(crate) is_mask: bool,
}

impl Elements for ColumnElements {
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let column = &self.table.columns[self.column];
        let data = self.file.data(&self.file.hdus[self.hdu]);
        if self.is_mask {
            return by_items(column.elements(), offset, bytes, |first, mask| {
                self.table.mask(column, data, first, mask);
                Ok(())
            });
        }
        by_items(column.cell_size(), offset, bytes, |first, elements| self.table.decode(column, data, first, elements))
    }
}

/// Fields of a column of an ASCII table.
pub(crate) struct TextColumnElements {
    pub(crate) file: Arc<FitsFile>,
    pub(crate) hdu: usize,
    pub(crate) table: Arc<TextTable>,
    pub(crate) column: usize,
}

impl Elements for TextColumnElements {
    fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<()> {
        let column = &self.table.columns[self.column];
        let data = self.file.data(&self.file.hdus[self.hdu]);
        by_items(column.element.size(), offset, bytes, |first, elements| {
            self.table.decode(column, data, first, elements);
            Ok(())
        })
    }
}
