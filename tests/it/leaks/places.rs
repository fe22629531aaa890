//! The places of secrets, and the commands that are run with them.

use crate::harness::{self, Project};

/// Pairs of secrets that agree in every fact: length, character classes, shape, and whether they are a placeholder.
pub const SECRETS: &[[&str; 2]] = &[
    ["xoxb-7391842650-QzWvXkPjHyBd", "xoxb-1864209375-TmRfLcNgSaGu"],
    // Of two clusters, neither of which is that of a key ID next to them.
    ["K005Qz7Wv/Xk+PjHyBd39Tm18Rf64Lc", "K003Tm1Rf/Lc+NgSaGu86Qz73Wv42Xk"],
    ["0057391842650abcdef91827364554637281ffeedd", "0031864209375fedcba19283746554738291aabbcc"],
    ["xapp-1-A7QZWVB9XKP-7391842650-qzwvxkpjhybd", "xapp-1-A1TMRFB8LCN-1864209375-tmrflcngsagu"],
    [
        "https://hooks.example.com/services/T7QZWV/B9XKPJ/qzwvxkpjhybd7391",
        "https://hooks.example.com/services/T1TMRF/B8LCNG/tmrflcngsagu1864",
    ],
    ["qzwvxkpjhybdq", "tmrflcngsagut"],
    ["qz7!vX k)Pj;Hy", "tm1!rF l)Cn;Gs"],
    ["918273645546372819", "192837465564738291"],
];

/// Pairs of secrets in letters of one case, like names: bodies of tokens, and the passwords that are generated for an
/// app, as one word and as four.
pub const ONE_CASE: &[[&str; 2]] = &[
    ["qzwvxkpjhybdtmrflcngsaguq", "tmrflcngsaguqzwvxkpjhybdt"],
    ["QZWVXKPJHYBDTMRFLCNGSAGUQ", "TMRFLCNGSAGUQZWVXKPJHYBDT"],
    ["qzwvxkpjhybdtmrf", "tmrflcngsaguqzwv"],
    ["qzwv-xkpj-hybd-tmrf", "tmrf-lcng-sagu-qzwv"],
];

/// A place for a secret: the name of a file (or another word that `plant` knows), and its text with `§` for the secret.
pub type Place = (&'static str, &'static str);

/// Every place.
pub const PLACES: &[Place] = &[
    // In the right place.
    (
        "credlint.toml",
        "[messaging.r]\nbase_url = 'https://h.example'\ntoken = '§'\nwebhook_url = '§'\nchannels = ['C1']\n",
    ),
    ("credlint.toml", "[messaging.r]\nwebhook_url = '§'\n"),
    (
        "credlint.toml",
        "[app.r]\nbot_token = '§'\napp_token = '§'\nsigning_secret = '§'\napi_url = 'http://127.0.0.1:9'\n",
    ),
    ("env", "CREDLINT_APP__A__BOT_TOKEN=§"),
    // Under the names that other programs use, and with another pair field.
    ("credlint.toml", "[storage.r]\naccessKeyId = '§'\nsecret_access_key = '§'\n[messaging.r]\nbot_token = '§'\n"),
    (".env", "CREDLINT_STORAGE__S__KEY_ID=§\nCREDLINT_STORAGE__S__ACCOUNT_ID=1a2b3c4d5e6f\n"),
    ("credlint.toml", "[names]\n'§' = 'stripe/secret_key'\nA_KEY = '§'\n[messaging.r]\ntoken = '§'\n"),
    ("credlint.toml", "[trust]\nhosts = ['§', '§']\n[messaging.r]\ntoken = '§'\n"),
    (
        "credlint.toml",
        "[storage.r]\napplication_key = '§'\nmaster_application_key = '§'\naccount_id = '1a2b3c4d5e6f'\n",
    ),
    ("credlint.yaml", "messaging:\n  r:\n    token: \"§\"\n    webhook_url: '§'\n"),
    (
        "credlint.yaml",
        "messaging:\n  r: &r\n    token: >-\n      §\n  s:\n    <<: *r\n    initial_comment: |\n      a\n      §\n",
    ),
    ("credlint.json", "{\"messaging\": {\"r\": {\"token\": \"§\", \"channels\": [\"§\"]}}}"),
    ("env", "CREDLINT_MESSAGING__R__TOKEN=§"),
    ("env", "CREDLINT_MESSAGING__R__CHANNELS=C1,§"),
    (".env", "CREDLINT_MESSAGING__R__TOKEN=§\nCREDLINT_STORAGE__S__APPLICATION_KEY='§'\n"),
    (".env", "OTHER=§\n# §\nCREDLINT_STORAGE__S__ACCOUNT_ID=§ # §\n"),
    // Where its form is checked, alone and with others.
    (
        "credlint.toml",
        "[storage.r]\napplication_key_id = '0071a2b3c4d5e6f0000000001'\napplication_key = '§'\nendpoint = 's3.x-007.backblazeb2.com'\n",
    ),
    (
        "credlint.toml",
        "[storage.r]\naccount_id = '1a2b3c4d5e6f'\nmaster_application_key = '§'\nendpoint = 'https://s3.x-007.backblazeb2.com'\n",
    ),
    ("credlint.toml", "[storage.r]\napplication_key_id = '1a2b3c4d5e6f'\napplication_key = '§'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\napplication_key = '0071a2b3c4d5e6f0000000001'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\napplication_key = '§'\n"),
    ("credlint.toml", "[storage.r]\naccount_id = '§@example.com'\nmaster_application_key = '§'\n"),
    ("credlint.toml", "[storage.r]\naccount_id = '1a2b3c4d5e6f'\napplication_key_id = '§'\napplication_key = '§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://x.slack.com'\ntoken = '§'\nupload_method = 'files.upload'\n"),
    // In two layers that differ, and in a file that others can read.
    ("shadow", "[messaging.r]\ntoken = '§'\nwebhook_url = { env = '§' }\n"),
    ("shadow", "[messaging.r]\ntoken = { file = '§' }\nwebhook_url = '§'\n"),
    ("readable", "§"),
    // In the wrong field.
    (
        "credlint.toml",
        "[messaging.r]\nbase_url = '§'\nupload_method = '§'\ninitial_comment = '§'\nchannels = ['C1', '§', '§']\n",
    ),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://user:§@h.example'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example/?token=§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'https://h.example/#§'\n"),
    ("credlint.toml", "[messaging.r]\nbase_url = 'http://h.example/A§/api'\ntoken = 'x'\n"),
    ("credlint.toml", "[storage.r]\napplication_key_id = '§'\naccount_id = '§'\nendpoint = '§'\n"),
    ("credlint.toml", "[messaging.r]\nchannels = ['§,§', '§']\n"),
    ("env", "CREDLINT_MESSAGING__R__BASE_URL=https://§@h.example"),
    // In place of a name.
    ("credlint.toml", "[messaging.r]\ntoken = { env = '§' }\nwebhook_url = { file = '§' }\n"),
    ("credlint.toml", "[messaging.r]\ntoken = { file = '§' }\nchannels = { env = '§' }\n"),
    ("env", "CREDLINT_MESSAGING__R__TOKEN_FILE=§"),
    ("env", "CREDLINT_FORMAT=§"),
    ("env", "CREDLINT_OVERRIDE=§"),
    // In the name of an empty variable.
    ("env", "§_SLACK_BOT_TOKEN="),
    ("env", "CREDLINT_PROFILE=§"),
    // As a key.
    ("credlint.toml", "'§' = 1\n[messaging.r]\n'§' = 'x'\ntoken = { '§' = 1 }\n[lint]\n'§' = 1\n"),
    ("credlint.toml", "[messaging.r.'§']\nx = 1\n['§'.'§']\ny = 1\n"),
    ("credlint.toml", "[messaging.'A §']\ntoken = 'x'\n"),
    ("credlint.yaml", "messaging:\n  r:\n    \"§\": x\n\"§\":\n  a: b\n"),
    ("credlint.json", "{\"§\": {\"§\": 1}, \"messaging\": {\"r\": {\"§\": [\"§\"]}}}"),
    ("env", "CREDLINT_MESSAGING__R__§=x"),
    ("env", "CREDLINT_§__R__TOKEN=x"),
    // In comments and neighbouring lines.
    ("credlint.toml", "# §\n[messaging.r] # §\n# §\ntokn = 'x' # §\n# §\n\n[storage.s]\naccount_id = ''#§\n"),
    ("credlint.yaml", "# §\nmessaging: # §\n  r:\n    # §\n    tokn: x # §\n    # §\n"),
    ("credlint.yaml", "messaging:\n  r: {initial_comment: \"§\", tokn: x, webhook_url: '§'}\n"),
    // Of the wrong type.
    ("credlint.toml", "messaging = '§'\nstorage = ['§']\nlint = '§'\n"),
    ("credlint.toml", "[messaging]\nr = '§'\n"),
    (
        "credlint.toml",
        "[messaging.r]\ntoken = ['§']\nchannels = '§'\nwebhook_url = { env = ['§'] }\nbase_url = { x = '§' }\n",
    ),
    ("credlint.toml", "[messaging.r]\ntoken = 918273645546372819\nchannels = [1.5e3, true, 1979-05-27]\n# §\n"),
    ("credlint.toml", "[lint]\nfail_on = '§'\n"),
    ("credlint.toml", "[storage.r] # credlint: allow(missing-key-pair) §\n# credlint: allow(§) §\nbucket = 'x'\n"),
    (
        "credlint.toml",
        "[storage.r]\n[[lint.allow]]\nrule = 'missing-key-pair'\nprofile = '§'\nreason = '§'\n'§' = '§'\n",
    ),
    (
        "credlint.toml",
        "[storage.r]\n[lint]\nexclude = ['§', 'x/§']\n[[lint.allow]]\nrule = 'missing-key-pair'\npath = '§'\nvariable = '§'\nuntil = '§'\nreason = 'for now'\n",
    ),
    ("credlint.toml", "[lint]\nlevels = { '§' = '§' }\nallow = [{ rule = '§', reason = '§' }]\n"),
    // In files that are broken.
    ("credlint.toml", "[messaging.r]\ntoken = \"§\n"),
    ("credlint.toml", "[messaging.r]\ntoken = §\n"),
    ("credlint.toml", "§\n"),
    ("credlint.toml", "[messaging.r\n# §\n"),
    ("credlint.toml", "'§' = 1\n'§' = 2\n"),
    ("credlint.toml", "a = '§'\na.b = 1\n"),
    ("credlint.yaml", "a: *§\n"),
    ("credlint.yaml", "a: !§ x\n"),
    ("credlint.yaml", "a: &§ x\nb: [\"§\"\n"),
    ("credlint.yaml", "\"§\": 1\n\"§\": 2\n"),
    ("credlint.yaml", "- \"§\"\n"),
    ("credlint.yaml", "a: \"§\n"),
    ("credlint.yaml", "a: b\n--- §\nc: d\n"),
    ("credlint.yaml", "%§ x\n---\na: b\n"),
    ("credlint.json", "{\"a\": \"§"),
    ("credlint.json", "{\"a\": §}"),
    ("credlint.json", "{\"§\": 1, \"§\": 2}"),
    ("credlint.json", "{\"a\": \"§\"} // §"),
    (".env", "§\n"),
    (".env", "A='§\n"),
    (".env", "A=\"x\" §\n"),
    (".env", "§=1\n"),
    (".env", "A=§\nA=§\n"),
    // In reasons, and where rules and profiles are named next to them.
    ("credlint.toml", "[storage.r] # credlint: allow(missing-key-pair) it is for now §\n"),
    ("credlint.toml", "[storage.r] # credlint: allow(missing-key-pair, §): for now § §\n"),
    (
        "credlint.yaml",
        "storage: # credlint: allow(missing-key-pair) for now §, and §.\n  r: {} # credlint: allow(missing-key-pair) now §\n",
    ),
    (
        "credlint.toml",
        "[storage.r]\n[[lint.allow]]\nrule = 'missing-key-pair'\nprofile = 'storage.r'\nreason = 'for now § (really §)'\n",
    ),
    ("credlint.toml", "[storage.r]\n[[lint.allow]]\nrule = '§'\nprofile = 'storage.§'\nreason = 'for now §'\n"),
    ("credlint.toml", "[storage.r]\n[lint]\nlevels = { '§' = 'off', 'missing-key-pair' = 'note' }\n"),
    // In a baseline, and in a policy.
    (
        "baseline",
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": [{\"fingerprint\": \"00000000000000000000000000000000\", \"rule\": \"§\", \"profile\": \"messaging.§\", \"§\": \"§\"}, {\"fingerprint\": \"11111111111111111111111111111111\", \"rule\": \"missing-token\", \"profile\": \"§\"}], \"§\": \"§\"}",
    ),
    (
        "baseline",
        "{\"schema\": \"credlint/baseline/v1\", \"findings\": [{\"fingerprint\": \"§\", \"rule\": \"missing-token\", \"profile\": \"messaging.r\"}]}",
    ),
    ("baseline", "{\"schema\": \"§\", \"findings\": \"§\"}"),
    ("policy", "[lint]\nfail_on = '§'\nlevels = { '§' = 'off', missing-token = '§' }\n[trust]\nhosts = ['§']\n"),
    ("policy", "# §\n[[lint.allow]]\nrule = 'missing-token'\nprofile = '§'\nreason = 'for now §'\n['§']\nx = '§'\n"),
    ("policy", "[lint]\n§\n"),
    ("hosts", "§, h.example, *.§"),
    // Under the name of a project's own service, with a form that is any value.
    (
        "own",
        "ACME_TOKEN=§\nACME_NAME=§\nACME_PUBLISHABLE_KEY=§x\nVITE_ACME_TOKEN=§\n§_ACME_TOKEN=§\nACME_TOKEN_2=\"§\"\n",
    ),
    ("own", "OTHER=§\nACME_STRIPE_TOKEN=§\nSTRIPE_SECRET_KEY=§\nACME_TOKEN=Bearer §\nACME_NAME=https://§@h.example\n"),
    // In its file, and where that is named.
    ("credlint.toml", "[lint]\nservices = ['§', '§.toml', '../§', 'a/§.toml', 1]\n[messaging.r]\ntoken = '§'\n"),
    ("service", "# §\nname = '§'\n"),
    ("service", "name = 'Acme'\nwords = ['§']\n"),
    ("service", "name = 'Acme'\nwords = ['ACME']\n[form.'§']\nnoun = 'a key'\npatterns = ['a']\nsample = 'a'\n"),
    ("service", "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = '§'\npatterns = ['a']\nsample = 'a'\n"),
    ("service", "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'for now §'\npatterns = ['a']\nsample = 'a'\n"),
    ("service", "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = ['a_§']\nsample = 'a'\n"),
    ("service", "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = ['a']\nsample = 'a_§'\n"),
    (
        "service",
        "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = ['a']\nsample = 'a'\n[field.a]\ntakes = ['§']\nnames = [{ words = ['§'] }]\n",
    ),
    (
        "service",
        "name = 'Acme'\nwords = ['ACME']\n[form.a]\nnoun = 'a key'\npatterns = ['a']\nsample = 'a'\n[field.a]\ntakes = ['a']\nnames = [{ words = ['§'] }]\n",
    ),
    ("service", "name = 'Acme'\n[sources]\n'§' = { official = '§' }\n"),
    ("service", "name = 'Acme'\ndocs = '§'\nread = '§'\n"),
    ("service", "name = 1\n'§' = '§'\n"),
    ("service", "name = '§\n"),
    // In the journal of an earlier run.
    (
        "journal",
        "{\"schema\":\"credlint/journal/v1\",\"time\":1,\"key\":\"§\",\"file\":\"§\",\"state\":\"uncertain\",\"size\":4,\"modified\":1,\"sha256\":\"§\",\"file_id\":\"§\",\"error\":\"§\"}\n",
    ),
    ("journal", "{\"schema\":\"credlint/journal/v1\",\"§\":\"§\"}\n"),
    ("journal", "{\"schema\":\"credlint/journal/§\"}\n§\n"),
    // In blocks.
    ("blocks", "[{\"type\": \"section\", \"text\": {\"type\": \"mrkdwn\", \"text\": \"§\"}}]"),
    ("blocks", "{\"blocks\": [{\"type\": \"§\", \"§\": [\"§\"]}]}"),
    ("blocks", "{\"§\": \"§"),
    ("blocks", "[\"§\", §]"),
];

/// The commands that are run with each of those places.
pub const COMMANDS: &[&[&str]] = &[
    &["check", "--format", "json"],
    // Human on standard output, and the other formats; the same functions write them there.
    &[
        "check", "--report=sarif=../out/sarif", "--report=github=../out/github", "--report=gitlab=../out/gitlab",
        "--report=concise=../out/concise",
    ],
    &["--color", "always", "check", "--no-resolve", "--fail-on", "warning"],
    &["check", "--no-allow", "-D", "warnings", "-A", "missing-token"],
    &["check", "--policy", "credlint.toml"],
    &["check", "--baseline", "credlint.toml"],
    &["check", "-v"],
    &["check", "-v", "--format", "json"],
    &["check", "-v", "--environment", "--profile", "r"],
    &["why", "report.csv"],
    &["why", "credlint.toml", "--format", "json"],
    &["check", "-q"],
    &["check", "--format", "json", "--environment", "."],
    &["check", "."],
    &["services", "acme", "--format", "json"],
    &["services", "acme"],
    &["services", "check", "acme.toml"],
    &["services", "stripe", "--format", "json"],
    &["explain", "acme/a"],
    &["explain", "ACME_TOKEN"],
    &["profiles"],
    &["profiles", "r"],
    &["profiles", "r", "--no-resolve"],
    &["profiles", "--format", "json"],
    &["profiles", "r", "--format", "json"],
    &["upload", "--profile", "r", "--retries", "0", "--report=json=../out/upload", "report.csv"],
    &["upload", "--profile", "r", "--retries", "0", "--format", "json", "--channel", "C9", "report.csv"],
    &[
        "upload", "--profile", "r", "--retries", "0", "--format", "jsonl", "--concurrency", "1", "--channel", "C9",
        ".", "none*",
    ],
    &["upload", "--profile", "r", "--dry-run", "--channel", "C9", "report.csv", "none"],
    &["upload", "--profile", "r", "--allow-empty", "--filename", "x.csv", "-"],
    &["upload", "--profile", "r", "--rehearse", "--channel", "C9", "--confirm", "report.csv"],
    &[
        "upload", "--profile", "r", "--retries", "0", "--concurrency", "1", "--channel", "C9", "--exclude", "*.y*ml",
        ".", "credlint.toml", "x.env", "key",
    ],
    &["exec", "--observe", "--", "/bin/true"],
    &["exec", "-v", "--profile", "r", "--", "/bin/true"],
    &["verify", "--max-wait", "0"],
    &["verify", "--max-wait", "0", "--format", "json"],
    &["verify", "--max-wait", "0", "--format", "json", "--profile", "r"],
    &["verify", "--max-wait", "0", "--environment", "."],
    &["verify", "--max-wait", "0", "--environment", ".", "--format", "json"],
];

/// Commands that read no configuration, whatever it contains.
pub const WITHOUT_CONFIGURATION: &[&[&str]] = &[
    &["init", "--output", "-"],
    &["init", "--output", "new.toml"],
    &["schema"],
    &["completions", "bash"],
    &["man"],
    &["explain", "--format", "json"],
    &["--color", "always", "explain", "literal-secret"],
];

/// Command lines that contain the secret.
pub const WORDS: &[&[&str]] = &[
    &["check", "--profile", "§"],
    &["why", "§"],
    &["why", "--in", "§", "report.csv"],
    &["why", "--env-file", "§", "report.csv", "--format", "json"],
    &["check", "--profile", "messaging.§", "--format", "json"],
    &["check", "§"],
    &["check", "--config", "§.toml", "--format", "json"],
    &["check", "--env-file", "§"],
    &["check", "--format", "§"],
    &["check", "--report", "§"],
    &["check", "--report", "§=x"],
    &["check", "--report", "json=§/x"],
    &["check", "--output", "none/§"],
    &["check", "--§"],
    &["check", "-D", "§"],
    &["check", "--policy", "§.toml"],
    &["check", "--baseline", "§"],
    &["§"],
    &["explain", "§"],
    &["explain", "§/token"],
    &["explain", "stripe/§"],
    &["services", "§"],
    &["services", "check", "§"],
    &["services", "check", "§.toml"],
    &["services", "report.csv", "§"],
    &["schema", "§"],
    &["init", "§"],
    &["init", "--output", "§"],
    &["completions", "§"],
    &["man", "§"],
    &["explain", "--format", "§"],
    &["profiles", "--format", "json", "§"],
    &["profiles", "§"],
    &["upload", "--profile", "§", "report.csv"],
    &["upload", "--profile", "r", "--channel", "§", "--dry-run", "report.csv"],
    &["upload", "--profile", "r", "--channel", "§,", "report.csv"],
    &["upload", "--profile", "r", "--comment", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "r", "--stall-timeout", "§", "report.csv"],
    &["upload", "--profile", "r", "--concurrency", "§", "report.csv"],
    &["upload", "--profile", "r", "--thread", "§", "report.csv"],
    &["upload", "--profile", "r", "--shard", "§", "report.csv"],
    &["upload", "--profile", "r", "--shard", "1/§", "report.csv"],
    &["upload", "--profile", "r", "--title", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "r", "--snippet-type", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "e", "--alt-text", "§", "--rehearse", "report.csv"],
    &["upload", "--profile", "r", "--alt-text", "§", "report.csv"],
    &["upload", "--profile", "e", "--blocks", "§", "report.csv"],
    &["upload", "--profile", "e", "--blocks", "§/x", "--alt-text", "§", "report.csv"],
    &["verify", "--profile", "r", "--max-wait", "0", "--channel", "§", "--channel", "#§"],
    &["verify", "--channel", "§,"],
    &["upload", "--profile", "r", "--files-from", "§"],
    &["upload", "--profile", "r", "--dry-run", "--format", "jsonl", "§", "§*"],
    &["upload", "--profile", "r", "--dry-run", "--quiet", "none/§*", "none/*/§?.csv", "§/[ab].csv"],
    &["upload", "--profile", "r", "--retries", "0", "--journal", "none/§", "report.csv"],
    &["upload", "--profile", "r", "--dry-run", "--exclude", "§", "."],
    &["upload", "--profile", "r", "--dry-run", "--exclude", "§[", "."],
    &["verify", "--profile", "§"],
    &["verify", "--max-wait", "§"],
    &["verify", "§"],
    &["verify", "--environment", "--env-file", "§"],
    &["verify", "--include", "§", "."],
    &["verify", "--config", "§.toml", "--format", "json"],
    &["upload", "--profile", "r", "--dry-run", "--filename", "§", "report.csv"],
    &["upload", "--profile", "r", "--dry-run", "--filename", "a/§\n", "report.csv"],
    &[
        "upload", "--profile", "r", "--rehearse", "--format", "json", "--filename", "x.csv", "--comment", "§",
        "§/report.csv", "./§",
    ],
    &["upload", "--profile", "r", "--retries", "§", "--max-wait", "§", "--answer-timeout", "§", "report.csv"],
    &["upload", "--profile", "r", "--format", "§", "report.csv"],
    &["upload", "--profile", "r", "--policy", "§", "report.csv"],
    &["check", "-W", "§", "-A", "warnings"],
    &["check", "-A", "missing-§"],
    &["check", "--fail-on", "§"],
    &["check", "--write-baseline", "none/§"],
    &["check", "--color", "§"],
    &["check", "--profile", "§"],
    &["check", "§.toml", "./§/credlint.yaml"],
    &["check", "--profile=§", "--§=§"],
    &["verify", "--answer-timeout", "§"],
    &["exec", "--require", "§", "--", "true"],
    &["exec", "--stdin", "§", "--", "true"],
    &["check", "--environment", "--require", "§"],
    &["exec", "--env-file", "§", "--", "true"],
    &["profiles", "storage.§"],
    &["explain", "missing-§"],
    &["sandbox", "--scopes", "§", "--listen", "§"],
    &["sandbox", "--delay", "§"],
    &["sandbox", "--store", "report.csv/§", "--ledger", "report.csv/§"],
    &["sandbox", "--listen", "§"],
    &["sandbox", "--fail", "§"],
    &["sandbox", "--ledger", "none/§"],
];

/// A configuration with mistakes of its own, and one to send with, to an address without a service.
const PLAIN: &str =
    "[messaging.s]\nchannels = []\n[messaging.r]\nbase_url = 'http://127.0.0.1:1'\ntoken = 'abc'\nchannels = ['C1']\n";

/// A service of a project that takes any value for one of its own, and tells those with a digit at the beginning from others.
const OWN: &str = r#"name = "Acme"
words = ["ACME"]
[form.low]
noun = "a low value"
patterns = ['(?<first>[0-9])(?<rest>[ -~]*)']
sample = "1{w*9}"
public = true
[form.high]
noun = "a high value"
patterns = ['(?<first>[a-zA-Z])(?<rest>[ -~]*)']
sample = "z{w*9}"
public = true
[field.token]
takes = ["low"]
names = [{ words = ["TOKEN"] }]
[[field.token.mistake]]
forms = ["high"]
repair = "set it to a low value"
[field.name]
takes = ["high"]
names = [{ words = ["NAME"] }]
purpose = "name"
[field.publishable]
takes = ["low", "high"]
names = [{ words = ["PUBLISHABLE_KEY"] }]
[[relation]]
agree = "rest"
fields = ["token", "name", "publishable"]
advice = "copy both"
"#;

/// Creates a project with a secret planted in one place, and returns the arguments that use that place.
pub fn plant(place: Place, secret: &str) -> Option<(Project, Vec<String>)> {
    let (name, text) = place;
    // A secret that needs escaping there would be another text.
    let quotes = name.ends_with("json") || text.contains('"');
    if (quotes && secret.contains('"')) || (name == "env" && text.contains("__§")) && secret.contains(['/', '=']) {
        return None;
    }
    // In a sentence, letters alone are a word; and profile names consist of letters.
    let letters = |more: &[u8]| secret.bytes().all(|byte| byte.is_ascii_alphabetic() || more.contains(&byte));
    let profile = name == "baseline" || text.contains("profile = 'storage.§'");
    if (text.contains("now §") && letters(b"")) || (profile && letters(b"-")) {
        return None;
    }
    let text = text.replace('§', secret);
    // No run may reach a real service.
    let project = Project::new().file("report.csv", "a,b\n").env("HTTPS_PROXY", "http://127.0.0.1:9");
    Some(match name {
        "env" => {
            let (variable, value) = text.split_once('=').unwrap();
            let base = "[messaging.r]\ninitial_comment = 'x'\n";
            (project.file("credlint.toml", base).env(variable, value), vec![])
        }
        ".env" => (project.file("x.env", text), vec!["--env-file".to_owned(), "x.env".to_owned()]),
        // The upper layer has it with another end.
        "shadow" => {
            let variables =
                format!("CREDLINT_MESSAGING__R__TOKEN='{secret}x'\nCREDLINT_MESSAGING__R__WEBHOOK_URL='{secret}x'\n");
            let project = project.file("credlint.toml", text).file("x.env", variables);
            harness::set_mode(&project.path().join("x.env"), 0o644);
            (project, vec!["--env-file".to_owned(), "x.env".to_owned()])
        }
        "readable" => {
            let base = "[messaging.r]\ntoken = { file = 'key' }\n[storage.r]\napplication_key = { file = 'key' }\n";
            let project = project.file("credlint.toml", base).file("key", text);
            harness::set_mode(&project.path().join("key"), 0o644);
            (project, vec![])
        }
        "own" => {
            let lint = format!("{PLAIN}{}", crate::own_services::LINT);
            let project = project.file("credlint.toml", lint).file("acme.toml", OWN).file("x.env", &text);
            let first = text.lines().next().and_then(|line| line.split_once('='));
            let project = match first {
                Some((name, value)) => project.env(name, value),
                None => project,
            };
            (project, vec!["--env-file".to_owned(), "x.env".to_owned()])
        }
        "service" => {
            let lint = format!("{PLAIN}{}", crate::own_services::LINT);
            (project.file("credlint.toml", lint).file("acme.toml", text).env("ACME_TOKEN", "x"), vec![])
        }
        "hosts" => (project.file("credlint.toml", PLAIN).env("CREDLINT_HOSTS", text), vec![]),
        "blocks" => {
            let external = format!("{PLAIN}upload_method = 'external'\n");
            let project = project.file("credlint.toml", external).file("blocks.json", text);
            (project, vec!["--blocks".to_owned(), "blocks.json".to_owned()])
        }
        "baseline" | "policy" | "journal" => {
            let file = if name == "policy" { "policy.toml" } else { name };
            (project.file("credlint.toml", PLAIN).file(file, text), vec![format!("--{name}"), file.to_owned()])
        }
        name => (project.file(name, text), vec![]),
    })
}
