//! The fields of metadata and of other Go structs that a server does not know.

use serde_json::Value;

use super::go_types::GoType;
use crate::schema::unknown_fields::{FieldKind, RemovedFields};
use crate::schema::unknown_keywords;
use union_runtime::path::{Path, PathStep};

/// Shows the fields that a Go struct, or a struct inside it, does not have to `unknown`. The types
/// of the known fields are checked before, except in schemas: returns false if a server cannot
/// decode a schema.
pub(crate) fn find_unknown<'s>(
    value: &Value,
    of: GoType,
    at: &Path<'_>,
    unknown: &mut impl RemovedFields<'s>,
) -> bool {
    match (of, value) {
        (GoType::List(_, item), Value::Array(items)) => {
            items.iter().enumerate().all(|(index, value)| {
                find_unknown(value, *item, &at.step(PathStep::Index(index)), unknown)
            })
        }
        (GoType::Struct(of), Value::Object(object)) => object.iter().all(|(name, value)| {
            let known = of.field(name);
            if let Some(field) = known.filter(|_| !unknown.is_newer(name, FieldKind::Definition)) {
                return find_unknown(value, field.ty, &at.field(name), unknown);
            }
            unknown.record(at, name, [Some(of), None]);
            true
        }),
        (GoType::Schema, schema) => unknown_keywords::find_unknown(schema, at, unknown),
        _ => true,
    }
}
