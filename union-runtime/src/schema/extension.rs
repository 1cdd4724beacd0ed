//! The `x-kubernetes-unions` extension: on the discriminator's property in the 2022 shape, and as a
//! list on the object in the 2019 shape (KEP-1027, section "`OpenAPI`" of both texts).

use k8s_json_internals::{free_json::preserve_free_json, schema_keywords};
use schemars::Schema;
use serde_json::{Value, json};

use super::document::property_mut;
use super::{enforcement, enum_type};
use crate::typed::union::UnionType;
use crate::union_spec::schema_keys::{MERGE_KEY, STRATEGY, UNIONS};
use crate::union_spec::{DiscriminatorSpec, ExtensionShape, UnionSpec};

/// Writes the unions of a type into its schema: the extension `x-kubernetes-unions` and the `enum`
/// on the property of each discriminator, and the CEL rules or the `oneOf` on the object
/// ([`Enforcement`](crate::Enforcement)). Also writes the list keywords and the patch keywords of
/// the type's attributes on the properties of the fields.
///
/// Use this function as a schemars transform of the type:
/// `#[schemars(transform = union_runtime::add_unions::<Strategy>)]`. With `KubeSchema`, write the
/// name of the type, not `Self`.
///
/// A schema without the property of the discriminator is not changed, because `KubeSchema`
/// generates such intermediate schemas.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # use union_runtime::{EnumType, Union};
/// # #[derive(EnumType, Serialize, Deserialize, JsonSchema)]
/// # enum StrategyType { Recreate, RollingUpdate }
/// #[derive(Union, Serialize, Deserialize, JsonSchema)]
/// #[schemars(transform = union_runtime::add_unions::<Strategy>)]
/// struct Strategy {
///     #[union(discriminator)]
///     kind: StrategyType,
///     #[union(member = "RollingUpdate")]
///     #[serde(skip_serializing_if = "Option::is_none")]
///     rolling: Option<u32>,
/// }
///
/// let schema = schemars::schema_for!(Strategy).to_value();
/// let kind = &schema["properties"]["kind"];
/// assert_eq!(kind["enum"], serde_json::json!(["Recreate", "RollingUpdate"]));
/// assert_eq!(kind["x-kubernetes-unions"]["fieldMembers"]["RollingUpdate"]["name"], "rolling");
/// assert_eq!(schema["x-kubernetes-validations"][0]["fieldPath"], ".rolling");
/// ```
///
/// # Panics
///
/// Panics if `#[schemars(extend("enum" = ...))]` lists other values than the discriminator has, and
/// if the schema of a member has a default or allows only null. Also panics if a discriminator that
/// follows the members (`deduce`) has another default than `""`.
pub fn add_unions<T: UnionType>(schema: &mut Schema) {
    let original_schema = schema.clone();
    T::visit_omitted_defaults(&mut |name, value| {
        // `""` always counts as absent.
        let value = value.filter(|value| !value.is_empty());
        if let (Some(property), Some(value)) = (property_mut(schema, name), value) {
            property.entry("default").or_insert_with(|| value.into());
        }
    });
    T::visit_unions(&mut |spec| add_union(schema, spec));
    for (field, keys) in T::list_maps() {
        if let Some(property) = property_mut(schema, field) {
            property.insert("x-kubernetes-list-type".into(), "map".into());
            property.insert("x-kubernetes-list-map-keys".into(), json!(keys));
        }
    }
    for (field, strategy, merge_key) in T::patch_fields() {
        if let Some(property) = property_mut(schema, field) {
            property.insert(STRATEGY.into(), (*strategy).into());
            if !merge_key.is_empty() {
                property.insert(MERGE_KEY.into(), (*merge_key).into());
            }
        }
    }
    enforcement::add_rules(schema);
    // If only marks (`MARKS`) are new, `FinishSchema` already removed them from this schema, and
    // they are not added again.
    if enforcement::has_only_new_marks(schema, &original_schema) {
        *schema = original_schema;
    }
}

/// Adds the extension, the `enum` and the rules of one union.
fn add_union(schema: &mut Schema, spec: &UnionSpec<'_>) {
    let is_member = |name: &str| spec.members().any(|member| member.name() == name);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, member) in properties.iter_mut().filter(|(name, _)| is_member(name)) {
            enum_type::reject(schema_keywords::member_error(name, member));
            preserve_free_json(member);
        }
    }
    // `#[schemars(required)]` and `with` would require a field that may be unset.
    let discriminator = spec.discriminator().filter(|field| !field.is_required());
    if let Some(object) = schema.as_object_mut() {
        schema_keywords::remove_required(object, |name| {
            is_member(name) || discriminator.is_some_and(|field| field.name() == name)
        });
    }
    if let Some(discriminator) = spec.discriminator() {
        let Some(property) = property_mut(schema, discriminator.name()) else {
            return;
        };
        enum_type::reject(discriminator.json_error());
        if !discriminator.is_open() {
            let values: Vec<&str> = discriminator.values().iter().collect();
            enum_type::set_values(property, &values, discriminator.docs());
        }
        let default = property.get("default").and_then(Value::as_str);
        let default = default.unwrap_or_default();
        assert!(
            spec.is_selected_by_discriminator() || default.is_empty(),
            "discriminator `{}` follows the members, so it cannot have a default of its own; remove the default \"{default}\"",
            discriminator.name(),
        );
        if spec.shape() != ExtensionShape::V2019 {
            property.insert(UNIONS.into(), field_members(spec, discriminator));
        }
    }
    enforcement::add_union(schema, spec);
    if spec.shape() != ExtensionShape::V2022 {
        add_entry_2019(schema, entry_2019(spec));
    }
}

/// Returns the extension in the 2022 shape:
/// `{"fieldMembers": {"ALPHA": {"name": "alpha", "optional": false}, "NONE": null}}`.
fn field_members(spec: &UnionSpec<'_>, discriminator: &DiscriminatorSpec<'_>) -> Value {
    let values = discriminator.values().iter().enumerate();
    let members = values.map(|(i, value)| {
        let member = spec.member_for_value(i);
        let member = member.map(|it| json!({ "name": it.name(), "optional": it.is_optional() }));
        (value, member)
    });
    json!({ "fieldMembers": members.collect::<Value>() })
}

/// Returns an entry of the extension in the 2019 shape:
/// `{"discriminator": "type", "fields-to-discriminateBy": {"alpha": "ALPHA"}}`.
fn entry_2019(spec: &UnionSpec<'_>) -> Value {
    let fields: Value = spec.members().map(|it| (it.name(), it.value())).collect();
    let discriminator = spec.discriminator();
    let discriminator = discriminator.map(|field| ("discriminator", field.name().into()));
    let fields = ("fields-to-discriminateBy", fields);
    [fields].into_iter().chain(discriminator).collect()
}

/// Adds an entry to the list on the object, if the list does not contain the entry yet.
fn add_entry_2019(schema: &mut Schema, entry: Value) {
    let extension = schema
        .ensure_object()
        .entry(UNIONS)
        .or_insert_with(|| json!([]));
    if let Value::Array(entries) = extension
        && !entries.contains(&entry)
    {
        entries.push(entry);
    }
}
