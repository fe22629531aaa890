use proptest::prelude::*;

use super::*;
use crate::source::tree::{Entry, Node};
use crate::source::tree_text::documents_text;
use crate::source::{Allowance, PipeTexts, Sources};

const DIALECTS: [Dialect; 8] = [
    Dialect::Assignments,
    Dialect::Ini,
    Dialect::Toml,
    Dialect::Json,
    Dialect::Yaml,
    Dialect::Lines,
    Dialect::Nul,
    Dialect::Xml,
];

/// Every character differs from the next, so that no part of it looks like a word.
const SECRET: &str = "xQ7zJ3wX9kV4qZ8jW2yK5vH6";

/// The syntaxes of heredocs.
fn detect_embedded(name: &str, _: &str) -> Dialect {
    match name.rsplit('.').next() {
        Some("yml") => Dialect::Yaml,
        Some("json") => Dialect::Json,
        Some("toml") => Dialect::Toml,
        Some("conf") => Dialect::Ini,
        _ => Dialect::Assignments,
    }
}

/// The result of reading a text.
struct Read {
    masked: String,
    allowances: Vec<Allowance>,
    roots: Result<Vec<Value>, Problem>,
    debug: String,
}

fn read(text: &str, dialect: Dialect) -> Read {
    let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
    let directory = Path::new("/");
    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, pipes: &pipes };
    let mut owned = text.to_owned();
    let read = reader.document_text("standard input", &mut owned, dialect, detect_embedded);
    assert!(owned.is_empty(), "the text is wiped");
    let debug = format!("{sources:?}");
    let source = sources.get(read.id);
    assert!(source.name == "standard input" && source.path.is_none());
    let (masked, allowances) = (source.masked.as_str().to_owned(), source.allowances.clone());
    if dialect != Dialect::Nul {
        assert_eq!(masked.matches('\n').count(), text.matches('\n').count(), "lines stay");
    }
    Read { masked, allowances, roots: read.flaw.map_or(Ok(read.roots), Err), debug }
}

#[test]
fn byte_order_mark_is_not_part_of_a_name() {
    for (dialect, text) in [
        (Dialect::Json, "\u{feff}{\"a\": \"b\"}"),
        (Dialect::Yaml, "\u{feff}a: b\n"),
        (Dialect::Toml, "\u{feff}a = \"b\"\n"),
        (Dialect::Assignments, "\u{feff}a=b\n"),
    ] {
        let roots = read(text, dialect).roots.unwrap();
        let names = |root: &Value| match &root.node {
            Node::Table(entries) => entries.iter().map(|entry: &Entry| entry.key.clone()).collect::<Vec<_>>(),
            _ => Vec::new(),
        };
        assert_eq!(roots.iter().flat_map(names).collect::<Vec<_>>(), ["a"], "{dialect:?}");
    }
}

/// Panics if a location is outside the text or inside a character.
fn assert_places(text: &str, value: &Value) {
    let there = |span: crate::text::Span| assert!(text.get(span.start..span.end).is_some(), "{span:?} in {text:?}");
    there(value.at.span);
    match &value.node {
        Node::Null | Node::Scalar(..) => {}
        Node::List(items) | Node::Conflict(items) => items.iter().for_each(|item| assert_places(text, item)),
        Node::Table(entries) => {
            for Entry { at, value, .. } in entries {
                there(at.span);
                assert_places(text, value);
            }
        }
    }
}

#[test]
fn masks_secrets_in_every_position() {
    let places = [
        (
            Dialect::Assignments,
            "export TOKEN=§\nA='§' B=\"a\\n§\" §\n# §\n; §\n§\n§=1\nset §=2\nENV TOKEN §\necho §=§\n[§]\n{ §\n- §: §\nexport -§ $env:§\nx = { § = \"§\", y = [\"§\"] }\nz=\"a\n§\n",
        ),
        (
            Dialect::Assignments,
            "cat > §.yml <<-EOF\n\ta: §\n\t# §\n\t§: [§]\n\tEOF\ncat <<EOF > a.json\n{\"a\": \"§\", \"§\": 1}\nEOF\ntee a.conf <<'EOF' §\n[§]\na = §\n; §\nEOF\n",
        ),
        (Dialect::Ini, "§\n[§]\nkey = §\n§ = 1 ; §\n# §\n; §\n  § = §\n[x] §\n"),
        (Dialect::Toml, "# §\n'§' = '§'\n[t.§]\na = [\"§\", { b = \"\"\"\n§\"\"\" }]\n"),
        (Dialect::Json, "// §\n{\"a\": \"§\", \"§\": [\"§\", {§: '§'}], /* § */ \"b\": {}}"),
        (
            Dialect::Yaml,
            "# §\na: §\n§: b\n? [§]\n: §\nc: &§ |\n  # §\n  §\nd: !§ §\ne: !§ {§: §}\n---\n- *§\n"
                .trim_end_matches("- *§\n"),
        ),
        (Dialect::Yaml, "a: {{ § }}\nb: {{ § }}{{ § }}\n{{ § }}: §\n# §\n- name: §\n  value: §\n§\n"),
        (
            Dialect::Lines,
            "a: §\n§: b\n# §\n{{ § }}\n- name: A\n  value: '§'\n- name: §\n  value: x\n§\n\"§\" = \"§\" # §\nb: !§ §\n",
        ),
        (Dialect::Nul, "TOKEN=§\0§=1\0§\0A=a\n§\0"),
        (
            Dialect::Xml,
            "<a § §='§'><!-- § --><add key='A' value='§'/>§<add value=\"§\" key=\"§\">\n<setting name=\"B\"><value>§</value></setting></a>",
        ),
    ];
    for (dialect, place) in places {
        let text = place.replace('§', SECRET);
        let read = self::read(&text, dialect);
        assert!(read.roots.is_ok(), "{dialect:?}: {:?}", read.roots.err());
        assert!(!read.masked.contains(SECRET) && !read.debug.contains(SECRET), "{dialect:?}: {}", read.masked);
        // In every dialect, and with the text truncated at any byte.
        for dialect in DIALECTS {
            for end in (0..text.len()).step_by(5) {
                let read = self::read(&text[..end], dialect);
                assert!(!(read.masked + &read.debug).contains(SECRET), "{dialect:?}: {}", &text[..end]);
            }
        }
    }
}

#[test]
fn shows_known_public_text() {
    for (dialect, text, shown) in [
        (
            Dialect::Assignments,
            "#!/bin/sh\nexport -x -hunter SLACK_TOKEN=abc; B2_ID='d' # e\nset \"X=y\"\n$env:A = \"b\"\nrun --rm -e C=d x\nx = {\n  token = \"\"\n}\n",
            "# ********\nexport -x -********SLACK_TOKEN=********; B2_ID='********' # ********\nset \"X=********\"\n$env:A = \"********\"\n********-e C=******** ********\nx = {\n  token = \"\"\n}\n",
        ),
        (Dialect::Assignments, "A='b' \\\n  B='c'\n", "A='********' \\\n  B='********'\n"),
        (
            Dialect::Ini,
            "[b2]\ntype = b2 ; c\naccount: x\n; d\nodd\n",
            "[b2]\ntype = ******** ********\naccount: ********\n********\n********\n",
        ),
        (Dialect::Toml, "[a.b]\nc = 1\n[a.d]\n", "[a.b]\nc = ********\n[a.d]\n"),
        (Dialect::Json, "{\"a\": [1, null], // b\n\"c\": {}}", "{\"a\": [********, ********], ********\n\"c\": {}}"),
        (
            Dialect::Yaml,
            "kind: Secret\nstringData:\n  token: \"x\"\n---\nlist: [a, ~]\n",
            "kind: ********\nstringData:\n  token: \"********\"\n---\nlist: [********, ********]\n",
        ),
        (
            Dialect::Yaml,
            "environment:\n- SLACK_TOKEN=x\n- \"MY_KEY=y\"\n- TOKEN=x\n- slack_token=x\n- QZWV_XKPJHYBDTMRFQZWVXKPJHYBD=x\n",
            "environment:\n- SLACK_TOKEN=********\n- \"MY_KEY=********\n- ********\n- ********\n- ********\n",
        ),
        (
            Dialect::Yaml,
            "data:\n  {{- if .x }}\n  token: {{ .y }}\n  {{- end }}\nenv:\n- name: A\n  value: b\n",
            "data:\n  {{- ********\n  token: ********\n  {{- ********\nenv:\n- name: ********\n  value: ********\n",
        ),
        (Dialect::Nul, "A=b\0C=\0", "A=********\nC=\n"),
    ] {
        assert_eq!(read(text, dialect).masked, shown, "{dialect:?}");
    }
}

#[test]
fn comments_allow_findings_in_every_dialect() {
    for (dialect, text, lines) in [
        (
            Dialect::Assignments,
            "# credlint: allow(no-channels) by hand\nA=1 # credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Ini,
            "; credlint: allow(no-channels) by hand\na = 1 ; credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Ini,
            "# credlint: allow(no-channels) by hand\na = 1 # credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Toml,
            "# credlint: allow(no-channels) by hand\na = 1 # credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Json,
            "// credlint: allow(no-channels) by hand\n{\"a\": 1} // credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Yaml,
            "# credlint: allow(no-channels) by hand\na: 1 # credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
        (
            Dialect::Lines,
            "# credlint: allow(no-channels) by hand\na: 1 # credlint: allow(no-channels) by hand\n",
            [2, 2],
        ),
    ] {
        let allowances = read(text, dialect).allowances;
        let found: Vec<_> =
            allowances.iter().map(|found| (found.rule.as_str(), found.reason.as_str(), found.line)).collect();
        assert_eq!(found, lines.map(|line| ("no-channels", "by hand", line)), "{dialect:?}");
    }
}

#[test]
fn keeps_path_of_file_and_rejects_binary() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("xoxb-1.conf");
    std::fs::write(&path, "\u{feff}[s]\na = b\n").unwrap();
    let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
    let directory = directory.path();
    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory, pipes: &pipes };
    let document = reader.document(&path, Dialect::Ini).unwrap();
    assert_eq!(document.roots.len(), 1);
    std::fs::write(&path, b"\xff").unwrap();
    assert_eq!(reader.document(&path, Dialect::Ini).err().map(|problem| problem.code), Some(Code::NotUtf8));
    std::fs::write(&path, "{").unwrap();
    let broken = reader.document(&path, Dialect::Json).unwrap();
    assert_eq!(broken.flaw.unwrap().code, Code::Syntax);
    #[cfg(any(feature = "upload", feature = "cli"))]
    assert_eq!(sources.paths().next(), Some((path, false)));
    assert!(!format!("{sources:?}").contains("xoxb"));
}

#[test]
fn stops_reading_endless_input() {
    for many in ["A=1\n".repeat(200_000), format!("export {}", "A=1 ".repeat(200_000))] {
        let Some(Value { node: Node::Table(entries), .. }) = read(&many, Dialect::Assignments).roots.unwrap().pop()
        else {
            panic!("a table");
        };
        assert_eq!(entries.len(), crate::source::fault::MAX_VALUES);
    }
    for dialect in [Dialect::Yaml, Dialect::Json] {
        assert_eq!(read(&"[".repeat(100_000), dialect).roots.err().map(|problem| problem.code), Some(Code::TooDeep));
    }
}

#[test]
fn reads_heredocs_in_syntax_of_target_file() {
    let tree_text = |text: &str| {
        documents_text(text, |text, source, vault| {
            parse_script(text, Dialect::Assignments, source, vault, detect_embedded)
        })
    };
    let yaml = "a.yml<a.yml>: {b<b>: Text(\"1\" from \"1\")}";
    for opener in [
        "cat > a.yml <<EOF", "cat >> \"$HOME/x/a.yml\" << 'EOF'", "cat <<\"EOF\" >/etc/a.yml", "cat <<EOF>a.yml",
        "cat >a.yml<<EOF", "sudo tee -a /etc/a.yml >/dev/null <<\\EOF", "cat <<EOF | sudo tee a.yml",
        "COPY <<EOF /etc/a.yml",
    ] {
        let text = format!("X=1\n{opener}\nb: 1\nEOF\nY=2\n");
        let expected = format!("{{X<X>: Text(\"1\" from \"1\"), {yaml}, Y<Y>: Text(\"2\" from \"2\")}}");
        assert_eq!(tree_text(&text), expected, "{text}");
    }
    for (text, expected) in [
        // Tabs are removed, and documents may share a name.
        ("cat <<-EOF > a.yml\n\t\tb: 1\n\t\t---\n\t\tb: 1\n\tEOF\n", format!("{{{yaml}, {yaml}}}")),
        (
            "cat > r.conf <<EOF\n[s]\nk = $X\nEOF\n",
            "{r.conf<r.conf>: {s<s>: {k<k>: Text(\"$X\" from \"$X\")}}}".to_owned(),
        ),
        // An invalid document is read line by line.
        (
            "cat > a.json <<EOF\n{\"b\": \"1\",\nEOF\n",
            "{a.json<a.json>: {b<\"b\">: Text(\"1\" from \"\\\"1\\\"\")}}".to_owned(),
        ),
        ("cat > ${D}/.env <<EOF\nb=1\nEOF\n", "{.env<.env>: {b<b>: Text(\"1\" from \"1\")}}".to_owned()),
        ("cat >> \"$FILE\" <<EOF\nb=1\nEOF\n", "{FILE<FILE>: {b<b>: Text(\"1\" from \"1\")}}".to_owned()),
        // A heredoc must have an end.
        ("cat > a.yml <<EOF\nb=1\n", "{b<b>: Text(\"1\" from \"1\")}".to_owned()),
        ("# cat > a.yml <<EOF\nb: 1\nEOF\n", "{b<b>: Text(\"1\" from \"1\")}".to_owned()),
        ("cat > a.yml <<< \"$X\"\nb: 1\n\n", "{b<b>: Text(\"1\" from \"1\")}".to_owned()),
        ("echo $((1 << 2)) > a.yml\nb: 1\n2\n", "{b<b>: Text(\"1\" from \"1\")}".to_owned()),
    ] {
        assert_eq!(tree_text(text), expected, "{text}");
    }
    let many = "cat <<EOF > a.yml\n".repeat(200_000);
    assert_eq!(tree_text(&(many.clone() + "\tEOF")), "{}");
    assert_eq!(tree_text(&many), "{}");
}

/// A text that a template engine or a shell completes need not be valid yet.
#[test]
fn reports_invalid_yaml_unless_template() {
    assert!(read("a: [\n", Dialect::Yaml).roots.is_err_and(|flaw| flaw.code == Code::Syntax));
    assert!(read("a: [\n{{ b }}\n", Dialect::Yaml).roots.is_ok());
    let piped = "kubectl apply -f - <<EOF\nenv:\n- name: A\n  value: b\n${MORE}\nEOF\n";
    let tree_text = documents_text(piped, |text, source, vault| {
        parse_script(text, Dialect::Assignments, source, vault, |_, _| Dialect::Yaml)
    });
    assert_eq!(
        tree_text,
        "{<>: {env<env>: [{name<name>: Text(\"A\" from \"A\"), value<value>: Text(\"b\" from \"b\")}]}}"
    );
}

#[test]
fn reads_only_given_documents() {
    let text = "a: [\n---\nb: c\n";
    let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: Path::new("/"), pipes: &pipes };
    let second = Span { start: text.find('b').unwrap(), end: text.len() };
    let read = reader.read(&mut text.to_owned(), Dialect::Yaml, detect_embedded, Some(&[second]));
    assert!(read.is_complete() && read.roots().len() == 1);
}

/// A fragment in any dialect, with placeholders for the secret.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "A", "token", "name", "value", "=", ":", ": ", " = ", "\n", "\r\n", "  ", "\t", " ", "'", "\"", "\\", "`", "$",
        "$(", "${", "}", ")", "{", "[", "]", "{{ ", " }}", "{% ", "#", " # ", ";", "//", "/*", "*/", "---\n", "- ",
        "-e ", "--env=", "echo \"A=", "\" >> .env\n", "sed -i 's|A|A=", "|' .env\n", "export A=Bearer ",
        "cat <<-EOF > a.yml\n", "tee a.json <<'EOF'\n", "\nEOF\n", "export ", "set ", "set \"", "setx ", "ENV ",
        "ARG ", "Environment=", "$env:", "declare -x ", "- name: ", "|\n", "!x ", "&a ", "*a", "<<", "&&", "\0",
        "\u{feff}", "é", "日", "\u{a0}", "1", ",", "? ",
    ]);
    prop_oneof![6 => known.prop_map(str::to_owned), 1 => Just(SECRET.to_owned()), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn reads_any_text_without_panic(pieces in prop::collection::vec(piece(), 0..40)) {
        let text = pieces.concat();
        for dialect in DIALECTS {
            let read = read(&text, dialect);
            prop_assert!(!(read.masked + &read.debug).contains(SECRET), "{dialect:?}: {text:?}");
            for root in read.roots.iter().flatten() {
                assert_places(&text, root);
            }
        }
    }
}

/// Formats a parsed text: `{name: value}`, with the raw text if it differs.
fn flat(text: &str, dialect: Dialect) -> String {
    fn shown(value: &Value, text: &str, vault: &Vault) -> String {
        let raw = |span: crate::text::Span| text[span.start..span.end].to_owned();
        match &value.node {
            #[expect(clippy::disallowed_methods, reason = "a test looks at made-up values")]
            Node::Scalar(_, handle) => match (vault.open(*handle), raw(value.at.span)) {
                (own, raw) if own == raw => raw,
                (own, raw) => format!("{own} from {raw}"),
            },
            Node::Table(entries) => {
                let entries = entries.iter().map(|Entry { key, at, value }| {
                    let from = Some(raw(at.span)).filter(|raw| raw != key).map(|raw| format!(" from {raw}"));
                    format!("{key}{}: {}", from.unwrap_or_default(), shown(value, text, vault))
                });
                format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
            }
            Node::List(items) => {
                format!("[{}]", items.iter().map(|item| shown(item, text, vault)).collect::<Vec<_>>().join(", "))
            }
            _ => "null".to_owned(),
        }
    }
    let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
    let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: Path::new("/"), pipes: &pipes };
    let read = reader.read(&mut text.to_owned(), dialect, detect_embedded, None);
    read.roots().iter().map(|root| shown(root, text, &vault)).collect::<Vec<_>>().join(" --- ")
}

#[test]
fn reads_syntaxes_without_own_parser() {
    use Dialect::{Assignments, Json, Lines, Logins, Nul, Toml, Xml, Yaml};
    for (dialect, text, read) in [
        (
            Logins,
            "machine h login u password p # c\n# machine x\n\nmachine h2\n\tlogin u2\n  account a password p2\ndefault login d password e\nmacdef init\n",
            "{h: {login: u, password: p, host from h: h}, h2: {login: u2, account: a, password: p2, host from h2: h2}, default: {login: d, password: e, host from default: default}, macdef: {host from macdef: macdef}}",
        ),
        (Logins, "login early password x\nmachine h login", "{h: {host from h: h}}"),
        (
            Logins,
            "//r.example.com/:_authToken=abc\n; //c/:_a=b\n# c\n//b/:username=u\n//d/:_password = \"x=y\"\n@s:registry=https://x\n//e/:_x\n",
            "{r.example.com/: {_authToken: abc, host from r.example.com/: r.example.com/}, d/: {_password: x=y from \"x=y\", host from d/: d/}}",
        ),
        (
            Logins,
            "h:5432:db:user:pa\\:ss\n*:*:*:u: p \n#c:1:2:3:4\nh:1:d:u\nh:1:d:u:p:q\n",
            "{h: {password from pa\\:ss: pa\\:ss, host from h: h}, *: {password from p: p, host from *: *}}",
        ),
        (
            Xml,
            "<!-- <add key=\"A\" value=\"1\"/> --><?xml version=\"1.0\"?><c><add key=\"B\" value=\"a&lt;b&amp;&quot;&x;\" /><add value='c>d\"' key = \"C\"/><value name=\"K\">l</value><![CDATA[<add key=\"X\" value=\"1\"/>]]><setting name=\"D\" x=\"1\"><value> e </value></setting><value>f</value>",
            "{B: a<b&\"&x; from a&lt;b&amp;&quot;&x;, C: c>d\", D: e}",
        ),
        (
            Xml,
            "<setting name=\"E\"><value><![CDATA[g<h]]></value></setting><setting name=\"F\"><value><b/></value></setting><add key=\"G\"/><other key=\"H\" value=\"i\"/><add name=\"I\" value=\"j\"></add><add key=\"J\" value=\"k",
            "{E: g<h from <![CDATA[g<h]]>, I: j}",
        ),
        (
            Nul,
            "A=1\0K=-----BEGIN X-----\nab=c\n-----END X-----\nB=2\0\nC=3",
            "{A: 1, K: -----BEGIN X-----\nab=c\n-----END X-----\nB=2, \nC: 3}",
        ),
        (
            Json,
            "{\"a\": \"x{y,z\", \"b\": [1, \"c\\\"d\"], \"e\": \"open\n, \"f\": \"g\\\\\", \"h\": \"i\"}",
            "{a from \"a\": x{y,z from \"x{y,z\", : {b from \"b\": null}, : {e from \"e\": open, f from \"f\": g\\ from \"g\\\\\", h from \"h\": i from \"i\"}}",
        ),
        (
            Yaml,
            "a: {{ x }}\nb: \"c\\\"d\"\nc: 'e'\n- name: A\n  value: B\n- {{ y }}\n",
            "{a: {{ x }}, b: c\"d from \"c\\\"d\", c: e from 'e', : [{name: A, value: B}]}",
        ),
        (
            Lines,
            "a:\n  b: c\n'd': \"e\\n\" # f\nname: N\nvalue: V\nlist:\n- name: A\n  value: B\n  more: C\n",
            "{a: {b: c}, d from 'd': e\n from \"e\\n\", name: N, value: V, list: [{name: A, value: B, more: C}]}",
        ),
        (
            Assignments,
            "#!/bin/sh\ncat > .env <<EOF\nA=Bearer b\nEOF\nssh h <<EOF\nC=d e\nEOF\ncat > a.sh <<EOF\nF=g h\nEOF\n",
            "{.env: {A: Bearer b}, C: d, a.sh: {F: g h}}",
        ),
        (Toml, "[a\nb = \"c\"\n[d]\ne = 'f'\n", "{a: {b: c from \"c\"}, d: {e: f from 'f'}}"),
        (
            Assignments,
            "cat <<EOF > a.yml\na: b\nEOF\n# <<X\nA=1 <<<x\ncat <<-EOT >b.json\n\t{\"c\": \"d\"}\nEOT\necho 1<<2\nB=2\n",
            "{a.yml: {a: b}, A: 1, b.json: {c from \"c\": d from \"d\"}, B: 2}",
        ),
    ] {
        assert_eq!(flat(text, dialect), read, "{text:?}");
    }
}

/// A text that is too long is read up to the limit, and never counts as complete.
#[test]
fn truncated_text_is_not_complete() {
    use Dialect::{Assignments, Ini, Lines, Logins, Nul, Properties, Shell, Xml};
    let whole = |text: String, dialect: Dialect| {
        let (mut vault, mut sources, pipes) = (Vault::default(), Sources::default(), PipeTexts::default());
        let mut reader = Reader { vault: &mut vault, sources: &mut sources, directory: Path::new("/"), pipes: &pipes };
        reader.read(&mut text.clone(), dialect, detect_embedded, None).is_complete()
    };
    for (dialect, one) in [
        (Assignments, "A=1\n"),
        (Shell, "A=1\n"),
        (Ini, "A=1\n"),
        (Ini, "[A]\n"),
        (Lines, "A: 1\n"),
        (Nul, "A=1\0"),
        (Properties, "A=1\n"),
        (Xml, "<add key=\"A\" value=\"1\"/>"),
        (Logins, "//h/:_a=b\n"),
    ] {
        assert!(whole(one.repeat(9), dialect), "{one:?}");
        assert!(!whole(one.repeat(crate::source::fault::MAX_VALUES + 1), dialect), "{one:?}");
    }
    let many = crate::source::fault::MAX_VALUES + 1;
    assert!(!whole(format!("cat > a.conf <<EOF\n{}EOF\n", "A=1\n".repeat(many)), Shell));
    // A command and its variables.
    assert!(!whole("heroku config:set A=1\n".repeat(many / 2 + 1), Shell));
    // Strings may contain any number of separators.
    let json = |text: String| whole(text, Dialect::Json);
    let many = ",".repeat(2 * crate::source::fault::MAX_VALUES + 9);
    assert!(
        json(format!("[\"{many}\"]")) && json(format!("[\"a\\\"{many}\"]")) && json(format!("[\"\\\\\", \"{many}\"]"))
    );
    assert!(!json(format!("[1{}]", many.replace(',', ",1"))));
    assert!(!json(format!("[\"\\\\\"{}]", many.replace(',', ",1"))));
}
