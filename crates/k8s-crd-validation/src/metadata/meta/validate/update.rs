//! Validation of the metadata of updates.

use core::fmt::Write as _;
use std::collections::HashSet;

use serde_json::Value;

use super::errors::MetadataErrors;
use super::managed_fields;
use super::owner_references;
use super::rules::NameValidation;
use crate::metadata::meta::fields::{
    METADATA, ObjectMeta, integer_or_zero, list_or_empty, string_or_empty,
};
use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::print::{GoJson, JsonString};
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::Path;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks the metadata of an update, as a server of a version does. `at` is the path of the
/// metadata. The syntax of the name is not checked, because the name must equal the old name.
pub(crate) fn validate_object_meta_update(
    new: Option<&Value>,
    old: Option<&Value>,
    version: KubeVersion,
    at: &Path<'_>,
    errors: &mut Vec<Violation>,
) {
    let mut errors = MetadataErrors {
        path: at,
        version,
        errors,
    };
    errors.check_update(&ObjectMeta::new(new), &ObjectMeta::new(old));
}

/// Checks the metadata of an updated resource as a server checks resources of every kind: by the
/// rules for updates, and by the rules for new metadata. A rule that is in both sets is checked
/// once. The namespace is not checked, because a server sets it to the
/// namespace of the request.
pub(crate) fn validate_updated_object_meta(
    new: Option<&Value>,
    old: Option<&Value>,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let new = &ObjectMeta::new(new);
    let mut errors = MetadataErrors {
        path: &METADATA,
        version,
        errors,
    };
    errors.check_update(new, &ObjectMeta::new(old));
    errors.check_names(new, NameValidation::PathSegment);
    if !version.has(Feature::DeclarativeMetadata) {
        errors.check_generation(new);
    }
    errors.check_finalizers(new);
}

impl MetadataErrors<'_> {
    fn check_update(&mut self, new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) {
        self.check_no_new_finalizers(new, old);
        if string_or_empty(new.resource_version).is_empty() {
            let empty = BadValue::Quoted(String::new());
            self.invalid("resourceVersion", empty, "must be specified for an update");
        }
        if self.version.has(Feature::DeclarativeMetadata) {
            self.check_generation(new);
        }
        let generation = integer_or_zero(new.generation);
        if generation < integer_or_zero(old.generation) {
            let printed = BadValue::Formatted(generation.to_string());
            self.invalid("generation", printed, "must not be decremented");
        }
        self.check_immutable_fields(new, old);
        self.check_labels(new);
        self.check_annotations(new);
        owner_references::check(self, list_or_empty(new.owner_references));
        managed_fields::check(self, list_or_empty(new.managed_fields));
    }

    /// Checks that the update adds no finalizers to an object that is being deleted.
    fn check_no_new_finalizers(&mut self, new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) {
        if old.deletion_timestamp.is_none() {
            return;
        }
        let old_finalizers = list_or_empty(old.finalizers).iter();
        let old_names: HashSet<&str> = old_finalizers.filter_map(Value::as_str).collect();
        let names = list_or_empty(new.finalizers)
            .iter()
            .filter_map(Value::as_str);
        let mut added: Vec<&str> = names.filter(|name| !old_names.contains(name)).collect();
        if added.is_empty() {
            return;
        }
        added.sort_unstable();
        added.dedup();
        let mut detail = "no new finalizers can be added if the object is being deleted, found new finalizers []string{".to_owned();
        for (i, name) in added.into_iter().enumerate() {
            let comma = if i > 0 { ", " } else { "" };
            // Writing to a String cannot fail.
            let _ = write!(detail, "{comma}{}", GoQuoted(name));
        }
        detail.push('}');
        self.report(
            ViolationKind::Forbidden,
            "finalizers",
            BadValue::Omitted,
            &detail,
        );
    }

    /// Checks that immutable fields are unchanged.
    fn check_immutable_fields(&mut self, new: &ObjectMeta<'_>, old: &ObjectMeta<'_>) {
        for (field, new, old) in [
            ("name", new.name, old.name),
            ("namespace", new.namespace, old.namespace),
        ] {
            if string_or_empty(new) != string_or_empty(old) {
                self.report_immutable(field, BadValue::Quoted(string_or_empty(new).to_owned()));
            }
        }
        if string_or_empty(new.uid) != string_or_empty(old.uid) {
            let printed = JsonString(string_or_empty(new.uid)).to_string();
            self.report_immutable("uid", BadValue::Formatted(printed));
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
                let printed = new.map_or("null".to_owned(), |value| GoJson(value).to_string());
                self.report_immutable(field, BadValue::Formatted(printed));
            }
        }
    }

    fn report_immutable(&mut self, field: &str, found: BadValue) {
        self.invalid(field, found, "field is immutable");
    }
}
