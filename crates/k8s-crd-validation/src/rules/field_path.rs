//! The `fieldPath` of a rule: `.x`, `.m['k']`, `['x.y'].z`.

use crate::schema::{AdditionalProperties, NodeId, StructuralSchema};
use union_runtime::path::FieldPath;

/// Returns true if the path of a rule leads to a field, or is empty.
pub(crate) fn leads_to_field(schema: &StructuralSchema, node: NodeId, path: &str) -> bool {
    path.is_empty() || to_field_path(schema, node, path).is_some()
}

/// Parses the `fieldPath` of a rule. Returns `None` if the path does not lead to a field.
pub(super) fn to_field_path(
    schema: &StructuralSchema,
    node: NodeId,
    path: &str,
) -> Option<FieldPath> {
    let mut current_id = node;
    let mut remaining_path = path;
    let mut field_path = FieldPath::root();
    while !remaining_path.is_empty() {
        let name;
        if let Some(after_bracket) = remaining_path.strip_prefix("['") {
            let (quoted_name, after_quote) = split_quoted(after_bracket)?;
            name = unescape(quoted_name)?;
            remaining_path = after_quote.strip_prefix(']')?;
        } else {
            let after_dot = remaining_path.strip_prefix('.')?;
            let end = after_dot.find(['.', '[', ']']).unwrap_or(after_dot.len());
            let (unquoted_name, after_name) = after_dot.split_at(end);
            name = unquoted_name.to_owned();
            remaining_path = after_name;
        }
        let current_node = schema.node(current_id);
        if current_node.has_properties {
            current_id = current_node.property(&name)?;
            field_path = field_path.field(&name);
        } else {
            match current_node.additional_properties {
                AdditionalProperties::Schema(values) => current_id = values,
                // An API server accepts a path that ends at a field without a schema.
                AdditionalProperties::Allowed | AdditionalProperties::Forbidden
                    if remaining_path.is_empty() => {}
                _ => return None,
            }
            field_path = field_path.key(&name);
        }
    }
    Some(field_path)
}

/// Splits a string at the first closing quote, which is in neither part.
pub(crate) fn split_quoted(string: &str) -> Option<(&str, &str)> {
    let mut previous_char = '\'';
    for (index, c) in string.char_indices() {
        if c == '\'' && previous_char != '\\' {
            let (quoted, from_quote) = string.split_at(index);
            return Some((quoted, from_quote.strip_prefix(c)?));
        }
        previous_char = c;
    }
    None
}

/// Replaces the escapes of a quoted name. Returns `None` for an invalid escape.
fn unescape(string: &str) -> Option<String> {
    let mut unescaped = String::with_capacity(string.len());
    let mut chars = string.chars();
    while let Some(c) = chars.next() {
        unescaped.push(if c == '\\' {
            match chars.next()? {
                'a' => '\u{7}',
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'v' => '\u{b}',
                c @ ('\'' | '\\') => c,
                _ => return None,
            }
        } else {
            c
        });
    }
    Some(unescaped)
}
