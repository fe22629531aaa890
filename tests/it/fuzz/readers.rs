//! The readers of files and variables, through the library: no process is started, so each case takes a millisecond.

use std::path::Path;

use credlint::{Baseline, Candidate, CheckOptions, Environment, FileType, LoadOptions, Report, Search, Severity};

use super::{Check, SECRET, document, fuzz, no_secret, seeds};

/// Everything that the library shows of what these options load.
fn look(options: &LoadOptions, check: &CheckOptions) -> Result<Option<Report>, String> {
    let (json, debug, report) = match credlint::load(options) {
        Ok(loaded) => match credlint::check(&loaded, check) {
            Ok(report) => {
                let known = report.to_baseline().to_json();
                Baseline::parse(&known).ok_or_else(|| format!("its own baseline can't be read: {known}"))?;
                let mut debug = format!("{loaded:?}{report:?}{known}{:?}", loaded.notices());
                for id in loaded.profile_ids() {
                    debug += &sender(&loaded, &id.to_string());
                }
                (report.to_json(), debug, Some(report))
            }
            Err(error) => (error.to_json(), format!("{error:?}{error}"), None),
        },
        Err(error) => (error.to_json(), format!("{error:?}{error}"), None),
    };
    no_secret(&json)?;
    no_secret(&debug)?;
    document(&json, "credlint/report/v1")?;
    Ok(report)
}

#[cfg(feature = "upload")]
fn sender(loaded: &credlint::Loaded, id: &str) -> String {
    let verification = loaded.verification(&credlint::VerifyOptions::default());
    let delivery = loaded.delivery(credlint::DeliveryOptions::new(id).with_files(["f"]), &());
    format!("{delivery:?}{verification:?}")
}

#[cfg(not(feature = "upload"))]
fn sender(_: &credlint::Loaded, _: &str) -> String {
    String::new()
}

fn options(directory: &Path) -> LoadOptions {
    std::fs::write(directory.join("key"), SECRET).unwrap();
    let environment = Environment::from_iter([("A_KEY", SECRET), ("CREDLINT_MESSAGING__R__TOKEN", SECRET)]);
    let mut options = LoadOptions::new(directory, environment);
    options.isolated = true;
    options
}

fn configuration(name: &'static str) -> Check {
    Box::new(move |directory, input| {
        let mut options = options(directory);
        let file = directory.join(name);
        std::fs::write(&file, input).unwrap();
        if Path::new(name).extension().is_some_and(|extension| extension == "env") {
            options.env_files.push(file);
        } else {
            options.files.push(file);
        }
        look(&options, &CheckOptions::default())?;
        // The same with all variables, and without resolving references.
        (options.isolated, options.no_resolve) = (false, true);
        look(&options, &CheckOptions::default()).map(drop)
    })
}

#[test]
fn fuzz_toml() {
    fuzz("toml", 1, seeds::toml(), configuration("credlint.toml"));
}

#[test]
fn fuzz_yaml() {
    fuzz("yaml", 1, seeds::yaml(), configuration("credlint.yaml"));
}

#[test]
fn fuzz_json() {
    fuzz("json", 1, seeds::json(), configuration("credlint.json"));
}

#[test]
fn fuzz_dotenv() {
    fuzz("dotenv", 1, seeds::dotenv(), configuration("x.env"));
}

/// A project file with mistakes of its own.
const PROJECT: &str = "[messaging.r]\nchannels = []\n[storage.s]\nbucket = 'x'\n";

/// Variables, one per line; values need not be UTF-8.
#[test]
fn fuzz_environment() {
    fuzz(
        "environment",
        1,
        seeds::dotenv(),
        Box::new(|directory, input| {
            std::fs::write(directory.join("credlint.toml"), PROJECT).unwrap();
            let variables = input.split(|&byte| byte == b'\n').filter_map(|line| {
                let at = line.iter().position(|&byte| byte == b'=')?;
                // Only what an environment can contain.
                (at > 0 && !line.contains(&0)).then(|| (os(&line[..at]), os(&line[at + 1..])))
            });
            let options = LoadOptions::new(directory, variables.collect());
            look(&options, &CheckOptions::default()).map(drop)
        }),
    );
}

#[cfg(unix)]
fn os(bytes: &[u8]) -> std::ffi::OsString {
    std::os::unix::ffi::OsStringExt::from_vec(bytes.to_vec())
}

#[cfg(not(unix))]
fn os(bytes: &[u8]) -> std::ffi::OsString {
    String::from_utf8_lossy(bytes).into_owned().into()
}

#[test]
fn fuzz_policy() {
    fuzz(
        "policy",
        1,
        seeds::policy(),
        Box::new(|directory, input| {
            std::fs::write(directory.join("credlint.toml"), PROJECT).unwrap();
            std::fs::write(directory.join("policy.toml"), input).unwrap();
            let mut options = options(directory);
            options.files.push("credlint.toml".into());
            options.policy = Some("policy.toml".into());
            look(&options, &CheckOptions::default()).map(drop)
        }),
    );
}

#[cfg(feature = "upload")]
#[test]
fn fuzz_blocks() {
    fuzz(
        "blocks",
        1,
        seeds::json(),
        Box::new(|_, input| {
            let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
            no_secret(&match credlint::upload::Blocks::parse(text) {
                Ok(blocks) => format!("{blocks:?}{blocks:#?}"),
                Err(error) => format!("{error:?}{error}"),
            })
        }),
    );
}

#[test]
fn fuzz_baseline() {
    fuzz(
        "baseline",
        1,
        seeds::baseline(),
        Box::new(|directory, input| {
            let Some(baseline) = std::str::from_utf8(input).ok().and_then(Baseline::parse) else { return Ok(()) };
            let again = baseline.to_json();
            Baseline::parse(&again).ok_or_else(|| format!("what was read can't be read again: {again}"))?;
            no_secret(&format!("{baseline:?}{again}"))?;
            std::fs::write(directory.join("credlint.toml"), PROJECT).unwrap();
            let mut options = options(directory);
            options.files.push("credlint.toml".into());
            let mut check = CheckOptions::default();
            check.baseline = Some(baseline);
            let report = look(&options, &check)?.ok_or("the project can't be read")?;
            let compared = report.baseline.as_ref().ok_or("no comparison")?;
            if compared.known.iter().all(|&index| index < report.findings.len()) {
                Ok(())
            } else {
                Err(format!("{compared:?}"))
            }
        }),
    );
}

/// Other programs' files, as a file and as a text.
fn found(dialect: &'static str) -> Check {
    let file_type = FileType::named(dialect).unwrap();
    Box::new(move |directory, input| {
        let path = directory.join("found");
        std::fs::write(&path, input).unwrap();
        let file = Candidate::new(path, file_type);
        let mut search = Search::new(directory).with_files([file]).with_isolated(true);
        if let Ok(text) = std::str::from_utf8(input) {
            search = search.with_text(text, file_type);
        }
        let mut options = CheckOptions::default();
        options.fail_on = Some(Severity::Note);
        let (report, notices) = credlint::search(&search, &options).map_err(|error| error.to_string())?;
        let json = report.to_json();
        no_secret(&json)?;
        no_secret(&format!("{report:?}{notices:?}{}", report.to_baseline().to_json()))?;
        document(&json, "credlint/report/v1")
    })
}

#[test]
fn fuzz_found_env() {
    fuzz("found-env", 1, seeds::found("env"), found("env"));
}

#[test]
fn fuzz_found_env0() {
    fuzz("found-env0", 1, seeds::found("env0"), found("env0"));
}

#[test]
fn fuzz_found_sh() {
    fuzz("found-sh", 1, seeds::found("sh"), found("sh"));
}

#[test]
fn fuzz_found_properties() {
    fuzz("found-properties", 1, seeds::found("properties"), found("properties"));
}

#[test]
fn fuzz_found_ini() {
    fuzz("found-ini", 1, seeds::found("ini"), found("ini"));
}

#[test]
fn fuzz_found_toml() {
    fuzz("found-toml", 1, seeds::found("toml"), found("toml"));
}

#[test]
fn fuzz_found_json() {
    fuzz("found-json", 1, seeds::found("json"), found("json"));
}

#[test]
fn fuzz_found_yaml() {
    fuzz("found-yaml", 1, seeds::found("yaml"), found("yaml"));
}

#[test]
fn fuzz_found_template() {
    fuzz("found-template", 1, seeds::found("template"), found("template"));
}

#[test]
fn fuzz_found_xml() {
    fuzz("found-xml", 1, seeds::found("xml"), found("xml"));
}

/// The file of a project's own service: what is refused has its line, and nothing that would be printed of the rows holds the
/// secret.
#[test]
fn fuzz_service_file() {
    fuzz(
        "service",
        1,
        seeds::service(),
        Box::new(|_, input| {
            let Ok(text) = std::str::from_utf8(input) else { return Ok(()) };
            match credlint::examples::read_own_file("acme.toml", "acme", text) {
                Ok(rows) => no_secret(&rows),
                Err(message) => {
                    no_secret(&message)?;
                    let line = message.strip_prefix("acme.toml:").and_then(|rest| rest.split(':').next());
                    let is_there = line.and_then(|line| line.parse::<usize>().ok());
                    let is_there = is_there.is_some_and(|line| line <= text.lines().count().max(1) + 1);
                    if is_there { Ok(()) } else { Err(format!("without its line: {message}")) }
                }
            }
        }),
    );
}
