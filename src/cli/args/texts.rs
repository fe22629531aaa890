//! Texts of the help that clap has no place for: groups, examples, exit codes.

/// Commands grouped by purpose, in the order in which people need them.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("Check, offline", &["check", "exec", "identify", "why", "profiles", "explain", "services"]),
    ("Online", &["upload", "verify"]),
    ("Set up", &["init", "schema", "completions", "man"]),
    ("Test", &["sandbox"]),
];

/// Names with their meanings.
pub type Rows = &'static [(&'static str, &'static str)];

/// The texts of one command.
pub struct Text {
    /// Command lines that can be typed as they are, each with its effect. A test runs them.
    pub examples: Rows,
    /// The exit codes that the command can return.
    pub exits: Rows,
}

const USAGE: (&str, &str) = ("2", "usage");
const UNREADABLE: (&str, &str) = ("2", "usage error, unreadable configuration or unknown profile");
const STOPPED: (&str, &str) = ("129, 130, 143", "hung up, interrupted, terminated");

/// The exit codes of a command that only prints.
const PRINTS: Rows = &[("0", "done"), USAGE, ("3", "the output could not be written")];

/// A command that only prints.
const PRINTING: Text = Text { examples: &[], exits: PRINTS };

/// The texts of the program itself.
pub const PROGRAM: Text = Text {
    examples: &[
        ("credlint init", "write credlint.toml, with comments"),
        ("credlint check", "check this directory's configuration"),
        ("credlint check .env", "search a file of another program"),
        ("credlint explain mixed-key-pair", "explain a finding"),
    ],
    exits: &[
        ("0", "no findings at or above --fail-on; every file delivered, accepted or rehearsed"),
        ("1", "findings; an upload refused because its profile has errors"),
        ("2", "usage error, unreadable configuration, unknown profile or no channel"),
        ("3", "not done, safe to run again: nothing was posted, or the journal knows what was"),
        ("4", "a delivery is uncertain: look in the channel before you run it again"),
        ("5", "an upload is partly delivered: the last line is the command that sends the rest"),
        ("125-127", "exec: the command was not started, can't be started, or was not found"),
        STOPPED,
    ],
};

/// Returns the texts of a command.
pub fn for_command(name: &str) -> Option<Text> {
    Some(match name {
        "check" => Text {
            examples: &[
                ("credlint check", "this directory's configuration"),
                ("credlint check -p reports --fail-on warning", "one profile, strictly"),
                ("credlint check --no-resolve --format github", "in a pull request, without its secrets"),
                ("credlint check .env deploy/", "files of other programs"),
            ],
            exits: &[
                ("0", "no findings at or above --fail-on"),
                ("1", "findings"),
                UNREADABLE,
                ("3", "not done: nothing to check, no configuration, or a file can't be read or written"),
            ],
        },
        "exec" => Text {
            examples: &[
                ("credlint exec -- ./deploy.sh", "run it if the variables pass"),
                ("credlint exec -p reports -- ./deploy.sh", "check a profile as well"),
                ("credlint exec --observe -- ./deploy.sh", "report, and run it in any case"),
                ("credlint exec --stdin API_KEY -- cat < secrets/token", "check a value on its way to a store"),
            ],
            exits: &[
                ("125", "the command was not started: findings, a usage error, or a configuration that can't be read"),
                ("126", "the command can't be started"),
                ("127", "the command was not found"),
                ("other", "the command's own"),
            ],
        },
        "identify" => Text {
            examples: &[
                ("credlint identify < secrets/token", "a value in a file"),
                ("printf '%s' \"$REPORTS_TOKEN\" | credlint identify", "a value in a variable"),
                ("credlint identify --format json < secrets/pair", "an ID and a key, one per line"),
            ],
            exits: &[
                ("0", "nothing is wrong with the values"),
                ("1", "a value is broken, or two don't belong together"),
                USAGE,
                ("3", "the output could not be written"),
            ],
        },
        "why" => Text {
            examples: &[
                ("credlint why deploy.log", "after `./deploy.sh 2>&1 | tee deploy.log`"),
                ("credlint why deploy.log --in deploy/ --env-file .env", "with the files of the deploy"),
                ("credlint why --format json < deploy.log", "for programs"),
            ],
            exits: &[
                ("0", "done, whether or not a text is known"),
                ("2", "usage error, no such log, unreadable configuration or unknown profile"),
                ("3", "reading the log failed, or the output could not be written"),
            ],
        },
        "profiles" => Text {
            examples: &[
                ("credlint profiles", "list the names"),
                ("credlint profiles reports", "where each value comes from"),
                ("credlint profiles --format json", "all of them, for programs"),
            ],
            exits: &[("0", "done"), UNREADABLE, ("3", "there are no profiles, or the output could not be written")],
        },
        "explain" => Text {
            examples: &[
                ("credlint explain", "all rules, with their summaries"),
                ("credlint explain mixed-key-pair", "what it finds, and why that fails"),
                ("credlint explain cluster", "the rules whose pages have a word"),
                ("credlint explain STRIPE_SECRET_KEY", "what belongs there"),
                ("credlint explain --format json", "all rules with their pages, for programs"),
            ],
            ..PRINTING
        },
        "services" => Text {
            examples: &[
                ("credlint services", "the names to ask for, and their variables"),
                ("credlint services stripe", "what goes where"),
                ("credlint services check acme.toml", "try a file with facts of your own"),
            ],
            exits: &[
                ("0", "done"),
                ("1", "an example or a sample failed"),
                ("2", "usage error, no such service, or a mistake in the file"),
                ("3", "the output could not be written"),
            ],
        },
        "upload" => Text {
            examples: &[
                #[cfg(feature = "sandbox")]
                ("credlint upload -p reports --rehearse report.csv", "try it without the service"),
                ("credlint upload -p reports report.csv", "send a file"),
                ("credlint upload -p reports --journal run.jsonl out/", "many files, can be resumed"),
                ("date | credlint upload -p reports --filename date.txt -", "send standard input"),
            ],
            exits: &[
                ("0", "every file was delivered, accepted or rehearsed"),
                ("1", "not sent: the profile has errors"),
                ("2", "usage error, unreadable configuration, unknown profile or no channel"),
                ("3", "not done, safe to run again: nothing was posted, or the journal knows what was"),
                ("4", "a delivery is uncertain: look in the channel before you run it again"),
                ("5", "partly delivered: the last line is the command that sends the rest"),
                STOPPED,
            ],
        },
        "verify" => Text {
            examples: &[
                ("credlint verify", "every profile"),
                ("credlint verify -p reports", "one profile"),
                ("credlint verify --environment", "the credentials of this process, without a profile"),
                ("credlint verify --format json -o verify.json", "for programs"),
            ],
            exits: &[
                ("0", "no findings at or above --fail-on"),
                ("1", "findings"),
                UNREADABLE,
                ("3", "not done: a service refused to answer or could not be reached, or none was asked"),
                STOPPED,
            ],
        },
        "init" => Text {
            examples: &[
                ("credlint init", "write credlint.toml"),
                ("credlint init storage -o backups.toml", "one kind of profile"),
                ("credlint init -o -", "print it"),
            ],
            exits: &[
                ("0", "written"),
                ("2", "usage error, or the file already exists"),
                ("3", "the file can't be written"),
            ],
        },
        "schema" => Text {
            examples: &[
                ("credlint schema > credlint.schema.json", "save it for an editor"),
                ("credlint schema service", "that of a file with facts about a service"),
            ],
            ..PRINTING
        },
        "completions" => Text {
            examples: &[
                ("credlint completions bash > ~/.local/share/bash-completion/completions/credlint", ""),
                ("credlint completions zsh > ~/.zfunc/_credlint", "with fpath+=~/.zfunc in ~/.zshrc"),
                ("credlint completions fish > ~/.config/fish/completions/credlint.fish", ""),
                ("credlint completions powershell >> $PROFILE", ""),
                ("credlint completions elvish >> ~/.config/elvish/rc.elv", ""),
            ],
            ..PRINTING
        },
        "man" => Text {
            examples: &[
                ("credlint man > ~/.local/share/man/man1/credlint.1", "install it, for man credlint"),
                ("credlint man check > ~/.local/share/man/man1/credlint-check.1", "the page of a command"),
            ],
            ..PRINTING
        },
        "sandbox" => Text {
            examples: &[
                ("credlint sandbox", "print its address and wait"),
                ("credlint sandbox --store received --channels C0123456789", "keep files, one channel"),
                ("credlint sandbox --hosted --fail upload=lost,1", "as strict as Slack, one lost upload"),
            ],
            exits: &[("2", "usage"), ("3", "it can't listen, or it stopped"), STOPPED],
        },
        _ => return None,
    })
}
