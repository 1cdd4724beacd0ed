//! Converts the content of a parameter, a response or a request body. In v3, the content has a
//! schema for each media type. In v2, there is one schema.

use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;
use serde_json::{Map, Value};

/// Replaces `content` by the schema of the first media type. `declared_types` are the media types
/// that v2 declares elsewhere. `x-content` keeps the whole content in three cases: the media types
/// have different schemas, a media type has other keywords than `schema`, or the media types are
/// not `declared_types`.
pub(super) fn content_to_v2(object: &mut Map<String, Value>, declared_types: &[Value]) {
    let content = match object.remove("content") {
        Some(Value::Object(content)) => content,
        Some(invalid) => {
            object.insert("content".into(), invalid);
            return;
        }
        None => return,
    };
    let mut schemas = content.values().map(|media| media.get("schema"));
    let first_schema = schemas.next().flatten();
    let has_one_schema = first_schema.is_some_and(|first_schema| {
        schemas.all(|schema| schema.is_some_and(|schema| deep_equal(schema, first_schema)))
    });
    let first_schema = first_schema.map(deep::copy);
    let has_other_keywords = content
        .values()
        .any(|media| media.as_object().is_some_and(|media| media.len() > 1));
    // `declared_types` contains at least the media types of this content, so equal counts mean
    // equal media types.
    let has_declared_types = declared_types.len() == content.len();
    if let Some(schema) = first_schema {
        deep::insert(object, "schema", schema);
    }
    if !has_one_schema || has_other_keywords || !has_declared_types {
        deep::insert(object, "x-content", content.into());
    } else {
        deep::discard(content.into());
    }
}

/// Returns the media types of a request body or a response.
pub(super) fn content_media_types(object: &Value) -> Vec<Value> {
    let content = object.get("content").and_then(Value::as_object);
    let media_types = content.into_iter().flat_map(Map::keys).cloned();
    media_types.map(Value::String).collect()
}

/// Replaces the schema by `content`, with an entry for each media type: the inverse of
/// [`content_to_v2`].
pub(super) fn content_to_v3(object: &mut Map<String, Value>, media_types: &[Value]) {
    let schema = object.remove("schema");
    let content = object.remove("x-content").or_else(|| {
        let schema = schema.as_ref()?;
        let content_entry = |ty: &Value| {
            let schema = [("schema".to_owned(), deep::copy(schema))];
            Some((ty.as_str()?.to_owned(), Map::from_iter(schema).into()))
        };
        let entries = media_types.iter().filter_map(content_entry);
        Some(entries.collect::<Map<_, _>>().into())
    });
    deep::discard(schema.unwrap_or_default());
    if let Some(content) = content {
        deep::insert(object, "content", content);
    }
}
