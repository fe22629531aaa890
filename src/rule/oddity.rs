//! The finding about an oddity of a value.

use crate::config::{Oddity, Setting};
use crate::finding::{Finding, Severity};
use crate::rule::RuleMeta;

/// Returns the finding about an oddity.
pub fn finding(meta: &RuleMeta, setting: &Setting, oddity: Oddity) -> Finding {
    let row = oddity.row();
    let finding = Finding::new(meta, format!("`{}` {}", setting.name(), row.what), row.help);
    finding.severity(if row.warns { Severity::Warning } else { Severity::Note }).value(setting, row.label)
}
