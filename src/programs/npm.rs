//! npm and programs that read its file.

use super::{BLANK, Group, Mark, Program};
use crate::services::{Source, registry};

pub static PROGRAM: Program = Program {
    name: "npm",
    groups: &[Group {
        mark: Mark::File(".npmrc"),
        keys: &[("host", &registry::HOST_FIELD, ""), ("_authToken", &registry::PASSWORD_FIELD, "")],
    }],
    own_names: true,
    source: Source::Official("https://docs.npmjs.com/cli/configuring-npm/npmrc"),
    ..BLANK
};
