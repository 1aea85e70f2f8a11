//! Options that choose among constants: each constant with the value that it stands for.

use super::taken::Taken;

/// The constants of an option, their names and their values.
pub(crate) struct Choice<T: 'static>(pub(crate) &'static [(i32, &'static str, T)]);

/// Makes a [`Choice`] of pairs of constant and value.
macro_rules! choice {
    ($($constant:ident => $value:expr),* $(,)?) => {
        $crate::ffi::options::choice::Choice(&[$(($constant, stringify!($constant), $value)),*])
    };
}
pub(crate) use choice;

impl<T> Choice<T> {
    /// Returns the value that a constant stands for.
    pub(crate) fn value(&self, constant: i32) -> Option<&'static T> {
        self.0.iter().find(|(number, ..)| *number == constant).map(|(_, _, value)| value)
    }

    /// Returns the value of an option that was set.
    pub(crate) fn taken(&self, options: &Taken, key: i32) -> Option<&'static T> {
        self.value(options.constant(key)?)
    }

    /// Returns the name of the first constant whose value passes a test; empty if there is none.
    pub(crate) fn name_where(&self, test: impl Fn(&T) -> bool) -> &'static str {
        self.0.iter().find(|(_, _, value)| test(value)).map_or("", |(_, name, _)| name)
    }
}

impl<T: PartialEq> Choice<T> {
    /// Returns the name of the constant that stands for a value.
    pub(crate) fn name(&self, value: &T) -> &'static str {
        self.name_where(|other| other == value)
    }
}
