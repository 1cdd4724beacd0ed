//! The metadata of a CRD, whose name is determined by its spec.

use super::definition::Definition;
use crate::metadata::METADATA;
use crate::metadata::meta::{self, Fields, NameRule, Scope};
use k8s_json_internals::deep::Own;
use serde_json::{Map, Value};
use union_runtime::{Found, Violation, ViolationKind};

pub(super) fn check_create(crd: &Definition<'_>, errors: &mut Vec<Violation>) {
    let mut metadata = read(crd);
    if let Some(fields) = metadata.as_object_mut() {
        // The server sets the generation.
        fields.remove("generation");
    }
    let wanted = format!("{}.{}", crd.names.plural, crd.group);
    let of = Fields::of(Some(&metadata));
    let mut found = Vec::new();
    meta::common(
        Some(&metadata),
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
                ["metadata", field].into(),
                Found::Text(name.to_owned()),
                "must be spec.names.plural+\".\"+spec.group".to_owned(),
            ));
        }
    }
    errors.extend(found);
}

pub(super) fn check_update(
    new: &Definition<'_>,
    old: &Definition<'_>,
    errors: &mut Vec<Violation>,
) {
    let (mut metadata, old) = (read(new), read(old));
    meta::prepare_update(&mut metadata, Some(&old), false);
    let mut found = Vec::new();
    meta::update(Some(&metadata), Some(&old), &METADATA, &mut found);
    // Seen: the rules of new metadata also apply to an update, except the rules for the name.
    meta::common(
        Some(&metadata),
        NameRule::PathSegment,
        Scope::Cluster,
        &METADATA,
        &mut found,
    );
    for violation in found {
        if !errors.contains(&violation) {
            errors.push(violation);
        }
    }
}

/// Returns the metadata as a server decodes it. A CRD is cluster-scoped, so the namespace is
/// removed.
fn read(crd: &Definition<'_>) -> Own {
    let empty = Value::Object(Map::new());
    let mut metadata = Own::copy(crd.metadata.unwrap_or(&empty));
    // `Definition::read` has checked the types.
    let _ = meta::coerce(&mut metadata);
    if let Some(fields) = metadata.as_object_mut() {
        fields.remove("namespace");
    }
    metadata
}
