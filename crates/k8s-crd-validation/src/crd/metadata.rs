//! The metadata of a CRD, whose name its spec says.

use super::definition::Definition;
use crate::meta::{self, Fields, NameRule, Scope};
use crate::metadata::METADATA;
use k8s_json_internals::deep::Own;
use union_runtime::{Found, Violation, ViolationKind};

pub(super) fn check_create(crd: &Definition<'_>, errors: &mut Vec<Violation>) {
    let mut metadata = crd.metadata.map(Own::copy);
    if let Some(metadata) = metadata.as_deref_mut() {
        prepare(metadata);
    }
    let metadata = metadata.as_deref();
    let wanted = format!("{}.{}", crd.names.plural, crd.group);
    let of = Fields::of(metadata);
    let mut found = Vec::new();
    meta::common(
        metadata,
        NameRule::Subdomain,
        Scope::Cluster,
        &METADATA,
        &mut found,
    );
    for field in ["name", "generateName"] {
        let name = of.text(field);
        if !name.is_empty() && name != wanted {
            found.push(Violation::found(
                ViolationKind::Invalid,
                format!("metadata.{field}"),
                Found::Text(name.to_owned()),
                "must be spec.names.plural+\".\"+spec.group".to_owned(),
            ));
        }
    }
    errors.extend(found);
}

/// What a client says of fields that a server keeps does not count.
fn prepare(metadata: &mut serde_json::Value) {
    // The types were checked.
    let _ = meta::coerce(metadata);
    if let Some(fields) = metadata.as_object_mut() {
        for field in ["namespace", "generation", "uid"] {
            fields.remove(field);
        }
    }
}

pub(super) fn check_update(
    new: &Definition<'_>,
    old: &Definition<'_>,
    errors: &mut Vec<Violation>,
) {
    let mut metadata = new.metadata.map(Own::copy);
    let stored = old.metadata.map(Own::copy);
    let mut stored = stored;
    for metadata in [&mut metadata, &mut stored] {
        if let Some(metadata) = metadata.as_deref_mut() {
            let _ = meta::coerce(metadata);
            if let Some(fields) = metadata.as_object_mut() {
                fields.remove("namespace");
            }
        }
    }
    if let Some(metadata) = metadata.as_deref_mut() {
        meta::prepare_update(metadata, stored.as_deref(), false);
    }
    let mut found = Vec::new();
    meta::update(
        metadata.as_deref(),
        stored.as_deref(),
        &METADATA,
        &mut found,
    );
    errors.extend(found);
}
