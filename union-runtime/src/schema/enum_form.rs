//! The schema of a union in the enum form: its properties, to which `add_unions` adds the extension
//! and the rules.

use k8s_json_internals::{free_json, schema_keywords};
use schemars::Schema;
use serde_json::map::Entry;
use serde_json::{Map, Value, json};

use super::enum_type;
use super::extension::add_unions;
use crate::typed::enum_form::UnionEnum;
use crate::union_spec::{DiscriminatorSpec, UnionSpec};

/// Returns the schema of a member with `preserve_unknown_fields`.
#[must_use]
pub fn preserve_unknown_fields(mut schema: Schema) -> Schema {
    free_json::preserve_unknown_fields(schema.ensure_object());
    schema
}

/// Returns the schema of a member whose schema has a type, although the member is any JSON.
#[must_use]
pub fn accept_any_json(mut schema: Schema) -> Schema {
    free_json::accept_any_json(schema.ensure_object());
    schema
}

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
        enum_type::reject(schema_keywords::enum_member_error(name, schema.as_value()));
        schema_keywords::add_doc(schema.ensure_object(), doc);
        properties.insert(name.to_owned(), schema.to_value());
    }
    // With these properties, an API server finds that stored objects in the old form are unchanged.
    for (name, number) in T::FORM.external {
        let property = T::FORM.member_name(*number);
        let property = property.and_then(|member| properties.get(member)).cloned();
        if let (Some(property), Entry::Vacant(entry)) = (property, properties.entry(*name)) {
            entry.insert(property);
        }
    }
    let mut schema = Schema::default();
    schema_keywords::add_doc(schema.ensure_object(), doc);
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), properties.into());
    if !T::FORM.external.is_empty() {
        // An API server must not remove the fields of unknown variants in the old form.
        free_json::preserve_unknown_fields(schema.ensure_object());
    }
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
