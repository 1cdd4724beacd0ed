//! Converts the keywords that v3 has and v2 does not have, and converts references.

use serde_json::{Map, Value, json};

use super::grammar::ObjectType;
use k8s_json_internals::deep;

/// The keywords of schemas that only v3 has. They are extensions in v2.
const SCHEMA_KEYWORDS: [&str; 6] = [
    "nullable",
    "oneOf",
    "anyOf",
    "not",
    "writeOnly",
    "deprecated",
];

impl ObjectType {
    /// Returns the keywords that only v3 has for an object of this type.
    fn v3_only_keywords(self) -> impl Iterator<Item = &'static str> {
        let (schema_keywords, other_keywords): (&[&str], &[&str]) = match self {
            Self::Root => (&SCHEMA_KEYWORDS, &["servers"]),
            Self::Schema | Self::Parameter | Self::Header => (&SCHEMA_KEYWORDS, &[]),
            Self::PathItem | Self::Operation => (&[], &["servers"]),
            _ => (&[], &[]),
        };
        schema_keywords.iter().chain(other_keywords).copied()
    }

    /// Returns true if the conversions write the extension `x-{word}` into v2 objects of this type.
    fn is_reserved(self, word: &str) -> bool {
        let other_words: &[&str] = match self {
            Self::Root => &["discriminator", "components"],
            // In v2, a parameter has the keywords of its schema.
            Self::Schema | Self::Parameter | Self::Header => {
                &["discriminator", "schema", "content", "request-body", "own"]
            }
            Self::Body => &["content", "request-body"],
            Self::Operation => &["requestBody", "parameters"],
            _ => &[],
        };
        other_words.contains(&word) || self.v3_only_keywords().any(|keyword| keyword == word)
    }
}

/// Renames a key of an object, if the object has the key.
pub(super) fn rename(object: &mut Map<String, Value>, old_key: &str, new_key: &str) {
    if let Some(value) = object.remove(old_key) {
        deep::insert(object, new_key, value);
    }
}

/// Adds another `x-` to an author's extension whose name the conversions use in v2: `x-nullable`
/// becomes `x-x-nullable`.
pub(super) fn add_prefix(object_type: ObjectType, object: &mut Map<String, Value>) {
    let mut names = reserved_extensions(object_type, object, 1);
    // The longest name is renamed first: `x-x-nullable` must be free before `x-nullable` becomes
    // `x-x-nullable`.
    names.sort_by_key(|name| core::cmp::Reverse(name.len()));
    for name in names {
        rename(object, &name, &format!("x-{name}"));
    }
}

/// Removes the `x-` that [`add_prefix`] added to the author's extensions.
pub(super) fn remove_prefix(object_type: ObjectType, object: &mut Map<String, Value>) {
    let mut names = reserved_extensions(object_type, object, 2);
    names.sort_by_key(String::len);
    for name in names {
        rename(object, &name, name.strip_prefix("x-").unwrap_or(&name));
    }
}

/// Returns the names of extensions that consist of at least `min_prefixes` times `x-` and a
/// reserved word.
fn reserved_extensions(
    object_type: ObjectType,
    object: &Map<String, Value>,
    min_prefixes: usize,
) -> Vec<String> {
    let is_reserved = |name: &&String| {
        let word = name.trim_start_matches("x-");
        name.len() >= word.len() + 2 * min_prefixes && object_type.is_reserved(word)
    };
    object.keys().filter(is_reserved).cloned().collect()
}

/// Renames the keywords that only v3 has to extensions, and converts the discriminator.
pub(super) fn keywords_to_v2(object_type: ObjectType, object: &mut Map<String, Value>) {
    for word in object_type.v3_only_keywords() {
        rename(object, word, &format!("x-{word}"));
    }
    if object_type.is_reserved("discriminator")
        && let Some(discriminator) = object.remove("discriminator")
    {
        let property = discriminator
            .get("propertyName")
            .filter(|name| name.is_string());
        let property = property.cloned();
        let is_name_only = property.is_some()
            && discriminator
                .as_object()
                .is_some_and(|object| object.len() == 1);
        if !is_name_only {
            deep::insert(object, "x-discriminator", discriminator);
        }
        if let Some(property) = property {
            object.insert("discriminator".into(), property);
        }
    }
}

/// Renames the extensions to the keywords that only v3 has, and converts the discriminator.
pub(super) fn keywords_to_v3(object_type: ObjectType, object: &mut Map<String, Value>) {
    for word in object_type.v3_only_keywords() {
        rename(object, &format!("x-{word}"), word);
    }
    if !object_type.is_reserved("discriminator") {
        return;
    }
    let property = object.remove("discriminator");
    match (object.remove("x-discriminator"), property) {
        (None, None) => {}
        (None, Some(property)) => {
            object.insert("discriminator".into(), json!({ "propertyName": property }));
        }
        (Some(mut discriminator), property) => {
            if let (Value::Object(discriminator), Some(property)) = (&mut discriminator, property) {
                discriminator.insert("propertyName".into(), property);
            }
            deep::insert(object, "discriminator", discriminator);
        }
    }
}

/// Converts the references of an object: its own `$ref`, and the references in the mapping of a
/// discriminator.
pub(super) fn convert_object_references(
    object: &mut Map<String, Value>,
    convert: &dyn Fn(&mut String),
) {
    if let Some(Value::String(reference)) = object.get_mut("$ref") {
        convert(reference);
    }
    for keyword in ["discriminator", "x-discriminator"] {
        let mapping = object
            .get_mut(keyword)
            .and_then(|discriminator| discriminator.get_mut("mapping")?.as_object_mut());
        for reference in mapping.into_iter().flat_map(|mapping| mapping.values_mut()) {
            if let Value::String(reference) = reference {
                convert(reference);
            }
        }
    }
}
