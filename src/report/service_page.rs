//! The pages about services, in Markdown, written from their rows: `credlint services`, `credlint explain NAME/FIELD`, and
//! `docs/services/`.

use crate::services::{
    self, Derivation, Expression, Field, Form, HostRule, Mistake, Names, Pair, Refusal, Relation, Serves, Service,
    Source, sample,
};

/// Returns the services whose fields are known; of the others, only the forms are.
pub fn services_with_fields() -> impl Iterator<Item = &'static Service> {
    services::all().iter().copied().filter(|service| fields(service).next().is_some())
}

/// Returns the service with this name, id, or word of names.
pub fn named(name: &str) -> Option<&'static Service> {
    let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' ', '.'], "");
    let name = plain(name);
    let is_it = |service: &&Service| plain(service.name) == name || plain(service.id) == name;
    let has_word = |service: &&Service| service.words.iter().any(|word| plain(word) == name);
    services_with_fields().find(is_it).or_else(|| services_with_fields().find(has_word))
}

/// Returns the field with this name in a service: its key, or a variable.
pub fn field_named(service: &'static Service, name: &str) -> Option<&'static Field> {
    let key = name.to_lowercase().replace('-', "_");
    let mut fields = fields(service);
    let is_key = |field: &&Field| field.place.1 == key;
    fields.clone().find(is_key).or_else(|| {
        fields.find(|field| {
            field.names.iter().flat_map(|names| service.variable_names(names)).any(|own| own.eq_ignore_ascii_case(name))
        })
    })
}

/// The fields that a service's own rows judge.
fn fields(service: &'static Service) -> impl Iterator<Item = &'static Field> + Clone {
    service.fields.iter().copied().filter(|field| !field.place.0.is_empty())
}

/// The first name of each of them.
fn variables(service: &'static Service) -> Vec<String> {
    fields(service).filter_map(|field| service.variable_names(field.names.first()?).next()).collect()
}

/// The variables of a row, as code.
fn spelled(service: &'static Service, names: &'static Names) -> impl Iterator<Item = String> {
    service.variable_names(names).map(|name| format!("`{name}`"))
}

/// Returns the keys of a service's fields, as `explain` takes them.
pub fn keys(service: &'static Service) -> Vec<String> {
    fields(service).map(|field| format!("`{}/{}`", service.id, field.place.1)).collect()
}

/// The list of services for a terminal: the name to ask for, and the variables.
pub fn list() -> String {
    let rows: Vec<(&str, String)> =
        services_with_fields().map(|service| (service.id, variables(service).join(", "))).collect();
    let width = rows.iter().map(|(id, _)| id.len()).max().unwrap_or_default();
    rows.iter().map(|(id, names)| format!("{id:width$}  {names}\n")).collect()
}

/// The page about a service.
pub fn page(service: &'static Service) -> String {
    let fields: Vec<&'static Field> = service.fields.iter().copied().filter(|field| !field.noun.is_empty()).collect();
    let is_own = services::own().iter().any(|own| std::ptr::eq(*own, service));
    let from = match (is_own, service.docs) {
        (true, "") => "A service of this project.".to_owned(),
        (true, docs) => format!("A service of this project; [what it says itself]({docs})."),
        (false, docs) => format!("Sources read on {}; [what the service says itself]({docs}).", service.read),
    };
    let there = |field: &&&'static Field| {
        Some(at_hosts(service, field)).filter(|there| !there.is_empty()).map(|there| (field.noun, there))
    };
    let at = fields.iter().filter_map(|field| there(&field));
    let at: Vec<String> = at.map(|(noun, there)| format!("For {noun}:\n\n{there}")).collect();
    let refusal = |Refusal { code, meaning, .. }: &Refusal| format!("| `{code}` | {meaning} |\n");
    [
        format!(
            "# {}\n\nWhich value belongs under which name, and what people put there by mistake. {from}\n",
            service.name
        ),
        names_of(service, &fields),
        section("What people put there by mistake", "", &mistakes_of(&fields)),
        section("Which host takes what", "", &at.join("\n")),
        section("What goes together", "", &together(service, |_| true)),
        section("Its hosts", "| host | what is there | source |\n|---|---|---|\n", &hosts_of(service)),
        section(
            "What it answers",
            "| code | what it means |\n|---|---|\n",
            &service.refusals.iter().map(refusal).collect::<String>(),
        ),
        section("Its values", "", &values_of(service)),
        section("Where the names were seen", "", &sources_of_names(service, &fields)),
    ]
    .concat()
}

/// Returns a section, unless it is empty.
fn section(title: &str, head: &str, body: &str) -> String {
    if body.is_empty() { String::new() } else { format!("\n## {title}\n\n{head}{body}") }
}

/// Returns what belongs under which name, and how names may differ.
fn names_of(service: &'static Service, fields: &[&'static Field]) -> String {
    let row = |field: &&'static Field| {
        let names: Vec<String> = field.names.iter().flat_map(|names| spelled(service, names)).collect();
        format!("| {} | {} | {} |\n", field.noun, forms_look(field.takes), names.join(", "))
    };
    let rows: String = fields.iter().map(row).collect();
    let such = variables(service).first().map(|name| format!(": `CI_{name}`, `{name}_PROD`, `{name}_2`"));
    let word = service.word();
    let others = service.words.iter().filter(|other| **other != word).map(|other| format!("`{other}_`"));
    let others = others.collect::<Vec<_>>().join(", ");
    let others = if others.is_empty() { others } else { format!(" {others} may stand in place of `{word}_`.") };
    format!(
        "\n## What goes where\n\n| what belongs there | looks like | names |\n|---|---|---|\n{rows}\nA name may have other \
         words before it and most names inside it, and an environment or a number after it{}.{others}\n",
        such.unwrap_or_default()
    )
}

/// Returns the mistakes. Fields with the same ones are listed together.
fn mistakes_of(fields: &[&'static Field]) -> String {
    let mut known: Vec<(Vec<&str>, String)> = Vec::new();
    for field in fields.iter().filter(|field| !field.mistakes.is_empty()) {
        let text = mistakes(field);
        match known.iter_mut().find(|(_, other)| *other == text) {
            Some((nouns, _)) if nouns.contains(&field.noun) => {}
            Some((nouns, _)) => nouns.push(field.noun),
            None => known.push((vec![field.noun], text)),
        }
    }
    let all = known.into_iter().map(|(nouns, text)| format!("In place of {}:\n\n{text}", nouns.join(", or of ")));
    all.collect::<Vec<_>>().join("\n")
}

fn hosts_of(service: &'static Service) -> String {
    let row = |row: &services::Host| {
        let under: Vec<String> = row.under.iter().map(|word| format!("`/{word}`")).collect();
        let under = if under.is_empty() { String::new() } else { format!(" under {}", under.join(", ")) };
        let what = if row.serves == Serves::Api { "the API" } else { row.noun };
        format!("| `{}`{under} | {what} | {} |\n", row.hosts.join("`, `"), link(row.source))
    };
    service.hosts.iter().map(row).collect()
}

fn values_of(service: &'static Service) -> String {
    let line = |form: &&'static Form| {
        let secret = if form.public { "public" } else { "secret" };
        let issuer = match (form.issuers(), form.certain) {
            (None, _) => "of many services".to_owned(),
            (Some(issuers), true) => format!("of {issuers}"),
            (Some(issuers), false) => format!("of {issuers}; other values look alike"),
        };
        format!("- {}, {secret}, {issuer}: {} ({})\n", form.noun, described(form), link(form.source))
    };
    service.forms.iter().map(line).collect()
}

/// Returns the names by where they were seen.
fn sources_of_names(service: &'static Service, fields: &[&'static Field]) -> String {
    let mut seen: Vec<(Source, Vec<String>)> = Vec::new();
    for names in fields.iter().flat_map(|field| field.names) {
        let spelled = spelled(service, names);
        match seen.iter_mut().find(|(source, _)| source.place() == names.source.place()) {
            Some((_, all)) => all.extend(spelled),
            None => seen.push((names.source, spelled.collect())),
        }
    }
    seen.into_iter().map(|(source, names)| format!("- {}: {}\n", names.join(", "), link(source))).collect()
}

/// The page about one field.
pub fn field(service: &'static Service, field: &'static Field) -> String {
    let mut page =
        format!("# {}/{}\n\n{}: {}.\n\n## Its names\n\n", service.id, field.place.1, service.name, field.about);
    for names in field.names {
        page += &format!("- {}: {}\n", spelled(service, names).collect::<Vec<_>>().join(", "), link(names.source));
    }
    page += "\n## What belongs there\n\n";
    if field.takes.is_empty() {
        page += "Any value: what it looks like is not documented.\n";
    }
    for form in field.takes {
        let advice = if form.advice.is_empty() { String::new() } else { format!("; it {}", form.advice) };
        let looks = Some(looks(form)).filter(|looks| looks != form.noun);
        let looks = looks.map(|looks| format!(": {looks}")).unwrap_or_default();
        page += &format!("- {}{looks}{advice}\n", form.noun);
    }
    if !field.mistakes.is_empty() {
        page += &format!("\n## What people put there by mistake\n\n{}", mistakes(field));
    }
    let there = at_hosts(service, field);
    if !there.is_empty() {
        page += &format!("\n## Which host takes what\n\n{there}");
    }
    let together = together(service, |other| other == field);
    if !together.is_empty() {
        page += &format!("\n## What goes with it\n\n{together}");
    }
    page
}

/// What people put into a field by mistake, and what to do.
fn mistakes(field: &Field) -> String {
    let one = |Mistake { forms, repair, source }: &'static Mistake| {
        forms.iter().map(move |form| format!("- {}: {repair} ({})\n", form.noun, link(*source)))
    };
    field.mistakes.iter().flat_map(one).collect()
}

/// What a field takes at certain hosts.
fn at_hosts(service: &Service, field: &Field) -> String {
    let one = |HostRule { hosts, whose, noun, repair, source, .. }: &HostRule| {
        format!("- {whose}, at `{}`: {noun}; {repair} ({})\n", hosts.join("`, `"), link(*source))
    };
    service.at.iter().filter(|at| at.field == field).map(one).collect()
}

/// What the rows say about fields that are set together, if one of them is requested.
fn together(service: &Service, is_wanted: impl Fn(&Field) -> bool) -> String {
    let mut list = String::new();
    let of_pair = |name: &str| service.fields.iter().any(|field| field.place.1 == name && is_wanted(field));
    for Pair { id, key, .. } in service.pairs {
        if of_pair(id.field) || of_pair(key.field) {
            list += &format!("- {} and {}\n", id.noun, key.noun);
        }
    }
    for relation in service.relations {
        let (fields, said) = match relation {
            Relation::Agree { noun, fields, source, .. } => {
                let nouns: Vec<&str> = fields.iter().map(|field| field.noun).collect();
                (fields.to_vec(), format!("- {} are of one {noun} ({})\n", nouns.join(" and "), link(*source)))
            }
            Relation::Differ { field, other, noun, source, .. } => (
                vec![*field, *other],
                format!("- {} is not {noun} in {} ({})\n", other.noun, field.noun, link(*source)),
            ),
            Relation::Needs { form, field, source, .. } => {
                let takers = service.fields.iter().copied().filter(|taker| taker.takes.contains(form));
                (
                    takers.chain([*field]).collect(),
                    format!("- {} needs {} ({})\n", form.noun, field.noun, link(*source)),
                )
            }
            Relation::Made { how, fields, with, source, .. } => {
                let nouns: Vec<&str> = fields.iter().map(|field| field.noun).collect();
                let how = match how {
                    Derivation::Signed => "signed with",
                    Derivation::Sha256 => "the SHA-256 of",
                };
                let made = format!("- {} is {how} {} ({})\n", nouns.join(" or "), with.noun, link(*source));
                (fields.iter().copied().chain([*with]).collect(), made)
            }
            Relation::Beside { forms, field, beside, words, holding, source, .. } => {
                let forms: Vec<&str> = forms.iter().map(|form| form.noun).collect();
                let part = holding.map_or_else(String::new, |(part, word)| format!(" of the {part} `{word}`"));
                let said = words.first().map_or_else(String::new, |word| format!(", set to `{word}`"));
                let (wrong, right, beside_it) =
                    (forms.join(" or ") + &part, field.noun, beside.noun.to_owned() + &said);
                (vec![*field, *beside], format!("- beside {beside_it}: {right}, and not {wrong} ({})\n", link(*source)))
            }
        };
        if fields.into_iter().any(&is_wanted) {
            list += &said;
        }
    }
    list
}

/// How values of these forms begin, each beginning once.
fn forms_look(forms: &[&'static Form]) -> String {
    let mut all: Vec<String> = Vec::new();
    for looks in forms.iter().map(|form| looks(form)) {
        let is_known = |one: &str| all.iter().flat_map(|known| known.split(", ")).any(|known| known == one);
        if !looks.split(", ").all(is_known) {
            all.push(looks);
        }
    }
    if all.is_empty() { "anything".to_owned() } else { all.join(", or ") }
}

/// Describes the values of a form for people: their prefix, or the noun.
fn looks(form: &Form) -> String {
    let begins = beginnings(form);
    if begins.is_empty() { form.noun.to_owned() } else { begins.join(", ") }
}

/// How the values of a form begin. Empty if that says nothing, or takes too long.
fn beginnings(form: &Form) -> Vec<String> {
    let mut all: Vec<String> =
        form.patterns.iter().flat_map(|pattern| pattern_beginnings(&pattern.expression)).collect();
    all.dedup();
    let told = all.len() <= 6 && all.iter().all(|text| !text.is_empty());
    if told { all } else { Vec::new() }
}

fn pattern_beginnings(expression: &Expression) -> Vec<String> {
    match *expression {
        Expression::Text(text) => services::beginnings(text)
            .into_iter()
            .map(|text| if text == "…" || text.len() < 3 { String::new() } else { format!("`{text}`") })
            .collect(),
        Expression::Json { .. } => vec![String::new()],
        Expression::Address { hosts, path } => {
            let paths = services::beginnings(path);
            let host = |host: &&str| host.replace('*', "…").replace(['<', '>'], "");
            let under = |known: &&'static str| {
                let host = host(known);
                paths.iter().map(|path| format!("`https://{host}/{path}`")).collect::<Vec<_>>()
            };
            // One host shows what is under each.
            let shown = if paths.len() > 1 { 1 } else { hosts.len() };
            hosts.iter().take(shown).flat_map(under).collect()
        }
    }
}

/// The longest sample that a page shows.
const LONGEST_SAMPLE: usize = 120;

/// Describes the values of a form: a sample, and how others begin.
fn described(form: &Form) -> String {
    let json = form.patterns.iter().find_map(|pattern| match pattern.expression {
        Expression::Json { has, .. } => Some(has),
        _ => None,
    });
    if let Some(has) = json {
        let has: Vec<String> = has.iter().map(|(key, value)| format!("`{key}`: `{value}`")).collect();
        return format!("JSON, or JSON in base64, with {}", has.join(", "));
    }
    let mut said = Vec::new();
    let sample = form.samples.first().map(|sample| sample::outline(sample));
    said.extend(
        sample.filter(|one| one.len() <= LONGEST_SAMPLE && !one.contains('\n')).map(|one| format!("such as `{one}`")),
    );
    let begins = beginnings(form);
    if !begins.is_empty() {
        said.push(format!("begins with {}", begins.join(" or ")));
    }
    if said.is_empty() { "several lines".to_owned() } else { said.join("; ") }
}

fn link(source: Source) -> String {
    let kind = match source {
        Source::Official(_) => "official",
        Source::Example(_) => "example",
        Source::Scanner(_) => "scanner",
        Source::Unsure(_) => "right for some programs",
    };
    match source.place() {
        place if place.starts_with("https://") => format!("[{kind}]({place})"),
        place => format!("{kind}: {place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Kind;

    /// The list of services, with links to their pages.
    fn index() -> String {
        let mut page = String::from(
            "# Services\n\nThe services whose values credlint judges by the names under which they stand. The same pages without the \
             network: `credlint services NAME`, and one variable: `credlint explain NAME`. Of other services it knows the form \
             of their keys and tokens only.\n\n| service | variables | mistakes it knows |\n|---|---|---|\n",
        );
        for service in services_with_fields() {
            let names: Vec<String> = variables(service).iter().map(|name| format!("`{name}`")).collect();
            let more = if names.len() > 4 { format!(" and {} more", names.len() - 4) } else { String::new() };
            let mistakes = fields(service)
                .map(|field| field.mistakes.iter().map(|mistake| mistake.forms.len()).sum::<usize>())
                .sum::<usize>()
                + service.at.len()
                + service.relations.len();
            let (name, id) = (service.name, service.id);
            // Those whose profiles are verified have rules of their own.
            let mistakes =
                if fields(service).any(|field| Kind::find(field.place.0).is_some_and(|kind| kind.probe.is_some())) {
                    format!("{mistakes}, and [its own rules](../rules/README.md)")
                } else {
                    mistakes.to_string()
                };
            page += &format!("| [{name}]({id}.md) | {}{more} | {mistakes} |\n", names[..names.len().min(4)].join(", "));
        }
        page
    }

    #[test]
    fn pages_show_a_sample_and_every_beginning() {
        let shown = page(&services::slack::SERVICE);
        for part in ["hooks.slack.com/services/…", "hooks.slack.com/triggers/…", "such as `xoxb-000000000000-0"] {
            assert!(shown.contains(part), "{part}");
        }
        for service in services_with_fields() {
            let page = page(service);
            let expression =
                ["[0-9", "a-z]", "A-Z]", "(?:", "(?<", "{guid}", "{x*"].iter().find(|part| page.contains(**part));
            assert_eq!(expression, None, "{}", service.id);
        }
    }

    #[test]
    fn the_published_pages_are_up_to_date() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/services");
        let pages = services_with_fields().map(|service| (format!("{}.md", service.id), page(service)));
        let mut expected: Vec<(String, String)> = pages.chain([("README.md".to_owned(), index())]).collect();
        expected.sort();
        for (file, page) in &expected {
            #[expect(clippy::disallowed_methods, reason = "a switch for developers")]
            if std::env::var_os("UPDATE_DOCS").is_some() {
                std::fs::create_dir_all(&root).expect("a directory");
                std::fs::write(root.join(file), page).expect("a page");
            }
            let found = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            assert_eq!(found, *page, "docs/services/{file} is out of date: run `UPDATE_DOCS=1 cargo test`");
        }
        let mut found: Vec<String> = std::fs::read_dir(&root)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        found.sort();
        assert_eq!(found, expected.into_iter().map(|(file, _)| file).collect::<Vec<_>>(), "a page of no service");
    }
}
