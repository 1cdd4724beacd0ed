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
    let mut at = node;
    let mut rest = path;
    let mut out = FieldPath::root();
    while !rest.is_empty() {
        let name;
        if let Some(after) = rest.strip_prefix("['") {
            let (quoted, after) = split_quoted(after)?;
            name = unescape(quoted)?;
            rest = after.strip_prefix(']')?;
        } else {
            let dotted = rest.strip_prefix('.')?;
            let end = dotted.find(['.', '[', ']']).unwrap_or(dotted.len());
            let (plain, after) = dotted.split_at(end);
            name = plain.to_owned();
            rest = after;
        }
        let of = schema.node(at);
        if of.has_properties {
            at = of.property(&name)?;
            out = out.field(&name);
        } else {
            match of.additional_properties {
                AdditionalProperties::Schema(values) => at = values,
                // An API server accepts a path that ends at a field without a schema.
                AdditionalProperties::Allowed | AdditionalProperties::Forbidden
                    if rest.is_empty() => {}
                _ => return None,
            }
            out = out.key(&name);
        }
    }
    Some(out)
}

/// Splits a string at the closing quote.
pub(crate) fn split_quoted(text: &str) -> Option<(&str, &str)> {
    let mut before = '\'';
    for (at, c) in text.char_indices() {
        if c == '\'' && before != '\\' {
            let (quoted, rest) = text.split_at(at);
            return Some((quoted, rest.strip_prefix(c)?));
        }
        before = c;
    }
    None
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' {
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
    Some(out)
}
