//! The `x-kubernetes-unions` extension, in the 2022 shape: on the discriminator's property (KEP-1027, `OpenAPI`).

use schemars::Schema;
use serde_json::{Map, Value, json};

use super::{cel, enum_type};
use crate::spec::UnionSpec;
use crate::traits::Union;

/// The key of the extension.
pub const UNIONS: &str = "x-kubernetes-unions";

/// Puts the unions of a struct into its schema: the extension and the enum on each discriminator's property, and the
/// CEL rules on the struct.
///
/// It is a schemars transform, for the struct: `#[schemars(transform = union_runtime::add_unions::<Strategy>)]`. Beside
/// `KubeSchema` write the type's own name, not `Self`.
///
/// A schema without the discriminator's property is left alone: `KubeSchema` makes such ones on the way.
///
/// # Panics
///
/// Where `#[schemars(extend("enum" = ...))]` lists other values than the discriminator has.
pub fn add_unions<T: Union>(schema: &mut Schema) {
    for spec in T::unions() {
        let discriminator = spec.discriminator();
        if let Some(property) = property_mut(schema, discriminator.name()) {
            enum_type::set_values(property, discriminator.values(), discriminator.docs());
            property.insert(UNIONS.into(), field_members(spec));
        }
    }
    cel::add_rules(schema);
}

/// `{"fieldMembers": {"ALPHA": {"name": "alpha", "optional": false}, "NONE": null}}`
fn field_members(spec: &UnionSpec) -> Value {
    let members: Map<String, Value> = spec
        .discriminator()
        .values()
        .iter()
        .enumerate()
        .map(|(i, value)| {
            let member = spec.member_of(i).map_or(
                Value::Null,
                |member| json!({ "name": member.name(), "optional": member.optional() }),
            );
            ((*value).to_owned(), member)
        })
        .collect();
    json!({ "fieldMembers": members })
}

fn property_mut<'a>(schema: &'a mut Schema, name: &str) -> Option<&'a mut Map<String, Value>> {
    let property = schema.get_mut("properties")?.get_mut(name)?;
    if property.is_boolean() {
        // `true` allows anything, as the schema of a type that is only known at run time does.
        *property = json!({});
    }
    property.as_object_mut()
}
