//! Resolves paths that a user writes, in which `[name=app]` selects a list element by its fields.

use serde_json::Value;
use union_runtime::path::FieldPath;

/// Resolves a path against an object. The last field of the path may be missing. Fails with a
/// message if an element is not found, or if several values have the path.
pub(crate) fn resolve_path(path: &str, object: &Value) -> Result<FieldPath, String> {
    if path.is_empty() {
        return Ok(FieldPath::root());
    }
    let mut path = path.to_owned();
    let mut start = 0;
    while let Some((open, selector)) = next_selector(&path, start) {
        start = open + 1;
        let list = FieldPath::resolve(&path[..open], object);
        // The brackets may also contain the key of a map.
        if let Some(Value::Array(list)) = list.and_then(|list| list.find(object)) {
            let index = find_element(list, selector)
                .map_err(|problem| format!("{}: {problem}", &path[..open]))?;
            path.replace_range(start..start + selector.len(), &index.to_string());
        }
    }
    FieldPath::resolve_or_absent(&path, object)
        .ok_or_else(|| format!("{path}: several values have this path"))
}

/// Returns the position of the next bracket whose content has an equal sign, and the content.
fn next_selector(path: &str, start: usize) -> Option<(usize, &str)> {
    let brackets = path.match_indices('[').filter(|(open, _)| *open >= start);
    let mut selectors = brackets.filter_map(|(open, _)| {
        let (content, _) = path[open + 1..].split_once(']')?;
        content.contains('=').then_some((open, content))
    });
    selectors.next()
}

/// Returns the index of the only element with the fields of a selector, such as `name=app` or
/// `containerPort=53,protocol=UDP`.
fn find_element(list: &[Value], selector: &str) -> Result<usize, String> {
    let fields: Vec<(&str, &str)> = selector
        .split(',')
        .map(|field| field.split_once('=').unwrap_or((field, "")))
        .collect();
    let is_selected = |element: &Value| {
        fields.iter().all(|(name, text)| {
            element
                .get(*name)
                .is_some_and(|value| has_text(value, text))
        })
    };
    let mut selected = list
        .iter()
        .enumerate()
        .filter(|(_, element)| is_selected(element));
    match (selected.next(), selected.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some(_), Some(_)) => Err(format!(
            "several elements have {selector}; use the index of an element, such as [0]"
        )),
        (None, _) => Err(format!(
            "no element has {selector}; {}",
            other_elements(list, &fields)
        )),
    }
}

fn has_text(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        value => {
            let printed = value.to_string();
            printed == text
        }
    }
}

/// The number of elements that a message names.
const MAX_PRINTED: usize = 10;

/// Returns the values that the elements have in the first field of a selector.
fn other_elements(list: &[Value], fields: &[(&str, &str)]) -> String {
    let name = fields.first().map_or("", |(name, _)| name);
    let values = list.iter().filter_map(|element| element.get(name));
    let values: Vec<String> = values
        .take(MAX_PRINTED)
        .map(|value| {
            value
                .as_str()
                .map_or_else(|| value.to_string(), str::to_owned)
        })
        .collect();
    match &*values {
        [] => format!("no element has a field `{name}`"),
        values => format!("`{name}` is one of: {}", values.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{FieldPath, resolve_path};

    #[test]
    fn elements_are_selected_by_their_fields() {
        let object = json!({
            "ports": [{"port": 53, "protocol": "UDP"}, {"port": 53, "protocol": "TCP"}],
            "containers": [{"name": "a.b", "env": [{"name": "A"}, {"name": "B"}]}],
            "labels": {"x=y": {"z": 1}},
        });
        for (path, expected) in [
            ("", Ok("")),
            ("containers[name=a.b]", Ok("containers[0]")),
            (
                "containers[name=a.b].env[name=B]",
                Ok("containers[0].env[1]"),
            ),
            ("containers[0].env[name=A]", Ok("containers[0].env[0]")),
            (
                "containers[0].env[1].valueFrom",
                Ok("containers[0].env[1].valueFrom"),
            ),
            ("ports[port=53,protocol=TCP]", Ok("ports[1]")),
            ("labels[x=y]", Ok("labels[x=y]")),
            (
                "ports[port=53]",
                Err(
                    "ports: several elements have port=53; use the index of an element, such as [0]",
                ),
            ),
            (
                "containers[0].env[name=C]",
                Err("containers[0].env: no element has name=C; `name` is one of: A, B"),
            ),
            (
                "containers[id=C]",
                Err("containers: no element has id=C; no element has a field `id`"),
            ),
        ] {
            let resolved = resolve_path(path, &object);
            let resolved = resolved.as_ref().map(FieldPath::as_str);
            assert_eq!(resolved.map_err(String::as_str), expected, "{path}");
        }
    }
}
