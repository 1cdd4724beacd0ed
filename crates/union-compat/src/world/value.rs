//! Searches for values of members that their schemas accept.

use crd_compat::sample::small_value;
use crd_compat::{PlaceValue, find_object_at, merge_schemas};
use k8s_crd_validation::{ServerSettings, StructuralSchema, Violation};
use serde_json::{Value, json};
use union_json::document::SchemaPath;
use union_runtime::path::FieldPath;

/// The name of the field that contains the value.
const VALUE_FIELD: &str = "value";

/// A function that returns a value of a member, given the name of the member and the index of the
/// value (0 or 1). If the function returns `None`, the value is generated from the schema.
pub type ValueSource<'f> = &'f dyn Fn(&str, usize) -> Option<Value>;

/// Returns `None`, so that all values are generated from schemas.
pub(crate) fn no_values(_: &str, _: usize) -> Option<Value> {
    None
}

/// The schemas of a value in both versions, or in the only version that has the value. A value is
/// accepted if all schemas accept it.
pub(crate) struct SharedValueSchemas {
    servers: Vec<StructuralSchema>,
}

impl SharedValueSchemas {
    pub(crate) fn new<'s>(schemas: impl IntoIterator<Item = &'s Value>) -> Self {
        let servers = schemas.into_iter().filter_map(|schema| {
            // A schema that does not compile is reported as an error of its version.
            let compiler = StructuralSchema::compiler().stored();
            compiler.schema(&schema_with_value(schema)).ok()
        });
        Self {
            servers: servers.collect(),
        }
    }

    pub(crate) fn accepts(&self, value: &Value) -> bool {
        self.errors(&json!({VALUE_FIELD: value})).is_empty()
    }

    /// Returns the errors of an object that contains the value.
    fn errors(&self, object: &Value) -> Vec<Violation> {
        let reports = self.servers.iter().map(|server| {
            let mut object = object.clone();
            server.create(&mut object, &ServerSettings::default())
        });
        reports
            .flat_map(|report| report.errors().to_vec())
            .collect()
    }
}

/// Returns the schema of an object that contains a value.
fn schema_with_value(schema: &Value) -> Value {
    json!({"type": "object", "properties": {VALUE_FIELD: schema}})
}

/// Returns up to two different values that all schemas accept. Fewer are returned if no other value
/// is found.
pub(crate) fn value_pair(schemas: &[&Value]) -> Vec<Value> {
    let Some((first_schema, other_schemas)) = schemas.split_first() else {
        return Vec::new();
    };
    let merged = other_schemas
        .iter()
        .fold((*first_schema).clone(), |merged, schema| {
            merge_schemas(&merged, schema)
        });
    let value_schemas = SharedValueSchemas::new(schemas.iter().copied());
    let search = ValueSearch {
        schema: schema_with_value(&merged),
        value_schemas,
    };
    let Some(first_value) = search.find(0, None) else {
        return Vec::new();
    };
    let second_value = search.find(1, Some(&first_value));
    std::iter::once(first_value).chain(second_value).collect()
}

/// A search for values of an object with only one field.
struct ValueSearch {
    schema: Value,
    value_schemas: SharedValueSchemas,
}

impl ValueSearch {
    /// Returns a value that all schemas accept and that is not `excluded`. The search starts with
    /// the variant of a small value.
    fn find(&self, variant: usize, excluded: Option<&Value>) -> Option<Value> {
        let path = SchemaPath::root().property(VALUE_FIELD);
        let value_schema = path.find(&self.schema)?;
        let first_value = small_value(value_schema, variant);
        let validate = |object: &Value| {
            let mut errors = self.value_schemas.errors(object);
            let value = object.get(VALUE_FIELD);
            if value.is_some() && value == excluded {
                errors.push(Violation::required(
                    FieldPath::root().field(VALUE_FIELD),
                    "",
                ));
            }
            errors
        };
        let mut object = find_object_at(
            &self.schema,
            &path,
            PlaceValue::From(&first_value),
            validate,
        )?;
        object.get_mut(VALUE_FIELD).map(Value::take)
    }
}
