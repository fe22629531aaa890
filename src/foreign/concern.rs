//! Finds out which files, and which of their documents, may concern a service. Most files don't contain the name of one,
//! and parsing them takes far longer than searching for names.

use std::cell::LazyCell;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickBuilder, AhoCorasickKind};

use super::file_type::FileType;
use super::{configuration, names};
use crate::config::OwnNames;
use crate::programs::{Mark, PROGRAMS};
use crate::schema::Kind;
use crate::services;
use crate::source::Dialect;
use crate::text::Span;

include!(concat!(env!("OUT_DIR"), "/words_concern.rs"));

/// Where a text may concern a service.
pub(super) enum Concern {
    /// Anywhere.
    Everywhere,
    /// At these offsets, sorted. Nowhere if there are none.
    At(Vec<usize>),
}

/// A word surrounded by more characters of base64 than this is part of a hash or a key.
const LONGEST_WORD: usize = 40;

impl Concern {
    /// Finds where a file may concern a service. A file whose name shows that it has credentials is read completely:
    /// quotes around a value are wrong whoever reads it, and a section may belong to a service without naming it.
    ///
    /// Also returns `true` if it may have a table of profiles, as a credlint configuration has.
    pub(super) fn from_file(text: &[u8], file_type: FileType, names: &OwnNames) -> (Self, bool) {
        let whole = !matches!(file_type.dialect, Dialect::Json | Dialect::Yaml | Dialect::Toml | Dialect::Xml);
        if file_type.known && whole {
            return (Self::Everywhere, true);
        }
        let (concern, may_be_own) = Self::from_text(text, file_type.dialect);
        (if names.are_in(text) { Self::Everywhere } else { concern }, may_be_own)
    }

    /// Finds where a text has a service's word, or a name that reaches browsers. Words are delimited as by
    /// [`crate::text::words`]. Files without tables are read completely if they have one.
    fn from_text(text: &[u8], dialect: Dialect) -> (Self, bool) {
        static WORDS: LazyLock<(AhoCorasick, Vec<Sign>)> = LazyLock::new(|| {
            let (words, signs): (Vec<String>, Vec<Sign>) = signs().into_iter().unzip();
            let mut builder = AhoCorasickBuilder::new();
            builder.ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
            (builder.build(words).expect("the words are few"), signs)
        });
        let (words, signs) = &*WORDS;
        let is_tree = matches!(dialect, Dialect::Json | Dialect::Yaml);
        let (mut at, mut may_be_own) = (Vec::new(), false);
        // An alias needs an anchor. In Markdown, such a line is emphasised.
        let anchored = LazyCell::new(|| text.windows(2).any(|two| two[0] == b'&' && !two[1].is_ascii_whitespace()));
        for found in words.find_overlapping_iter(text) {
            let (start, end) = (found.start(), found.end());
            let counts = match signs[found.pattern()] {
                Sign::Word => is_word(text, start, end),
                // Frameworks compare the prefix case-sensitively.
                Sign::Browser => {
                    text.get(end) == Some(&b'_')
                        && text[start..end].iter().all(|byte| !byte.is_ascii_lowercase())
                        && is_word_boundary(text, start)
                }
                Sign::Name => may_be_odd(text, end),
                Sign::Flag => dialect == Dialect::Shell,
                Sign::Escape => text.get(end).is_some_and(u8::is_ascii_hexdigit),
                Sign::Entity => dialect == Dialect::Xml,
                // The filter does not read such a text.
                Sign::Key if dialect == Dialect::Yaml && is_indirect_key(text, start, || *anchored) => {
                    return (Self::Everywhere, true);
                }
                Sign::Key => false,
                Sign::Secret => is_manifest_kind(text, start, end),
                Sign::Kind => {
                    may_be_own |= configuration::may_begin_table(text, start);
                    false
                }
                // One letter gives the kind of the token; no other letter or digit follows it.
                Sign::Token => {
                    let kind = text.get(end).is_some_and(u8::is_ascii_alphabetic);
                    kind && is_word_boundary(text, start) && !text.get(end + 1).is_some_and(u8::is_ascii_alphanumeric)
                }
            };
            if counts && !is_tree {
                return (Self::Everywhere, true);
            }
            at.extend(counts.then_some(start));
        }
        // Overlapping matches are ordered by their ends.
        at.sort_unstable();
        at.dedup();
        (Self::At(at), may_be_own)
    }

    /// Returns `true` if the text may concern a service.
    pub(super) fn is_any(&self) -> bool {
        !matches!(self, Self::At(at) if at.is_empty())
    }

    fn overlaps(&self, Span { start, end }: Span) -> bool {
        match self {
            Self::Everywhere => true,
            Self::At(at) => at.get(at.partition_point(|at| *at < start)).is_some_and(|at| *at < end),
        }
    }

    /// Returns the documents of a YAML text that may concern a service: Kubernetes resource definitions have megabytes.
    /// `None` for all.
    pub(super) fn documents(&self, text: &str) -> Option<Vec<Span>> {
        // A directive belongs to the document after the next marker, and a comment may allow a finding.
        let all = matches!(self, Self::Everywhere);
        if all || text.contains("\n%") || text.starts_with('%') || text.contains("credlint:") {
            return None;
        }
        let is_mark = |at: &usize| text.as_bytes().get(at + 4).is_none_or(u8::is_ascii_whitespace);
        let marks = text.match_indices("\n---").map(|(at, _)| at).filter(is_mark).map(|at| at + 1);
        let mut start = 0;
        let documents = marks.chain([text.len()]).map(|end| Span { start: std::mem::replace(&mut start, end), end });
        let counts = |document: &Span| self.overlaps(*document) && !defines_type(&text[document.start..document.end]);
        Some(documents.filter(counts).collect())
    }
}

/// Returns `true` for a Kubernetes document that defines a type: it has a schema, and no values.
fn defines_type(document: &str) -> bool {
    const BEFORE: [&str; 4] = ["#", "---", "{{", "apiVersion:"];
    let mut lines = document.lines().map(str::trim_end);
    let kind = lines.find(|line| !line.is_empty() && !BEFORE.iter().any(|start| line.starts_with(start)));
    kind == Some("kind: CustomResourceDefinition")
}

/// A sign that a text may concern a service.
#[derive(Clone, Copy)]
enum Sign {
    /// The word of a service, or a program's own name or value.
    Word,
    /// The prefix of a token.
    Token,
    /// The prefix of a variable that reaches browsers.
    Browser,
    /// The start of a letter that is escaped, as in JSON and YAML.
    Escape,
    /// A character of XML by its number.
    Entity,
    /// A mark of a key in YAML that need not be where its name is: `*alias :`, or `? "…"`, which may have line breaks.
    Key,
    /// The kind of a Kubernetes manifest with files in base64.
    Secret,
    /// What the name of any credential has.
    Name,
    /// What gives a file to a container.
    Flag,
    /// A top-level table of a credlint configuration.
    Kind,
}

/// Returns the patterns to search for.
fn signs() -> Vec<(String, Sign)> {
    let services = services::all().iter().filter(|service| !service.fields.is_empty());
    let words = services.flat_map(|service| {
        service.words.iter().flat_map(|word| spellings(service.words, word)).map(|word| (word, Sign::Word))
    });
    let mut signs: Vec<(String, Sign)> = words.collect();
    let named = |name: &str| {
        let upper = name.to_uppercase();
        services::all().iter().any(|service| service.words.iter().any(|word| upper.contains(word)))
    };
    // Keys of Kubernetes Secrets, names that have a meaning only in programs' own files, and variables of npm's and
    // LiteLLM's files.
    let mut own = vec!["stringdata", "node_auth_token", "npm_token", "os.environ"];
    for group in PROGRAMS.iter().flat_map(|program| program.groups) {
        let keys = || group.keys.iter().map(|key| key.name);
        match group.mark {
            Mark::Begins(_, value) => own.push(value.trim_end_matches('@')),
            // Many programs have a list of this name.
            Mark::In(_) if keys().all(named) => own.extend(keys()),
            // The `runners` of GitLab Runner.
            Mark::In(list) => own.push(list),
            // A file in a manifest or a script.
            Mark::File(name) if name.starts_with(['.', '_']) => own.push(name),
            // Only the type of the section identifies it.
            Mark::Section(..) => own.extend(keys().filter(|key| key.contains('_'))),
            _ => {}
        }
    }
    let mut add = |words: &[&str], sign: Sign| signs.extend(words.iter().map(|word| ((*word).to_owned(), sign)));
    add(&own, Sign::Word);
    add(&["XOX"], Sign::Token);
    add(names::BROWSER, Sign::Browser);
    add(ESCAPES, Sign::Escape);
    add(&["&#"], Sign::Entity);
    add(&["*", "? "], Sign::Key);
    add(&["secret"], Sign::Secret);
    add(CREDENTIALS, Sign::Name);
    add(&["--env-file"], Sign::Flag);
    add(&Kind::names().collect::<Vec<_>>(), Sign::Kind);
    signs
}

/// Returns the spellings of a service's word: with anything between its parts, or only the part that is a word of the
/// service, too.
fn spellings(words: &[&str], word: &str) -> Vec<String> {
    if let Some(part) = word.split('_').find(|part| words.contains(part)) {
        return vec![part.to_owned()];
    }
    ["", "_", "-", ".", " "].map(|between| word.replace('_', between)).to_vec()
}

/// Returns `true` for an alias or a quoted text that may be a key.
fn is_indirect_key(text: &[u8], at: usize, anchored: impl FnOnce() -> bool) -> bool {
    let before = text[..at].iter().rev().find(|byte| !b" \t-".contains(byte));
    if !before.is_none_or(|byte| b"\n{,".contains(byte)) {
        return false;
    }
    if text[at] == b'?' {
        return text[at..].iter().skip(1).find(|byte| **byte != b' ').is_some_and(|byte| b"\"'*".contains(byte));
    }
    let rest = &text[at + 1..];
    let name = rest.iter().position(|byte| byte.is_ascii_whitespace() || b",:{}[]".contains(byte)).unwrap_or(0);
    name > 0 && rest[name..].trim_ascii_start().starts_with(b":") && anchored()
}

/// Returns `true` for the end of a name that has a value behind it in which anything could be odd. Nearly all values are
/// words, references and templates, and a finding about a name needs another one that is known.
fn may_be_odd(text: &[u8], end: usize) -> bool {
    const ODD: [&[u8]; 14] =
        [b"$", b"\"", b"'", b"`", b"\\", b"://", b"@", b"<", b"...", b"eyJ", b"Bearer", b"your", b"YOUR", b"{{"];
    const ASKS: [&[u8]; 6] = [b"change", b"replace", b"todo", b"xxx", b"insert", b"token"];
    /// What is behind a longer line is not looked at: there are as many as names.
    const LONGEST_LINE: usize = 512;
    let rest = &text[end..text.len().min(end + LONGEST_LINE + 1)];
    // An address takes a password from this variable.
    let behind = rest.strip_prefix(b" ").unwrap_or(rest);
    if [&b"}@"[..], b"}}@", b")@"].iter().any(|end| behind.starts_with(end)) {
        return true;
    }
    let rest = rest.strip_prefix(b"\"").or(rest.strip_prefix(b"'")).unwrap_or(rest).trim_ascii_start();
    let assigned = rest.starts_with(b"=");
    let Some(rest) = rest.strip_prefix(b"=").or(rest.strip_prefix(b":")) else { return false };
    let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
    #[cfg(test)]
    crate::text::work::add(line.len());
    let line = line.trim_ascii();
    let value = line.strip_suffix(b",").unwrap_or(line);
    let quoted = |quote: u8| value.len() > 1 && value.first() == Some(&quote) && value.last() == Some(&quote);
    // In a list of `NAME=value`, quotes are part of the value.
    let value = if assigned {
        value
    } else if quoted(b'"') || quoted(b'\'') {
        &value[1..value.len() - 1]
    } else {
        value
    };
    let whole = |open: &[u8], close: &[u8]| value.starts_with(open) && value.ends_with(close);
    if value.is_empty() || whole(b"${", b"}") {
        return false;
    }
    let has = |word: &[u8]| value.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    line.len() >= LONGEST_LINE || value.trim_ascii() != value || ODD.iter().chain(&ASKS).any(|word| has(word))
}

/// Returns `true` if a word is the kind of a manifest.
fn is_manifest_kind(text: &[u8], start: usize, end: usize) -> bool {
    let key = before_quote(&text[..start]).strip_suffix(b":").map(before_quote);
    let key = key.and_then(|key| key.last_chunk::<4>());
    key.is_some_and(|key| key.eq_ignore_ascii_case(b"kind")) && is_value(text, start, end)
}

/// Returns `true` if a word of a name may begin or end at a location.
fn is_word_boundary(text: &[u8], at: usize) -> bool {
    let (before, here) = (text.get(at.wrapping_sub(1)), text.get(at));
    let inside = before.is_some_and(u8::is_ascii_alphanumeric) && here.is_some_and(u8::is_ascii_alphanumeric);
    let camel = here.is_some_and(u8::is_ascii_uppercase) && !before.is_some_and(u8::is_ascii_uppercase);
    // `\n` before a name, in a script inside a JSON string.
    let escaped = || at > 1 && text[at - 2] == b'\\' && matches!(text[at - 1], b'n' | b'r' | b't');
    !inside || camel || escaped()
}

/// Returns `true` if a service's word is a complete word of a name.
fn is_word(text: &[u8], start: usize, end: usize) -> bool {
    if !is_word_boundary(text, start) || !is_word_boundary(text, end) {
        return false;
    }
    // Two or three characters occur in every hash and key by chance.
    let encoded = |byte: &&u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
    let around = || {
        let before = text[..start].iter().rev().take(LONGEST_WORD).take_while(encoded).count();
        before + text[end..].iter().take(LONGEST_WORD).take_while(encoded).count()
    };
    end - start > 3 || around() < LONGEST_WORD
}

/// Returns `true` if a word is a complete value: `type: b2`, `"type": "b2"`.
fn is_value(text: &[u8], start: usize, end: usize) -> bool {
    let rest = after_quote(&text[end..]);
    let ends = matches!(rest, [] | [b'\n' | b'\r' | b' ' | b'\t' | b',' | b'}' | b']' | b'\\', ..]);
    let bare = before_quote(&text[..start]);
    // A colon must be followed by a space: `a3:b2` is part of a network address.
    let quoted = || matches!(bare, [.., b'"' | b'\'', b':']);
    let apart = bare.len() < start || bare.ends_with(b"=") || quoted();
    ends && apart && bare.last().is_some_and(|byte| b":=".contains(byte))
}

/// Skips a quote, literal or escaped, if there is one.
fn after_quote(text: &[u8]) -> &[u8] {
    let bare = text.strip_prefix(b"\\").unwrap_or(text);
    match bare {
        [b'"' | b'\'', rest @ ..] => rest,
        _ => text,
    }
}

/// Returns the text before trailing whitespace and a quote, literal or escaped.
fn before_quote(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let bare = text.strip_suffix(b"\"").or(text.strip_suffix(b"'")).unwrap_or(text);
    bare.strip_suffix(b"\\").unwrap_or(bare).trim_ascii_end()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file_type::inside;
    use super::super::read::{FileText, credentials};
    use super::*;
    use crate::config::Profile;
    use crate::secret::Vault;
    use crate::source::{ParsedText, PipeTexts, Reader, Sources};

    fn concerns(text: &str, dialect: Dialect) -> bool {
        Concern::from_text(text.as_bytes(), dialect).0.is_any()
    }

    fn may_concern(text: &str) -> bool {
        concerns(text, Dialect::Json)
    }

    /// Each name looks at its own value only, also where all of them are in one line.
    #[test]
    fn work_grows_with_the_size_of_a_line() {
        let work = |count: usize| {
            let text = format!("{{{}}}", "\"password\":1,".repeat(count));
            crate::text::work::steps_of(|| drop(Concern::from_text(text.as_bytes(), Dialect::Json)))
        };
        let (once, twice) = (work(200), work(400));
        assert!(once > 200 && twice * 10 < once * 22, "{once} {twice}");
    }

    /// Every file in which something is found without the filter passes the filter.
    #[test]
    fn filter_passes_every_file_with_findings() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let (mut found, mut skipped) = (0, 0);
        for folder in ["tests/corpus/foreign", "src/services"] {
            for file in std::fs::read_dir(root.join(folder)).unwrap() {
                let corpus = std::fs::read_to_string(file.unwrap().path()).unwrap();
                for case in corpus.split("\n=== ").skip(1) {
                    let (path, text) = case.split_once('\n').unwrap();
                    let text = text.split("\n=> ").next().unwrap().split("\n--- ").next().unwrap();
                    let text = text.split("\n'''\n").next().unwrap();
                    let Some(file_type) = FileType::from_path(Path::new(path)) else { continue };
                    let (mut vault, mut sources) = (Vault::default(), Sources::default());
                    let (directory, pipes) = (Path::new(""), PipeTexts::default());
                    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, pipes: &pipes };
                    let (concern, _) = Concern::from_file(text.as_bytes(), file_type, &OwnNames::default());
                    let read = reader.read(&mut text.to_owned(), file_type.dialect, inside, None);
                    let documents = concern.documents(text);
                    let some = reader.read(&mut text.to_owned(), file_type.dialect, inside, documents.as_deref());
                    let mut found_by = |read: &ParsedText| {
                        let found = credentials(
                            read.roots(),
                            &mut vault,
                            FileText { file_type, name: Some(path), text, path: None },
                            (&OwnNames::default(), None),
                        )
                        .profiles;
                        let settings =
                            |profile: &Profile| profile.settings.iter().map(|one| one.at).collect::<Vec<_>>();
                        found.iter().map(|profile| (profile.at, settings(profile))).collect::<Vec<_>>()
                    };
                    let (all, concerned) = (found_by(&read), found_by(&some));
                    let (any, passes) = (!all.is_empty(), concern.is_any());
                    assert!(passes || !any, "{path}: {text}");
                    assert!(!passes || all == concerned, "{path}: {all:?} {concerned:?}\n{text}");
                    found += usize::from(any);
                    skipped += usize::from(!passes);
                }
            }
        }
        assert!(found > 150 && skipped > 0, "{found} {skipped}");
        // Every name in every spelling.
        for service in services::all().iter().filter(|service| !service.fields.is_empty()) {
            let words = service.fields.iter().flat_map(|field| field.names).flat_map(|names| names.words);
            for (word, name) in words.flat_map(|name| service.words.iter().map(move |word| (word, name))) {
                let parts: Vec<String> = format!("{word}_{name}").split('_').map(str::to_lowercase).collect();
                let capital = |part: &String| part[..1].to_uppercase() + &part[1..];
                let camel: String = parts.iter().map(capital).collect();
                let spelled = [parts.join("_"), parts.join("-"), parts.join("."), camel.clone(), format!("my{camel}")];
                for name in spelled.iter().chain([&parts.join("_").to_uppercase(), &format!("VITE_{camel}")]) {
                    let text = format!("a: 1\n{name}: x\n");
                    assert!(names::meaning(name).is_none() || may_concern(&text), "{name}");
                }
            }
        }
    }

    #[test]
    fn reads_only_documents_that_name_a_service() {
        let read = |text: &str| {
            let documents = Concern::from_text(text.as_bytes(), Dialect::Yaml).0.documents(text)?;
            Some(documents.iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>())
        };
        let named = "---\nslackToken: x\n----: a\n";
        assert_eq!(read(&format!("a: 1\n{named}---\nb: 1\n---\n")).as_deref(), Some(&[named.to_owned()][..]));
        assert_eq!(read("a: 1\n---\n").as_deref(), Some(&[][..]));
        // The definition of a type has no values.
        let definition =
            "---\n# a\n{{- if .Values.a }}\napiVersion: x\nkind: CustomResourceDefinition\nspec: slack_token\n";
        assert_eq!(read(&format!("{definition}{named}")).as_deref(), Some(&[named.to_owned()][..]));
        let below = "a:\n  kind: CustomResourceDefinition\nslackToken: x\n";
        assert_eq!(read(below).as_deref(), Some(&[below.to_owned()][..]));
        let named = [(0, 5), (5, 6)].map(|(start, end)| Concern::At(vec![5]).overlaps(Span { start, end }));
        assert_eq!(named, [false, true]);
        // A document's directive is above its marker.
        for text in ["a: 1\n...\n%YAML 1.2\n---\nslackToken: x\n", "%YAML 1.2\n---\nslackToken: x\n"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn detects_configurations_with_tables_of_several_kinds() {
        let text = "[storage.a]\nkey_id = \"\"\n[messaging.b]\ntoken = \"\"\n";
        assert!(Concern::from_text(text.as_bytes(), Dialect::Toml).1);
    }

    #[test]
    fn skips_unrelated_files() {
        let names =
            ["SLACK_TOKEN=", "a: Slack", "x B2_", "backblaze", "xoxb-", "twilio:", "VITE_X=", "hosts.twilio: {"];
        let spelled = [
            "b2KeyId", "myB2Key", "slackBotToken", "prod.slack.token", "my-b2", "\\u0053LACK", "\u{e9}slack:",
            "new relic license key: x", "newRelicLicenseKey: x", "NEW-RELIC", "a\\nslack_token=", "[slack]",
            "{\"type\":\"b2\"}", "a: -r b2:bucket", "kind: 'Secret'", "ab: c\\nslack_token=", "smtp: {", "smtpHost",
        ];
        for text in names.into_iter().chain(spelled) {
            assert!(may_concern(text), "{text}");
        }
        for text in [
            "",
            "b",
            "sla ck",
            "xo",
            "a=2",
            "a1b2c3",
            "invite",
            "slackline",
            "x\\u003c",
            "new: x",
            "kind: SecretStore",
            "vite_x",
            "axoxb-1",
            "mystringData: x",
            "aslack: x",
            "inslack: x",
            "global: 1",
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxx/b2/xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        ] {
            assert!(!may_concern(text), "{text}");
        }
    }
}
