//! Access to the fields of decoded metadata, and of other objects with checked types. Accessors
//! return empty values for missing fields.

use serde_json::{Map, Value};
use union_runtime::path::Path;

/// The path of the metadata of an object.
pub(crate) const METADATA: Path<'static> = Path::ROOT.field("metadata");

/// The fields of an object. A missing object has no fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectFields<'v>(Option<&'v Map<String, Value>>);

impl<'v> ObjectFields<'v> {
    pub(crate) fn new(object: Option<&'v Value>) -> Self {
        Self(object.and_then(Value::as_object))
    }

    /// Returns a field, or `None` if the field is missing or null.
    pub(crate) fn get(self, name: &str) -> Option<&'v Value> {
        self.0?.get(name).filter(|value| !value.is_null())
    }

    pub(crate) fn string(self, name: &str) -> &'v str {
        string_or_empty(self.get(name))
    }

    pub(crate) fn integer(self, name: &str) -> i64 {
        integer_or_zero(self.get(name))
    }

    pub(crate) fn boolean(self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or_default()
    }

    /// Returns the fields of an object inside the object.
    pub(crate) fn object(self, name: &str) -> Self {
        Self::new(self.get(name))
    }

    pub(crate) fn list(self, name: &str) -> &'v [Value] {
        list_or_empty(self.get(name))
    }

    /// Returns a list, or `None` if the list is missing.
    pub(crate) fn optional_list(self, name: &str) -> Option<&'v [Value]> {
        let list = self.get(name).and_then(Value::as_array);
        list.map(Vec::as_slice)
    }
}

/// The metadata fields that have validation rules, found in one walk. A null counts as missing.
#[derive(Debug, Default)]
pub(super) struct ObjectMeta<'v> {
    pub(super) annotations: Option<&'v Value>,
    pub(super) creation_timestamp: Option<&'v Value>,
    pub(super) deletion_grace_period_seconds: Option<&'v Value>,
    pub(super) deletion_timestamp: Option<&'v Value>,
    pub(super) finalizers: Option<&'v Value>,
    pub(super) generate_name: Option<&'v Value>,
    pub(super) generation: Option<&'v Value>,
    pub(super) labels: Option<&'v Value>,
    pub(super) managed_fields: Option<&'v Value>,
    pub(super) name: Option<&'v Value>,
    pub(super) namespace: Option<&'v Value>,
    pub(super) owner_references: Option<&'v Value>,
    pub(super) resource_version: Option<&'v Value>,
    pub(super) uid: Option<&'v Value>,
}

impl<'v> ObjectMeta<'v> {
    pub(super) fn new(metadata: Option<&'v Value>) -> Self {
        let mut meta = Self::default();
        for (name, value) in metadata.and_then(Value::as_object).into_iter().flatten() {
            let field = match name.as_str() {
                "annotations" => &mut meta.annotations,
                "creationTimestamp" => &mut meta.creation_timestamp,
                "deletionGracePeriodSeconds" => &mut meta.deletion_grace_period_seconds,
                "deletionTimestamp" => &mut meta.deletion_timestamp,
                "finalizers" => &mut meta.finalizers,
                "generateName" => &mut meta.generate_name,
                "generation" => &mut meta.generation,
                "labels" => &mut meta.labels,
                "managedFields" => &mut meta.managed_fields,
                "name" => &mut meta.name,
                "namespace" => &mut meta.namespace,
                "ownerReferences" => &mut meta.owner_references,
                "resourceVersion" => &mut meta.resource_version,
                "uid" => &mut meta.uid,
                _ => continue,
            };
            *field = Some(value).filter(|value| !value.is_null());
        }
        meta
    }
}

pub(super) fn string_or_empty(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn integer_or_zero(value: Option<&Value>) -> i64 {
    value.and_then(Value::as_i64).unwrap_or_default()
}

pub(super) fn list_or_empty(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns the keys and the strings of a map.
pub(super) fn string_entries(value: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    let entries = value.and_then(Value::as_object);
    let entries = entries.into_iter().flatten();
    entries.map(|(name, value)| (name.as_str(), string_or_empty(Some(value))))
}
