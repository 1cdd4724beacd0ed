//! The named schemas of an `OpenAPI` document: `components.schemas` in v3, `definitions` in v2.

use serde_json::Value;

/// The schemas, with their names.
fn schemas(document: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let places = ["/components/schemas", "/definitions"];
    let maps = places
        .into_iter()
        .filter_map(|place| document.pointer(place)?.as_object());
    maps.flatten().map(|(name, schema)| (name.as_str(), schema))
}

/// Finds a schema by its name, or says what to use instead.
pub(crate) fn find<'v>(document: &'v Value, name: &str) -> Result<&'v Value, String> {
    let found = schemas(document).find(|(found, _)| *found == name);
    found.map(|(_, schema)| schema).ok_or_else(|| {
        let similar = similar_names(document, name);
        format!("there is no schema {name:?} in it; {similar}")
    })
}

fn similar_names(document: &Value, name: &str) -> String {
    let name = name.to_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_similar = |found: &str| {
        let found = found.to_lowercase();
        found.contains(&name) || found.rsplit('.').next() == Some(last)
    };
    let names: Vec<&str> = schemas(document).map(|(name, _)| name).collect();
    let similar = names.iter().copied().filter(|name| is_similar(name));
    let mut similar: Vec<&str> = similar.collect();
    similar.sort_by_key(|name| name.len());
    if similar.is_empty() {
        similar = names;
    }
    match similar.as_slice() {
        [] => "it has no named schemas, so leave --name out".to_owned(),
        [one] => format!("use {one}"),
        some => {
            let dots = if some.len() > 5 { ", ..." } else { "" };
            format!("use one of: {}{dots}", some[..some.len().min(5)].join(", "))
        }
    }
}
