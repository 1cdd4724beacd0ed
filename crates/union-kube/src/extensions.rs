//! Adds the extension keys to kube's CRD, and removes them from a CRD.
//!
//! kube's type drops the extension keys, so they are copied from the schema that schemars
//! generates. Both schemas are walked in parallel. Only the extension keys are copied, so kube's
//! changes of the schema are kept.

use serde_json::{Map, Value};

use super::error::CrdError;
use union_runtime::path::{Path, PathStep};
use union_runtime::schema::MARKS;
use union_runtime::schema_keys::{MERGE_KEY, STRATEGY, UNIONS};

/// The extension keys, which tools read and API servers do not know.
const EXTENSION_KEYS: [&str; 3] = [UNIONS, STRATEGY, MERGE_KEY];

/// The keywords whose value is a schema.
const SCHEMA_KEYWORDS: [&str; 3] = ["items", "additionalProperties", "not"];

/// The keywords whose value is a list of schemas.
const SCHEMA_LIST_KEYWORDS: [&str; 3] = ["allOf", "anyOf", "oneOf"];

/// Copies the extension keys from a generated schema into kube's schema. Also restores whole
/// numbers, which kube's type converts to floats.
pub(super) fn add_extensions(
    target: &mut Value,
    source: &Value,
    path: &Path<'_>,
) -> Result<(), CrdError> {
    let (Some(target), Some(source)) = (target.as_object_mut(), source.as_object()) else {
        return has_no_extensions(source)
            .then_some(())
            .ok_or_else(|| mismatch_error(path));
    };
    for key in EXTENSION_KEYS.iter().chain(&MARKS) {
        if let Some(value) = source.get(*key) {
            target.insert((*key).into(), value.clone());
        }
    }
    for (key, value) in &mut *target {
        // kube's type stores bounds as floats, so a bound of 10 becomes 10.0.
        if let (Value::Number(number), Some(Value::Number(source_number))) =
            (&*value, source.get(key))
            && number.as_f64() == source_number.as_f64()
        {
            *value = Value::Number(source_number.clone());
        }
    }
    let add_to_child = |target: Option<&mut Value>, source: &Value, path: &Path<'_>| {
        add_extensions(target.unwrap_or(&mut Value::Null), source, path)
    };
    if let Some(Value::Object(properties)) = source.get("properties") {
        for (name, source) in properties {
            let target = target
                .get_mut("properties")
                .and_then(|target| target.get_mut(name));
            add_to_child(target, source, &path.field(name))?;
        }
    }
    for keyword in SCHEMA_KEYWORDS {
        if let Some(source) = source.get(keyword) {
            add_to_child(target.get_mut(keyword), source, &path.field(keyword))?;
        }
    }
    for keyword in SCHEMA_LIST_KEYWORDS {
        let branches = source.get(keyword).and_then(Value::as_array);
        for (index, source) in branches.into_iter().flatten().enumerate() {
            let target = target
                .get_mut(keyword)
                .and_then(|target| target.get_mut(index));
            let list_path = path.field(keyword);
            add_to_child(target, source, &list_path.step(PathStep::Index(index)))?;
        }
    }
    Ok(())
}

/// Returns true if a schema does not contain an extension key at any depth.
fn has_no_extensions(schema: &Value) -> bool {
    let json = schema.to_string();
    EXTENSION_KEYS
        .iter()
        .chain(&MARKS)
        .all(|key| !json.contains(&format!("\"{key}\":")))
}

fn mismatch_error(path: &Path<'_>) -> CrdError {
    CrdError::new(
        path.to_field_path(),
        "the schema of the type has a union here, but kube's CRD does not have this field; do not change schemas of unions \
         with `kube(schema = ...)` or a transform, or edit the CRD afterwards",
    )
}

/// Removes the extension keys from all schemas of a CRD.
pub(super) fn remove_extensions(crd: &mut Value) {
    let versions = crd.pointer_mut("/spec/versions");
    for version in versions.and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(schema) = version.pointer_mut("/schema/openAPIV3Schema") {
            for_each_schema(schema, &mut |schema| {
                for key in EXTENSION_KEYS {
                    schema.remove(key);
                }
            });
        }
    }
}

/// Calls `visit` with a schema and each schema inside it, but not with data such as defaults.
fn for_each_schema(schema: &mut Value, visit: &mut dyn FnMut(&mut Map<String, Value>)) {
    let mut pending = vec![schema];
    while let Some(schema) = pending.pop() {
        let Some(schema) = schema.as_object_mut() else {
            continue;
        };
        visit(schema);
        for (keyword, value) in schema {
            let keyword = keyword.as_str();
            if SCHEMA_KEYWORDS.contains(&keyword) {
                pending.push(value);
                continue;
            }
            match value {
                Value::Object(properties) if keyword == "properties" => {
                    pending.extend(properties.values_mut());
                }
                Value::Array(branches) if SCHEMA_LIST_KEYWORDS.contains(&keyword) => {
                    pending.extend(branches);
                }
                _ => {}
            }
        }
    }
}
