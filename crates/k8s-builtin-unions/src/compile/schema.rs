//! Writes the types that lead to unions as an `OpenAPI` document.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::table::data::{Shape, TypeField, table};

/// Returns the types that can be reached from a type, itself included.
pub(crate) fn reachable_types(type_name: &'static str) -> BTreeSet<&'static str> {
    let mut reached = BTreeSet::new();
    let mut pending = vec![type_name];
    while let Some(type_name) = pending.pop() {
        if reached.insert(type_name) {
            let fields = table().fields(type_name);
            pending.extend(fields.filter_map(|(_, field)| field.type_name.as_deref()));
        }
    }
    reached
}

/// Returns the `OpenAPI` document with these types.
pub(crate) fn document(types: &BTreeSet<&'static str>) -> Value {
    let schemas = types.iter().map(|type_name| {
        let mut properties: Map<String, Value> = table()
            .fields(type_name)
            .map(|(name, field)| (name.to_owned(), field_schema(field)))
            .collect();
        for discriminator in table()
            .unions_of(type_name)
            .iter()
            .filter_map(|union| union.discriminator.as_ref())
        {
            let mut schema = json!({"type": "string"});
            if let (Some(default), Value::Object(schema)) = (&discriminator.default, &mut schema) {
                schema.insert("default".to_owned(), default.as_str().into());
            }
            properties.insert(discriminator.field.clone(), schema);
        }
        let schema = json!({"type": "object", "properties": properties});
        ((*type_name).to_owned(), schema)
    });
    let mut schemas: Map<String, Value> = schemas.collect();
    add_list_keys(&mut schemas, types);
    json!({"components": {"schemas": schemas}})
}

/// Adds the keys of lists to the schemas of the elements. The table has no fields without unions.
fn add_list_keys(schemas: &mut Map<String, Value>, types: &BTreeSet<&'static str>) {
    let fields = types.iter().flat_map(|type_name| table().fields(type_name));
    for (_, field) in fields {
        let element = field.type_name.as_deref().unwrap_or_default();
        let properties = schemas
            .get_mut(element)
            .and_then(|schema| schema.get_mut("properties"));
        if let Some(Value::Object(properties)) = properties {
            for key in &field.keys {
                properties.entry(key.as_str()).or_insert_with(|| json!({}));
            }
        }
    }
}

fn field_schema(field: &TypeField) -> Value {
    let mut schema = value_schema(field);
    let keywords = [
        ("x-kubernetes-patch-strategy", &field.patch_strategy),
        ("x-kubernetes-patch-merge-key", &field.merge_key),
    ];
    for (keyword, value) in keywords.into_iter().filter(|(_, value)| !value.is_empty()) {
        if let Value::Object(schema) = &mut schema {
            schema.insert(keyword.to_owned(), value.as_str().into());
        }
    }
    schema
}

fn value_schema(field: &TypeField) -> Value {
    let Some(type_name) = &field.type_name else {
        return json!({});
    };
    let reference = json!({"$ref": format!("#/components/schemas/{type_name}")});
    match field.shape {
        Shape::Object => reference,
        Shape::Map => json!({"type": "object", "additionalProperties": reference}),
        Shape::List if field.keys.is_empty() => json!({"type": "array", "items": reference}),
        Shape::List => json!({
            "type": "array",
            "items": reference,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": field.keys,
        }),
    }
}
