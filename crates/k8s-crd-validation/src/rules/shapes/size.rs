//! How large texts can be.

use k8s_cel::shapes::{MAX_REQUEST, Shape, ShapeKind};

use crate::schema::Node;

pub(super) fn text(node: &Node, shape: &mut Shape) {
    let max_length = || node.text.as_ref().and_then(|text| text.max_length);
    let format = node.format.as_ref().map(|format| &*format.name);
    (shape.kind, shape.min_size, shape.max_elements) = match format {
        Some("byte") => (
            ShapeKind::Bytes,
            2,
            max_length().map_or(MAX_REQUEST - 2, not_negative),
        ),
        Some("duration") => (ShapeKind::Duration, 3, 32),
        Some("date") => (ShapeKind::Date, 12, 12),
        Some("date-time") => (ShapeKind::DateTime, 21, 32),
        _ => (
            ShapeKind::Text,
            2,
            four_bytes_each(node).unwrap_or_else(|| longest_value(node).unwrap_or(MAX_REQUEST - 2)),
        ),
    };
}

/// The bytes of a text of the largest length.
pub(super) fn four_bytes_each(node: &Node) -> Option<u64> {
    let max_length = node.text.as_ref().and_then(|text| text.max_length)?;
    Some(not_negative(max_length).saturating_mul(4))
}

fn longest_value(node: &Node) -> Option<u64> {
    let values = node.values.as_ref().filter(|values| !values.is_empty())?;
    let lengths = values
        .iter()
        .filter_map(|value| value.as_str().map(str::len));
    Some(lengths.max().unwrap_or_default() as u64)
}

pub(super) fn not_negative(value: i64) -> u64 {
    u64::try_from(value).unwrap_or_default()
}
