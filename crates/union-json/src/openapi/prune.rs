//! Enum types taken out again, for clients that want strings (KEP-2887, "Enum Fields Pruning").

use schemars::Schema;
use schemars::transform::Transform;
use serde_json::Value;

use super::document::{transform_objects, visit_objects};
use super::enum_type;

/// Takes enum types out of any `OpenAPI` document, or a schema alone (KEP-2887, "Enum Fields Pruning"): `type: string`
/// stays, `enum` and the list of values in the description go. Enums without that list stay as they are.
///
/// For generators of clients that are to have strings where a value may be added: run it first.
///
/// ```
/// use serde_json::json;
/// use union_runtime::schema::prune_enums;
///
/// let mut schema = json!({
///     "type": "string",
///     "enum": ["A"],
///     "description": "Which one.\n\nPossible enum values:\n - `\"A\"` The only one.",
/// });
/// prune_enums(&mut schema);
/// assert_eq!(schema, json!({"type": "string", "description": "Which one."}));
/// ```
pub fn prune_enums(document: &mut Value) {
    visit_objects(document, &mut enum_type::prune);
}

/// [`prune_enums`] as a schemars transform.
#[derive(Clone, Copy, Debug, Default)]
pub struct PruneEnums;

impl Transform for PruneEnums {
    fn transform(&mut self, schema: &mut Schema) {
        transform_objects(schema, &mut enum_type::prune);
    }
}
