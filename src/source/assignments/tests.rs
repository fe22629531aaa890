use super::super::tree_text::documents_text;
use super::{Dialect, parse};

/// Formats names and values: `A=value`, with the original quotes.
fn tree_text(text: &str) -> String {
    let dialect = if text.starts_with("#!") { Dialect::Shell } else { Dialect::Assignments };
    documents_text(text, |text, source, vault| parse(text, dialect, source, vault, Vec::new()))
}

/// Formats entries without locations.
fn short(text: &str) -> String {
    let mut out = String::new();
    let tree_text = tree_text(text);
    let mut rest = tree_text.as_str();
    while let Some(at) = rest.find(" from \"") {
        out.push_str(&rest[..at]);
        let raw = &rest[at + 7..];
        let mut escaped = false;
        let end = raw.find(|c| {
            let end = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            end
        });
        rest = &raw[end.unwrap() + 1..];
    }
    out.push_str(rest);
    out
}

fn assert_read(cases: &[(&str, &[(&str, &str)])]) {
    for (text, entries) in cases {
        let entries: Vec<String> =
            entries.iter().map(|(name, value)| format!("{name}<{name}>: Text({value:?})")).collect();
        assert_eq!(short(text), format!("{{{}}}", entries.join(", ")), "{text:?}");
    }
}

#[test]
fn reads_dotenv_files() {
    assert_read(&[
        ("", &[]),
        ("A=1\r\nB=2", &[("A", "1"), ("B", "2")]),
        ("\u{a0}A=1\n  # c\n\n\tB = two words # c\n", &[("A", "1"), ("B", "two words")]),
        ("A=\nB= # c\nC=#x\n", &[("A", ""), ("B", ""), ("C", "#x")]),
        ("A='x # $Y'\nB=\"a\\n\\\"b\\\"\" # c\n", &[("A", "x # $Y"), ("B", "a\n\"b\"")]),
        ("A=\"a\nb\"\nB='c\nd' C=e f\n", &[("A", "a\nb"), ("B", "c\nd"), ("C", "e")]),
        ("A='unclosed\nB=1\n", &[("A", "'unclosed"), ("B", "1")]),
        ("A=it's\nB=don't do\n", &[("A", "it's"), ("B", "don't do")]),
        ("A=1\nA=2\n", &[("A", "1"), ("A", "2")]),
        ("A: one two\nB:x\nc.d-e=1\n", &[("A", "one two"), ("c.d-e", "1")]),
        (
            "A=$X\nB=${X:-a b}\nC=$(op read \"op://a b\")\nD=`x y`\n",
            &[("A", "$X"), ("B", "${X:-a b}"), ("C", "$(op read \"op://a b\")"), ("D", "`x y`")],
        ),
        ("[section]\n; c\n// c\nREM c\n:: c\n/* a\nA=1 */ B=2\n", &[("B", "2")]),
        ("A=x;y\nB=x;\nC=1; D=2;E=3\n", &[("A", "x;y"), ("B", "x"), ("C", "1"), ("D", "2"), ("E", "3")]),
        ("A=x; export A\n", &[("A", "x")]),
        ("A=Name=a;AccountKey=b==;EndpointSuffix=c\n", &[("A", "Name=a;AccountKey=b==;EndpointSuffix=c")]),
        ("set A=x;y\nset B=Name=a;Key=b;\n", &[("A", "x;y"), ("B", "Name=a;Key=b;")]),
        ("set A=\"x\"\n", &[("A", "x")]),
        ("- A=1\n- \"B=two words\"\n- 'C=3'\n", &[("A", "1"), ("B", "two words"), ("C", "3")]),
        ("A={\"a\": \"b\"}\nB=[\"x\"]\nC=a+b/c==\n", &[("A", "{\"a\": \"b\"}"), ("B", "[\"x\"]"), ("C", "a+b/c==")]),
        ("A==x\nB==\n", &[("A", "=x"), ("B", "=")]),
        ("A := x\nB ?= y\nC += z\n", &[("A", "x"), ("B", "y")]),
    ]);
}

#[test]
fn reads_shell_scripts() {
    assert_read(&[
        ("export A=1\nexport B='x y' C=\"z\" # c\nexport D\n", &[("A", "1"), ("B", "x y"), ("C", "z")]),
        ("A=1 B=2 command C=3\n", &[("A", "1"), ("B", "2")]),
        ("A= B=2 command\n", &[("A", ""), ("B", "2")]),
        ("A=\"x\" command\nB=1 && command\nC=1 > x\n", &[("A", "x"), ("B", "1"), ("C", "1")]),
        ("DSN=host=a user=b password=c\n", &[("DSN", "host=a user=b password=c")]),
        (
            "A='x'\"y\"z\nexport B=a\\ b\nexport C=a\\\\b\nexport D=a\\b\n",
            &[("A", "xyz"), ("B", "a b"), ("C", "a\\b"), ("D", "a\\b")],
        ),
        ("export A=$(op read \"x y\") B=`a b`\n", &[("A", "$(op read \"x y\")"), ("B", "`a b`")]),
        (
            "export A = b\nlocal -r B=1\nreadonly C=2\ndeclare -x D=\"v\"\ntypeset -x E='w'\n",
            &[("A", "b"), ("B", "1"), ("C", "2"), ("D", "v"), ("E", "w")],
        ),
        ("[ -z \"$A\" ] && export B=1\nif true; then C=2; fi\n", &[("B", "1"), ("C", "2")]),
        ("f() {\n  export A=1\n}\nB=2\n", &[("A", "1"), ("B", "2")]),
        (
            "setenv A 'x y'\nset -gx B \"v\"\nset -x C w\nset -eu\nset -o pipefail\n",
            &[("A", "x y"), ("B", "v"), ("C", "w")],
        ),
        ("env -i A=1 B=2 command -e\n", &[("A", "1"), ("B", "2")]),
        (
            "docker run -it \\\n  -e A=1 -e 'B=x y' \\\n  --env=C=3 --env D=4 image -x\n",
            &[("A", "1"), ("B", "x y"), ("C", "3"), ("D", "4")],
        ),
        ("docker run -e=A=1 x\ndocker run --env-file B=2 x\n", &[("A", "1")]),
        ("x \"a\"; _A=1 \"b\"\n", &[("_A", "1")]),
        ("run don't stop\nA='b c'\n", &[("A", "b c")]),
        ("cat <<EOF > .env\nA=1\nEOF\n", &[("A", "1")]),
        ("a == b\nif [ $A = b ]; then\ncurl https://x.example/?a=b\nx | A=1 y\n", &[("A", "1")]),
    ]);
}

#[test]
fn reads_commands_with_credentials() {
    for (text, expected) in [
        (
            "x=1; sudo /bin/b2 account authorize 'a' \"b\" c; y=2\n",
            "x: Text(\"1\"), b2.account.authorize: {applicationKeyId: Text(\"a\"), applicationKey: Text(\"b\")}, y: Text(\"2\")",
        ),
        (
            "kopia repository connect b2 --key-id=a \\\n --key 'b' -x # c\ny=2\n",
            "kopia.repository.connect.b2: {key-id: Text(\"a\"), key: Text(\"b\")}, y: Text(\"2\")",
        ),
        (
            "helm --set a.b=1,c=2 \"--set-string=d=3\" --set e={f,g}\n",
            "helm: {a.b: Text(\"1\"), c: Text(\"2\"), d: Text(\"3\")}",
        ),
        ("heroku config:set A=1 -a x B='2 3'\n", "heroku.config:set: {A: Text(\"1\"), B: Text(\"2 3\")}"),
        ("duplicity /a b2://x@y | z\n", "duplicity: {url: Text(\"b2://x@y\")}"),
        (
            "b2 account authorize --x y a b\n",
            "b2.account.authorize: {applicationKeyId: Text(\"a\"), applicationKey: Text(\"b\")}",
        ),
        ("b2 account authorize --x --y a b\n", "b2.account.authorize: {}"),
        ("b2 account authorize --x y a\n", "b2.account.authorize: {}"),
        (
            "b2 account authorize --x=y a b\n",
            "b2.account.authorize: {applicationKeyId: Text(\"a\"), applicationKey: Text(\"b\")}",
        ),
        ("b2 account authorize {{ a }} {{ b }}\n", "b2.account.authorize: {}"),
        ("b2 account authorize a # b\n", "b2.account.authorize: {applicationKeyId: Text(\"a\")}"),
        ("b2 account authorize a > b\n", "b2.account.authorize: {applicationKeyId: Text(\"a\")}"),
        ("b2 account authorize a \\\rb\n", "b2.account.authorize: {applicationKeyId: Text(\"a\")}"),
        ("b2 account authorize a \\", "b2.account.authorize: {applicationKeyId: Text(\"a\")}"),
        ("heroku config:set -A=1 B=2\n", "heroku.config:set: {B: Text(\"2\")}"),
        ("helm set a=1\n", "helm: {}"),
        ("helm --set\n", "helm: {}"),
        // The word after a flag is its value, whatever it looks like.
        ("helm --set --set=a=1\n", "helm: {--set: Text(\"a=1\")}"),
        ("echo b2 account authorize a b\nb2 account list\nb2 account authorizes a\nb22 account authorize a\n", ""),
    ] {
        let found = short(text);
        let mut shown = String::new();
        let mut rest = found.as_str();
        // Without the text of the names.
        while let Some((before, after)) = rest.split_once('<') {
            shown += before;
            rest = after.split_once(">: ").map_or(after, |(_, after)| {
                shown += ": ";
                after
            });
        }
        assert_eq!(shown + rest, format!("{{{expected}}}"), "{text}");
    }
    let places = "{kopia.repository.connect.b2<>: {key-id<key-id>: Text(\"ab\" from \"ab\"), key<key>: Text(\"cd\" from \"'cd'\")}}";
    assert_eq!(tree_text("kopia repository connect b2 --key-id=ab --key 'cd'\n"), places);
    // Each word is examined once.
    assert_eq!(tree_text(&format!("x {}", "\"a\"b".repeat(200_000))), "{}");
    assert_eq!(tree_text(&format!("x {}", "\\\"".repeat(200_000))), "{}");
}

#[test]
fn reads_lines_that_a_script_writes() {
    let of_env = |lines: &str| format!("{{.env<.env>: {{{lines}}}}}");
    for (text, expected) in [
        ("echo A=1 >> .env\necho 'B=\"2\"' > x/.env\n", of_env("A<A>: Text(\"1\"), B<B>: Text(\"2\")")),
        ("echo -n \"export A=b c\" | sudo tee -a ~/.env\n", of_env("A<A>: Text(\"b c\")")),
        ("echo A=b c >.env\n", of_env("A<A>: Text(\"b c\")")),
        ("printf 'A=%s\\n' \"b\" >> .env\nprintf 'B=c\\n' >> .env\n", of_env("A<A>: Text(\"b\"), B<B>: Text(\"c\")")),
        ("echo 'A=\"1\"' >> \"$GITHUB_ENV\"\n", "{GITHUB_ENV<GITHUB_ENV>: {A<A>: Text(\"\\\"1\\\"\")}}".to_owned()),
        ("sed -i.bak -e 's|^A=.*|A=1|' -e \"s/B=/B=x\\/y/\" .env\n", of_env("A<A>: Text(\"1\"), B<B>: Text(\"x/y\")")),
        // Another line than the one that a variable has, and other files.
        ("sed -i 's|(A)=.*|\\1=1|; s|B=|B=&|' .env\nsed 's|A|A=1|' .env\nsed -i 's|A|A=1|' README\n", "{}".to_owned()),
        ("echo A=1\necho A=1 >> README\necho A=1 | grep .env\necho set A=1 >> .env\necho A=1 >&2\n", "{}".to_owned()),
        ("printf 'A=%d\\n' 1 >> .env\necho >> .env\necho A=1 >\n", "{}".to_owned()),
        // Apart from what the script sets.
        (
            "A=1; echo B=2 >> .env; C=3\n",
            "{A<A>: Text(\"1\"), .env<.env>: {B<B>: Text(\"2\")}, C<C>: Text(\"3\")}".to_owned(),
        ),
    ] {
        assert_eq!(short(text), expected, "{text}");
    }
    assert_read(&[
        (
            "export A=Bearer b.c D=e\nexport F=Bearer G=h\nENV I=bearer j\n",
            &[("A", "Bearer b.c"), ("D", "e"), ("F", "Bearer"), ("G", "h"), ("I", "bearer j")],
        ),
        (
            "kubectl x --from-literal=A=1 --from-literal='B=2' --from-literal C=3\n",
            &[("A", "1"), ("B", "2"), ("C", "3")],
        ),
        ("docker build --build-arg A=1 --build-arg B --build-arg=C=3 .\n", &[("A", "1"), ("C", "3")]),
        // A rule of make, and a variable.
        ("a: b\n\t@c -e D=1\ne: f\n", &[("D", "1"), ("e", "f")]),
    ]);
}

#[test]
fn whitespace_ends_value_in_shell() {
    assert_read(&[
        (
            "#!/bin/sh\nA=1 ./x B=2\nC='x y' z\nD= e\nF=g h=i k\n  L=m n\n",
            &[("A", "1"), ("C", "x y"), ("D", ""), ("F", "g"), ("h", "i"), ("L", "m")],
        ),
        ("A=1 2\n0 4 * * 1-5 B=3 /x\n*/5 * * JAN * C=4 /x --y\n1 2 3 D=5 x\n", &[("A", "1 2"), ("B", "3"), ("C", "4")]),
        ("FROM x\nRUN A=1 make B\n", &[("A", "1")]),
    ]);
}

#[test]
fn reads_batch_files_units_and_dockerfiles() {
    assert_read(&[
        (
            "@echo off\r\nset A=two words\r\nSET B=1\r\nset \"C=x \"y\" \\\"\r\nset /p D=ask\r\n",
            &[("A", "two words"), ("B", "1"), ("C", "x \"y\" \\")],
        ),
        (
            "setx A 1 /M\nsetx /M B \"two words\"\n$env:C = \"x\"\n$Env:D='y'\n",
            &[("A", "1"), ("B", "two words"), ("C", "x"), ("D", "y")],
        ),
        (
            "[Service]\nEnvironment=A=1 B=2\nEnvironment=\"C=x y\" \"D=z\" 'E=w'\nExecStart=/x --y\n",
            &[("A", "1"), ("B", "2"), ("C", "x y"), ("D", "z"), ("E", "w"), ("ExecStart", "/x --y")],
        ),
        (
            "Environment=\"A='v'\" 'B=\"w\"' C=1%%2 \\\n \"D=x%%\"\nE=%%\n",
            &[("A", "'v'"), ("B", "\"w\""), ("C", "1%2"), ("D", "x%"), ("E", "%%")],
        ),
        (
            "FROM x\nENV A=1 B=\"x y\" \\\n    C=3\nENV D two words\nARG E=5\nARG F\nRUN echo \"it's\" don't\nENV G=7\n",
            &[("A", "1"), ("B", "x y"), ("C", "3"), ("D", "two words"), ("E", "5"), ("G", "7")],
        ),
    ]);
}

#[test]
fn reads_terraform_blocks() {
    assert_eq!(
        tree_text(
            "a = \"x\"\nslack = {\n  token = \"y\" # c\n  list = [\n    \"a\", # ]\n  ]\n  \"id\" = 1\n}\nb = { c = \"d\", e = f }\nlist = [\"x\"]\ng = null\n"
        ),
        concat!(
            "{a<a>: Text(\"x\" from \"\\\"x\\\"\"), ",
            "slack<slack>: {token<token>: Text(\"y\" from \"\\\"y\\\"\"), id<\"id\">: Text(\"1\" from \"1\")}, ",
            "b<b>: {c<c>: Text(\"d\" from \"\\\"d\\\"\"), e<e>: Text(\"f\" from \"f\")}}",
        )
    );
    assert_eq!(
        short("x \"y\" {\n  a = 1\n  z {\n    b = 2\n"),
        "{x<x>: {a<a>: Text(\"1\"), z<z>: {b<b>: Text(\"2\")}}}"
    );
    assert_eq!(
        short("x {\n  a = 1\n}\ny = {\n  z {z\n  b = 2\n}\nc = 3\n"),
        "{x<x>: {a<a>: Text(\"1\")}, y<y>: {b<b>: Text(\"2\")}, c<c>: Text(\"3\")}"
    );
    // A block that is nested too deeply becomes part of its parent.
    assert_eq!(tree_text(&"a = {\n".repeat(10_000)).matches('{').count(), 63);
}

#[test]
fn skips_text_that_resembles_assignments() {
    assert_read(&[
        // Comments and sections extend to the end of the line; commands don't.
        ("# x; A=1\n; A=1\n// x; A=1\n:: x; A=1\nREM x; A=1\n[a; A=1]\n", &[]),
        ("/x; A=1\n: x; B=2\nrem/x; C=3\n[ x; D=4 ]\n", &[("A", "1"), ("B", "2"), ("C", "3"), ("D", "4")]),
        ("[a; A=1\n", &[("A", "1")]),
        ("set\"A=1\"\nsetx/x B 1\nenv\"C=1\"\n", &[]),
        ("\"\" = x\n", &[]),
        ("x # y; A=1\n", &[]),
        ("x \"y; A=1\"\nx 'y; A=1'\n", &[]),
        ("x {y; A=1\n}\nx { A=1\n}\n", &[("A", "1"), ("A", "1")]),
        ("env A = b\nenv A B=1\n", &[]),
        ("set \"=x\"\nset \"A x=1\"\nset A: x\nset == x\n", &[]),
        ("export -x =x\nexport -x := x\n", &[]),
        ("setenv A=1\nsetenv B \nC=1\n", &[("C", "1")]),
        ("1 2 JAN * * A=1 /x\n", &[]),
        ("A = <<EOF\nx\nEOF\nB: |\n  x\nC=1\n", &[("C", "1")]),
        ("A=(\n'x'\nB=1\n)\nC=2\nD=(x y)\nE=(x\n", &[("C", "2"), ("E", "(x")]),
    ]);
}

#[test]
fn finds_end_of_value() {
    assert_read(&[
        ("# c\n\nA=x;\n", &[("A", "x;")]),
        ("$env: {\nA=1\n}\n", &[("A", "1")]),
        ("{A=1\n}\n@B=2\n", &[("A", "1"), ("B", "2")]),
        ("A = 'x'y\nB= 'x'y\nC='x'y\n", &[("A", "x"), ("B", "x"), ("C", "xy")]),
        ("C='x'}y\n", &[("C", "x")]),
        ("A: B=1\nC = D=1\nE=F=1\nG= two words\n", &[("A", "B=1"), ("C", "D=1"), ("E", "F=1"), ("G", "two words")]),
        (
            "A=\"x\" \\y; B=1\nC=\"x\" /y; D=1\nE=\"x\" // c; F=1\n",
            &[("A", "x"), ("B", "1"), ("C", "x"), ("D", "1"), ("E", "x")],
        ),
        ("export A=1 -x B=2\nexport C D=3\n", &[("A", "1"), ("B", "2"), ("D", "3")]),
        (
            "A=\u{a0}x\nB=y\u{a0} \nexport C=\u{a0}z\u{a0} D=1\n",
            &[("A", "\u{a0}x"), ("B", "y\u{a0}"), ("C", "\u{a0}z\u{a0}"), ("D", "1")],
        ),
    ]);
    assert_eq!(tree_text("- \"A=x\"\n"), "{A<A>: Text(\"x\" from \"x\")}");
    // An expansion is one word, up to the end of its line.
    assert_eq!(
        tree_text("export A=`a b`c B=$(d (e) f)g C=${h i} D=1\n"),
        "{A<A>: Text(\"`a b`c\" from \"`a b`c\"), B<B>: Text(\"$(d (e) f)g\" from \"$(d (e) f)g\"), C<C>: Text(\"${h i}\" from \"${h i}\"), D<D>: Text(\"1\" from \"1\")}"
    );
    assert_eq!(
        tree_text("export A=$(x B=1 \nexport C=`y D=2\nexport E=$x F=3\n"),
        "{A<A>: Text(\"$(x B=1\" from \"$(x B=1\"), C<C>: Text(\"`y\" from \"`y\"), D<D>: Text(\"2\" from \"2\"), E<E>: Text(\"$x\" from \"$x\"), F<F>: Text(\"3\" from \"3\")}"
    );
    assert_eq!(
        tree_text("export A=`a ` B=$(b ) C=`c`\nexport D=$(x \"\nexport E=\"1\"\n"),
        "{A<A>: Text(\"`a `\" from \"`a `\"), B<B>: Text(\"$(b )\" from \"$(b )\"), C<C>: Text(\"`c`\" from \"`c`\"), D<D>: Text(\"$(x \\\"\" from \"$(x \\\"\"), E<E>: Text(\"1\" from \"\\\"1\\\"\")}"
    );
    assert_eq!(
        tree_text("export A='x y B='z w' C=1\nexport E=x;1b=2\n"),
        "{A<A>: Text(\"x y B=z\" from \"'x y B='z\"), E<E>: Text(\"x;1b=2\" from \"x;1b=2\")}"
    );
    assert_eq!(
        short("a = [\n  [\"b\", \"]\"],\n  c = 1\n]\nd = {\n e = 2\n} f = 3\ng = { h=x i=4 }\n"),
        "{d<d>: {e<e>: Text(\"2\")}, f<f>: Text(\"3\"), g<g>: {h<h>: Text(\"x i=4\")}}"
    );
}
