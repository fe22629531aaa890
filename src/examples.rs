//! Proves the rows of a service by its samples and examples: each value is recognised, belongs where its rows say, and has
//! the same findings in every input that can hold it. `credlint services check` and the tests run this.

use std::path::{Component, Path};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::config::Environment;
use crate::foreign::{Candidate, FileType};
use crate::form;
use crate::lint::{CheckOptions, Search, own_services, search};
use crate::services::file::{ServiceFile, Spanned};
use crate::services::resolve::{self, File};
use crate::services::{self, Form, Issuer, Service};
use crate::text;

pub use crate::services::sample::Maker;

include!(concat!(env!("OUT_DIR"), "/words_examples.rs"));

/// Names and values.
pub type Variables = Vec<(String, String)>;

/// Rule, severity and name of each finding, sorted.
pub type Findings = Vec<[String; 3]>;

/// A file with the findings that it must have.
#[derive(Debug)]
pub struct Case {
    /// The name of the file that has the example, and the line there.
    pub place: String,
    /// Its path.
    pub path: String,
    /// Its text, with values.
    pub text: String,
    /// Rule, severity, line and name.
    pub expected: Vec<[String; 4]>,
}

/// Reads examples, of which the first line has this number. What is before the first file is for readers.
///
/// # Errors
///
/// Returns the place of an expected finding that can't be read.
pub fn cases(name: &str, first: usize, text: &str, seed: u64) -> Result<Vec<Case>, String> {
    let mut maker = Maker::new(seed);
    let mut cases: Vec<Case> = Vec::new();
    for (line, text) in (first..).zip(text.lines()) {
        let place = format!("{name}:{line}");
        if let Some(path) = text.strip_prefix("=== ") {
            if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(format!("{place}: not the path of a file below a directory"));
            }
            cases.push(Case { place, path: path.to_owned(), text: String::new(), expected: Vec::new() });
        } else if let Some(case) = cases.last_mut().filter(|_| !text.starts_with("--- ")) {
            if let Some(expected) = text.strip_prefix("=> ") {
                let words: Vec<String> = expected.split(' ').map(str::to_owned).collect();
                let words = words.try_into().map_err(|_| format!("{place}: a finding is `=> RULE SEVERITY LINE NAME`"));
                case.expected.push(words?);
            } else {
                case.text += &filled(text, &mut maker);
                case.text += "\n";
            }
        }
    }
    // As a report has them.
    for case in &mut cases {
        case.expected.sort_by_key(|[_, _, line, _]| line.parse::<usize>().unwrap_or_default());
    }
    Ok(cases)
}

/// A line with values. `⟦…⟧` is encoded in base64.
fn filled(line: &str, maker: &mut Maker) -> String {
    let line = VALUES.iter().fold(line.to_owned(), |line, (name, form)| line.replace(name, form));
    let mut line = maker.fill(&line).replace('␍', "\r").replace('␉', "\t");
    while let Some((start, end)) = line.find('⟦').zip(line.find('⟧')).filter(|(start, end)| start < end) {
        let encoded = STANDARD.encode(&line[start + '⟦'.len_utf8()..end]);
        line.replace_range(start..end + '⟧'.len_utf8(), &encoded);
    }
    line
}

impl Case {
    /// The variables of a dotenv file without syntax of its own.
    pub fn variables(&self) -> Option<Variables> {
        let is_plain = self.path == ".env" || Path::new(&self.path).extension().is_some_and(|end| end == "env");
        let all = self.text.lines().filter(|line| !line.is_empty()).map(|line| line.split_once('='));
        let all = all.map(|one| one.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let all: Option<Variables> = all.collect();
        // A reference counts as present in a file, and is wrong in a process.
        all.filter(|_| is_plain && !self.text.contains("${"))
    }

    /// The findings without their lines.
    pub fn findings(&self) -> Findings {
        without_lines(self.expected.iter().cloned())
    }
}

/// Says how the findings of an input differ, if they do.
pub fn difference(input: &str, found: &Findings, expected: &Findings) -> Option<String> {
    // Notes do not reject a correct setup.
    let notes = expected.is_empty() && found.iter().all(|[_, severity, _]| severity == "note");
    (found != expected && !notes).then(|| format!("{input}: found {}, expected {}", told(found), told(expected)))
}

fn told(findings: &Findings) -> String {
    listed(findings.iter().map(|[rule, severity, name]| format!("{severity} {rule} of {}", text::name(name))))
}

fn listed(findings: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = findings.collect();
    if all.is_empty() { "no finding".to_owned() } else { all.join(", ") }
}

/// An input: how it is called, the name of the file, and its text.
pub type Input = (&'static str, &'static str, fn(&[(String, String)]) -> String);

/// Writes a line for each variable.
pub fn lines(variables: &[(String, String)], line: impl Fn(&str, &str) -> String) -> String {
    variables.iter().map(|(name, value)| line(name, value) + "\n").collect()
}

/// The files that can hold variables.
pub const INPUTS: &[Input] = &[
    ("dotenv", "a.env", |all| lines(all, |name, value| format!("{name}={value}"))),
    ("dotenv with quotes", "a.env", |all| lines(all, |name, value| format!("{name}=\"{value}\""))),
    ("shell", "a.sh", |all| lines(all, |name, value| format!("export {name}='{value}'"))),
    ("Windows", "a.bat", |all| lines(all, |name, value| format!("set {name}={value}"))),
    ("systemd", "a.service", |all| {
        format!("[Service]\n{}", lines(all, |name, value| format!("Environment=\"{name}={value}\"")))
    }),
    ("TOML", "a.toml", |all| format!("[env]\n{}", lines(all, |name, value| format!("{name} = \"{value}\"")))),
    ("INI", "a.ini", |all| format!("[env]\n{}", lines(all, |name, value| format!("{name} = {value}")))),
    ("JSON", "a.json", |all| {
        let all: serde_json::Map<_, _> = all.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
        serde_json::Value::Object(all).to_string()
    }),
    ("compose, a map", "a.yaml", |all| {
        format!("services:\n  a:\n    environment:\n{}", lines(all, |name, value| format!("      {name}: \"{value}\"")))
    }),
    ("compose, a list", "a.yaml", |all| {
        format!("services:\n  a:\n    environment:\n{}", lines(all, |name, value| format!("      - {name}={value}")))
    }),
    ("a container", "a.yaml", |all| {
        let one = |name: &str, value: &str| format!("        - name: {name}\n          value: \"{value}\"");
        format!("kind: Pod\nspec:\n  containers:\n    - name: a\n      env:\n{}", lines(all, one))
    }),
    ("a ConfigMap", "a.yaml", |all| {
        format!("kind: ConfigMap\ndata:\n{}", lines(all, |name, value| format!("  {name}: \"{value}\"")))
    }),
    ("a Secret in plain text", "a.yaml", |all| {
        format!("kind: Secret\nstringData:\n{}", lines(all, |name, value| format!("  {name}: \"{value}\"")))
    }),
    ("a Secret in base64", "a.yaml", |all| {
        format!("kind: Secret\ndata:\n{}", lines(all, |name, value| format!("  {name}: {}", STANDARD.encode(value))))
    }),
    ("a workflow", "a.yml", |all| {
        format!("jobs:\n  a:\n    env:\n{}", lines(all, |name, value| format!("      {name}: \"{value}\"")))
    }),
];

/// What was found about the rows of a service.
#[derive(Debug, Default)]
pub struct Proof {
    /// What is wrong, each with the file and the line.
    pub failures: Vec<String>,
    /// The number of samples.
    pub samples: usize,
    /// The number of examples.
    pub examples: usize,
    /// The number of inputs that they were read from.
    pub inputs: usize,
}

/// The inputs from which examples are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// The file of the example.
    File,
    /// Also standard input, the variables of a process, and files of every kind.
    All,
}

/// Why a file is not proved.
#[derive(Debug)]
pub enum ProofError {
    /// What is wrong in the file, with its line.
    File(String),
    /// The system refused something.
    System(String),
}

/// Reads a file of facts, and tries its rows together with the built-in ones, in place of those of the same id. Only before
/// this process reads any value.
///
/// A new service is tried as that of a project, whose values are not known by their form alone, unless it `is_new` in this
/// program.
///
/// # Errors
///
/// Returns an error if the file is wrong, or can't be tried.
pub(crate) fn try_file(path: &str, id: &str, text: &str, is_new: bool) -> Result<Proof, ProofError> {
    if !is_new && services::SERVICES.iter().all(|service| service.id != id) {
        return try_own_file(path, id, text);
    }
    let built_in = services::SERVICES.iter().position(|service| service.id == id);
    let file = File::parse(path.to_owned(), id.to_owned(), text, built_in.is_none()).map_err(ProofError::File)?;
    let mut all = services::SERVICES.to_vec();
    let old = built_in.map(|at| all.remove(at));
    let row = resolve::resolve(&file, &all, services::SHARED).map_err(ProofError::File)?;
    let row: &'static Service = Box::leak(Box::new(row));
    all.insert(built_in.filter(|_| old.is_some()).unwrap_or(all.len()), row);
    if !services::replace_all(all) {
        return Err(ProofError::System("values have already been read".to_owned()));
    }
    prove(&file, row, Extent::All)
}

fn try_own_file(path: &str, id: &str, text: &str) -> Result<Proof, ProofError> {
    let row = own_services::rows(path, id, text, &[]).map_err(ProofError::File)?;
    let file = File::parse(path.to_owned(), id.to_owned(), text, true).map_err(ProofError::File)?;
    if !services::add_own(vec![row], Vec::new()) {
        return Err(ProofError::System("values have already been read".to_owned()));
    }
    match services::own() {
        [service] => prove(&file, service, Extent::All),
        _ => Err(ProofError::System("the service was not added".to_owned())),
    }
}

/// Reads the rows of a project's file, and returns what would be printed of them.
///
/// # Errors
///
/// Returns what is wrong in the file.
pub fn read_own_file(path: &str, id: &str, text: &str) -> Result<String, String> {
    let row = own_services::rows(path, id, text, &[])?;
    serde_json::to_string(&row).map_err(|error| error.to_string())
}

/// Tries the rows of a built-in service, as this process has them.
///
/// # Errors
///
/// Returns an error if the file is wrong, or can't be tried.
pub fn prove_built_in(path: &str, id: &str, text: &str) -> Result<Proof, ProofError> {
    let file = File::parse(path.to_owned(), id.to_owned(), text, false).map_err(ProofError::File)?;
    let service = services::all().iter().find(|service| service.id == id);
    let service = service.ok_or_else(|| ProofError::File("no such service".to_owned()))?;
    prove(&file, service, Extent::File)
}

fn prove(file: &File<ServiceFile>, service: &'static Service, extent: Extent) -> Result<Proof, ProofError> {
    let cases = cases_of(file, 7).map_err(ProofError::File)?;
    let mut trial = Trial { file, service, proof: Proof::default() };
    trial.forms();
    trial.fields();
    trial.examples(&cases, extent).map_err(ProofError::System)?;
    Ok(trial.proof)
}

/// Reads the examples of a service.
///
/// # Errors
///
/// Returns what is wrong in the file.
pub fn cases_of_service(path: &str, text: &str, seed: u64) -> Result<Vec<Case>, String> {
    cases_of(&File::parse(path.to_owned(), String::new(), text, false)?, seed)
}

fn cases_of(file: &File<ServiceFile>, seed: u64) -> Result<Vec<Case>, String> {
    match &file.rows.examples.files {
        Some(files) => cases(&file.path, file.line(files.span().start) + 1, files.get_ref(), seed),
        None => Ok(Vec::new()),
    }
}

struct Trial<'a> {
    file: &'a File<ServiceFile>,
    service: &'static Service,
    proof: Proof,
}

impl Trial<'_> {
    fn fail<T>(&mut self, at: &Spanned<T>, message: &str) {
        self.proof.failures.extend(self.file.fail::<T, ()>(at, message).err());
    }

    /// Each sample has its form, and no form of another service that issues it alone.
    fn forms(&mut self) {
        for (name, _) in &self.file.rows.form.0 {
            let id = format!("{}/{}", self.service.id, name.get_ref());
            let Some(form) = self.service.forms.iter().copied().find(|form| form.id == id) else { continue };
            self.proof.samples += form.samples.len();
            for (sample, seed) in form.samples.iter().flat_map(|sample| [(sample, 1), (sample, 2), (sample, 3)]) {
                let value = Maker::new(seed).fill(sample);
                if !form::has_form(&value, form) {
                    self.fail(name, "its sample does not match its patterns; `{w*9}` are small letters and digits, `{x*9}` also capitals");
                    break;
                }
                let found = form::find_all(&value);
                // A project's form is asked after all that identify their issuer.
                let is_own = services::own().iter().any(|own| std::ptr::eq(*own, self.service));
                let first = found.first().filter(|other| !is_own || other.identifies_issuer());
                if let Some(other) = first.filter(|_| !found.contains(&form)) {
                    self.fail(name, &format!("its sample is treated as `{}`", other.id));
                    break;
                }
            }
            let overlap = self.others().find(|other| overlap(form, other)).map(|other| other.id);
            if let Some(other) = overlap {
                self.fail(
                    name,
                    &format!("a sample of it or of `{other}` has both forms, and `issued_by` does not say so"),
                );
            }
        }
    }

    /// The forms of other services.
    fn others(&self) -> impl Iterator<Item = &'static Form> + use<> {
        let own = self.service.id;
        services::all().iter().filter(move |service| service.id != own).flat_map(|service| service.forms).copied()
    }

    /// Each sample in each field that takes it, and where it is a mistake.
    fn fields(&mut self) {
        for (name, row) in &self.file.rows.field.0 {
            let id = format!("{}/{}", self.service.id, name.get_ref());
            let Some(field) = self.service.fields.iter().copied().find(|field| field.id == id) else { continue };
            let variable = field.names.first().and_then(|names| self.service.variable_names(names).next());
            let Some(variable) = variable.filter(|_| !row.hint) else { continue };
            // Variables rarely have several lines.
            for form in field.takes.iter().filter(|form| !form.spaced) {
                for [rule, severity, _] in findings_under(&variable, form) {
                    if OF_VALUES.contains(&&*rule) && severity != "note" {
                        self.fail(name, &format!("`{}` under `{variable}` has the finding {rule}", form.id));
                    }
                }
            }
            for (mistake, resolved) in row.mistake.iter().zip(field.mistakes) {
                for form in resolved.forms {
                    if !self.service.shared && findings_under(&variable, form).is_empty() {
                        self.fail(mistake, &format!("`{}` under `{variable}` has no finding", form.id));
                    }
                }
            }
        }
    }

    /// The examples in every input that can hold them.
    fn examples(&mut self, cases: &[Case], extent: Extent) -> Result<(), String> {
        let directory = tempfile::tempdir().map_err(|error| format!("a temporary directory: {error}"))?;
        self.proof.examples = cases.len();
        for (number, case) in cases.iter().enumerate() {
            let directory = directory.path().join(number.to_string());
            let mut wrong = Vec::new();
            let found = found_in_file(&directory, &case.path, &case.text)?;
            self.proof.inputs += 1;
            let is_right = case.expected.is_empty() && found.iter().all(|[_, severity, ..]| severity == "note");
            if found != case.expected && !is_right {
                wrong.push(format!("found {}, expected {}", told_with_lines(&found), told_with_lines(&case.expected)));
            }
            if let Some(variables) = case.variables().filter(|_| wrong.is_empty() && extent == Extent::All) {
                let expected = case.findings();
                for (input, found) in found_in_process(&variables)? {
                    self.proof.inputs += 1;
                    wrong.extend(difference(input, &found, &expected));
                }
                for (input, path, text) in INPUTS.iter().filter(|_| extent == Extent::All) {
                    let found = found_in_file(&directory, path, &text(&variables))?;
                    self.proof.inputs += 1;
                    wrong.extend(difference(input, &without_lines(found), &expected));
                }
            }
            self.proof.failures.extend(wrong.into_iter().map(|wrong| format!("{}: {wrong}", case.place)));
        }
        Ok(())
    }
}

/// Returns `true` if a sample of one form has the other one, although both have one issuer.
fn overlap(form: &'static Form, other: &'static Form) -> bool {
    let is_alone = |form: &Form| form.certain && form.issued_by == Issuer::This;
    let has = |of: &Form, form: &'static Form| {
        of.samples.iter().any(|sample| form::has_form(&Maker::new(1).fill(sample), form))
    };
    is_alone(form) && is_alone(other) && (has(form, other) || has(other, form))
}

/// The findings of a sample under the name of a variable.
fn findings_under(variable: &str, form: &'static Form) -> Findings {
    let Some(sample) = form.samples.first() else { return Vec::new() };
    let variables = [(variable.to_owned(), Maker::new(5).fill(sample))];
    let search = new_search(Path::new("/")).with_environment(variables.into_iter().collect::<Environment>());
    without_lines(run(&search).unwrap_or_default().into_iter().map(|(_, finding)| finding))
}

fn new_search(directory: &Path) -> Search {
    Search::new(directory).with_isolated(true)
}

/// The findings of a search, each with its file.
fn run(search: &Search) -> Result<Vec<(String, [String; 4])>, String> {
    let found = self::search(search, &CheckOptions::default());
    let (report, _) = found.map_err(|_| "the examples can't be read".to_owned())?;
    serde_json::from_str(&report.to_json()).map(|document| in_document(&document)).map_err(|error| error.to_string())
}

/// The findings in a file.
fn found_in_file(directory: &Path, path: &str, text: &str) -> Result<Vec<[String; 4]>, String> {
    let file = directory.join(path);
    let parent = file.parent().unwrap_or(directory);
    let failed = |error: std::io::Error| format!("{}: {error}", text::name(path));
    std::fs::create_dir_all(parent).map_err(failed)?;
    std::fs::write(&file, text).map_err(failed)?;
    let file_type = FileType::from_path(Path::new(path)).unwrap_or_else(|| FileType::from_text(text));
    let found = run(&new_search(directory).with_files([Candidate::new(file, file_type)]))?;
    Ok(found.into_iter().map(|(_, finding)| finding).collect())
}

/// The findings in a dotenv text and in an environment.
///
/// # Errors
///
/// Returns an error if they can't be read.
pub fn found_in_process(variables: &Variables) -> Result<[(&'static str, Findings); 2], String> {
    let text = lines(variables, |name, value| format!("{name}={value}"));
    let env = FileType::named("env").ok_or("no type of files")?;
    let of = |search: Search| run(&search).map(|found| without_lines(found.into_iter().map(|(_, finding)| finding)));
    let environment: Environment = variables.iter().cloned().collect();
    Ok([
        ("standard input", of(new_search(Path::new("/")).with_text(text, env))?),
        ("an environment", of(new_search(Path::new("/")).with_environment(environment))?),
    ])
}

/// The findings without their lines, sorted.
pub fn without_lines(found: impl IntoIterator<Item = [String; 4]>) -> Findings {
    let mut all: Findings = found.into_iter().map(|[rule, severity, _, name]| [rule, severity, name]).collect();
    all.sort();
    all
}

/// The file, and rule, severity, line and name of each finding in a report in JSON.
pub fn in_document(document: &serde_json::Value) -> Vec<(String, [String; 4])> {
    let word = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let one = |finding: &serde_json::Value| {
        let name = word(&finding["message"]).split('`').nth(1).unwrap_or_default().to_owned();
        let label = &finding["labels"][0];
        let line = label["span"]["start"]["line"].to_string();
        (word(&label["source"]["name"]), [word(&finding["rule"]), word(&finding["severity"]), line, name])
    };
    document["findings"].as_array().into_iter().flatten().map(one).collect()
}

fn told_with_lines(findings: &[[String; 4]]) -> String {
    listed(
        findings
            .iter()
            .map(|[rule, severity, line, name]| format!("{severity} {rule} of {} in line {line}", text::name(name))),
    )
}
