//! The pictures in the documents, drawn from runs of the program. `UPDATE_DOCS=1 cargo test` draws them again.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::harness::{Project, terminal};
use crate::upload::{OK, Service, TOKEN};

/// The address in the pictures, instead of a port of this machine.
const ADDRESS: &str = "https://chat.example.com";

/// Compares a picture with the one that a page shows, or writes it.
fn show(page: &str, name: &str, alt: &str, drawn: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for private in ["127.0.0.1", "credlint-", "xoxb", TOKEN] {
        assert!(!drawn.contains(private), "{name} shows {private}");
    }
    assert!(drawn.len() < 40 * 1024, "{name} has {} bytes", drawn.len());
    let path = root.join("docs/pictures").join(name);
    #[expect(clippy::disallowed_methods, reason = "a switch of this test, not of the program")]
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, drawn).unwrap();
    } else {
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == drawn, "docs/pictures/{name} is out of date: run `UPDATE_DOCS=1 cargo test`");
    }
    let up = "../".repeat(page.matches('/').count().saturating_sub(1));
    let link = format!("![{alt}]({up}{}pictures/{name})", if page.contains('/') { "" } else { "docs/" });
    let text = std::fs::read_to_string(root.join(page)).unwrap();
    assert!(text.contains(&link), "{page} does not show {link}");
}

/// Draws a terminal: dark on any page, in colours that are legible on it.
fn screen(text: &str) -> String {
    let mut palette = anstyle_svg::WIN10_CONSOLE;
    palette.0.copy_within(9..15, 1);
    palette.0[5] = anstyle_svg::VGA.0[13];
    let drawn =
        anstyle_svg::Term::new().palette(palette).min_width_px(860).render_svg(&format!("{}\n", text.trim_end()));
    // What all browsers and other programs apply to a part of a text.
    drawn.replace("opacity: 0.4", "fill-opacity: 0.7").replace("text-decoration-line", "text-decoration")
}

fn paint(color: &str, text: &str) -> String {
    format!("\u{1b}[{color}m{text}\u{1b}[0m")
}

fn command(line: &str) -> String {
    paint("1", &format!("$ {line}")) + "\n"
}

#[test]
fn the_picture_of_a_check() {
    // In a directory named `examples`, findings are notes.
    let project = Project::new()
        .outside_repository()
        .file("deploy.env", include_str!("../../examples/deploy.env"))
        .env("COLUMNS", "92");
    let run = project.run(&["--color", "always", "check", "deploy.env"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    let alt = "two errors: a bot token where a webhook URL belongs, and an account ID with an application key";
    assert!(run.stdout.contains("foreign-credential") && run.stdout.contains("mixed-credentials"), "{}", run.stdout);
    show("README.md", "check.svg", alt, &screen(&(command("credlint check deploy.env") + "\n" + &run.stdout)));
}

/// Each layer has a colour, in which the table says what comes from it; overridden lines are struck out.
#[test]
fn the_picture_of_layers() {
    const USER: &str = "[messaging.reports]\ninitial_comment = \"From my machine\"\nupload_method = \"external\"\n";
    const FILE: &str = "[messaging.reports]\nbase_url = \"https://slack.com\"\ntoken = { env = \"SLACK_BOT_TOKEN\" }\nwebhook_url = { file = \"secrets/hook\" }\nchannels = [\"C0123456789\"]\ninitial_comment = \"Nightly report\"\n";
    const VARIABLE: (&str, &str) = ("CREDLINT_MESSAGING__REPORTS__CHANNELS", "C0123456789,D0123456789");
    let [blue, green, yellow, cyan] = ["34", "32", "33", "36"];
    let project = Project::new().file(".config/credlint/config.toml", USER).file("credlint.toml", FILE);
    let hook = "https://hooks.slack.com/services/T0123456789/B0123456789/abcdefghijklmnopqrstuvwx";
    let project = project.file("secrets/hook", hook).env("SLACK_BOT_TOKEN", TOKEN).env(VARIABLE.0, VARIABLE.1);
    // The project is in the home directory, so no path depends on this machine.
    let home = project.path();
    let run = project.env("HOME", home).run(&["profiles", "reports", "-v"]);
    assert!(run.code == 0 && run.stdout.ends_with("verdict: fits\n"), "{}", run.stdout);
    let [said, table] = [run.stderr, run.stdout].map(|text| text.replace(".config/", "~/.config/"));

    let layer = |word: &str| match word {
        _ if word.starts_with("~/.config/") => Some(blue),
        _ if word.starts_with("credlint.toml") => Some(green),
        _ if word == VARIABLE.0 => Some(yellow),
        "SLACK_BOT_TOKEN" | "secrets/hook" => Some(cyan),
        _ => None,
    };
    let shadows = table.lines().find_map(|line| line.find("SHADOWS")).unwrap();
    let overridden = |name: &str, number: usize| {
        table
            .lines()
            .any(|line| line.get(shadows..).is_some_and(|places| places.contains(&format!("{name}:{number}:"))))
    };
    let mut text = String::new();
    let contents = [("~/.config/credlint/config.toml", USER), ("credlint.toml", FILE), ("environment", "")];
    let lines: Vec<&str> = said.lines().filter(|line| line.starts_with("layer ")).collect();
    assert_eq!(lines.len(), contents.len(), "{said}");
    for ((line, (name, content)), color) in lines.iter().zip(contents).zip([blue, green, yellow]) {
        assert!(line.contains(&format!(": {name}, ")), "{said}");
        text += &(paint(&format!("1;{color}"), line) + "\n");
        for (number, line) in content.lines().enumerate() {
            text += &format!("    {}\n", paint(if overridden(name, number + 1) { "2;9" } else { color }, line));
        }
    }
    text += &format!("    {}\n", paint(yellow, &format!("{}={}", VARIABLE.0, VARIABLE.1)));
    text += &(paint(&format!("1;{cyan}"), "references") + "\n");
    text +=
        &format!("    {}\n    {}\n\n", paint(cyan, "SLACK_BOT_TOKEN=********"), paint(cyan, "secrets/hook: ********"));
    text += &command("credlint profiles reports");
    for line in table.lines() {
        let words: Vec<String> =
            line.split(' ').map(|word| layer(word).map_or(word.to_owned(), |color| paint(color, word))).collect();
        text += &(words.join(" ") + "\n");
    }
    let alt = "the files and variables of three layers, each in a colour of its own, overridden lines struck out; below, the profile as a table, with the place of each value in the colour of its layer";
    show("docs/configuration.md", "layers.svg", alt, &screen(&text));
}

/// A profile that sends to this address.
fn config(address: &str) -> String {
    format!("[messaging.reports]\nbase_url = \"{address}\"\ntoken = {{ env = \"T\" }}\nchannels = [\"C0123456789\"]\n")
}

#[test]
fn the_picture_of_a_delivery() {
    let scratch = Project::new();
    let service = Service::start(&scratch, &["--fail", "files.upload=lost,1"]);
    let mut project = scratch.file("credlint.toml", config(&service.1)).env("T", TOKEN);
    for (name, text) in [("monday", "12\n"), ("thursday", TOKEN), ("tuesday", "14\n"), ("wednesday", "9\n")] {
        project = project.file(&format!("reports/{name}.csv"), text.repeat(1024));
    }
    let args = ["upload", "--profile", "reports", "--journal", "nightly.jsonl", "--concurrency", "1"];
    // The fault is for the other method.
    let mut earlier = project.command(&[&args[..], &["reports/monday.csv"]].concat());
    assert!(earlier.env("CREDLINT_MESSAGING__REPORTS__UPLOAD_METHOD", "external").output().unwrap().status.success());
    let run = project.run(&[&args[..], &["--color", "always", "reports/"]].concat());
    assert_eq!(run.code, 4, "{}", run.stdout);
    let shown = (run.stderr + &run.stdout).replace(&service.1, ADDRESS);
    // What differs from run to run.
    let id = shown.split(", file ").nth(1).unwrap().split(',').next().unwrap();
    let shown = masked(&masked(&shown, "0123456789 in ", " ms"), ", message ", "\n").replace(id, "F…");
    let text = command(&format!("credlint {} reports/", args.join(" "))) + &shown + &command("echo $?") + "4";
    for status in ["delivered", "failed", "uncertain", "skipped"] {
        assert!(text.contains(&format!("{status}\u{1b}[0m")), "{text}");
    }
    let alt = "a receipt with a file in each state: skipped, delivered, failed, uncertain; exit code 4";
    show("docs/uploading.md", "delivery.svg", alt, &screen(&text));
}

/// A text with … instead of what is between two others.
fn masked(text: &str, begin: &str, end: &str) -> String {
    let mut parts = text.split(begin);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |out, part| out + begin + "…" + &part[part.find(end).unwrap()..])
}

const MIB: usize = 1 << 20;
const COLUMNS: u16 = 100;

/// What a terminal shows after this text.
fn frame(text: &str) -> Vec<String> {
    let (mut rows, mut row, mut column) = (vec![Vec::new(); 2], 0, 0);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                let (mut count, mut code) = (0, ' ');
                for c in chars.by_ref().skip(1) {
                    let Some(digit) = c.to_digit(10) else {
                        code = c;
                        break;
                    };
                    count = count * 10 + digit as usize;
                }
                match code {
                    'A' => row -= row.min(count),
                    'B' => row += count,
                    'K' => rows[row].clear(),
                    _ => {}
                }
            }
            c => {
                if column == usize::from(COLUMNS) {
                    (row, column) = (row + 1, 0);
                }
                let filled = rows[row].len().max(column + 1);
                rows[row].resize(filled, ' ');
                rows[row][column] = c;
                column += 1;
            }
        }
        rows.resize(rows.len().max(row + 2), Vec::new());
    }
    let rows = rows.into_iter().map(|row| String::from_iter(row).trim_end().to_owned());
    rows.filter(|row| !row.is_empty()).collect()
}

/// The bytes of a row with a bar, in MiB.
fn bytes(row: &str) -> Option<f64> {
    row.split_once(" MiB of ")?.0.rsplit(' ').next()?.parse().ok()
}

/// The row with another number of bytes, and without what differs from run to run.
fn steady(row: &str, bytes: f64) -> String {
    let (name, rest) = row.split_once("  ").unwrap();
    let total: f64 = rest.split_once(" of ").unwrap().1.split_once(" MiB").unwrap().0.parse().unwrap();
    let numbers = format!("{bytes:.2} MiB of {total:.2} MiB  … MiB/s  … left");
    let width = usize::from(COLUMNS) - name.len() - 2 - 1 - numbers.chars().count();
    #[expect(clippy::cast_precision_loss, reason = "a hundred columns")]
    let filled = (1..=width).filter(|&column| column as f64 / width as f64 <= bytes / total).count();
    format!("{name}  {}{} {numbers}", "█".repeat(filled), "░".repeat(width - filled))
}

#[test]
fn the_picture_of_progress() {
    // How much of the last file the service reads; sockets take some more.
    const READ: u8 = 24;
    let (begun, seen) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
    let wait = |flag: &AtomicBool| {
        let open = |_: &usize| !flag.load(Ordering::SeqCst);
        (0..4000).take_while(open).for_each(|_| std::thread::sleep(Duration::from_millis(5)));
    };
    let done = Arc::clone(&seen);
    let service = crate::server::Service::start(move |_, connection| {
        connection.read_head();
        connection.read_some(2048);
        let is = |name: &str| memchr::memmem::find(&connection.body, name.as_bytes()).is_some();
        let (limited, last) = (is("\"q4.csv\""), is("\"year.csv\""));
        if last {
            connection.read_some(usize::from(READ) * MIB);
            begun.store(true, Ordering::SeqCst);
            return wait(&done);
        }
        connection.drain_form();
        if limited {
            wait(&begun);
            let body = r#"{"ok":false,"error":"ratelimited"}"#;
            let head = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 30\r\nConnection: close";
            connection.send(format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        } else {
            connection.send(OK.as_bytes());
        }
    });
    let mut project =
        Project::new().file("credlint.toml", config(&service.base())).env("T", TOKEN).env("TERM", "xterm");
    for (name, size) in [("q1", 4), ("q2", 4), ("q3", 4), ("q4", 4), ("year", 48)] {
        let path = format!("reports/{name}.csv");
        project = project.file(&path, vec![b'0'; size * MIB]);
    }
    let (controller, end) = terminal();
    let size = rustix::termios::Winsize { ws_row: 24, ws_col: COLUMNS, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&controller, size).unwrap();
    let args = ["upload", "--profile", "reports", "--concurrency", "2", "reports/"];
    let mut child = project.command(&args).stdout(end.try_clone().unwrap()).stderr(end).spawn().unwrap();
    let (mut controller, mut shown, mut part) = (std::fs::File::from(controller), Vec::new(), [0; 4096]);
    let rows = loop {
        let len = controller.read(&mut part).unwrap();
        shown.extend_from_slice(&part[..len]);
        let rows = frame(&String::from_utf8_lossy(&shown));
        if let [_, _, whole, waiting] = &rows[..]
            && let Some(whole) = bytes(whole)
            && waiting.contains("waiting ")
            && whole >= 16.0 + f64::from(READ)
        {
            break rows;
        }
    };
    assert!(!rows.concat().contains("GiB/s"), "{rows:#?}");
    seen.store(true, Ordering::SeqCst);
    child.kill().unwrap();
    child.wait().unwrap();
    let mut text = command(&format!("credlint {}", args.join(" ")));
    text += &rows[..2].join("\n").replace(&service.base(), ADDRESS);
    let (before, after) = rows[3].split_once("waiting ").unwrap();
    let waiting = format!("{before}waiting 30 s{}", after.split_once(" s").unwrap().1);
    text += &format!("\n{}\n{waiting}", steady(&rows[2], 16.0 + f64::from(READ)));
    let alt =
        "an upload of five files on a terminal: a bar for the whole run, and a file that waits 30 s for the rate limit";
    show("docs/uploading/files.md", "progress.svg", alt, &screen(&text));
}

/// Drawn as GitHub shows it, from the line that the program prints.
#[test]
fn the_picture_of_an_annotation() {
    const FILE: &str = "[storage.backups]\naccount_id = { env = \"B2_ACCOUNT_ID\" }\napplication_key = { env = \"B2_APPLICATION_KEY\" }\n";
    let run = Project::new().file("credlint.toml", FILE).run(&["check", "--format", "github", "."]);
    assert_eq!((run.code, run.stdout.lines().count()), (1, 1), "{}", run.stdout);
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/output.md")).unwrap();
    assert!(page.contains(FILE), "the page shows another file");

    let (properties, message) = run.stdout.strip_prefix("::error ").unwrap().trim_end().split_once("::").unwrap();
    let property =
        |name: &str| properties.split(',').find_map(|word| word.strip_prefix(name)?.strip_prefix('=')).unwrap();
    let (file, line, title) = (property("file"), property("line").parse::<usize>().unwrap(), property("title"));
    let mut out = Drawing::default();
    out.row(36, "#f6f8fa", &[(16, "mono", file)]);
    for (index, text) in FILE.lines().enumerate() {
        out.row(24, "#dafbe1", &[(24, "mono", &(index + 1).to_string()), (56, "mono", &format!("+ {text}"))]);
        if index + 1 == line {
            out.annotation(&format!("Check failure on line {line} in {file}"), title, message);
        }
    }
    let alt = "how GitHub shows a finding in a pull request: below the line of application_key in credlint.toml, a check failure says that the profile combines an application key with an account ID";
    show("docs/recipes/README.md", "annotation.svg", alt, &out.svg());
}

/// The parts of a picture in the manner of GitHub, from the top.
#[derive(Default)]
struct Drawing {
    height: usize,
    body: String,
}

const WIDTH: usize = 860;

impl Drawing {
    /// A row with texts, each with its place and class.
    fn row(&mut self, height: usize, color: &str, texts: &[(usize, &str, &str)]) {
        self.body +=
            &format!("  <rect y=\"{}\" width=\"{WIDTH}\" height=\"{height}\" fill=\"{color}\"/>\n", self.height);
        let base = self.height + height / 2 + 5;
        for (x, class, text) in texts {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            self.body += &format!("  <text x=\"{x}\" y=\"{base}\" class=\"{class}\">{text}</text>\n");
        }
        self.height += height;
    }

    fn annotation(&mut self, heading: &str, title: &str, message: &str) {
        let top = self.height;
        self.row(8, "#ffffff", &[]);
        self.row(26, "#ffffff", &[(56, "strong", heading)]);
        self.row(20, "#ffffff", &[(56, "muted", "GitHub Actions / credentials")]);
        self.row(26, "#ffffff", &[(56, "strong red", title)]);
        for line in textwrap::wrap(message, 98) {
            self.row(20, "#ffffff", &[(56, "mono", &line)]);
        }
        self.row(10, "#ffffff", &[]);
        let (height, y) = (self.height - top, top + 21);
        self.body += &format!(
            "  <rect x=\"0\" y=\"{top}\" width=\"4\" height=\"{height}\" fill=\"#cf222e\"/>\n  <circle cx=\"32\" cy=\"{y}\" r=\"8\" fill=\"#cf222e\"/>\n  <path d=\"M29 {0}l6 6m0-6l-6 6\" stroke=\"#ffffff\" stroke-width=\"2\"/>\n",
            y - 3
        );
    }

    fn svg(self) -> String {
        format!(
            "<svg width=\"{WIDTH}px\" height=\"{0}px\" xmlns=\"http://www.w3.org/2000/svg\">
  <style>
    text {{ font: 14px -apple-system, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif; fill: #1f2328; white-space: pre; }}
    .mono {{ font: 13px SFMono-Regular, Consolas, Liberation Mono, Menlo, monospace; }}
    .strong {{ font-weight: bold; }}
    .red {{ fill: #cf222e; }}
    .muted {{ fill: #59636e; }}
  </style>
{1}  <rect x=\"0.5\" y=\"0.5\" width=\"{2}\" height=\"{3}\" rx=\"4.5\" fill=\"none\" stroke=\"#818b98\"/>
</svg>\n",
            self.height, self.body, WIDTH - 1, self.height - 1
        )
    }
}
