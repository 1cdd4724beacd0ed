//! The verdicts of an API server on the objects of findings.

use crd_unions::AnalyzedObject;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};

/// A schema around a place, with the rules above the place that are about it.
pub(super) struct ExampleServer {
    schema: StructuralSchema,
    /// The path from the outermost rule to the place.
    inner: SchemaPath,
    /// The path of the object of the outermost rule, as it is printed for users.
    outer: String,
}

/// The verdict of a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerVerdict {
    Accepted,
    /// Rejected, with these errors.
    Rejected(Vec<String>),
}

impl ServerVerdict {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Accepted => json!({"answer": "accepted"}),
            Self::Rejected(errors) => json!({"answer": "refused", "errors": errors}),
        }
    }
}

/// The field that contains the object.
const FIELD: &str = "spec";

/// The key of a map that contains the object.
const KEY: &str = "key";

const RULES: &str = "x-kubernetes-validations";

impl ExampleServer {
    /// Compiles the schema around a place; `None` if a server would not serve it.
    pub(super) fn new(schema: &Value, place: &AnalyzedObject) -> Option<Self> {
        // Rules that were moved to the place are written at an object above it.
        let rules = place.analysis.rules.iter();
        let path = SchemaPath::from_pointer(&place.pointer)?;
        let outermost = rules
            .filter_map(|rule| SchemaPath::from_pointer(&rule.pointer))
            .filter(|outer| path.starts_with(outer))
            .min_by_key(|outer| outer.steps().len());
        let outermost = outermost.unwrap_or_else(|| path.clone());
        let inner = path.strip_prefix(&outermost)?;
        let mut built = path.find(schema)?.clone();
        let mut nodes: Vec<(SchemaStep<'_>, &Value, String)> = Vec::new();
        let (mut at, mut node) = (outermost.clone(), outermost.find(schema)?);
        for step in inner.steps() {
            nodes.push((step, node, at.to_string()));
            (at, node) = (at.step(step), step.find(node)?);
        }
        for (step, node, pointer) in nodes.iter().rev() {
            built = around(node, *step, built, &rules_at(place, pointer));
        }
        let root = json!({"type": "object", "properties": {FIELD: built}});
        let schema = StructuralSchema::compiler().stored().schema(&root).ok()?;
        Some(Self {
            schema,
            inner,
            outer: outermost.to_field_notation(),
        })
    }

    /// Returns the verdict on an object of the place.
    pub(super) fn check_example(&self, object: &Value) -> ServerVerdict {
        let object = self
            .inner
            .steps()
            .rev()
            .fold(object.clone(), |object, step| match step {
                SchemaStep::Property(name) => json!({name: object}),
                SchemaStep::Items => json!([object]),
                SchemaStep::AdditionalProperties => json!({KEY: object}),
            });
        let mut object = json!({
            "apiVersion": "example.com/v1",
            "kind": "Example",
            "metadata": {"name": "example", "namespace": "default"},
            FIELD: object,
        });
        let outcome = self.schema.create(&mut object, &ServerSettings::default());
        if outcome.is_accepted() {
            return ServerVerdict::Accepted;
        }
        let errors = outcome
            .errors()
            .iter()
            .map(|error| self.error(&error.to_string()));
        ServerVerdict::Rejected(errors.collect())
    }

    /// Returns an error with its path in an object of the whole schema.
    fn error(&self, text: &str) -> String {
        let Some(rest) = text.strip_prefix(FIELD) else {
            return text.to_owned();
        };
        if self.outer.is_empty() {
            let rest = rest.trim_start_matches(['.', ':', ' ']);
            return rest.to_owned();
        }
        format!("{}{rest}", self.outer)
    }
}

/// Returns the sources of the rules that are written at a schema.
fn rules_at<'p>(place: &'p AnalyzedObject, pointer: &str) -> Vec<&'p str> {
    let rules = place.analysis.rules.iter();
    let rules = rules.filter(|rule| rule.pointer == pointer && rule.keyword == RULES);
    rules.map(|rule| &*rule.source).collect()
}

/// Returns a schema above the place. It has all fields, because its rules may read them, and the
/// rules that are about the place. It does not require fields that the place does not have.
fn around(node: &Value, step: SchemaStep<'_>, inner: Value, rules: &[&str]) -> Value {
    let kept = ["type", "properties", "items", "additionalProperties"];
    let kept = kept.into_iter();
    let kept = kept.filter_map(|key| Some((key.to_owned(), node.get(key)?.clone())));
    let mut around: Map<String, Value> = kept.collect();
    match step {
        SchemaStep::Property(name) => {
            let properties = around.get_mut("properties").and_then(Value::as_object_mut);
            if let Some(properties) = properties {
                properties.insert(name.to_owned(), inner);
            }
        }
        SchemaStep::Items | SchemaStep::AdditionalProperties => {
            around.insert(step.keyword().to_owned(), inner);
        }
    }
    let written = node.get(RULES).and_then(Value::as_array);
    let written = written.into_iter().flatten().filter(|entry| {
        let text = entry.get("rule").and_then(Value::as_str);
        text.is_some_and(|text| rules.contains(&text))
    });
    let written: Vec<Value> = written.cloned().collect();
    if !written.is_empty() {
        around.insert(RULES.to_owned(), written.into());
    }
    Value::Object(around)
}
