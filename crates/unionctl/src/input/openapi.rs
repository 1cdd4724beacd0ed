//! Finds named schemas in an `OpenAPI` document: in `components.schemas` (v3) or `definitions`
//! (v2).

use serde_json::Value;
use union_json::pointer::escape;

/// The JSON pointers of the maps with the schemas, in v3 and v2.
const SCHEMA_POINTERS: [&str; 2] = ["/components/schemas", "/definitions"];

/// Returns the schemas, each with the pointer of its map and its name.
fn schemas(document: &Value) -> impl Iterator<Item = (&'static str, &str, &Value)> {
    let maps = SCHEMA_POINTERS
        .into_iter()
        .filter_map(|pointer| Some((pointer, document.pointer(pointer)?.as_object()?)));
    maps.flat_map(|(pointer, map)| {
        let schemas = map.iter();
        schemas.map(move |(name, schema)| (pointer, name.as_str(), schema))
    })
}

/// Returns the schema with this name and its JSON pointer, or a message with similar names.
pub(crate) fn find_schema<'v>(
    document: &'v Value,
    name: &str,
) -> Result<(String, &'v Value), String> {
    let found = schemas(document).find(|(_, found, _)| *found == name);
    let found = found.map(|(pointer, name, schema)| {
        let name = escape(name);
        (format!("{pointer}/{name}"), schema)
    });
    found.ok_or_else(|| {
        let similar = similar_names(document, name);
        format!("unknown schema {name:?}; {similar}")
    })
}

fn similar_names(document: &Value, name: &str) -> String {
    let name = name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_similar = |found: &str| {
        let found = found.to_lowercase();
        found.contains(&name) || found.rsplit('.').next() == Some(last)
    };
    let names: Vec<&str> = schemas(document).map(|(_, name, _)| name).collect();
    let similar = names.iter().copied().filter(|name| is_similar(name));
    let mut similar: Vec<&str> = similar.collect();
    similar.sort_by_key(|name| name.len());
    if similar.is_empty() {
        similar = names;
    }
    match similar.as_slice() {
        [] => "the document has no named schemas, so remove --name".to_owned(),
        [name] => format!("use {name}"),
        names => {
            let dots = if names.len() > 5 { ", ..." } else { "" };
            format!(
                "use one of: {}{dots}",
                names[..names.len().min(5)].join(", ")
            )
        }
    }
}
