//! Places of types in kinds, and the errors of an object in a place.

use std::collections::BTreeMap;

use k8s_builtin_unions::{
    BuiltinKind, BuiltinMember, BuiltinUnion, KindUnions, UnionAtPath, kinds,
};
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::Violation;

/// A type with unions, and a place of the type in a kind.
pub(crate) struct Place {
    pub(crate) kind: BuiltinKind,
    path: SchemaPath,
    pub(crate) unions: Vec<BuiltinUnion>,
}

/// Returns a place for each type with unions, and for each field to which unions are restricted.
pub(crate) fn places() -> Vec<Place> {
    let mut places: BTreeMap<&str, Place> = BTreeMap::new();
    for kind in kinds() {
        for UnionAtPath { path, union, .. } in kind.unions() {
            let name = union.place().unwrap_or(union.type_name());
            let place = places.entry(name).or_insert_with(|| Place {
                kind,
                path: path.clone(),
                unions: Vec::new(),
            });
            if place.kind.type_name() == kind.type_name() && place.path == path {
                place.unions.push(union);
            }
        }
    }
    places.into_values().collect()
}

impl Place {
    /// Returns the unions of the kind.
    pub(crate) fn compile(&self, is_strict: bool) -> KindUnions {
        let mut compiler = self.kind.compiler().with_unenforced();
        if is_strict {
            compiler = compiler.strict();
        }
        compiler.compile().expect("the unions of a built-in kind")
    }

    /// Returns an object of the kind with this object in the place.
    pub(crate) fn whole_object(&self, object: &Map<String, Value>) -> Value {
        let mut value = Value::Object(object.clone());
        for step in self.path.steps().rev() {
            value = match step {
                SchemaStep::Property(name) => json!({ name: value }),
                SchemaStep::Items => json!([value]),
                SchemaStep::AdditionalProperties => json!({"key": value}),
            };
        }
        value
    }

    /// Returns the path of the object in this place.
    pub(crate) fn object_path(&self) -> String {
        let steps = self.path.steps().map(|step| match step {
            SchemaStep::Property(name) => format!(".{name}"),
            SchemaStep::Items => "[0]".to_owned(),
            SchemaStep::AdditionalProperties => "[key]".to_owned(),
        });
        let path: String = steps.collect();
        path.trim_start_matches('.').to_owned()
    }

    /// Returns the errors about the object in this place.
    pub(crate) fn errors(
        &self,
        unions: &KindUnions,
        object: &Map<String, Value>,
    ) -> Vec<Violation> {
        let path = self.object_path();
        let report = unions.validate(&self.whole_object(object));
        let errors = report.errors().iter();
        errors
            .filter(|error| {
                let rest = error.path().as_str().strip_prefix(&path);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
            .cloned()
            .collect()
    }

    /// Returns the fields of the unions, discriminators included.
    pub(crate) fn fields(&self) -> Vec<&'static str> {
        let fields = self.unions.iter().flat_map(|union| {
            let members = union.members().map(BuiltinMember::field);
            members.chain(union.discriminator())
        });
        let mut fields: Vec<&str> = fields.collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// Returns the values of a field that the tests use.
    pub(crate) fn values(&self, field: &str) -> Vec<Value> {
        let discriminated = self
            .unions
            .iter()
            .filter(|union| union.discriminator() == Some(field));
        let values = discriminated.flat_map(|union| {
            let members = union.members().filter_map(BuiltinMember::value);
            members
                .chain(union.values_without_member())
                .chain(["NewValue"])
        });
        let values: Vec<Value> = values.map(Value::from).collect();
        if values.is_empty() {
            // A string has no nested unions.
            vec![json!("x")]
        } else {
            values
        }
    }
}
