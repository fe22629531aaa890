//! What only the file around a value tells about it: what its reader makes of the bytes. Each is a row of `oddities.toml`.

/// What a finding says of an oddity.
#[derive(Clone, Copy, Debug)]
pub struct OddityRow {
    /// What the value does, to follow its name.
    pub what: &'static str,
    /// The label of its place.
    pub label: &'static str,
    /// What to do about it.
    pub help: &'static str,
    /// True for a warning, false for a note.
    pub warns: bool,
    /// What the value is instead of the right one.
    pub instead: Instead,
}

/// What an odd value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Instead {
    /// The right one, with something around it.
    Nothing,
    /// Something in whose place the right one should have been put.
    Reference,
    /// Something else.
    Other,
}

include!(concat!(env!("OUT_DIR"), "/oddities.rs"));

impl Oddity {
    /// Returns `true` if something should have been put in its place.
    pub fn is_reference(self) -> bool {
        self.row().instead == Instead::Reference
    }

    /// Returns `true` if the value is something else, rather than the right one with something around it.
    pub fn is_another_kind(self) -> bool {
        self.row().instead == Instead::Other
    }
}
