//! `credlint check --fix` and `--diff`

use super::terminal::Terminal;
use crate::config::LoadOptions;
use crate::fix::{self, DiffLine, Plan, Sign};
use crate::lint::CheckOptions;
use crate::report::human::Style;
use crate::text::count;

/// Applies all possible fixes and reports them. Returns `true` if every planned file was changed. Configuration errors
/// are left to the check that follows.
pub fn apply(load: &LoadOptions, check: &CheckOptions, terminal: &Terminal) -> bool {
    let Ok(plan) = fix::plan(load, check) else { return true };
    let mut done = plan.blocked.is_empty();
    for file in &plan.files {
        match file.write() {
            Ok(()) => {
                let left = plan.refused.iter().filter(|refused| refused.file == file.name).count();
                let fixed = file.fixed.len();
                terminal.note(&format!("fixed {}: {fixed} of {}", file.name, fixed + left));
            }
            Err(error) => {
                done = false;
                terminal.note(&unchanged(&file.name, &error.to_string()));
            }
        }
    }
    explain(&plan, terminal);
    if plan.files.is_empty() && plan.refused.is_empty() && plan.blocked.is_empty() {
        terminal.note("nothing to fix: no finding has an automatic fix");
    }
    done
}

/// Returns a masked preview of the fixes. `None` if the configuration can't be read; the check that follows reports
/// why.
pub fn preview(load: &LoadOptions, check: &CheckOptions, terminal: &Terminal) -> Option<String> {
    let plan = fix::plan(load, check).ok()?;
    explain(&plan, terminal);
    let mut out = String::new();
    for file in &plan.files {
        out.extend(["--- ", &file.name, "\n+++ ", &file.name, " (fixed)\n"]);
        // Masked values look alike, so each change is also described in words.
        for fixed in &file.fixed {
            out.push_str(&format!("# {}: {}\n", fixed.rule, fixed.text));
        }
        file.diff.iter().for_each(|line| draw(line, terminal.style(), &mut out));
    }
    let fixes = plan.files.iter().map(|file| file.fixed.len()).sum();
    out.push_str(&match fixes {
        0 => "nothing to fix\n".to_owned(),
        fixes => format!("run `check --fix` to apply {} in {}\n", count(fixes, "fix"), count(plan.files.len(), "file")),
    });
    Some(out)
}

fn draw(line: &DiffLine, style: Style, out: &mut String) {
    let (mark, color) = match line.sign {
        Sign::At => ("@@ line ", "36"),
        Sign::Same => (" ", ""),
        Sign::Old => ("-", "31"),
        Sign::New => ("+", "32"),
    };
    let end = if line.sign == Sign::At { " @@" } else { "" };
    out.extend([&style.paint(&[mark, &line.text, end].concat(), color), "\n"]);
}

/// Reports the findings that can't be fixed, with reasons.
fn explain(plan: &Plan, terminal: &Terminal) {
    for (name, why) in &plan.blocked {
        terminal.note(&unchanged(name, why));
    }
    for refused in &plan.refused {
        let fix::Refused { rule, key, source, why, .. } = refused;
        terminal.note(&format!("not fixed: {source}: `{key}` ({rule}): {why}"));
    }
}

fn unchanged(name: &str, why: &str) -> String {
    format!("not changed: {name}: {why}")
}
