//! The schema of a union in the enum form: its properties, to which `add_unions` adds the extension
//! and the rules.

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::extension::add_unions;
use crate::typed::enum_form::UnionEnum;
use crate::union_spec::{DiscriminatorSpec, UnionSpec};

/// Returns the schema of an enum with the doc comment `doc`. `members` contains the JSON name, the
/// doc comment and the schema of each member.
#[must_use]
pub fn enum_schema<T: UnionEnum, const N: usize>(
    doc: &str,
    members: [(&'static str, &str, Schema); N],
) -> Schema {
    let mut properties = Map::new();
    let discriminator = T::unions().first().and_then(UnionSpec::discriminator);
    if let Some(discriminator) = discriminator {
        let property = discriminator_schema::<T>(discriminator);
        properties.insert(discriminator.name().to_owned(), property);
    }
    for (name, doc, mut schema) in members {
        add_doc(&mut schema, doc);
        properties.insert(name.to_owned(), schema.to_value());
    }
    let mut schema = Schema::default();
    add_doc(&mut schema, doc);
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    let required = discriminator.filter(|discriminator| discriminator.is_required());
    if let Some(discriminator) = required {
        schema.insert("required".into(), json!([discriminator.name()]));
    }
    add_unions::<T>(&mut schema);
    schema
}

fn discriminator_schema<T: UnionEnum>(discriminator: &DiscriminatorSpec<'_>) -> Value {
    let default = T::FORM.default;
    match default.and_then(|default| discriminator.values().get(default)) {
        Some(value) => json!({ "type": "string", "default": value }),
        None => json!({ "type": "string" }),
    }
}

/// Adds a doc comment to a schema like the derive of schemars: a heading at its start becomes the
/// title. The doc comment of a variant replaces the doc comment of the type in the variant.
fn add_doc(schema: &mut Schema, doc: &str) {
    let (title, description) = match doc.strip_prefix('#') {
        Some(heading) => heading.split_once('\n').unwrap_or((heading, "")),
        None => ("", doc),
    };
    let title = title.trim_start_matches('#').trim_ascii();
    for (keyword, value) in [("title", title), ("description", description.trim_ascii())] {
        if !value.is_empty() {
            schema.insert(keyword.into(), value.into());
        }
    }
}
