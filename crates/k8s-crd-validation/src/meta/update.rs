//! The rules of metadata at an update.

use core::fmt::Write as _;

use serde_json::Value;

use super::managed;
use super::owners;
use super::read::Meta;
use super::rules::Rules;
use k8s_json_internals::print::{Json, JsonText};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind};

/// The rules of an update. The form of a name is none of them.
pub(crate) fn update(
    new: Option<&Value>,
    old: Option<&Value>,
    at: &Path<'_>,
    sink: &mut Vec<Violation>,
) {
    let (new, old) = (Meta::of(new), Meta::of(old));
    let mut rules = Rules { at, sink };
    rules.no_new_finalizers(new, old);
    if new.text("resourceVersion").is_empty() {
        let nothing = Found::Text(String::new());
        rules.invalid(
            "resourceVersion",
            nothing,
            "must be specified for an update",
        );
    }
    let generation = new.integer("generation");
    if generation < old.integer("generation") {
        let printed = Found::Printed(generation.to_string());
        rules.invalid("generation", printed, "must not be decremented");
    }
    rules.immutable(new, old);
    rules.labels(new);
    rules.annotations(new);
    owners::check(&mut rules, new.list("ownerReferences"));
    managed::check(&mut rules, new.list("managedFields"));
}

impl Rules<'_> {
    /// What is being deleted gets no new finalizers.
    fn no_new_finalizers(&mut self, new: Meta<'_>, old: Meta<'_>) {
        if old.get("deletionTimestamp").is_none() {
            return;
        }
        let had = old.list("finalizers");
        let added = new
            .list("finalizers")
            .iter()
            .filter(|name| !had.contains(name));
        let mut added: Vec<&str> = added.filter_map(Value::as_str).collect();
        if added.is_empty() {
            return;
        }
        added.sort_unstable();
        added.dedup();
        let mut detail = "no new finalizers can be added if the object is being deleted, found new finalizers []string{".to_owned();
        for (i, name) in added.into_iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(detail, "{comma}{}", Quoted(name));
        }
        detail.push('}');
        self.found(
            ViolationKind::Forbidden,
            "finalizers",
            Found::Nothing,
            &detail,
        );
    }

    fn immutable(&mut self, new: Meta<'_>, old: Meta<'_>) {
        for field in ["name", "namespace"] {
            if new.text(field) != old.text(field) {
                self.is_immutable(field, Found::Text(new.text(field).to_owned()));
            }
        }
        if new.text("uid") != old.text("uid") {
            let printed = JsonText(new.text("uid")).to_string();
            self.is_immutable("uid", Found::Printed(printed));
        }
        for field in [
            "creationTimestamp",
            "deletionTimestamp",
            "deletionGracePeriodSeconds",
        ] {
            if new.get(field) != old.get(field) {
                let printed = new
                    .get(field)
                    .map_or("null".to_owned(), |value| Json(value).to_string());
                self.is_immutable(field, Found::Printed(printed));
            }
        }
    }

    fn is_immutable(&mut self, field: &str, found: Found) {
        self.invalid(field, found, "field is immutable");
    }
}
