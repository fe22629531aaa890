//! What is written often: the words of an enum, the setters of options, a `Debug` without the content, a lock.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks what threads share. One that panicked leaves nothing half done.
pub fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes an enum, the list of its variants, and the method that returns the word of one.
macro_rules! words {
    (
        $(#[$of:meta])* $vis:vis enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }
        $(#[$returns:meta])* $sees:vis fn $method:ident;
    ) => {
        $(#[$of])*
        $vis enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            #[allow(dead_code, reason = "not every enum is listed")]
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),+];

            $(#[$returns])*
            #[must_use]
            $sees const fn $method(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}
pub(crate) use words;

/// Writes methods that set a field, to their argument or to what is made of it.
macro_rules! setters {
    (@ $field:ident) => { $field };
    (@ $field:ident $value:expr) => { $value };
    ($($(#[$doc:meta])* $name:ident($field:ident: $type:ty) $(= $value:expr)?;)+) => {
        $($(#[$doc])*
        #[must_use]
        pub fn $name(mut self, $field: $type) -> Self {
            self.$field = $crate::shorthand::setters!(@ $field $($value)?);
            self
        })+
    };
}
pub(crate) use setters;

/// Writes `Debug` as a text, for a type whose content may be secret, or is long.
macro_rules! debug {
    ($type:ty, |$own:pat_param| $($text:tt)+) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let $own = self;
                write!(f, $($text)+)
            }
        }
    };
}
pub(crate) use debug;
