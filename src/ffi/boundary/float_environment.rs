//! The floating-point environment of a thread: rounding direction, traps, treatment of subnormal numbers, sticky flags.
//!
//! Programs change it: Fortran programs that are compiled with `-ffpe-trap` end at the first overflow, and
//! `-ffast-math` flushes subnormal numbers to zero. The library computes in the default environment, and leaves the
//! environment of its caller untouched, including the flags.

use std::cell::Cell;

/// Default environment for the code of the library. The environment of the caller returns when this is dropped.
pub(super) struct DefaultEnvironment {
    /// Environment of the caller of an outer call, whose callback made this call.
    outer: Option<Environment>,
}

thread_local! {
    /// Environment of the program that called the library on this thread.
    static CALLER: Cell<Option<Environment>> = const { Cell::new(None) };
}

impl DefaultEnvironment {
    pub(super) fn enter() -> DefaultEnvironment {
        let caller = Environment::current();
        if !caller.is_default() {
            Environment::install_default();
        }
        DefaultEnvironment { outer: CALLER.try_with(|kept| kept.replace(Some(caller))).unwrap_or_default() }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        if let Ok(Some(caller)) = CALLER.try_with(|kept| kept.replace(self.outer.take())) {
            caller.restore();
        }
    }
}

/// Runs a callback of the program in the environment of the program. Flags that the callback raises stay raised.
pub(crate) fn as_caller<T>(callback: impl FnOnce() -> T) -> T {
    struct Outside;
    impl Drop for Outside {
        fn drop(&mut self) {
            let caller = Environment::current();
            if !caller.is_default() {
                Environment::install_default();
            }
            let _ = CALLER.try_with(|kept| kept.set(Some(caller)));
        }
    }
    let Some(caller) = CALLER.try_with(Cell::take).ok().flatten() else { return callback() };
    caller.restore();
    let _outside = Outside;
    callback()
}

#[cfg(target_arch = "x86_64")]
use mxcsr::Environment;

/// The register of SSE. The x87 unit has its own environment, but only `long double` uses that unit on x86-64, and the
/// library has none.
#[cfg(target_arch = "x86_64")]
mod mxcsr {
    use std::arch::asm;

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Environment(u32);

    const FLAGS: u32 = 0x3f;
    /// No traps, rounding to nearest, subnormal numbers.
    const DEFAULT: u32 = 0x1f80;

    impl Environment {
        pub(super) fn current() -> Environment {
            let mut word: u32 = 0;
            // SAFETY: the instruction writes the register to these four bytes.
            unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word, options(nostack, preserves_flags)) };
            Environment(word)
        }

        pub(super) fn is_default(&self) -> bool {
            self.0 & !FLAGS == DEFAULT
        }

        pub(super) fn install_default() {
            Environment(DEFAULT).install();
        }

        pub(super) fn restore(self) {
            // Writing takes longer than reading.
            if Environment::current() != self {
                self.install();
            }
        }

        fn install(self) {
            // SAFETY: the word is the default, or was read from the register, so no reserved bit is set.
            unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const self.0, options(nostack, preserves_flags)) };
        }
    }
}

#[cfg(target_arch = "aarch64")]
use fpcr::Environment;

#[cfg(target_arch = "aarch64")]
mod fpcr {
    use std::arch::asm;

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Environment {
        control: u64,
        flags: u64,
    }

    impl Environment {
        pub(super) fn current() -> Environment {
            let (control, flags): (u64, u64);
            // SAFETY: both registers can be read by every program.
            unsafe { asm!("mrs {}, fpcr", "mrs {}, fpsr", out(reg) control, out(reg) flags, options(nostack)) };
            Environment { control, flags }
        }

        /// Zero means no traps, rounding to nearest, subnormal numbers.
        pub(super) fn is_default(&self) -> bool {
            self.control == 0
        }

        pub(super) fn install_default() {
            Environment { control: 0, flags: 0 }.install();
        }

        pub(super) fn restore(self) {
            // Writing takes longer than reading.
            if Environment::current() != self {
                self.install();
            }
        }

        fn install(self) {
            let Environment { control, flags } = self;
            // SAFETY: the values are the default, or were read from the registers.
            unsafe { asm!("msr fpcr, {}", "msr fpsr, {}", in(reg) control, in(reg) flags, options(nostack)) };
        }
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use fenv::Environment;

/// The functions of `<fenv.h>`, for all other processors.
#[cfg(any(all(test, target_arch = "x86_64"), not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[cfg(unix)]
mod fenv {
    use std::ffi::c_int;

    /// `fenv_t`, which has at most 32 bytes in the C libraries.
    #[repr(transparent)]
    #[derive(Clone, Copy)]
    pub(super) struct Environment([u64; 16]);

    /// `FE_TONEAREST`, which is 0 on all processors that Rust has targets for.
    const TO_NEAREST: c_int = 0;

    unsafe extern "C" {
        fn fegetenv(environment: *mut Environment) -> c_int;
        fn fesetenv(environment: *const Environment) -> c_int;
        fn feholdexcept(environment: *mut Environment) -> c_int;
        fn fesetround(direction: c_int) -> c_int;
    }

    impl Environment {
        pub(super) fn current() -> Environment {
            let mut environment = Environment([0; 16]);
            // SAFETY: the function writes a `fenv_t`, for which there is room.
            unsafe { fegetenv(&raw mut environment) };
            environment
        }

        /// The content of a `fenv_t` is unknown here.
        pub(super) fn is_default(&self) -> bool {
            false
        }

        pub(super) fn install_default() {
            let mut before = Environment([0; 16]);
            // SAFETY: the function writes a `fenv_t`, for which there is room. The direction is a known one.
            unsafe {
                feholdexcept(&raw mut before);
                fesetround(TO_NEAREST);
            }
        }

        pub(super) fn restore(self) {
            // SAFETY: `fegetenv` wrote it.
            unsafe { fesetenv(&raw const self) };
        }
    }
}

/// Systems without `<fenv.h>`, such as WebAssembly, have one environment only.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64", unix)))]
mod fenv {
    #[derive(Clone, Copy)]
    pub(super) struct Environment;

    impl Environment {
        pub(super) fn current() -> Environment {
            Environment
        }

        pub(super) fn is_default(&self) -> bool {
            true
        }

        pub(super) fn install_default() {}

        pub(super) fn restore(self) {}
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::ffi::boundary::guard::guard;
    use std::arch::asm;

    const UPWARD_WITH_TRAPS_FLUSHED: u32 = 0x8000 | 0x4000;

    fn word() -> u32 {
        let mut word: u32 = 0;
        // SAFETY: the instruction writes these four bytes.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut word) };
        word
    }

    /// Runs `work` in this environment, and returns the environment that it left.
    fn left_by(word_before: u32, work: impl FnOnce()) -> u32 {
        let before = word();
        // SAFETY: no reserved bit is set, and the register is restored below.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const word_before) };
        work();
        let left = word();
        // SAFETY: as above.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const before) };
        left
    }

    fn overflow() -> f32 {
        std::hint::black_box(1e300f64) as f32
    }

    #[test]
    fn a_call_computes_in_the_default_environment_and_leaves_that_of_its_caller() {
        for before in [UPWARD_WITH_TRAPS_FLUSHED, 0x1f80, 0x1f80 | 4] {
            let mut inside = 0;
            let left = left_by(before, || {
                guard(|_| {
                    inside = word();
                    assert!(overflow().is_infinite());
                    Ok(())
                });
            });
            assert_eq!(inside & !0x3f, 0x1f80);
            assert_eq!(left, before);
        }
    }

    #[test]
    fn a_callback_runs_in_the_environment_of_the_caller_and_keeps_its_flags() {
        let (mut callback, mut after, mut nested) = (0, 0, 0);
        let left = left_by(0x1f80 | 0x4000, || {
            guard(|_| {
                as_caller(|| {
                    callback = word();
                    guard(|_| {
                        nested = word();
                        Ok(())
                    });
                    overflow();
                });
                after = word();
                Ok(())
            });
        });
        assert_eq!([callback, nested & !0x3f, after & !0x3f], [0x1f80 | 0x4000, 0x1f80, 0x1f80]);
        assert_eq!(left & !0x3f, 0x1f80 | 0x4000);
        assert_eq!(left & 8, 8, "the overflow of the callback");
    }

    #[test]
    fn the_functions_of_c_do_the_same_as_the_registers() {
        let left = left_by(UPWARD_WITH_TRAPS_FLUSHED, || {
            let caller = fenv::Environment::current();
            assert!(!caller.is_default());
            fenv::Environment::install_default();
            assert!(overflow().is_infinite());
            assert_eq!(word() & 0x7f80, 0x1f80);
            caller.restore();
        });
        assert_eq!(left, UPWARD_WITH_TRAPS_FLUSHED);
    }
}
