//! Finds named schemas in an `OpenAPI` document: in `components.schemas` (v3) or `definitions`
//! (v2).

use serde_json::Value;
use union_json::pointer::escape;

/// The JSON pointers of the maps with the schemas, in v3 and v2.
const SCHEMA_POINTERS: [&str; 2] = ["/components/schemas", "/definitions"];

/// A schema of an `OpenAPI` document, with its name.
struct DocumentSchema<'v> {
    /// The JSON pointer of the map that contains the schema.
    map_pointer: &'static str,
    name: &'v str,
    schema: &'v Value,
}

/// Returns the named schemas of a document.
fn schemas(document: &Value) -> impl Iterator<Item = DocumentSchema<'_>> {
    let maps = SCHEMA_POINTERS
        .into_iter()
        .filter_map(|pointer| Some((pointer, document.pointer(pointer)?.as_object()?)));
    maps.flat_map(|(map_pointer, map)| {
        map.iter().map(move |(name, schema)| DocumentSchema {
            map_pointer,
            name,
            schema,
        })
    })
}

/// Returns the schema with this name and its JSON pointer, or a message with similar names.
pub(crate) fn find_schema<'v>(
    document: &'v Value,
    name: &str,
) -> Result<(String, &'v Value), String> {
    let Some(schema) = schemas(document).find(|candidate| candidate.name == name) else {
        let advice = similar_names_advice(document, name);
        return Err(format!("unknown schema {name:?}; {advice}"));
    };
    let pointer = format!("{}/{}", schema.map_pointer, escape(name));
    Ok((pointer, schema.schema))
}

/// Returns the advice for an unknown name: it lists the schemas with similar names, or else all
/// schemas.
fn similar_names_advice(document: &Value, name: &str) -> String {
    let name = name.to_lowercase();
    let last_segment = name.rsplit('.').next().unwrap_or_default();
    let is_similar = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        candidate.contains(&name) || candidate.rsplit('.').next() == Some(last_segment)
    };
    let all_names: Vec<&str> = schemas(document).map(|schema| schema.name).collect();
    let similar_names = all_names.iter().copied().filter(|name| is_similar(name));
    let mut similar_names: Vec<&str> = similar_names.collect();
    similar_names.sort_by_key(|name| name.len());
    if similar_names.is_empty() {
        similar_names = all_names;
    }
    match similar_names.as_slice() {
        [] => "the document has no named schemas, so remove --name".to_owned(),
        [name] => format!("use {name}"),
        names => {
            let ellipsis = if names.len() > 5 { ", ..." } else { "" };
            format!(
                "use one of: {}{ellipsis}",
                names[..names.len().min(5)].join(", ")
            )
        }
    }
}
