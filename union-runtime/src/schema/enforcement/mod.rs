//! Enforcement: schema keywords by which an API server checks unions like this crate, without a
//! webhook (`docs/design.md`, "Enforcement").
//!
//! `flatten` may drop the keywords from the struct. The keywords can be added again, because a mark
//! on a property of the union implies the keywords. A finished schema has no marks, and is not
//! changed.

mod cel;
mod one_of;
mod rule_input;
mod same_reason;

use k8s_json_internals::schema_keywords::add_keywords;
use schemars::Schema;
use serde_json::{Map, Value};

use self::rule_input::{RuleInput, read_extension};
use crate::union_spec::{
    DiscriminatorSpec, Enforcement, ExtensionShape, UnionModel, UnionSpec, schema_keys::UNIONS,
};

/// The keyword of CEL rules.
const RULES: &str = "x-kubernetes-validations";

/// The key of the mark on a property. Its value is the object of the keywords that the union adds
/// to the struct, or true if the extension on the property implies the keywords.
/// [`FinishSchema`](super::FinishSchema) removes the mark, which CRDs may not have.
pub(super) const ENFORCED: &str = "x-union-enforced";

/// Adds the CEL rules and the `oneOf` of the unions whose fields are properties of a schema, unless
/// the schema already has them.
///
/// Use this function as a schemars transform of a struct that flattens structs with unions.
/// schemars keeps only the rules of the first flattened struct, and drops these too if the outer
/// struct has rules of its own. [`add_unions`](super::add_unions) calls this function.
///
/// ```
/// # use union_runtime::EnumType;
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(JsonSchema, Serialize)] struct Source {}
/// # #[derive(JsonSchema, Serialize)] struct Target {}
/// #[derive(JsonSchema, Serialize)]
/// #[schemars(transform = union_runtime::add_rules)]
/// struct Copy {
///     #[serde(flatten)]
///     source: Source,
///     #[serde(flatten)]
///     target: Target,
/// }
/// ```
pub fn add_rules(schema: &mut Schema) {
    if let Some(object) = schema.as_object_mut() {
        add_marked_keywords(object);
    }
}

/// Adds the keywords that the marks on the properties of a schema imply.
pub(super) fn add_marked_keywords(schema: &mut Map<String, Value>) {
    let Some(all_properties @ Value::Object(properties)) = schema.get("properties") else {
        return;
    };
    let keywords_of_mark = |(name, property): (&String, &Value)| {
        if let Value::Object(keywords) = property.get(ENFORCED)? {
            return Some(keywords.clone());
        }
        let union = read_extension(name, property, property.get(UNIONS)?)?;
        Some(keywords_of(&RuleInput::new(union.spec(), all_properties)))
    };
    let marks = properties.iter().filter_map(keywords_of_mark);
    for keywords in marks.collect::<Vec<_>>() {
        add_keywords(schema, keywords);
    }
}

/// Adds the keywords that enforce a union, and marks a property of the union. The schema may lack
/// the extension.
pub(super) fn add_union(schema: &mut Schema, spec: &UnionSpec<'_>) {
    let discriminator = spec.discriminator().map(DiscriminatorSpec::name);
    let properties = schema.get("properties").cloned().unwrap_or_default();
    let union = RuleInput::new(*spec, &properties);
    let keywords = keywords_of(&union);
    let is_in_extension = spec.model() == UnionModel::Discriminated
        && spec.shape() != ExtensionShape::V2019
        && spec.enforcement() == Enforcement::Cel;
    let mark = (!is_in_extension).then(|| Value::Object(keywords.clone()));
    if let Some(name) = union.marked_property()
        && let Some(property) = super::document::property_mut(schema, name)
    {
        property.insert(ENFORCED.into(), mark.unwrap_or(Value::Bool(true)));
    }
    // `KubeSchema` generates intermediate schemas with only some of the fields.
    let mut fields = discriminator.into_iter().chain(union.member_names());
    if fields.all(|name| properties.get(name).is_some()) {
        add_keywords(schema.ensure_object(), keywords);
    }
}

/// Returns true if a schema differs from `original` only in marks. In this case, `original` was a
/// finished schema.
pub(super) fn has_only_new_marks(schema: &Schema, original: &Schema) -> bool {
    let unmarked = |schema: &Schema| {
        let mut schema = schema.clone();
        let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
        for property in properties.into_iter().flat_map(Map::values_mut) {
            if let Some(property) = property.as_object_mut() {
                property.remove(ENFORCED);
            }
        }
        schema
    };
    unmarked(schema) == unmarked(original)
}

/// Returns the keywords that a union adds to the schema of its struct.
fn keywords_of(union: &RuleInput<'_>) -> Map<String, Value> {
    let (keyword, value) = match union.spec.enforcement() {
        Enforcement::Cel | Enforcement::CelSameReason => (RULES, cel::rules(union)),
        Enforcement::OneOf => ("oneOf", one_of::branches(union)),
        Enforcement::None => return Map::new(),
    };
    Map::from_iter([(keyword.to_owned(), value.into())])
}
