//! Validates the example objects of findings as an API server does.

use crd_unions::AnalyzedObject;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::Report;

/// The schema of an object and its enclosing schemas, with all rules about the object.
pub(super) struct ExampleServer {
    schema: StructuralSchema,
    /// The path from the schema of the outermost rule to the schema of the object.
    inner_path: SchemaPath,
    /// The path of the schema of the outermost rule, for messages.
    outer_path: String,
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
const EXAMPLE_FIELD: &str = "spec";

/// The key of an example object in a map.
const EXAMPLE_KEY: &str = "key";

const RULES_KEYWORD: &str = "x-kubernetes-validations";

impl ExampleServer {
    /// Compiles the schema around an object; `None` if a server would reject the schema.
    pub(super) fn new(schema: &Value, analyzed: &AnalyzedObject) -> Option<Self> {
        // A rule about the object may be written in an enclosing schema.
        let rules = analyzed.analysis.rules.iter();
        let object_path = SchemaPath::from_pointer(&analyzed.pointer)?;
        let outermost_path = rules
            .filter_map(|rule| SchemaPath::from_pointer(&rule.pointer))
            .filter(|rule_path| object_path.starts_with(rule_path))
            .min_by_key(|rule_path| rule_path.steps().len());
        let outermost_path = outermost_path.unwrap_or_else(|| object_path.clone());
        let inner_path = object_path.strip_prefix(&outermost_path)?;
        let mut nested_schema = object_path.find(schema)?.clone();
        let mut enclosing_schemas: Vec<(SchemaStep<'_>, &Value, String)> = Vec::new();
        let mut current_path = outermost_path.clone();
        let mut current_schema = outermost_path.find(schema)?;
        for step in inner_path.steps() {
            enclosing_schemas.push((step, current_schema, current_path.to_string()));
            current_path = current_path.step(step);
            current_schema = step.find(current_schema)?;
        }
        for (step, enclosing, pointer) in enclosing_schemas.iter().rev() {
            nested_schema = enclosing_schema(
                enclosing,
                *step,
                nested_schema,
                &rules_at(analyzed, pointer),
            );
        }
        let root = json!({"type": "object", "properties": {EXAMPLE_FIELD: nested_schema}});
        let schema = StructuralSchema::compiler().stored().schema(&root).ok()?;
        Some(Self {
            schema,
            inner_path,
            outer_path: outermost_path.to_field_notation(),
        })
    }

    /// Validates an example object.
    pub(super) fn check_example(&self, example: &Value) -> ServerVerdict {
        let mut object = self.example_object(example);
        self.verdict(&self.schema.create(&mut object, &ServerSettings::default()))
    }

    /// Validates the updates from each object to the next.
    pub(super) fn check_updates(&self, objects: &[Value]) -> ServerVerdict {
        for (old, new) in objects.iter().zip(objects.iter().skip(1)) {
            let [old, mut new] = [old, new].map(|example| {
                let mut object = self.example_object(example);
                // A server refuses updates without a version.
                object["metadata"]["resourceVersion"] = "1".into();
                object
            });
            let outcome = self
                .schema
                .update(&mut new, &old, &ServerSettings::default());
            let verdict = self.verdict(&outcome);
            if verdict != ServerVerdict::Accepted {
                return verdict;
            }
        }
        ServerVerdict::Accepted
    }

    /// Returns an object of the schema that contains an example.
    fn example_object(&self, example: &Value) -> Value {
        let nested_example = self.inner_path.steps().rev().fold(
            example.clone(),
            |nested_example, step| match step {
                SchemaStep::Property(name) => json!({name: nested_example}),
                SchemaStep::Items => json!([nested_example]),
                SchemaStep::AdditionalProperties => json!({EXAMPLE_KEY: nested_example}),
            },
        );
        json!({
            "apiVersion": "example.com/v1",
            "kind": "Example",
            "metadata": {"name": "example", "namespace": "default"},
            EXAMPLE_FIELD: nested_example,
        })
    }

    fn verdict(&self, outcome: &Report) -> ServerVerdict {
        if outcome.is_accepted() {
            return ServerVerdict::Accepted;
        }
        let errors = outcome
            .errors()
            .iter()
            .map(|error| self.with_full_path(&error.to_string()));
        ServerVerdict::Rejected(errors.collect())
    }

    /// Replaces the path in the example object by the path in an object of the whole schema.
    fn with_full_path(&self, message: &str) -> String {
        let Some(message_after_field) = message.strip_prefix(EXAMPLE_FIELD) else {
            return message.to_owned();
        };
        if self.outer_path.is_empty() {
            let message = message_after_field.trim_start_matches(['.', ':', ' ']);
            return message.to_owned();
        }
        format!("{}{message_after_field}", self.outer_path)
    }
}

/// Returns the expressions of the rules about the object that the schema at `pointer` contains.
fn rules_at<'p>(analyzed: &'p AnalyzedObject, pointer: &str) -> Vec<&'p str> {
    let rules = analyzed.analysis.rules.iter();
    let rules = rules.filter(|rule| rule.pointer == pointer && rule.keyword == RULES_KEYWORD);
    rules.map(|rule| &*rule.source).collect()
}

/// Returns an enclosing schema with `inner_schema` in place of its subschema, and with only these
/// rules. The schema keeps all fields, because rules may read them. The schema has no `required`,
/// because an example object has no other fields.
fn enclosing_schema(
    original: &Value,
    step: SchemaStep<'_>,
    inner_schema: Value,
    rules: &[&str],
) -> Value {
    let keywords = ["type", "properties", "items", "additionalProperties"];
    let keywords = keywords.into_iter();
    let keywords = keywords.filter_map(|key| Some((key.to_owned(), original.get(key)?.clone())));
    let mut enclosing_schema: Map<String, Value> = keywords.collect();
    match step {
        SchemaStep::Property(name) => {
            let properties = enclosing_schema
                .get_mut("properties")
                .and_then(Value::as_object_mut);
            if let Some(properties) = properties {
                properties.insert(name.to_owned(), inner_schema);
            }
        }
        SchemaStep::Items | SchemaStep::AdditionalProperties => {
            enclosing_schema.insert(step.keyword().to_owned(), inner_schema);
        }
    }
    let kept_rules = original.get(RULES_KEYWORD).and_then(Value::as_array);
    let kept_rules = kept_rules.into_iter().flatten().filter(|entry| {
        let source = entry.get("rule").and_then(Value::as_str);
        source.is_some_and(|source| rules.contains(&source))
    });
    let kept_rules: Vec<Value> = kept_rules.cloned().collect();
    if !kept_rules.is_empty() {
        enclosing_schema.insert(RULES_KEYWORD.to_owned(), kept_rules.into());
    }
    Value::Object(enclosing_schema)
}
