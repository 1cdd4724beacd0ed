//! Validation of the owner references of an object.

use serde_json::Value;

use super::errors::MetadataErrors;
use crate::metadata::meta::fields::ObjectFields;
use k8s_cel::Feature;
use k8s_json_internals::print::JsonString;
use union_runtime::path::PathStep;
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks that every owner reference has its required fields, and that at most one owner is a
/// controller. As on a server, paths contain the index of the reference from 1.37 on.
pub(super) fn check(errors: &mut MetadataErrors<'_>, owners: &[Value]) {
    let mut controller: Option<String> = None;
    let mut printed = PrintedOwners::default();
    let list = errors.path.field("ownerReferences");
    let has_index = errors.version.has(Feature::DeclarativeMetadata);
    for (index, owner) in owners.iter().enumerate() {
        let owner = OwnerReference(ObjectFields::new(Some(owner)));
        let element = list.step(PathStep::Index(index));
        owner.check(&mut errors.at(if has_index { &element } else { &list }));
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
                let bad_value = BadValue::Formatted(printed.print(owners));
                errors.invalid("ownerReferences", bad_value, &detail);
            }
        }
    }
}

/// An element of `ownerReferences`.
struct OwnerReference<'v>(ObjectFields<'v>);

impl OwnerReference<'_> {
    /// Checks the reference. The path of `errors` is the path of the reference.
    fn check(&self, errors: &mut MetadataErrors<'_>) {
        let (group, version) = group_and_version(self.0.string("apiVersion"));
        if version.is_empty() {
            self.report_api_version(errors);
        }
        for field in ["kind", "name", "uid"] {
            if self.0.string(field).is_empty() {
                errors.empty(field);
            }
        }
        // Kubernetes does not allow Events as owners.
        if (group, version, self.0.string("kind")) == ("", "v1", "Event") {
            errors.errors.push(Violation::from_parts(
                ViolationKind::Invalid,
                errors.path.to_field_path(),
                BadValue::Formatted(self.to_json()),
                "/v1, Kind=Event is disallowed from being an owner".to_owned(),
            ));
        }
    }

    /// Reports an `apiVersion` without a version.
    fn report_api_version(&self, errors: &mut MetadataErrors<'_>) {
        const FIELD: &str = "apiVersion";
        let api_version = self.0.string(FIELD);
        let has_declarative_texts = errors.version.has(Feature::DeclarativeMetadata);
        if has_declarative_texts && api_version.is_empty() {
            return errors.empty(FIELD);
        }
        let detail = if has_declarative_texts {
            "must be <group>/<version> or <version>"
        } else {
            "version must not be empty"
        };
        errors.invalid(FIELD, BadValue::Quoted(api_version.to_owned()), detail);
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

/// The maximum number of bytes of the lists in errors. Each error has the whole list, so the memory
/// of all errors would be quadratic in the number of controllers.
const MAX_PRINTED_BYTES: usize = 16 << 20;

/// The list of references as JSON, which is in each error about a further controller.
#[derive(Default)]
struct PrintedOwners {
    json: Option<String>,
    printed_bytes: usize,
}

impl PrintedOwners {
    /// Returns the references as JSON, or `[...]` if the earlier errors have too many bytes.
    fn print(&mut self, owners: &[Value]) -> String {
        let json = self.json.get_or_insert_with(|| {
            let owners = owners.iter();
            let owners =
                owners.map(|owner| OwnerReference(ObjectFields::new(Some(owner))).to_json());
            format!("[{}]", owners.collect::<Vec<_>>().join(","))
        });
        if self.printed_bytes > MAX_PRINTED_BYTES {
            return "[...]".to_owned();
        }
        self.printed_bytes += json.len();
        json.clone()
    }
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
