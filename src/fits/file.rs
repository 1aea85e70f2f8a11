//! The HDUs of a FITS file, and the one that holds ASDF.

use super::hdu::{Hdu, Kind};
use super::header::Header;
use super::name::{HduName, HduTarget};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::source::{ClosableSource, Source, Witness, read_exact_at};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// First bytes of a FITS file.
const MAGIC: &[u8] = b"SIMPLE  =";
/// Bytes at the start of the file that are compared if only its times have changed.
const WITNESS: usize = 2880;

/// A FITS file with an `ASDF` HDU.
pub(crate) struct FitsFile {
    pub(super) source: Arc<ClosableSource>,
    pub(super) hdus: Vec<Hdu>,
    /// The bytes of the ASDF file in the FITS file.
    asdf: Range<u64>,
    /// Error that ended the search for HDUs.
    rest: Option<Error>,
    /// Bytes after the last HDU.
    trailing: Range<u64>,
}

impl fmt::Debug for FitsFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FitsFile({} HDUs, ASDF at {:?})", self.hdus.len(), self.asdf)
    }
}

impl FitsFile {
    /// Returns whether a source begins like a FITS file.
    pub(crate) fn begins_in(source: &dyn Source) -> Result<bool> {
        let mut first = [0; MAGIC.len()];
        let count = source.read_at(0, &mut first)?;
        Ok(count == MAGIC.len() && first == MAGIC)
    }

    /// Reads the headers of all HDUs.
    ///
    /// Fails with [`Status::NotAsdf`] if no HDU has the name `ASDF`, with [`Status::FitsHeader`] or
    /// [`Status::Truncated`] if damage of the file hides such an HDU, and with [`Status::Limit`].
    pub(crate) fn read(source: Arc<dyn Source>, limits: &Limits) -> Result<FitsFile> {
        let mut file = FitsFile::read_all_hdus(source, limits)?;
        file.asdf = file.find_asdf()?;
        let mut first = vec![0; WITNESS.min(file.source.len() as usize)];
        read_exact_at(&*file.source, 0, &mut first)?;
        (&*file.source as &dyn Source).remember(Witness::Header(Arc::new(first)));
        Ok(file)
    }

    /// Reads the headers of all HDUs of a file that need not have an `ASDF` HDU. Damage is told when an HDU is not found.
    ///
    /// Fails with [`Status::Unsupported`] if the source does not begin like a FITS file.
    pub(crate) fn read_all_hdus(source: Arc<dyn Source>, limits: &Limits) -> Result<FitsFile> {
        if !FitsFile::begins_in(&*source)? {
            return Err(Error::new(
                Status::Unsupported,
                "the file is not a FITS file; arrays in other formats are not read",
            ));
        }
        let mut file = FitsFile {
            source: Arc::new(ClosableSource::new(source)),
            hdus: Vec::new(),
            asdf: 0..0,
            rest: None,
            trailing: 0..0,
        };
        file.rest = file.read_hdus(limits).err();
        if let Some(error) = file.rest.take_if(|error| error.is_of_machine() || error.status() == Status::Limit) {
            return Err(error);
        }
        Ok(file)
    }

    fn read_hdus(&mut self, limits: &Limits) -> Result<()> {
        let (source, length) = (self.source.clone(), self.source.len());
        let mut at = 0;
        while at < length {
            let Some(header) = Header::read(&*source, self.hdus.len(), at)? else {
                self.trailing = at..length;
                return Ok(());
            };
            if self.hdus.len() as u64 >= limits.blocks {
                return Err(Limit::Blocks.exceeded("the HDUs of a FITS file", limits.blocks));
            }
            let hdu = Hdu::of_header(header)?;
            at = hdu.end();
            let complete = hdu.check_complete(length);
            self.hdus.push(hdu);
            complete?;
        }
        Ok(())
    }

    /// Returns the bytes of the first HDU with the name `ASDF`.
    fn find_asdf(&self) -> Result<Range<u64>> {
        let Some(hdu) = self.hdus.iter().find(|hdu| hdu.name().eq_ignore_ascii_case("ASDF")) else {
            return Err(match &self.rest {
                Some(error) => error.clone(),
                None => {
                    let count = self.hdus.len();
                    let plural = if count == 1 { "" } else { "s" };
                    let message = format!(
                        "this is a FITS file without an HDU of the name ASDF, so it holds no ASDF tree ({count} HDU{plural})"
                    );
                    Error::new(Status::NotAsdf, message).at_offset(0)
                }
            });
        };
        if hdu.width != 1 || hdu.kind == Kind::Groups {
            return Err(hdu.header.wrong("BITPIX", "is not 8, as it must be for the HDU with the name ASDF"));
        }
        if hdu.header.is_true("COMPRESS") {
            let message = format!("the ASDF file in {hdu} is compressed (COMPRESS = T)");
            return Err(Error::new(Status::Unsupported, message).at_offset(hdu.header.start));
        }
        hdu.check_complete(self.source.len())?;
        Ok(hdu.data..hdu.data + hdu.value_count()?)
    }

    /// Returns the bytes of the ASDF file in the FITS file.
    pub(crate) fn asdf(&self) -> Range<u64> {
        self.asdf.clone()
    }

    /// Returns the HDU that holds the ASDF file.
    pub(super) fn asdf_hdu(&self) -> Option<&Hdu> {
        self.hdus.iter().find(|hdu| hdu.data == self.asdf.start)
    }

    /// Returns the FITS file as a source.
    pub(crate) fn source(&self) -> &Arc<ClosableSource> {
        &self.source
    }

    /// Returns warnings about the structure of the file.
    pub(crate) fn warnings(&self) -> Vec<Warning> {
        let of_rest = self.rest.iter().map(|error| Warning {
            message: format!("the FITS file is damaged: {}", error.message()),
            location: error.location().clone(),
        });
        let Range { start, end } = self.trailing;
        let of_trailing = (start < end).then(|| {
            Warning::new(format!("{} bytes after the last HDU of the FITS file are ignored", end - start))
                .at_offset(start)
        });
        of_rest.chain(of_trailing).collect()
    }

    /// Returns the HDU that the source of an array names.
    ///
    /// Fails with [`Status::BadArray`] for a source that is no name, and with [`Status::HduNotFound`].
    pub(super) fn find(&self, source: &str) -> Result<&Hdu> {
        let found = match HduName::parse(source)? {
            HduName::Number(number) => number.and_then(|number| self.hdus.get(number)),
            HduName::Name(name, version) => {
                let wanted = name.trim_end();
                let is_primary = wanted.eq_ignore_ascii_case("PRIMARY");
                self.hdus.iter().enumerate().find_map(|(number, hdu)| {
                    let is_named = hdu.name().eq_ignore_ascii_case(wanted) || is_primary && number == 0;
                    (is_named && hdu.version() == version).then_some(hdu)
                })
            }
        };
        found.ok_or_else(|| self.missing(&format!("source '{source}'")))
    }

    /// Returns the HDU that an external array names. Fails with [`Status::HduNotFound`].
    pub(super) fn find_target(&self, target: &HduTarget) -> Result<&Hdu> {
        match target {
            HduTarget::Number(number) => {
                let hdu = usize::try_from(*number).ok().and_then(|number| self.hdus.get(number));
                hdu.ok_or_else(|| self.missing(&format!("target {number}")))
            }
            HduTarget::Name(name) => {
                let wanted = name.trim_end();
                let is_primary = wanted.eq_ignore_ascii_case("PRIMARY");
                let named = self.hdus.iter().find(|hdu| hdu.name().eq_ignore_ascii_case(wanted));
                let found = named.or_else(|| self.hdus.first().filter(|_| is_primary));
                found.ok_or_else(|| self.missing(&format!("target '{name}'")))
            }
        }
    }

    /// Returns the error for an HDU that was not found.
    fn missing(&self, what: &str) -> Error {
        match &self.rest {
            Some(error) => Error::because_of(&format!("the HDU of the {what} was not found"), error),
            None => {
                let count = self.hdus.len();
                let message = format!("no HDU of the FITS file, which has {count}, is that of the {what}");
                Error::new(Status::HduNotFound, message)
            }
        }
    }
}
