//! What an upload needs from a profile that passed its check. Everything else is forgotten before the network is used.

use std::collections::HashSet;

use crate::code::Code;
use crate::config::{ConfigError, Profile, Setting, State};
use crate::lint::Loaded;
use crate::profile::Messaging;
use crate::schema::value::{BaseUrl, BearerToken, CaFile};
use crate::schema::{Method, ProfileId, Type};
use crate::source::Problem;
use crate::upload::{Client, OwnSecrets, Post, Settings};

/// A profile that passed its check and is ready to send files.
#[derive(Debug)]
pub(super) struct Sender {
    /// The address of the service.
    pub(super) base_url: BaseUrl,
    /// The token.
    pub(super) token: BearerToken,
    /// The upload method.
    pub(super) method: Method,
    /// The channels, the comment and the type of snippet. Options may replace them.
    pub(super) post: Post,
    /// A certificate authority to trust in addition to those of the system.
    pub(super) ca_file: Option<CaFile>,
    /// Secrets that no file may contain.
    pub(super) own_secrets: OwnSecrets,
}

impl Loaded {
    /// Returns the messaging profile with a name. It is an error if there is none, or one of another kind.
    pub(super) fn select_sender(&self, name: &str) -> Result<(&Profile, Messaging<'_>), ConfigError> {
        let profile = self.select(name)?;
        if let Some(messaging) = Messaging::from_profile(profile) {
            return Ok((profile, messaging));
        }
        let kind = profile.kind();
        let article = if kind.name.starts_with('a') { "an" } else { "a" };
        let message = format!("`{}` is {article} {kind} profile; uploads need a messaging profile", profile.id);
        let problem = Problem::new(Code::WrongKind, message).help("choose a profile under `messaging`");
        Err(self.error(vec![problem]))
    }

    /// Extracts the values. Rules have checked them already, but rules only report, so they are checked again.
    pub(super) fn sender(&self, profile: &Profile, messaging: Messaging<'_>) -> Option<Sender> {
        let vault = &self.vault;
        let token = profile.setting("token").and_then(Setting::known)?;
        let token = BearerToken::new(vault.sealed(token.handle)).ok()?;
        let channels: Option<Vec<_>> =
            messaging.channels().iter().map(|channel| channel.channel()?.ok().cloned()).collect();
        let text = |field| Some(vault.sealed(profile.setting(field)?.known()?.handle));
        Some(Sender {
            base_url: messaging.address()?.ok()?.clone(),
            token,
            method: messaging.method()?,
            post: Post::new(channels?).with_comment(text("initial_comment")).with_snippet_type(text("snippet_type")),
            ca_file: messaging.ca_file().cloned(),
            own_secrets: self.own_secrets(profile),
        })
    }

    /// Returns every secret of a profile, whatever it is used for.
    pub(super) fn own_secrets(&self, profile: &Profile) -> OwnSecrets {
        let secrets = profile.settings.iter().filter(|setting| matches!(setting.field.ty, Type::Secret(_)));
        let known = secrets.filter_map(|setting| Some((setting.field.name, setting.known()?.handle)));
        OwnSecrets::new(known.map(|(field, handle)| (field, self.vault.sealed(handle))))
    }
}

impl Sender {
    /// Creates a client for this profile. It is an error if none can be created for its address.
    pub(super) fn client(&self, settings: Settings) -> Result<Client, Problem> {
        let (ca_file, own_secrets) = (self.ca_file.clone(), self.own_secrets.clone());
        Client::new(
            &self.base_url,
            &self.token,
            Settings { method: Some(self.method), ca_file, own_secrets, ..settings },
        )
    }
}

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
        self.profiles.retain(|profile| profiles.is_empty() || named.contains(&profile.id));
        let settings = self.profiles.iter().flat_map(|profile| &profile.settings);
        let used: HashSet<_> = settings.flat_map(all_states).filter_map(|state| Some(state.known()?.handle)).collect();
        self.vault.retain(&used);
        Ok(())
    }
}

fn all_states(setting: &Setting) -> impl Iterator<Item = &State> {
    std::iter::once(&setting.state).chain(setting.elements.iter().map(|element| &element.state))
}

/// Returns a made-up token for a rehearsal: it shares only the form of the real one, which decides how the service treats
/// it, or has no known form.
#[cfg(feature = "sandbox")]
pub(super) fn rehearsal_token(token: &crate::secret::Facts) -> &'static str {
    use crate::services::slack;

    let forms = [
        (&slack::BOT_TOKEN, "xoxb-stand-in-for-a-rehearsal"),
        (&slack::USER_TOKEN, "xoxp-stand-in-for-a-rehearsal"),
        (&slack::ROTATED_BOT_TOKEN, "xoxe.xoxb-1-stand-in-for-a-rehearsal"),
        (&slack::ROTATED_USER_TOKEN, "xoxe.xoxp-1-stand-in-for-a-rehearsal"),
    ];
    let same = forms.into_iter().find(|(form, _)| token.form() == Some(form));
    same.map_or("stand-in-for-a-rehearsal", |(_, made_up)| made_up)
}

#[cfg(test)]
mod tests {
    use super::*;
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

    fn can_send(loaded: &Loaded, name: &str) -> bool {
        let (profile, messaging) = loaded.select_sender(name).unwrap();
        loaded.sender(profile, messaging).is_some()
    }

    #[test]
    fn keeps_only_used_values() {
        let mut loaded = load();
        let whole = loaded.vault.count();
        assert!(loaded.forget_unused(&["c".to_owned()]).is_err());
        assert_eq!((profiles(&loaded).len(), loaded.vault.count()), (3, whole), "nothing is forgotten by a slip");
        let token = |loaded: &Loaded, name: &str| {
            let profile = loaded.select(name).unwrap();
            profile.setting("token").unwrap().known().unwrap().handle
        };
        let (kept, dropped) = (token(&loaded, "a"), token(&loaded, "b"));
        loaded.forget_unused(&["messaging.a".to_owned()]).unwrap();
        // An address, a token and a channel.
        assert_eq!((profiles(&loaded), loaded.vault.count()), (vec!["messaging.a".to_owned()], 3));
        assert!(can_send(&loaded, "a"));
        assert!(loaded.select_sender("b").is_err());
        assert_eq!(loaded.vault.shown(kept, |value| Some(value.to_owned())).as_deref(), Some("xoxb-1-upper"));
        let vault = std::panic::AssertUnwindSafe(&loaded.vault);
        let asked = std::panic::catch_unwind(|| vault.shown(dropped, |value| Some(value.to_owned())));
        assert!(asked.is_err(), "whoever asks for what was forgotten is broken off");
    }

    #[test]
    fn empty_list_keeps_profiles_without_hidden_values() {
        let mut loaded = load();
        loaded.forget_unused(&[]).unwrap();
        assert_eq!((profiles(&loaded).len(), loaded.vault.count()), (3, 7));
        assert!(can_send(&loaded, "b"));
    }

    #[cfg(feature = "sandbox")]
    #[test]
    fn rehearsal_token_shares_only_the_form() {
        let mut vault = crate::secret::Vault::default();
        let mut facts = |value: &str| {
            let handle = vault.store(value);
            vault.facts(handle)
        };
        for token in ["xoxb-", "xoxp-", "xoxe.xoxb-1-", "xoxe.xoxp-1-", "tok_"] {
            let token = facts(&format!("{token}7391842650-1739184265-QzWvXkPjHyBd"));
            let made_up = facts(rehearsal_token(&token));
            assert_eq!(made_up.form(), token.form(), "{made_up:?}");
            // A token that is too short would be rejected.
            assert!(made_up.form().is_none() || !made_up.short, "{made_up:?}");
        }
    }
}
