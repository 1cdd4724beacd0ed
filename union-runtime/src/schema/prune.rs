//! Enum types taken out again, for clients that want strings (KEP-2887, "Enum Fields Pruning").

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};

use super::enum_type;

/// A schemars transform that takes enum types out of a schema, all the way down: `type: string` stays, `enum` and the
/// list of values in the description go. Enums that are not ours stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct PruneEnums;

impl Transform for PruneEnums {
    fn transform(&mut self, schema: &mut Schema) {
        if let Some(schema) = schema.as_object_mut() {
            enum_type::prune(schema);
        }
        transform_subschemas(self, schema);
    }
}
