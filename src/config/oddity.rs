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
    /// `warning` or `note`.
    pub severity: &'static str,
    /// Empty for the right value with something around it; `reference` if something should have been put in its place;
    /// `other` if it is something else.
    pub instead: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/oddities.rs"));

impl Oddity {
    /// Returns `true` if something should have been put in its place.
    pub fn is_reference(self) -> bool {
        self.row().instead == "reference"
    }

    /// Returns `true` if the value is something else, rather than the right one with something around it.
    pub fn is_another_kind(self) -> bool {
        self.row().instead == "other"
    }
}
