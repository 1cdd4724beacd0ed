//! What an API server says to the objects that findings show.

use crd_unions::Place;
use k8s_crd_validation::{ServerSettings, StructuralSchema};
use serde_json::{Map, Value, json};
use union_json::pointer::unescape;

/// A schema around a place, with the rules above that are about it.
pub(super) struct Server {
    schema: StructuralSchema,
    /// From the outermost rule to the place.
    steps: Vec<Step>,
    /// Where the outermost rule is.
    path: String,
}

/// What a server says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Accepted,
    /// With its errors.
    Refused(Vec<String>),
}

impl Verdict {
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Accepted => json!({"answer": "accepted"}),
            Self::Refused(errors) => json!({"answer": "refused", "errors": errors}),
        }
    }
}

/// A step from an object to what lies in it.
#[derive(Clone, Debug)]
enum Step {
    Property(String),
    Items,
    Values,
}

/// The field that an object stands in.
const FIELD: &str = "spec";

/// The key of a map that has an object.
const KEY: &str = "key";

const RULES: &str = "x-kubernetes-validations";

impl Server {
    /// `None` where there is no schema that a server would serve.
    pub(super) fn new(schema: &Value, place: &Place) -> Option<Self> {
        // Rules that moved to the place stand above it.
        let rules = place.reading.rules.iter();
        let outermost = rules
            .map(|rule| &*rule.pointer)
            .filter(|pointer| place.pointer.starts_with(pointer))
            .min_by_key(|pointer| pointer.len());
        let outermost = outermost.unwrap_or(&place.pointer);
        let mut nodes: Vec<(Step, &Value, &str)> = Vec::new();
        let mut at = outermost;
        while let Some((step, end)) = next_step(&place.pointer, at.len()) {
            nodes.push((step, schema.pointer(at)?, at));
            at = place.pointer.get(..end)?;
        }
        let mut built = schema.pointer(&place.pointer)?.clone();
        for (step, node, pointer) in nodes.iter().rev() {
            built = around(node, step, built, &rules_at(place, pointer));
        }
        let root = json!({"type": "object", "properties": {FIELD: built}});
        let schema = StructuralSchema::compiler().stored().schema(&root).ok()?;
        let steps = nodes.into_iter().map(|(step, ..)| step).collect();
        Some(Self {
            schema,
            steps,
            path: union_compat::path_of(outermost),
        })
    }

    /// What is said to an object of the place.
    pub(super) fn judge(&self, object: &Value) -> Verdict {
        let object = self
            .steps
            .iter()
            .rev()
            .fold(object.clone(), |object, step| match step {
                Step::Property(name) => {
                    let mut around = Map::new();
                    around.insert(name.clone(), object);
                    Value::Object(around)
                }
                Step::Items => json!([object]),
                Step::Values => json!({KEY: object}),
            });
        let mut object = json!({
            "apiVersion": "example.com/v1",
            "kind": "Example",
            "metadata": {"name": "example", "namespace": "default"},
            FIELD: object,
        });
        let outcome = self.schema.create(&mut object, &ServerSettings::default());
        if outcome.is_accepted() {
            return Verdict::Accepted;
        }
        let errors = outcome
            .errors
            .iter()
            .map(|error| self.error(&error.to_string()));
        Verdict::Refused(errors.collect())
    }

    /// An error as it is in an object of the whole schema.
    fn error(&self, text: &str) -> String {
        let Some(rest) = text.strip_prefix(FIELD) else {
            return text.to_owned();
        };
        if self.path.is_empty() {
            let rest = rest.trim_start_matches(['.', ':', ' ']);
            return rest.to_owned();
        }
        format!("{}{rest}", self.path)
    }
}

/// The step of a pointer that begins there, and where it ends.
fn next_step(pointer: &str, start: usize) -> Option<(Step, usize)> {
    let rest = pointer.get(start..)?.strip_prefix('/')?;
    let (first, _) = rest.split_once('/').unwrap_or((rest, ""));
    let end = start + 1 + first.len();
    match first {
        "properties" => {
            let rest = pointer.get(end..)?.strip_prefix('/')?;
            let (name, _) = rest.split_once('/').unwrap_or((rest, ""));
            let unescaped = unescape(name).into_owned();
            Some((Step::Property(unescaped), end + 1 + name.len()))
        }
        "items" => Some((Step::Items, end)),
        "additionalProperties" => Some((Step::Values, end)),
        _ => None,
    }
}

/// The texts of the rules that stand at a schema.
fn rules_at<'p>(place: &'p Place, pointer: &str) -> Vec<&'p str> {
    let rules = place.reading.rules.iter();
    let rules = rules.filter(|rule| rule.pointer == pointer && rule.keyword == RULES);
    rules.map(|rule| &*rule.text).collect()
}

/// A schema above the place: its fields, for its rules may read them, and of its rules those about the place. Nothing is
/// required that the place does not have.
fn around(node: &Value, step: &Step, inner: Value, rules: &[&str]) -> Value {
    let kept = ["type", "properties", "items", "additionalProperties"];
    let kept = kept.into_iter();
    let kept = kept.filter_map(|key| Some((key.to_owned(), node.get(key)?.clone())));
    let mut around: Map<String, Value> = kept.collect();
    match step {
        Step::Property(name) => {
            let properties = around.get_mut("properties").and_then(Value::as_object_mut);
            if let Some(properties) = properties {
                properties.insert(name.clone(), inner);
            }
        }
        Step::Items => {
            around.insert("items".to_owned(), inner);
        }
        Step::Values => {
            around.insert("additionalProperties".to_owned(), inner);
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
