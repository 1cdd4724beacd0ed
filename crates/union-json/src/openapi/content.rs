//! The conversion of the content of a parameter, a response or a request body. In v3, the content
//! has a schema for each media type; in v2, there is one schema.

use k8s_json_internals::deep;
use k8s_json_internals::equality::deep_equal;
use serde_json::{Map, Value};

/// Replaces `content` by the schema of the first media type. The whole content is kept in
/// `x-content` if its schemas differ, if it has more than the schemas, or if its media types are
/// not the media types in `said`, which v2 keeps elsewhere.
pub(super) fn content_to_v2(object: &mut Map<String, Value>, said: &[Value]) {
    let content = match object.remove("content") {
        Some(Value::Object(content)) => content,
        Some(other) => {
            object.insert("content".into(), other);
            return;
        }
        None => return,
    };
    let mut schemas = content.values().map(|media| media.get("schema"));
    let first = schemas.next().flatten();
    let is_one = first.is_some_and(|first| {
        schemas.all(|schema| schema.is_some_and(|schema| deep_equal(schema, first)))
    });
    let first = first.map(deep::copy);
    let has_more = content
        .values()
        .any(|media| media.as_object().is_some_and(|media| media.len() > 1));
    // An operation declares all media types of its responses, so equal counts mean equal
    // types.
    let is_said = said.len() == content.len();
    if let Some(schema) = first {
        deep::insert(object, "schema", schema);
    }
    if !is_one || has_more || !is_said {
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
