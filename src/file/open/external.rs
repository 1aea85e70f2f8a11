//! Content of other files: targets of references, and blocks of arrays whose source is a URI.

use crate::array::Payload;
use crate::error::{Error, Result, Status};
use crate::file::File;
use crate::file::options::uri::Uri;
use crate::fits::{FitsFile, is_hdu_source};
use crate::limits::Limit;
use crate::source::Source;
use crate::tree::{NodeId, Stop, Walk};
use std::sync::Arc;

impl File {
    /// Returns the file that a URI in this file names. It can be this file itself.
    pub(crate) fn external(&self, reference: &str) -> Result<File> {
        if reference.is_empty() || reference.starts_with('#') {
            return Ok(self.clone());
        }
        if is_hdu_source(reference) && self.store()?.fits().is_some() {
            let message = format!("the array '{reference}' is the data of an HDU of a FITS file, not of an ASDF file");
            return Err(Error::new(Status::Unsupported, message));
        }
        let own = self.shared.origin.uri.as_ref();
        let uri = Uri::resolve(own, reference)?;
        if own == Some(&uri) {
            return Ok(self.clone());
        }
        if self.family.policy().denies_all() {
            return Err(denied(&uri));
        }
        let read = |source: Arc<dyn Source>, origin, found| {
            File::read(source, origin, self.family.clone(), found).map(|file| file.shared)
        };
        Ok(File { shared: self.family.member(&uri, &read)?, family: self.family.clone() })
    }

    /// Continues a look-up that leaves this file through a reference with this URI.
    pub(crate) fn follow_out(&self, reference: NodeId, uri: String, mut walk: Walk) -> Result<(File, NodeId)> {
        let (mut file, mut reference, mut uri) = (self.clone(), reference, uri);
        // References passed so far: number of the file, node, and length of the remaining path.
        let mut passed: Vec<(u32, NodeId, usize)> = Vec::new();
        loop {
            let number = file.shared.origin.number;
            let fail = |error| file.locate(error, reference);
            if passed.iter().any(|&(n, node, left)| (n, node) == (number, reference) && walk.remaining() >= left) {
                return Err(fail(Error::new(Status::ReferenceCycle, "the reference leads back to itself")));
            }
            let depth = file.limits().external_depth;
            if passed.len() as u64 >= u64::from(depth) {
                return Err(fail(
                    Limit::ExternalDepth.exceeded("external files in a chain of references", depth.into()),
                ));
            }
            passed.push((number, reference, walk.remaining()));
            let next = file.external(&uri).map_err(fail)?;
            let stop = next.advance_from_root(&mut walk);
            match stop {
                Ok(Stop::At(id)) => return Ok((next, id)),
                Ok(Stop::Leaves { reference: node, uri: name }) => (file, reference, uri) = (next, node, name),
                Err(error) if error.location().path.is_none() => return Err(fail(error)),
                Err(error) => return Err(next.name_in(error)),
            }
        }
    }

    /// Adds the place of a node to an error.
    fn locate(&self, error: Error, node: NodeId) -> Error {
        self.name_in(match self.state() {
            Ok(state) => state.tree().locate(error, node),
            Err(_) => error,
        })
    }

    fn advance_from_root(&self, walk: &mut Walk) -> Result<Stop> {
        let state = self.state()?;
        state.tree().advance(state.tree().root(), walk)
    }

    /// Returns the FITS file that a URI in this file names.
    pub(crate) fn external_fits(&self, reference: &str) -> Result<Arc<FitsFile>> {
        let uri = Uri::resolve(self.shared.origin.uri.as_ref(), reference)?;
        if self.family.policy().denies_all() {
            return Err(denied(&uri));
        }
        self.family.fits_file(&uri)
    }

    /// Returns the bytes of an array whose source is a URI: the first block of that file.
    ///
    /// If they cannot be read, the result holds the error, and the array can still be described.
    pub(crate) fn external_payload(&self, reference: &str) -> Payload {
        self.external(reference)
            .and_then(|file| first_block(&file, reference))
            .unwrap_or_else(|error| Payload::absent(&error.without_place(), None))
    }
}

fn denied(uri: &Uri) -> Error {
    let message =
        format!("'{uri}' is another file; set the open option 'access' (ASDF_OPTION_ACCESS) to allow other files");
    Error::new(Status::ExternalReference, message)
}

fn first_block(file: &File, reference: &str) -> Result<Payload> {
    file.payload(0).map_err(|error| {
        let what = format!("the elements of the array are in the first block of '{reference}', which cannot be read");
        Error::because_of(&what, &error)
    })
}
