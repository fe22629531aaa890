//! The kinds of services that have no profiles of their own: what their rows say of the fields.

use std::sync::LazyLock;

use super::field::{Field, Role, Secret, Type};
use super::kind::Kind;
use super::value::BaseUrl;
use crate::services::{self, Form, Pair, Purpose, SERVICES, Service};

/// One kind for each set of fields, made when a value of such a service is first met.
static DERIVED: LazyLock<Vec<Kind>> = LazyLock::new(|| {
    let of = |service: &'static Service| {
        let mut names: Vec<&'static str> = service.fields.iter().map(|field| field.place.0).collect();
        names.dedup();
        let own = names.into_iter().filter(|name| !name.is_empty() && Kind::find(name).is_none());
        own.map(move |name| kind(service, name))
    };
    SERVICES.iter().flat_map(|service| of(service)).collect()
});

/// A variable of a process whose name only says that it is a secret.
pub static VARIABLE: Kind = Kind {
    name: "variable",
    first: "",
    credential: "secret",
    fields: &[Field {
        name: "value",
        ty: Type::Secret(Secret::Key),
        role: Role::Secret,
        required: false,
        first: false,
        about: "the value itself",
        forms: &[],
        aliases: &[],
        example: "",
    }],
    pairs: &[],
    probe: None,
    sender: false,
    service: None,
    hosted_by_default: false,
};

impl Kind {
    /// Returns the kinds of services without profiles of their own.
    pub(crate) fn derived() -> impl Iterator<Item = &'static Self> {
        DERIVED.iter()
    }

    /// Returns the kind of a field without a profile of its own.
    pub(crate) fn of(field: &services::Field) -> Option<&'static Self> {
        DERIVED.iter().find(|kind| kind.name == field.place.0)
    }

    /// Returns the first kind and field for a form, also for those of services with profiles of their own.
    pub(crate) fn that_takes(form: &'static Form) -> Option<(&'static Self, &'static Field)> {
        let kinds = || Self::all().iter().copied().chain(DERIVED.iter());
        // Of several services with the same form, the one whose row it is.
        let own = kinds().filter(|kind| kind.issues(form));
        own.chain(kinds())
            .flat_map(|kind| kind.fields.iter().map(move |field| (kind, field)))
            .find(|(_, field)| field.forms.contains(&form) && field.role == Role::Secret)
    }

    /// Returns the name of the service.
    pub(crate) fn service_name(&self) -> &'static str {
        self.service.map_or("", |service| service.name)
    }

    /// Returns the address of its service's own API.
    #[cfg(feature = "upload")]
    pub(crate) fn home(&self) -> &'static str {
        self.service.map_or("", |service| service.home(""))
    }

    /// Returns `true` if an address is one of its service's own.
    #[must_use]
    pub fn is_hosted_at(&self, address: &BaseUrl) -> bool {
        self.service.is_some_and(|service| address.is_of(service))
    }

    /// Returns `true` if its service issues this form.
    pub(crate) fn issues(&self, form: &'static Form) -> bool {
        self.service.is_some_and(|service| service.forms.contains(&form))
    }

    /// Returns the pair that a form is always a half of.
    pub(crate) fn pair_of(&self, form: Option<&'static Form>) -> Option<&'static Pair> {
        self.pairs.iter().find(|pair| form.and_then(Form::pair) == Some(pair.part))
    }

    /// Returns `true` if one of its fields takes this form.
    pub(crate) fn takes(&self, form: &'static Form) -> bool {
        self.fields.iter().any(|field| field.forms.contains(&form))
    }

    /// Returns the word that stands for its service in names.
    pub(crate) fn word(&self) -> &'static str {
        self.service.map_or("", Service::word)
    }

    /// Returns `true` for a protocol that many services share.
    pub(crate) fn is_shared(&self) -> bool {
        self.service.is_some_and(|service| service.shared)
    }

    /// Returns the row of a field.
    pub(crate) fn row(&self, field: &str) -> Option<&'static services::Field> {
        self.service?.fields.iter().copied().find(|row| row.place == (self.name, field))
    }

    /// Returns `true` if a configuration may have profiles of it.
    #[must_use]
    pub fn is_declared(&self) -> bool {
        Self::find(self.name).is_some()
    }
}

fn kind(service: &'static Service, name: &'static str) -> Kind {
    let own = service.fields.iter().filter(|row| row.place.0 == name);
    let fields: Vec<Field> = own.map(|row| field(row)).collect();
    Kind {
        name,
        first: "",
        credential: "credential",
        fields: fields.leak(),
        pairs: &[],
        probe: None,
        sender: false,
        service: Some(service),
        hosted_by_default: !service.shared,
    }
}

fn field(row: &'static services::Field) -> Field {
    let (ty, role) = match row.purpose {
        Purpose::Id => (Type::Id(|_| None), Role::Identifier),
        Purpose::Webhook => (Type::Secret(Secret::Webhook), Role::Secret),
        Purpose::Path | Purpose::Any => (Type::Path, Role::Secret),
        // It may hold a password, so it is never printed.
        Purpose::Endpoint | Purpose::Name => (Type::Text, Role::Destination),
        _ => (Type::Secret(Secret::Key), Role::Secret),
    };
    Field {
        name: row.place.1,
        ty,
        role,
        required: false,
        first: false,
        about: row.about,
        forms: row.takes,
        aliases: &[],
        example: "",
    }
}
