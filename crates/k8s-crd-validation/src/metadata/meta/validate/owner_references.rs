//! Validation of the owner references of an object.

use serde_json::Value;

use super::errors::MetadataErrors;
use crate::metadata::meta::fields::ObjectFields;
use k8s_json_internals::print::JsonString;
use union_runtime::BadValue;
use union_runtime::path::Path;

/// Checks that every owner reference has its required fields, and that at most one owner is a
/// controller. As on a server, paths do not contain the index of the reference.
pub(super) fn check(errors: &mut MetadataErrors<'_>, owners: &[Value]) {
    let mut controller: Option<String> = None;
    for owner in owners {
        let owner = OwnerReference(ObjectFields::new(Some(owner)));
        owner.check(errors);
        if !owner.is_controller() {
            continue;
        }
        let name = format!("{}/{}", owner.0.string("kind"), owner.0.string("name"));
        match &controller {
            None => controller = Some(name),
            Some(first) => {
                let detail = format!(
                    "Only one reference can have Controller set to true. Found \"true\" in references for {first} and {name}"
                );
                errors.invalid(
                    "ownerReferences",
                    BadValue::Formatted(print_owners(owners)),
                    &detail,
                );
            }
        }
    }
}

/// An element of `ownerReferences`.
struct OwnerReference<'v>(ObjectFields<'v>);

impl OwnerReference<'_> {
    fn check(&self, errors: &mut MetadataErrors<'_>) {
        let api_version = self.0.string("apiVersion");
        let (group, version) = group_and_version(api_version);
        let kind = self.0.string("kind");
        let at: Path<'_> = errors.path.field("ownerReferences");
        let mut reference_errors = MetadataErrors {
            path: &at,
            errors: &mut *errors.errors,
        };
        if version.is_empty() {
            reference_errors.invalid(
                "apiVersion",
                BadValue::Quoted(api_version.to_owned()),
                "version must not be empty",
            );
        }
        for field in ["kind", "name"] {
            if self.0.string(field).is_empty() {
                reference_errors.invalid(
                    field,
                    BadValue::Quoted(String::new()),
                    "must not be empty",
                );
            }
        }
        if self.0.string("uid").is_empty() {
            reference_errors.invalid("uid", BadValue::Quoted(String::new()), "must not be empty");
        }
        // Kubernetes does not allow Events as owners.
        if (group, version, kind) == ("", "v1", "Event") {
            let detail = "/v1, Kind=Event is disallowed from being an owner";
            errors.invalid(
                "ownerReferences",
                BadValue::Formatted(self.to_json()),
                detail,
            );
        }
    }

    fn is_controller(&self) -> bool {
        self.0.get("controller") == Some(&Value::Bool(true))
    }

    /// Returns the reference as JSON, with the fields in the order of the Go struct.
    fn to_json(&self) -> String {
        let string = |field| JsonString(self.0.string(field));
        let boolean = |field| match self.0.get(field).and_then(Value::as_bool) {
            Some(value) => format!(",\"{field}\":{value}"),
            None => String::new(),
        };
        format!(
            r#"{{"apiVersion":{},"kind":{},"name":{},"uid":{}{}{}}}"#,
            string("apiVersion"),
            string("kind"),
            string("name"),
            string("uid"),
            boolean("controller"),
            boolean("blockOwnerDeletion"),
        )
    }
}

/// Returns the references as JSON.
fn print_owners(owners: &[Value]) -> String {
    let owners: Vec<String> = owners
        .iter()
        .map(|owner| OwnerReference(ObjectFields::new(Some(owner))).to_json())
        .collect();
    format!("[{}]", owners.join(","))
}

/// Splits an `apiVersion` into the group and the version. Both are empty if the string has several
/// slashes.
fn group_and_version(api_version: &str) -> (&str, &str) {
    match api_version.split_once('/') {
        None => ("", api_version),
        Some((_, rest)) if rest.contains('/') => ("", ""),
        Some(group_and_version) => group_and_version,
    }
}
