//! The rules for metadata of updates.

use core::fmt::Write as _;

use serde_json::Value;

use super::managed;
use super::owners;
use super::read::{ObjectMeta, integer, list, text};
use super::report::Rules;
use k8s_json_internals::print::{Json, JsonText};
use k8s_json_internals::quote::Quoted;
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind};

/// Checks the metadata of an update. The syntax of the name is not checked.
pub(crate) fn update(
    new: Option<&Value>,
    old: Option<&Value>,
    at: &Path<'_>,
    sink: &mut Vec<Violation>,
) {
    let (new, old) = (&ObjectMeta::of(new), &ObjectMeta::of(old));
    let mut rules = Rules { at, sink };
    rules.no_new_finalizers(new, old);
    if text(new.resource_version).is_empty() {
        let nothing = Found::Text(String::new());
        rules.invalid(
            "resourceVersion",
            nothing,
            "must be specified for an update",
        );
    }
    let generation = integer(new.generation);
    if generation < integer(old.generation) {
        let printed = Found::Printed(generation.to_string());
        rules.invalid("generation", printed, "must not be decremented");
    }
    rules.immutable(new, old);
    rules.labels(new);
    rules.annotations(new);
    owners::check(&mut rules, list(new.owner_references));
    managed::check(&mut rules, list(new.managed_fields));
}

impl Rules<'_> {
    /// Checks that an object that is being deleted gets no new finalizers.
    fn no_new_finalizers(&mut self, new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) {
        if old.deletion_timestamp.is_none() {
            return;
        }
        let had = list(old.finalizers);
        let added = list(new.finalizers)
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

    fn immutable(&mut self, new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) {
        for (field, new, old) in [
            ("name", new.name, old.name),
            ("namespace", new.namespace, old.namespace),
        ] {
            if text(new) != text(old) {
                self.is_immutable(field, Found::Text(text(new).to_owned()));
            }
        }
        if text(new.uid) != text(old.uid) {
            let printed = JsonText(text(new.uid)).to_string();
            self.is_immutable("uid", Found::Printed(printed));
        }
        for (field, new, old) in [
            (
                "creationTimestamp",
                new.creation_timestamp,
                old.creation_timestamp,
            ),
            (
                "deletionTimestamp",
                new.deletion_timestamp,
                old.deletion_timestamp,
            ),
            (
                "deletionGracePeriodSeconds",
                new.deletion_grace_period_seconds,
                old.deletion_grace_period_seconds,
            ),
        ] {
            if new != old {
                let printed = new.map_or("null".to_owned(), |value| Json(value).to_string());
                self.is_immutable(field, Found::Printed(printed));
            }
        }
    }

    fn is_immutable(&mut self, field: &str, found: Found) {
        self.invalid(field, found, "field is immutable");
    }
}
