//! Validation of the versions of a CRD: their names, deprecation warnings, the storage version, and
//! the stored versions.

use core::fmt::Write as _;
use std::collections::HashMap;

use serde_json::Value;

use super::definition::{CrdDefinition, CrdDefinitionVersion, VersionFields};
use super::names;
use crate::metadata::meta::ObjectFields;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::go_schema::{self, print_list};
use k8s_json_internals::print::{GoJson, JsonString};
use k8s_json_internals::quote::is_printable;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// The largest length of a deprecation warning, in bytes, as in Kubernetes.
const MAX_WARNING_LENGTH: usize = 256;

/// Checks one version.
pub(super) fn check(
    version: &CrdDefinitionVersion<'_>,
    path: &CrdPath<'_>,
    errors: &mut Vec<Violation>,
) {
    names::check_version(version.name, &path.field("name"), errors);
    let Some(warning) = version.warning else {
        return;
    };
    let path = path.field("deprecationWarning");
    let mut invalid = |detail: &str| {
        // The field is a pointer in Go, so the message prints the warning as JSON.
        let bad_value = BadValue::Formatted(JsonString(warning).to_string());
        errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
    };
    if !version.is_deprecated {
        return invalid("can only be set for deprecated versions");
    }
    if warning.is_empty() {
        return invalid("must not be an empty string");
    }
    if warning.len() > MAX_WARNING_LENGTH {
        invalid(&format!("must be <= {MAX_WARNING_LENGTH} characters long"));
    }
    if let Some((position, _)) = warning.char_indices().find(|(_, c)| !is_printable(*c)) {
        invalid(&format!(
            "must only contain printable UTF-8 characters; non-printable character found at index {position}"
        ));
    }
}

/// Checks that the names of the versions are unique, and that there is one storage version.
pub(super) fn check_all(crd: &CrdDefinition<'_>, path: &CrdPath<'_>, errors: &mut Vec<Violation>) {
    let versions = crd.versions();
    let is_duplicate = |(i, version): (usize, &CrdDefinitionVersion<'_>)| {
        let mut earlier_versions = versions.iter().take(i);
        earlier_versions.any(|earlier_version| earlier_version.name == version.name)
    };
    let storage_count = versions.iter().filter(|version| version.is_storage).count();
    for (is_violated, detail) in [
        (
            versions.iter().enumerate().any(is_duplicate),
            "must contain unique version names",
        ),
        (
            storage_count != 1,
            "must have exactly one version marked as storage version",
        ),
    ] {
        if is_violated {
            let bad_value = BadValue::Formatted(print_versions(crd));
            let path = path.field("versions");
            errors.push(path.violation(ViolationKind::Invalid, bad_value, detail));
        }
    }
    // Kubernetes' internal type has the field `spec.version` of `v1beta1`, and sets it to the name
    // of the first version.
    if let Some(first_version) = versions.first()
        && !first_version.name.is_empty()
    {
        names::check_version(first_version.name, &path.field("version"), errors);
    }
}

/// Checks `status.storedVersions`: the versions in which objects are stored.
pub(super) fn check_stored(
    stored: Option<&[&str]>,
    crd: &CrdDefinition<'_>,
    errors: &mut Vec<Violation>,
) {
    let field_path = FieldPath::from(["status", "storedVersions"]);
    let path = CrdPath::root(&field_path);
    let print_stored = || {
        let mut json = String::new();
        print_list(stored, &mut json, |name, out| {
            // Writing to a String cannot fail.
            let _ = write!(out, "{}", JsonString(name));
        });
        BadValue::Formatted(json)
    };
    let Some(stored_names) = stored.filter(|stored| !stored.is_empty()) else {
        let detail = "must have at least one stored version";
        errors.push(path.violation(ViolationKind::Invalid, print_stored(), detail));
        return;
    };
    let versions = crd.versions();
    let storage_index = versions.iter().rposition(|version| version.is_storage);
    let mut has_storage_version = false;
    // The first version of a name counts.
    let indexes = versions.iter().enumerate().rev();
    let indexes: HashMap<&str, usize> = indexes.map(|(i, version)| (version.name, i)).collect();
    for (i, name) in stored_names.iter().enumerate() {
        let version_index = indexes.get(name).copied();
        has_storage_version |= version_index.is_some() && version_index == storage_index;
        if version_index.is_none() {
            let detail = format!(
                "missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
            );
            let element_path = field_path.clone().index(i);
            let bad_value = BadValue::Quoted((*name).to_owned());
            errors.push(CrdPath::root(&element_path).violation(
                ViolationKind::Invalid,
                bad_value,
                &detail,
            ));
        }
    }
    if let Some(storage_version) = storage_index.and_then(|index| versions.get(index))
        && !has_storage_version
    {
        let detail = format!("must have the storage version {}", storage_version.name);
        errors.push(path.violation(ViolationKind::Invalid, print_stored(), &detail));
    }
}

/// Returns the versions as the JSON of Kubernetes' internal type, for error messages.
fn print_versions(crd: &CrdDefinition<'_>) -> String {
    let mut json = String::new();
    print_list(crd.versions.as_deref(), &mut json, print_version);
    json
}

fn print_version(version: &CrdDefinitionVersion<'_>, out: &mut String) {
    let warning = version.warning.map(Value::from).unwrap_or_default();
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "{{\"Name\":{},\"Served\":{},\"Storage\":{},\"Deprecated\":{},\"DeprecationWarning\":{},",
        JsonString(version.name),
        version.is_served,
        version.is_storage,
        version.is_deprecated,
        GoJson(&warning),
    );
    print_version_fields(&version.fields, out);
    out.push('}');
}

fn print_version_fields(fields: &VersionFields<'_>, out: &mut String) {
    out.push_str("\"Schema\":");
    if fields.validation.is_some() {
        out.push_str("{\"OpenAPIV3Schema\":");
        go_schema::print_schema(fields.schema(), out);
        out.push('}');
    } else {
        out.push_str("null");
    }
    out.push_str(",\"Subresources\":");
    print_subresources(fields.subresources, out);
    out.push_str(",\"AdditionalPrinterColumns\":");
    print_list(fields.columns, out, print_column);
    out.push_str(",\"SelectableFields\":");
    print_list(fields.selectable, out, |field, out| {
        let path = ObjectFields::new(Some(field)).string("jsonPath");
        let _ = write!(out, "{{\"JSONPath\":{}}}", JsonString(path));
    });
}

fn print_subresources(subresources: Option<&Value>, out: &mut String) {
    let Some(subresources) = subresources else {
        out.push_str("null");
        return;
    };
    let fields = ObjectFields::new(Some(subresources));
    let status = fields.get("status").map_or("null", |_| "{}");
    let _ = write!(out, "{{\"Status\":{status},\"Scale\":");
    match fields.get("scale") {
        None => out.push_str("null"),
        Some(scale) => {
            let fields = ObjectFields::new(Some(scale));
            let _ = write!(
                out,
                "{{\"SpecReplicasPath\":{},\"StatusReplicasPath\":{},\"LabelSelectorPath\":{}}}",
                JsonString(fields.string("specReplicasPath")),
                JsonString(fields.string("statusReplicasPath")),
                GoJson(fields.get("labelSelectorPath").unwrap_or(&Value::Null)),
            );
        }
    }
    out.push('}');
}

fn print_column(column: &Value, out: &mut String) {
    let fields = ObjectFields::new(Some(column));
    let _ = write!(
        out,
        "{{\"Name\":{},\"Type\":{},\"Format\":{},\"Description\":{},\"Priority\":{},\"JSONPath\":{}}}",
        JsonString(fields.string("name")),
        JsonString(fields.string("type")),
        JsonString(fields.string("format")),
        JsonString(fields.string("description")),
        fields.integer("priority"),
        JsonString(fields.string("jsonPath")),
    );
}
