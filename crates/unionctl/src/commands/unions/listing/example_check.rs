//! Validates the example objects of findings as an API server does.

use crd_unions::AnalyzedObject;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};

/// The schema of an object in its enclosing schemas, with all rules that are about the object.
pub(super) struct ExampleServer {
    schema: StructuralSchema,
    /// The path from the object of the outermost rule to the object.
    inner: SchemaPath,
    /// The path of the object of the outermost rule, for messages.
    outer: String,
}

/// The result of a create with an example object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ServerVerdict {
    Accepted,
    /// Rejected with these errors.
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

/// The field that contains the example object.
const FIELD: &str = "spec";

/// The key of an example object in a map.
const KEY: &str = "key";

const RULES: &str = "x-kubernetes-validations";

impl ExampleServer {
    /// Compiles the schema around an object; `None` if a server would reject the schema.
    pub(super) fn new(schema: &Value, analyzed: &AnalyzedObject) -> Option<Self> {
        // A rule about the object may be written in an enclosing schema.
        let rules = analyzed.analysis.rules.iter();
        let path = SchemaPath::from_pointer(&analyzed.pointer)?;
        let outermost = rules
            .filter_map(|rule| SchemaPath::from_pointer(&rule.pointer))
            .filter(|outer| path.starts_with(outer))
            .min_by_key(|outer| outer.steps().len());
        let outermost = outermost.unwrap_or_else(|| path.clone());
        let inner = path.strip_prefix(&outermost)?;
        let mut nested = path.find(schema)?.clone();
        let mut nodes: Vec<(SchemaStep<'_>, &Value, String)> = Vec::new();
        let (mut path, mut node) = (outermost.clone(), outermost.find(schema)?);
        for step in inner.steps() {
            nodes.push((step, node, path.to_string()));
            (path, node) = (path.step(step), step.find(node)?);
        }
        for (step, node, pointer) in nodes.iter().rev() {
            nested = enclosing_schema(node, *step, nested, &rules_at(analyzed, pointer));
        }
        let root = json!({"type": "object", "properties": {FIELD: nested}});
        let schema = StructuralSchema::compiler().stored().schema(&root).ok()?;
        Some(Self {
            schema,
            inner,
            outer: outermost.to_field_notation(),
        })
    }

    /// Validates an example object.
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
            .map(|error| self.with_full_path(&error.to_string()));
        ServerVerdict::Rejected(errors.collect())
    }

    /// Replaces the path in the test object by the path in an object of the whole schema.
    fn with_full_path(&self, message: &str) -> String {
        let Some(rest) = message.strip_prefix(FIELD) else {
            return message.to_owned();
        };
        if self.outer.is_empty() {
            let rest = rest.trim_start_matches(['.', ':', ' ']);
            return rest.to_owned();
        }
        format!("{}{rest}", self.outer)
    }
}

/// Returns the expressions of the rules that are about the object and written at a schema.
fn rules_at<'p>(analyzed: &'p AnalyzedObject, pointer: &str) -> Vec<&'p str> {
    let rules = analyzed.analysis.rules.iter();
    let rules = rules.filter(|rule| rule.pointer == pointer && rule.keyword == RULES);
    rules.map(|rule| &*rule.source).collect()
}

/// Returns an enclosing schema with `inner` in place of its subschema. The schema keeps all fields,
/// because rules may read them, and only the given rules. The schema has no `required`, because an
/// example object has no other fields.
fn enclosing_schema(node: &Value, step: SchemaStep<'_>, inner: Value, rules: &[&str]) -> Value {
    let keywords = ["type", "properties", "items", "additionalProperties"];
    let keywords = keywords.into_iter();
    let keywords = keywords.filter_map(|key| Some((key.to_owned(), node.get(key)?.clone())));
    let mut enclosing_schema: Map<String, Value> = keywords.collect();
    match step {
        SchemaStep::Property(name) => {
            let properties = enclosing_schema
                .get_mut("properties")
                .and_then(Value::as_object_mut);
            if let Some(properties) = properties {
                properties.insert(name.to_owned(), inner);
            }
        }
        SchemaStep::Items | SchemaStep::AdditionalProperties => {
            enclosing_schema.insert(step.keyword().to_owned(), inner);
        }
    }
    let kept_rules = node.get(RULES).and_then(Value::as_array);
    let kept_rules = kept_rules.into_iter().flatten().filter(|entry| {
        let source = entry.get("rule").and_then(Value::as_str);
        source.is_some_and(|source| rules.contains(&source))
    });
    let kept_rules: Vec<Value> = kept_rules.cloned().collect();
    if !kept_rules.is_empty() {
        enclosing_schema.insert(RULES.to_owned(), kept_rules.into());
    }
    Value::Object(enclosing_schema)
}
