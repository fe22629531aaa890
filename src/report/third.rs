//! Tests that a kind needs only rows: a third kind, made of a service's rows for unit tests only, is read from every
//! format, masked, checked and listed without code of its own.

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::{Environment, LoadOptions};
    use crate::finding::{Finding, Severity};
    use crate::lint::{self, CheckOptions, Loaded, Verdict};
    use crate::report::{config_schema::tests::document, json_v1, starter};
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
            std::fs::write(directory.path().join("texts.env"), text).unwrap();
            options.env_files.push(Path::new("texts.env").into());
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

    fn texts(fields: &str) -> String {
        format!("[twilio.texts]\nurl = 'https://api.example.com'\n{fields}\n")
    }

    #[test]
    fn additional_kind_is_read_from_every_format_and_masked() {
        let toml = format!(
            "[twilio.texts]\nurl = 'https://api.example.com'\naccount_sid = 'mailer'\nauth_token = '{SECRET}'\n"
        );
        let yaml = format!(
            "twilio:\n  texts:\n    url: https://api.example.com\n    account_sid: mailer\n    auth_token: {SECRET}\n"
        );
        let json = format!(
            r#"{{"twilio": {{"texts": {{"url": "https://api.example.com", "account_sid": "mailer", "auth_token": "{SECRET}"}}}}}}"#
        );
        let variables = [
            ("CREDLINT_TWILIO__TEXTS__URL", "https://api.example.com"),
            ("CREDLINT_TWILIO__TEXTS__ACCOUNT_SID", "mailer"),
            ("CREDLINT_TWILIO__TEXTS__AUTH_TOKEN", SECRET),
        ];
        let dotenv = variables.map(|(name, value)| format!("{name}={value}\n")).concat();
        for loaded in [
            load(&[("credlint.toml", &toml)], None, &[]),
            load(&[("credlint.yaml", &yaml)], None, &[]),
            load(&[("credlint.json", &json)], None, &[]),
            load(&[], Some(&dotenv), &[]),
            load(&[], None, &variables),
        ] {
            let config = &loaded;
            let [profile] = &config.profiles[..] else { panic!("{:?}", config.profiles) };
            let listed =
                json_v1::profiles(&[(profile, Verdict::Fits)], &config.layers, &[], &config.sources, config.resolved);
            let document: serde_json::Value = serde_json::from_str(&listed).unwrap();
            let fields = document["profiles"][0]["fields"].as_array().unwrap();
            let shown: Vec<_> = fields.iter().map(|field| (&field["name"], &field["value"])).collect();
            let expected =
                [("url", "https://api.example.com"), ("account_sid", "mailer"), ("auth_token", crate::secret::MASK)];
            assert!(
                shown.iter().zip(expected).all(|(found, (name, value))| found.0 == name && found.1 == value),
                "{shown:?}"
            );
            let errors = findings(&loaded).into_iter().filter(|finding| finding.severity == Severity::Error);
            assert_eq!(errors.count(), 0);
            let source = |number| config.sources.get(number).masked.as_str().to_owned();
            let masked: String = profile.settings.iter().map(|setting| source(setting.at.source)).collect();
            assert!(!masked.contains(SECRET) && masked.contains("https://api.example.com"), "{masked}");
        }
    }

    #[test]
    fn additional_kind_is_checked_by_its_row() {
        let secret = "auth_token = { env = 'SECRET' }";
        for (fields, expected) in [
            (texts(&format!("account_sid = 'mailer'\n{secret}")), &[][..]),
            (texts(""), &["missing-key-pair"]),
            (texts(secret), &["incomplete-key-pair"]),
            (texts("account_sid = 'mailer'\napi_key = 'ann'"), &["incomplete-key-pair"]),
            (texts(&format!("api_key = 'ann'\n{secret}")), &["mixed-key-pair"]),
            (texts(&format!("account_sid = 'mailer'\n{secret}\napi_key = 'ann'")), &["two-key-pairs"]),
            // An API key is used for an account.
            (texts("api_key = 'ann'\napi_secret = { env = 'SECRET' }\naccount_sid = 'mailer'"), &[]),
            (texts(&format!("account_sid = 'SK0123456789abcdef0123456789abcdef'\n{secret}")), &["wrong-credential"]),
            (
                texts(&format!("account_sid = 'xoxb-0000000000-0000000000-abcdefghijkl'\n{secret}")),
                &["foreign-credential"],
            ),
            (texts("account_sid = 'mailer'\nauth_token = { env = 'EMPTY' }"), &["empty-credential"]),
            (texts("account_sid = 'mailer'\nauth_token = 17"), &["wrong-type"]),
            (texts(&format!("account_sid = 'mailer'\n{secret}\ncolour = 'red'")), &["unknown-field"]),
            (texts(&format!("account_sid = 'mailer'\n{secret}\ngateway = 'ftp://x'")), &["malformed-address"]),
            (texts(&format!("account_sid = 'mailer'\n{secret}\ngateway = 'http://smtp.example.com'")), &[]),
            (texts(&format!("account_sid = 'mailer'\n{secret}")).replace("https:", "http:"), &["insecure-base-url"]),
            (texts(&format!("account_sid = 'mailer'\n{secret}")).replace("https:", "ftp:"), &["malformed-address"]),
            (format!("[twilio.texts]\naccount_sid = 'mailer'\n{secret}\n"), &["malformed-address"]),
        ] {
            assert_eq!(rules(&fields), expected, "{fields}");
        }
    }

    #[test]
    fn findings_use_nouns_of_the_row() {
        let loaded = load(
            &[("credlint.toml", &texts("api_key = 'ann'\nauth_token = { env = 'SECRET' }"))],
            None,
            &[("SECRET", SECRET)],
        );
        let found = findings(&loaded);
        assert!(found[0].message.contains("an Auth Token with an API key's SID"), "{}", found[0].message);
        assert!(found[0].help.starts_with("set `account_sid` to the Account SID"), "{}", found[0].help);
    }

    #[test]
    fn layers_of_additional_kind_merge() {
        let low = texts("account_sid = 'mailer'\nauth_token = { env = 'SECRET' }");
        let loaded = load(
            &[("credlint.toml", &low)],
            None,
            &[("SECRET", SECRET), ("CREDLINT_TWILIO__TEXTS__ACCOUNT_SID", "other")],
        );
        let id = loaded.profiles[0].setting("account_sid").unwrap();
        assert_eq!((id.shown().as_deref(), id.shadows.len()), (Some("other"), 1));
        assert!(id.shadows[0].differs && id.shadows[0].at.source < id.at.source);
    }

    #[test]
    fn schema_and_starter_file_include_additional_kind() {
        let schema: serde_json::Value = serde_json::from_str(&document(Kind::all().iter().copied())).unwrap();
        let fields = &schema["properties"]["twilio"]["additionalProperties"]["properties"];
        assert!(fields["auth_token"].is_object() && fields["gateway"].is_object(), "{fields}");
        let starter = starter::write(&[Kind::find("twilio").unwrap()]);
        assert!(starter.text.contains("[twilio.texts]\n"), "{}", starter.text);
        assert_eq!(starter.variables, ["TEXTS_ACCOUNT_SID", "TEXTS_AUTH_TOKEN", "TEXTS_API_KEY", "TEXTS_API_SECRET"]);
    }
}
