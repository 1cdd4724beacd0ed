//! Validation of the metadata of a CRD. The spec determines the name: `<plural>.<group>`.

use super::definition::CrdDefinition;
use crate::metadata::METADATA;
use crate::metadata::meta::{self, ObjectFields, Scope};
use crate::schema::unknown::unknown_fields::UnknownFields;
use crate::validate::errors::dedup_errors::dedup_errors;
use k8s_cel::KubeVersion;
use k8s_json_internals::deep::DeepValue;
use serde_json::{Map, Value};
use union_runtime::{BadValue, Violation, ViolationKind};

/// Checks the metadata of a new CRD.
pub(super) fn check_create(
    crd: &CrdDefinition<'_>,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let metadata = decode_metadata(crd);
    let expected_name = format!("{}.{}", crd.names.plural, crd.group);
    let fields = ObjectFields::new(Some(&metadata));
    let mut metadata_errors = Vec::new();
    let scope = Scope::Cluster;
    meta::validate_created_object_meta(Some(&metadata), scope, version, &mut metadata_errors);
    for field in ["name", "generateName"] {
        let name = fields.string(field);
        if !name.is_empty() && name != expected_name {
            metadata_errors.push(Violation::from_parts(
                ViolationKind::Invalid,
                ["metadata", field].into(),
                BadValue::Quoted(name.to_owned()),
                "must be spec.names.plural+\".\"+spec.group".to_owned(),
            ));
        }
    }
    errors.extend(metadata_errors);
}

/// Checks the metadata of an updated CRD.
pub(super) fn check_update(
    new: &CrdDefinition<'_>,
    old: &CrdDefinition<'_>,
    version: KubeVersion,
    errors: &mut Vec<Violation>,
) {
    let mut metadata = decode_metadata(new);
    let old_metadata = decode_metadata(old);
    meta::prepare_update(&mut metadata, Some(&old_metadata), false);
    let mut metadata_errors = Vec::new();
    let (metadata, old_metadata) = (Some(&*metadata), Some(&*old_metadata));
    meta::validate_updated_object_meta(metadata, old_metadata, version, &mut metadata_errors);
    errors.extend(dedup_errors(metadata_errors, &mut Vec::new()));
}

/// Returns the decoded metadata without the namespace, because CRDs are cluster-scoped.
fn decode_metadata(crd: &CrdDefinition<'_>) -> DeepValue {
    let empty = Value::Object(Map::new());
    let mut metadata = DeepValue::copy(crd.metadata.unwrap_or(&empty));
    // This cannot fail: `CrdDefinition::decode` has checked the types.
    let _ = meta::coerce(&mut metadata, &METADATA, &mut UnknownFields::off());
    if let Some(fields) = metadata.as_object_mut() {
        fields.remove("namespace");
    }
    metadata
}
