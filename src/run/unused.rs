//! Drops unused secrets before the network is used.

use std::collections::HashSet;

use crate::config::{ConfigError, Setting, State};
use crate::lint::Loaded;
use crate::schema::ProfileId;

impl Loaded {
    /// Forgets every profile except these, with its secrets, and every value that a higher layer hides. An empty list
    /// keeps all profiles. Call it before anything is sent: a secret that is not in memory can't leak from it.
    ///
    /// # Errors
    ///
    /// Returns an error if a profile does not exist or its name is ambiguous. Nothing is forgotten in that case.
    pub fn forget_unused(&mut self, profiles: &[String]) -> Result<(), ConfigError> {
        let named: Vec<ProfileId> =
            profiles.iter().map(|name| Ok(self.select(name)?.id.clone())).collect::<Result<_, ConfigError>>()?;
        let config = &mut self.config;
        config.profiles.retain(|profile| profiles.is_empty() || named.contains(&profile.id));
        let settings = config.profiles.iter().flat_map(|profile| &profile.settings);
        let used: HashSet<_> = settings.flat_map(states).filter_map(|state| Some(state.known()?.handle)).collect();
        config.vault.keep_only(&used);
        Ok(())
    }
}

fn states(setting: &Setting) -> impl Iterator<Item = &State> {
    std::iter::once(&setting.state).chain(setting.elements.iter().map(|element| &element.state))
}

#[cfg(test)]
mod tests {
    use crate::config::{Environment, LoadOptions};
    use crate::lint::{self, Loaded};

    fn load() -> Loaded {
        let directory = tempfile::tempdir().unwrap();
        let profile = |name: &str| {
            format!(
                "[messaging.{name}]\nbase_url = 'https://h.example'\ntoken = {{ env = 'T' }}\nchannels = ['C0123456789']\n"
            )
        };
        let text = [profile("a"), profile("b"), "[storage.s]\napplication_key = 'k'\n".to_owned()].concat();
        std::fs::write(directory.path().join("credlint.toml"), text).unwrap();
        let hidden = ("CREDLINT_MESSAGING__A__TOKEN", "xoxb-1-upper");
        let environment = Environment::from_iter([("T", "xoxb-1-lower"), hidden]);
        lint::load(&LoadOptions::new(directory.path(), environment)).unwrap()
    }

    fn profiles(loaded: &Loaded) -> Vec<String> {
        loaded.profile_ids().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn only_used_values_are_kept() {
        let mut loaded = load();
        let whole = loaded.config.vault.count();
        assert!(loaded.forget_unused(&["c".to_owned()]).is_err());
        assert_eq!(
            (profiles(&loaded).len(), loaded.config.vault.count()),
            (3, whole),
            "nothing is forgotten by a slip"
        );
        let token = |loaded: &Loaded, name: &str| {
            let profile = loaded.select(name).unwrap();
            profile.setting("token").unwrap().known().unwrap().handle
        };
        let (kept, dropped) = (token(&loaded, "a"), token(&loaded, "b"));
        loaded.forget_unused(&["messaging.a".to_owned()]).unwrap();
        // An address, a token and a channel.
        assert_eq!((profiles(&loaded), loaded.config.vault.count()), (vec!["messaging.a".to_owned()], 3));
        assert!(loaded.sender("a").unwrap().1.is_some());
        assert!(loaded.sender("b").is_err());
        assert_eq!(loaded.config.vault.shown(kept, |value| Some(value.to_owned())).as_deref(), Some("xoxb-1-upper"));
        let vault = std::panic::AssertUnwindSafe(&loaded.config.vault);
        let asked = std::panic::catch_unwind(|| vault.shown(dropped, |value| Some(value.to_owned())));
        assert!(asked.is_err(), "whoever asks for what was forgotten is broken off");
    }

    #[test]
    fn an_empty_list_keeps_all_profiles_but_no_hidden_values() {
        let mut loaded = load();
        loaded.forget_unused(&[]).unwrap();
        assert_eq!((profiles(&loaded).len(), loaded.config.vault.count()), (3, 7));
        assert!(loaded.sender("b").unwrap().1.is_some());
    }
}
