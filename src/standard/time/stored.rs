//! Values of points in time as files and tables store them: texts, or numbers in a format.

use super::format::TimeFormat;
use super::points::{Time, TimeOptions};
use crate::array::Text;
use crate::error::{Error, Result, Status};

/// Values of points in time, with their shape and their mask.
pub(in crate::standard) struct Stored {
    pub(in crate::standard) values: Values,
    pub(in crate::standard) shape: Vec<i64>,
    pub(in crate::standard) missing: Option<Vec<bool>>,
}

pub(in crate::standard) enum Values {
    Texts(Text),
    /// Numbers, each the sum of two.
    Numbers(Vec<f64>, Option<Vec<f64>>),
}

impl Stored {
    /// Makes points in time of the values. Fails with [`Status::TagContent`] for numbers without a format.
    pub(in crate::standard) fn time(self, options: &TimeOptions) -> Result<Time> {
        let shape = &self.shape;
        let time = match self.values {
            Values::Texts(texts) => {
                // Any date stands for a missing one.
                let is_missing =
                    |index: usize| self.missing.as_ref().is_some_and(|mask| mask.get(index) == Some(&true));
                let filler = if options.format.is_some_and(TimeFormat::is_number) { "0" } else { "2000-01-01" };
                let texts = (0..texts.len()).map(|index| if is_missing(index) { filler } else { texts.get(index) });
                Time::from_texts(texts, shape, options)?
            }
            Values::Numbers(..) if options.format.is_none() => {
                return Err(Error::new(Status::TagContent, "times that are numbers need a format"));
            }
            Values::Numbers(values, rest) => Time::from_numbers(&values, rest.as_deref(), shape, options)?,
        };
        match self.missing {
            Some(missing) => {
                let missing = missing.iter().enumerate().map(|(index, &is)| is || time.is_missing(index)).collect();
                time.with_missing(missing)
            }
            None => Ok(time),
        }
    }
}
