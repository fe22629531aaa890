//! `--format human`: one miette diagnostic for each finding, with labels in every source it refers to.

mod excerpt;

use std::collections::BTreeMap;
use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};
use textwrap::{Options, WordSeparator, WordSplitter};

use super::{place, summary};
use crate::config::missing;
use crate::finding::{Finding, Severity};
use crate::lint::live::{ChannelAccess, Live, Validity};
use crate::lint::{Allowed, Report};
use crate::rules::UnresolvedReference;
use crate::source::{Problem, SourceId, Sources, Spot};
use crate::text::{Span, count, printable};
use excerpt::{Excerpt, NARROW};

/// The maximum number of findings drawn; the rest is counted.
const DRAWN: usize = 1000;

/// From this number on, unresolved references are listed instead of drawn.
const LISTED: usize = 4;

/// How to draw a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Use colours.
    pub color: bool,
    /// The width in columns.
    pub width: usize,
    /// Use characters outside ASCII.
    pub unicode: bool,
}

impl Style {
    /// Returns text in an ANSI colour, or unchanged if colours are off.
    pub fn paint(self, text: &str, color: &str) -> String {
        let painted = self.color && !text.is_empty() && !color.is_empty();
        if painted { format!("\u{1b}[{color}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}

/// Returns how text is wrapped: names and addresses stay in one piece, so that they can be copied.
pub(super) fn wrapping<'a>(width: usize) -> Options<'a> {
    Options::new(width)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false)
}

/// Draws a report, with a summary line at the end. If nothing was checked, there is nothing to sum up.
pub fn report(report: &Report, style: Style) -> String {
    let mut out = without_summary(report, style);
    if report.is_unchecked() {
        return out;
    }
    for Allowed { finding, reason, at, .. } in &report.allowed {
        let source = report.sources.get(at.source);
        let line = source.lines.position(at.span.start).line;
        let profile = finding.profile.as_ref().map(|id| format!(" in {id}")).unwrap_or_default();
        let (reason, name) = (printable(reason), printable(&source.name));
        out += &format!("allowed: {}{profile}: {reason} ({name}:{line})\n", finding.rule);
    }
    for gone in report.baseline.iter().flat_map(|comparison| &comparison.gone) {
        let profile = gone.profile.as_ref().map(|id| format!(" in {id}")).unwrap_or_default();
        let line = format!("not found now: {}{profile}, which the baseline lists", gone.rule);
        out.extend([&printable(&line), "\n"]);
    }
    for (id, live) in report.live.iter().flatten() {
        let anchor = || report.anchors.iter().find(|(own, _)| own == id).map(|(_, at)| *at);
        // In other programs' files, people know the place and the name.
        let place = || match (&id.file, anchor()) {
            (Some(_), Some(at)) => format!("{}: ", place::name(at, &report.sources)),
            _ => String::new(),
        };
        let found = !live.names.is_empty() || !live.not_asked.is_empty();
        if live.service.is_some() || !found {
            let who = if found { place() + &live.names.join(", ") } else { id.to_string() };
            out += &format!("{}: {}\n", printable(&who), printable(&describe_live(live)));
        }
        for same in live.not_asked.chunk_by(|(_, one), (_, other)| one == other) {
            let names = same.iter().map(|(name, _)| if name.is_empty() { id.to_string() } else { name.clone() });
            let who = place() + &names.collect::<Vec<_>>().join(", ");
            out += &format!("{}: not asked: {}\n", printable(&who), printable(&same[0].1));
        }
    }
    out.push_str(&summary::line(report));
    out.push('\n');
    out
}

/// Draws only findings and problems, for `--quiet`.
pub fn without_summary(report: &Report, style: Style) -> String {
    let mut out = problems(&report.problems, &report.sources, style);
    let new = || report.new_findings();
    let listed: Vec<&Finding> = new().filter(|finding| finding.rule == UnresolvedReference::META.id).collect();
    let listed = if listed.len() >= LISTED { listed } else { Vec::new() };
    let mut new = new().filter(|finding| listed.is_empty() || finding.rule != UnresolvedReference::META.id);
    list(&listed, &report.sources, style, &mut out);
    for finding in new.by_ref().take(DRAWN) {
        findings(std::slice::from_ref(finding), &report.sources, style, &mut out);
    }
    match new.count() {
        0 => {}
        more => out += &format!("{} not shown here; `--format json` lists them all\n\n", count(more, "more finding")),
    }
    out
}

/// Lists findings of one rule, one per line, each with its help text, and then the help texts that several share. If no
/// variable is set, a drawing for each reference would only repeat itself.
fn list(findings: &[&Finding], sources: &Sources, style: Style, out: &mut String) {
    let Some(first) = findings.first() else { return };
    let code = style.paint(&format!("{}[{}]", first.severity, first.rule), "31;1");
    *out += &format!("{code} {} references to missing variables or files\n", findings.len());
    let mut helps: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in findings {
        *helps.entry(&finding.help).or_default() += 1;
    }
    for finding in findings.iter().take(DRAWN) {
        let place = finding.primary().map(|label| place::name(label.at, sources)).unwrap_or_default();
        *out += &format!("  {}: {}\n", printable(&place), printable(&finding.message));
        if helps[finding.help.as_str()] == 1 {
            *out += &format!("    help: {}\n", printable(&finding.help));
        }
    }
    for (help, _) in helps.into_iter().filter(|(_, number)| *number > 1) {
        *out += &format!("  help: {}\n", printable(&missing::in_plural(help)));
    }
    out.push('\n');
}

/// Describes the service's answers about a profile in one line.
fn describe_live(live: &Live) -> String {
    let mut parts = vec![match &live.service {
        Some(service) if live.state == Validity::Unknown => format!("not verified at {service}"),
        Some(service) => format!("{} at {service}", live.state.name()),
        None => "not asked".to_owned(),
    }];
    parts.extend(live.credentials.iter().map(|(field, life)| format!("{field} {}", life.name())));
    if let Some(kind) = live.token_kind {
        let of = live.workspace.as_ref().map(|id| format!(" of {id}")).unwrap_or_default();
        parts.push(format!("{kind} token{of}"));
    }
    let list =
        |words: &Option<Vec<String>>| words.as_ref().map(|words| words.join(" ")).filter(|list| !list.is_empty());
    parts.extend(list(&live.scopes).map(|scopes| format!("scopes {scopes}")));
    parts.extend(list(&live.capabilities).map(|capabilities| format!("may {capabilities}")));
    parts.extend(list(&live.buckets).map(|buckets| format!("only in {buckets}")));
    parts.extend(live.channels_with_ids().map(|(shown, id, reach)| {
        let id = id.map(|id| format!(" is {id},")).unwrap_or_default();
        format!("{shown}{id} {}", describe_access(reach))
    }));
    parts.join(", ")
}

/// Describes whether a channel can be reached.
const fn describe_access(reach: ChannelAccess) -> &'static str {
    match reach {
        ChannelAccess::Yes => "reachable",
        ChannelAccess::No => "not reachable",
        ChannelAccess::Unknown => "not verified",
    }
}

/// Draws findings only.
pub fn findings(findings: &[Finding], sources: &Sources, style: Style, out: &mut String) {
    for finding in findings {
        let labels = finding.labels.iter().map(|label| (label.at, label.text.as_str()));
        let code = format!("{}[{}]", finding.severity, finding.rule);
        render(
            Picture::new(code, (&finding.message, Some(&finding.help)), finding.severity, labels, sources, style),
            style,
            out,
        );
    }
}

/// Draws the problems of a configuration that can't be read.
pub fn problems(problems: &[Problem], sources: &Sources, style: Style) -> String {
    let mut out = String::new();
    for problem in problems {
        let Problem { code, message, help, labels, .. } = problem;
        let labels = labels.iter().map(|(at, text)| (*at, text.as_str()));
        let picture =
            Picture::new(format!("error[{code}]"), (message, help.as_deref()), Severity::Error, labels, sources, style);
        render(picture, style, &mut out);
    }
    out
}

fn render(picture: Picture<'_>, style: Style, out: &mut String) {
    let theme = match (style.unicode, style.color) {
        (true, true) => GraphicalTheme::unicode(),
        (true, false) => GraphicalTheme::unicode_nocolor(),
        (false, true) => GraphicalTheme::ascii(),
        (false, false) => GraphicalTheme::none(),
    };
    // `read_span` builds the header of a snippet: variables have no line numbers, and columns count characters.
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width.max(NARROW))
        // Names must stay in one piece so that they can be copied.
        .with_break_words(false)
        .without_primary_span_start()
        .with_word_splitter(WordSplitter::NoHyphenation)
        .with_word_separator(WordSeparator::AsciiSpace)
        .with_links(false);
    // Rendering fails only if a span lies outside its source. The text matters more than the drawing.
    if handler.render_report(out, &picture).is_err() {
        out.extend([&picture.code, ": ", &picture.message, "\n"]);
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out.push('\n');
}

/// Several masked sources, concatenated for miette at offsets that do not overlap.
struct Picture<'a> {
    code: String,
    /// Text is escaped before the layout, because the drawing contains escapes of its own.
    message: String,
    help: Option<String>,
    severity: Severity,
    sources: &'a Sources,
    /// The excerpt of each source, and its offset.
    bases: Vec<(SourceId, Excerpt, usize)>,
    labels: Vec<(Spot, String)>,
    /// The columns available for a source line.
    room: usize,
}

impl<'a> Picture<'a> {
    fn new(
        code: String,
        (message, help): (&str, Option<&str>),
        severity: Severity,
        labels: impl Iterator<Item = (Spot, &'a str)>,
        sources: &'a Sources,
        style: Style,
    ) -> Self {
        // miette would draw two labels on one range side by side.
        let mut merged: Vec<(Spot, String)> = Vec::new();
        for (spot, text) in labels {
            let text = printable(text);
            match merged.iter_mut().find(|(known, _)| *known == spot) {
                Some((_, known)) if !known.contains(&text) => known.extend([", ", &text]),
                Some(_) => {}
                None => merged.push((spot, text)),
            }
        }
        let labels = merged;
        // In label order, so that the primary label comes first.
        let mut bases: Vec<(SourceId, Excerpt, usize)> = Vec::new();
        let mut at = 0;
        for (spot, _) in &labels {
            let id = spot.source;
            if !bases.iter().any(|&(known, ..)| known == id) {
                let masked = &sources.get(id).masked;
                let own = labels.iter().filter(|(spot, _)| spot.source == id);
                let spans: Vec<Span> = own.map(|(spot, _)| masked.map(spot.span)).collect();
                let excerpt = Excerpt::new(masked, &spans, style.width, style.unicode);
                let length = excerpt.text().len() + 1;
                bases.push((id, excerpt, at));
                at += length;
            }
        }
        let (message, help) = (printable(message), help.map(printable));
        Self { code, message, help, severity, sources, bases, labels, room: excerpt::columns_for_source(style.width) }
    }

    fn span(&self, spot: Spot) -> Span {
        let Some((_, excerpt, base)) = self.bases.iter().find(|&&(id, ..)| id == spot.source) else {
            return Span::default();
        };
        let Span { start, end } = excerpt.map(self.sources.get(spot.source).masked.map(spot.span));
        Span { start: base + start, end: base + end }
    }

    /// Wraps the text of a label next to its arrow.
    fn label(&self, spot: Spot, text: &str) -> String {
        let Some((_, excerpt, base)) = self.bases.iter().find(|&&(id, ..)| id == spot.source) else {
            return text.to_owned();
        };
        let Span { start, end } = self.span(spot);
        let before = excerpt.text().get(..usize::midpoint(start, end) - base).unwrap_or_default();
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count();
        // miette continues in the next line past the last column.
        if column >= self.room {
            return text.to_owned();
        }
        let options = wrapping(self.room.saturating_sub(column + 4).max(NARROW / 2));
        textwrap::fill(text, options)
    }
}

impl SourceCode for Picture<'_> {
    fn read_span<'s>(
        &'s self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'s> + 's>, MietteError> {
        let (id, excerpt, base) =
            self.bases.iter().rev().find(|&&(.., base)| base <= span.offset()).ok_or(MietteError::OutOfBounds)?;
        // Never join two sources in one snippet.
        if span.offset() + span.len() > base + excerpt.text().len() {
            return Err(MietteError::OutOfBounds);
        }
        let local = Span { start: span.offset() - base, end: span.offset() - base + span.len() };
        let (Span { start, end }, line, count) = excerpt.window(local, before, after);
        let label = self.labels.iter().find(|(spot, _)| self.span(*spot).start == span.offset());
        let name =
            label.map_or_else(|| self.sources.get(*id).name.clone(), |(spot, _)| place::name(*spot, self.sources));
        let name = printable(&name);
        let data = &excerpt.text().as_bytes()[start..end];
        let whole = SourceSpan::new((base + start).into(), data.len());
        Ok(Box::new(MietteSpanContents::new_named(name, data, whole, line, 0, count)))
    }
}

impl Diagnostic for Picture<'_> {
    fn code(&self) -> Option<Box<dyn fmt::Display + '_>> {
        Some(Box::new(&self.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        })
    }

    fn help(&self) -> Option<Box<dyn fmt::Display + '_>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        (!self.labels.is_empty()).then_some(self as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.labels.iter().enumerate().map(|(index, (spot, text))| {
            let span = self.span(*spot);
            // A label that only repeats the title is underlined without text.
            let repeated = index == 0 && self.message.contains(text.as_str());
            let (label, span) = (
                (!repeated).then(|| self.label(*spot, text)),
                SourceSpan::new(span.start.into(), span.end - span.start),
            );
            if index == 0 {
                LabeledSpan::new_primary_with_span(label, span)
            } else {
                LabeledSpan::new_with_span(label, span)
            }
        })))
    }
}

impl std::error::Error for Picture<'_> {}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)
    }
}
