//! Tests that a kind needs only a row in the table: a third kind, compiled for unit tests only, is read from every
//! format, masked, checked and listed without code of its own.

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::{Environment, LoadOptions};
    use crate::finding::{Finding, Severity};
    use crate::lint::{self, CheckOptions, Loaded, Verdict};
    use crate::report::{config_schema, profiles_v1, starter};
    use crate::schema::Kind;

    const SECRET: &str = "hunter2hunter2";

    fn load(files: &[(&str, &str)], dotenv: Option<&str>, environment: &[(&str, &str)]) -> Loaded {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(directory.path().join(name), text).unwrap();
        }
        let environment: Environment = environment.iter().copied().collect();
        let mut options = LoadOptions::new(directory.path(), environment);
        if let Some(text) = dotenv {
            std::fs::write(directory.path().join("relay.env"), text).unwrap();
            options.env_files.push(Path::new("relay.env").into());
        }
        lint::load(&options).unwrap_or_else(|error| panic!("{error}"))
    }

    fn findings(loaded: &Loaded) -> Vec<Finding> {
        lint::check(loaded, &CheckOptions::default()).unwrap().findings
    }

    fn rules(text: &str) -> Vec<&'static str> {
        let loaded = load(&[("credlint.toml", text)], None, &[("SECRET", SECRET), ("EMPTY", "")]);
        findings(&loaded).iter().map(|finding| finding.rule).collect()
    }

    fn relay(fields: &str) -> String {
        format!("[relay.mail]\nurl = 'https://relay.example.com'\n{fields}\n")
    }

    #[test]
    fn it_is_read_from_every_format_and_masked() {
        let toml = format!(
            "[relay.mail]\nurl = 'https://relay.example.com'\nclient_id = 'mailer'\nclient_secret = '{SECRET}'\n"
        );
        let yaml = format!(
            "relay:\n  mail:\n    url: https://relay.example.com\n    client_id: mailer\n    client_secret: {SECRET}\n"
        );
        let json = format!(
            r#"{{"relay": {{"mail": {{"url": "https://relay.example.com", "client_id": "mailer", "client_secret": "{SECRET}"}}}}}}"#
        );
        let variables = [
            ("CREDLINT_RELAY__MAIL__URL", "https://relay.example.com"),
            ("CREDLINT_RELAY__MAIL__CLIENT_ID", "mailer"),
            ("CREDLINT_RELAY__MAIL__CLIENT_SECRET", SECRET),
        ];
        let dotenv = variables.map(|(name, value)| format!("{name}={value}\n")).concat();
        for loaded in [
            load(&[("credlint.toml", &toml)], None, &[]),
            load(&[("credlint.yaml", &yaml)], None, &[]),
            load(&[("credlint.json", &json)], None, &[]),
            load(&[], Some(&dotenv), &[]),
            load(&[], None, &variables),
        ] {
            let config = &loaded.config;
            let [profile] = &config.profiles[..] else { panic!("{:?}", config.profiles) };
            let listed =
                profiles_v1::write(&[(profile, Verdict::Fits)], &config.layers, &[], &config.sources, config.resolved);
            let document: serde_json::Value = serde_json::from_str(&listed).unwrap();
            let fields = document["profiles"][0]["fields"].as_array().unwrap();
            let shown: Vec<_> = fields.iter().map(|field| (&field["name"], &field["value"])).collect();
            let expected =
                [("url", "https://relay.example.com"), ("client_id", "mailer"), ("client_secret", crate::secret::MASK)];
            assert!(
                shown.iter().zip(expected).all(|(found, (name, value))| found.0 == name && found.1 == value),
                "{shown:?}"
            );
            let errors = findings(&loaded).into_iter().filter(|finding| finding.severity == Severity::Error);
            assert_eq!(errors.count(), 0);
            let source = |number| config.sources.get(number).masked.as_str().to_owned();
            let masked: String = profile.settings.iter().map(|setting| source(setting.at.source)).collect();
            assert!(!masked.contains(SECRET) && masked.contains("https://relay.example.com"), "{masked}");
        }
    }

    #[test]
    fn its_fields_are_checked_by_its_row() {
        let secret = "client_secret = { env = 'SECRET' }";
        for (fields, expected) in [
            (relay(&format!("client_id = 'mailer'\n{secret}")), &[][..]),
            (relay(""), &["missing-key-pair"]),
            (relay(secret), &["incomplete-key-pair"]),
            (relay("client_id = 'mailer'\nuser_id = 'ann'"), &["incomplete-key-pair"]),
            (relay(&format!("user_id = 'ann'\n{secret}")), &["mixed-key-pair"]),
            (relay(&format!("client_id = 'mailer'\n{secret}\nuser_id = 'ann'")), &["two-key-pairs"]),
            (
                relay("client_id = 'K005abcdefghijklmnopqrstuvwxyz1'\nclient_secret = { env = 'SECRET' }"),
                &["swapped-key-pair"],
            ),
            (relay("client_id = 'mailer'\nclient_secret = { env = 'EMPTY' }"), &["empty-credential"]),
            (relay("client_id = 'mailer'\nclient_secret = 17"), &["wrong-type"]),
            (relay(&format!("client_id = 'mailer'\n{secret}\ncolour = 'red'")), &["unknown-field"]),
            (relay(&format!("client_id = 'mailer'\n{secret}\ngateway = 'ftp://x'")), &["malformed-endpoint"]),
            (relay(&format!("client_id = 'mailer'\n{secret}\ngateway = 'http://smtp.example.com'")), &[]),
            (relay(&format!("client_id = 'mailer'\n{secret}")).replace("https:", "http:"), &["insecure-base-url"]),
            (relay(&format!("client_id = 'mailer'\n{secret}")).replace("https:", "ftp:"), &["malformed-base-url"]),
            (format!("[relay.mail]\nclient_id = 'mailer'\n{secret}\n"), &["missing-base-url"]),
        ] {
            assert_eq!(rules(&fields), expected, "{fields}");
        }
    }

    #[test]
    fn its_findings_use_the_nouns_of_its_row() {
        let loaded = load(
            &[("credlint.toml", &relay("user_id = 'ann'\nclient_secret = { env = 'SECRET' }"))],
            None,
            &[("SECRET", SECRET)],
        );
        let found = findings(&loaded);
        assert!(found[0].message.contains("a client secret with a user ID"), "{}", found[0].message);
        assert!(found[0].help.starts_with("set `client_id` to the client ID"), "{}", found[0].help);
    }

    #[test]
    fn layers_of_it_merge() {
        let low = relay("client_id = 'mailer'\nclient_secret = { env = 'SECRET' }");
        let loaded =
            load(&[("credlint.toml", &low)], None, &[("SECRET", SECRET), ("CREDLINT_RELAY__MAIL__CLIENT_ID", "other")]);
        let id = loaded.config.profiles[0].setting("client_id").unwrap();
        assert_eq!((id.shown().as_deref(), id.shadows.len()), (Some("other"), 1));
        assert!(id.shadows[0].differs && id.shadows[0].at.source < id.at.source);
    }

    #[test]
    fn the_schema_and_the_starter_file_have_it() {
        let schema: serde_json::Value = serde_json::from_str(&config_schema::write()).unwrap();
        let fields = &schema["properties"]["relay"]["additionalProperties"]["properties"];
        assert!(fields["client_secret"].is_object() && fields["gateway"].is_object(), "{fields}");
        let starter = starter::write(&[Kind::find("relay").unwrap()], starter::Syntax::Toml);
        assert!(starter.text.contains("[relay.mail]\n"), "{}", starter.text);
        assert_eq!(starter.variables, ["MAIL_CLIENT_ID", "MAIL_CLIENT_SECRET"]);
    }
}
