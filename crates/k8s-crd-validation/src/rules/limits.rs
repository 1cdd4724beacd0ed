//! Limits on the number of evaluations of a rule.

use k8s_cel::declared::MAX_REQUEST;

use crate::schema::{AdditionalProperties, Node, SchemaType};

/// Returns the largest number of values directly inside a value, or `None` if it is unbounded.
pub(crate) fn max_children(node: &Node) -> Option<u64> {
    let bound = match node.schema_type {
        Some(SchemaType::Object)
            if !matches!(node.additional_properties, AdditionalProperties::Absent) =>
        {
            node.max_properties
        }
        Some(SchemaType::Array) => node.list.as_ref().and_then(|list| list.max_items),
        _ => Some(1),
    };
    bound.map(|bound| u64::try_from(bound).unwrap_or_default())
}

/// Returns the product of the bounds above a node, or `None` if a bound is missing.
pub(crate) fn max_occurrences(mut bounds: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    bounds.try_fold(1_u64, |product, bound| Some(product.saturating_mul(bound?)))
}

/// Returns the largest number of occurrences of a node in an object: `max_occurrences`, or the
/// number of values of the smallest size, each with a comma, that fit into a request.
pub(crate) fn max_cardinality(max_occurrences: Option<u64>, min_size: u64) -> u64 {
    max_occurrences.unwrap_or(MAX_REQUEST / (min_size + 1))
}
