//! Programs that read `.netrc`: git, curl, pip, Go and many others.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, registry};

pub static PROGRAM: Program = Program {
    name: "netrc",
    groups: &[Group { mark: Mark::File(".netrc"), keys: KEYS }, Group { mark: Mark::File("_netrc"), keys: KEYS }],
    own_names: true,
    source: Source::Official("https://everything.curl.dev/usingcurl/netrc.html"),
    ..BLANK
};

const KEYS: &[super::Key] = &[("host", &registry::HOST_FIELD, ""), ("password", &registry::PASSWORD_FIELD, "")];
