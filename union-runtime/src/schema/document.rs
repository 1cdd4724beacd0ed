//! Mutable access to the subschemas and the properties of a schema.

use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform as _};
use serde_json::{Map, Value, json};

/// Calls `visit` with a schema, its subschemas, and the schemas below `components`. A schema is
/// visited before its subschemas.
pub(super) fn visit_schemas_mut(
    schema: &mut Schema,
    visit: &mut dyn FnMut(&mut Map<String, Value>),
) {
    let mut transform = RecursiveTransform(|schema: &mut Schema| {
        schema.as_object_mut().into_iter().for_each(&mut *visit);
    });
    transform.transform(schema);
    let components = schema.pointer_mut("/components/schemas");
    let components = components.and_then(Value::as_object_mut);
    let components = components.into_iter().flat_map(Map::values_mut);
    for component in components.filter_map(|schema| schema.try_into().ok()) {
        transform.transform(component);
    }
}

/// Returns the schema of a property, mutably.
pub(super) fn property_mut<'a>(
    schema: &'a mut Schema,
    name: &str,
) -> Option<&'a mut Map<String, Value>> {
    let property = schema.get_mut("properties")?.get_mut(name)?;
    if property == true {
        // The schema `true` accepts every value. schemars generates it for types that are known
        // only at run time.
        *property = json!({});
    }
    property.as_object_mut()
}
