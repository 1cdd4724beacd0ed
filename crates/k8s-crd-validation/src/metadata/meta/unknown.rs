//! The search for unknown fields in metadata and in other Go structs.

use serde_json::Value;

use super::go_types::GoType;
use crate::schema::raw::unknown_keywords;
use crate::schema::unknown::unknown_fields::{FieldKind, RemovedFields};
use union_runtime::path::{Path, PathStep};

/// Adds the fields of a value that its Go type does not have to `unknown`. `path` is the path of
/// the value. The caller must have checked the types of known fields, except in schemas. Returns
/// false if a server cannot decode a schema in the value.
pub(crate) fn find_unknown<'s>(
    value: &Value,
    go_type: GoType,
    path: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    match (go_type, value) {
        (GoType::List(_, item), Value::Array(items)) => {
            items.iter().enumerate().all(|(index, value)| {
                find_unknown(value, *item, &path.step(PathStep::Index(index)), unknown)
            })
        }
        (GoType::Struct(go_struct), Value::Object(object)) => object.iter().all(|(name, value)| {
            let known = go_struct.field(name);
            if let Some(field) = known.filter(|_| !unknown.is_newer(name, FieldKind::Definition)) {
                return find_unknown(value, field.ty, &path.field(name), unknown);
            }
            unknown.record(path, name, [Some(go_struct), None]);
            true
        }),
        (GoType::Schema, schema) => unknown_keywords::find_unknown(schema, path, unknown),
        _ => true,
    }
}
