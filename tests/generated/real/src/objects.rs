//! Objects for a kind, generated from its schema.

use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_random::Random;

use crate::crds::KindCase;
use crate::pattern::matching_string;

/// The number of random objects for each kind.
const RANDOM_OBJECTS: usize = 6;
/// The number of attempts to find a random object that the CRD accepts.
const ATTEMPTS: usize = 20;

/// The form of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObjectForm {
    /// Every field of the schema is set.
    Full,
    /// Only required fields are set.
    Minimal,
    Random,
}

/// An object of a kind.
pub(crate) struct ObjectCase {
    pub(crate) module: String,
    pub(crate) form: ObjectForm,
    pub(crate) object: Value,
    /// True if the CRD accepts the object.
    pub(crate) is_valid: bool,
}

/// Returns objects of a kind: with every field, with required fields only, and random objects.
pub(crate) fn objects_of(kind: &KindCase, random: &mut Random) -> Vec<ObjectCase> {
    let schema = kind.compile();
    let schema = schema.as_ref();
    let mut objects = vec![
        object_case(kind, schema, ObjectForm::Full, random),
        object_case(kind, schema, ObjectForm::Minimal, random),
    ];
    for _ in 0..RANDOM_OBJECTS {
        let mut attempts =
            (0..ATTEMPTS).map(|_| object_case(kind, schema, ObjectForm::Random, random));
        let first = attempts.next();
        let valid = attempts.find(|object| object.is_valid);
        objects.extend(
            first
                .filter(|object| object.is_valid || valid.is_none())
                .or(valid),
        );
    }
    objects
}

fn object_case(
    kind: &KindCase,
    schema: Option<&StructuralSchema>,
    form: ObjectForm,
    random: &mut Random,
) -> ObjectCase {
    let mut writer = ObjectWriter { form, random };
    let mut object = writer.value(kind.schema(), 0);
    if !object.is_object() {
        object = json!({});
    }
    let group = kind.crd["spec"]["group"].as_str().unwrap_or_default();
    object["apiVersion"] = format!("{group}/{}", kind.version).into();
    object["kind"] = kind.crd["spec"]["names"]["kind"].clone();
    object["metadata"] = json!({ "name": "a" });
    if kind.crd["spec"]["scope"] == "Namespaced" {
        object["metadata"]["namespace"] = "default".into();
    }
    let is_valid = schema.is_some_and(|schema| {
        let mut stored = object.clone();
        schema
            .create(&mut stored, &ServerSettings::default())
            .is_accepted()
    });
    ObjectCase {
        module: kind.module.clone(),
        form,
        object,
        is_valid,
    }
}

/// Writes values of schemas.
struct ObjectWriter<'r> {
    form: ObjectForm,
    random: &'r mut Random,
}

impl ObjectWriter<'_> {
    fn is_random(&self) -> bool {
        self.form == ObjectForm::Random
    }

    /// Returns a value of a schema. `depth` is the number of schemas around it.
    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if let Some(values) = schema["enum"]
            .as_array()
            .filter(|values| !values.is_empty())
        {
            let index = if self.is_random() {
                self.random.below(values.len())
            } else {
                0
            };
            return values[index].clone();
        }
        if schema["x-kubernetes-int-or-string"] == true {
            return self.integer_or_string(schema);
        }
        match schema["type"].as_str() {
            Some("object") => self.object(schema, depth),
            Some("array") => self.array(schema, depth),
            Some("string") => self.string(schema).into(),
            Some("integer") => self.integer(schema).into(),
            Some("number") => json!(number_in_bounds(schema, self.integer(schema))),
            Some("boolean") => (!self.is_random() || self.random.chance(50)).into(),
            _ if schema["properties"].is_object() => self.object(schema, depth),
            _ => json!({ "any": [1, { "deep": true }] }),
        }
    }

    fn integer_or_string(&mut self, schema: &Value) -> Value {
        if let Some(pattern) = schema["pattern"].as_str() {
            // A quantity that is a number is written back as a string.
            let quantity = if pattern.contains("numkMGTPE") || !self.is_random() {
                Some((*self.random.pick(&["100m", "1Gi", "2"])).to_owned())
            } else {
                matching_string(pattern, self.random)
            };
            return quantity.unwrap_or_default().into();
        }
        if self.is_random() && self.random.chance(50) {
            (*self.random.pick(&["http", "10%", "a"])).into()
        } else {
            json!(8080)
        }
    }

    fn object(&mut self, schema: &Value, depth: usize) -> Value {
        let mut fields = Map::new();
        let required = schema["required"].as_array();
        for (name, field_schema) in schema["properties"].as_object().into_iter().flatten() {
            let is_required = required
                .into_iter()
                .flatten()
                .any(|required| required == name);
            let percent = match self.form {
                ObjectForm::Full => 100,
                ObjectForm::Minimal => 0,
                ObjectForm::Random if depth < 2 => 60,
                ObjectForm::Random => 30,
            };
            if is_required || self.random.chance(percent) {
                fields.insert(name.clone(), self.value(field_schema, depth + 1));
            }
        }
        if self.form != ObjectForm::Minimal {
            self.add_unnamed_fields(schema, depth, &mut fields);
        }
        Value::Object(fields)
    }

    /// Adds fields that the schema does not name, if the schema allows them.
    fn add_unnamed_fields(
        &mut self,
        schema: &Value,
        depth: usize,
        fields: &mut Map<String, Value>,
    ) {
        let value_schema = &schema["additionalProperties"];
        if value_schema.is_object() {
            let minimum = schema["minProperties"].as_u64().unwrap_or(1).clamp(1, 5);
            for index in 0..minimum + u64::from(self.is_random() && self.random.chance(50)) {
                fields.insert(format!("key-{index}"), self.value(value_schema, depth + 1));
            }
        }
        if schema["x-kubernetes-preserve-unknown-fields"] == true || *value_schema == true {
            fields.insert(
                "unnamedField".to_owned(),
                json!({ "a": [1, "b", { "c": 0.5 }] }),
            );
        }
    }

    fn array(&mut self, schema: &Value, depth: usize) -> Value {
        let minimum = schema["minItems"].as_u64().unwrap_or_default().min(5);
        let maximum = schema["maxItems"].as_u64().unwrap_or(minimum + 2);
        let count = match self.form {
            ObjectForm::Full => minimum.max(1),
            ObjectForm::Minimal => minimum,
            ObjectForm::Random => {
                minimum
                    + u64::try_from(self.random.below(3))
                        .unwrap()
                        .min(maximum.saturating_sub(minimum))
            }
        };
        (0..count)
            .map(|_| self.value(&schema["items"], depth + 1))
            .collect()
    }

    fn string(&mut self, schema: &Value) -> String {
        let by_format = match schema["format"].as_str().unwrap_or_default() {
            "date-time" => "2024-01-01T00:00:00Z",
            "date" => "2024-01-01",
            "byte" => "YQ==",
            "duration" => "1h",
            "uuid" => "123e4567-e89b-42d3-a456-426614174000",
            "ipv4" => "10.0.0.1",
            "ipv6" => "::1",
            "cidr" => "10.0.0.0/8",
            "uri" | "url" => "https://example.com/a",
            "hostname" => "example.com",
            "email" => "a@example.com",
            _ => "",
        };
        if !by_format.is_empty() {
            return by_format.to_owned();
        }
        let pattern = schema["pattern"].as_str();
        if let Some(string) = pattern.and_then(|pattern| matching_string(pattern, self.random)) {
            return string;
        }
        let minimum = schema["minLength"].as_u64().unwrap_or_default();
        let length = minimum
            .max(1)
            .min(schema["maxLength"].as_u64().unwrap_or(u64::MAX));
        let letters = ["a", "b", "c", "d"];
        (0..length).map(|_| *self.random.pick(&letters)).collect()
    }

    fn integer(&mut self, schema: &Value) -> i64 {
        let bound = |name: &str| schema[name].as_i64();
        let exclusive = |name: &str| i64::from(schema[name] == true);
        let minimum = bound("minimum").map(|bound| bound + exclusive("exclusiveMinimum"));
        let maximum = bound("maximum").map(|bound| bound - exclusive("exclusiveMaximum"));
        let factor = bound("multipleOf")
            .filter(|factor| *factor > 0)
            .unwrap_or(1);
        let start = minimum.unwrap_or_else(|| maximum.unwrap_or(1).min(1));
        let offset = if self.is_random() {
            i64::try_from(self.random.below(4)).unwrap()
        } else {
            0
        };
        let value = start
            .saturating_add(offset)
            .min(maximum.unwrap_or(i64::MAX));
        value.div_euclid(factor).max(i64::from(value > 0)) * factor
    }
}

/// Returns a number with a fraction if the bounds allow it, or else the integer.
fn number_in_bounds(schema: &Value, integer: i64) -> f64 {
    // With bounds beyond 32 bits, the object is invalid, and is counted as such.
    let number = i32::try_from(integer).map_or(0.0, f64::from);
    let is_below = |bound: &Value| bound.as_f64().is_none_or(|bound| number + 0.5 < bound);
    if schema["multipleOf"].is_null() && is_below(&schema["maximum"]) {
        number + 0.5
    } else {
        number
    }
}
