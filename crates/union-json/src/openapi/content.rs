//! Converts the content of a parameter, a response or a request body. In v3, the content has a
//! schema for each media type. In v2, there is one schema.

use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;
use serde_json::{Map, Value};

/// Replaces `content` by the schema of the first media type. `types` are the media types that v2
/// declares elsewhere. `x-content` keeps the whole content in three cases: its schemas differ, it
/// contains more than schemas, or its media types are not `types`.
pub(super) fn content_to_v2(object: &mut Map<String, Value>, types: &[Value]) {
    let content = match object.remove("content") {
        Some(Value::Object(content)) => content,
        Some(invalid) => {
            object.insert("content".into(), invalid);
            return;
        }
        None => return,
    };
    let mut schemas = content.values().map(|media| media.get("schema"));
    let first = schemas.next().flatten();
    let has_one_schema = first.is_some_and(|first| {
        schemas.all(|schema| schema.is_some_and(|schema| deep_equal(schema, first)))
    });
    let first = first.map(deep::copy);
    let has_more = content
        .values()
        .any(|media| media.as_object().is_some_and(|media| media.len() > 1));
    // `types` contains at least the media types of this content, so equal counts mean equal media
    // types.
    let has_declared_types = types.len() == content.len();
    if let Some(schema) = first {
        deep::insert(object, "schema", schema);
    }
    if !has_one_schema || has_more || !has_declared_types {
        deep::insert(object, "x-content", content.into());
    } else {
        deep::discard(content.into());
    }
}

/// Returns the media types of a request body or a response.
pub(super) fn content_media_types(object: &Value) -> Vec<Value> {
    let content = object.get("content").and_then(Value::as_object);
    let types = content.into_iter().flat_map(Map::keys).cloned();
    types.map(Value::String).collect()
}

/// Replaces the schema by `content`, with an entry for each of `types`: the inverse of
/// [`content_to_v2`].
pub(super) fn content_to_v3(object: &mut Map<String, Value>, types: &[Value]) {
    let schema = object.remove("schema");
    let content = object.remove("x-content").or_else(|| {
        let schema = schema.as_ref()?;
        let media = |ty: &Value| {
            let schema = [("schema".to_owned(), deep::copy(schema))];
            Some((ty.as_str()?.to_owned(), Map::from_iter(schema).into()))
        };
        Some(types.iter().filter_map(media).collect::<Map<_, _>>().into())
    });
    deep::discard(schema.unwrap_or_default());
    if let Some(content) = content {
        deep::insert(object, "content", content);
    }
}
