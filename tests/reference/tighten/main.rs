//! Compares the three columns of `unionctl tighten` with Kubernetes' own code: see
//! `tests/reference/run`.
//!
//! `tighten_reference PROGRAM SEED|fresh COUNT` generates random CRDs with a status subresource,
//! each with a stored object. Each CRD replaces a CRD that accepts any object. PROGRAM, the Go
//! program of `../crd`, validates a create of the object, an unrelated update, and an update of
//! each field that `tighten` reports.

#[path = "../crd_cases/reference.rs"]
mod reference;
#[path = "../../comparator/world.rs"]
mod world;

use std::collections::BTreeMap;
use std::error::Error;
use std::hash::{BuildHasher as _, RandomState};

use serde_json::{Value, json};
use union_random::Random;
use union_runtime::path::{FieldPath, PathStep};
use unionctl::page::Session;

use reference::Reference;
use world::{Counts, SchemaWithObjects};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The number of findings by column and by result, such as `tolerated`.
type CountsByFate = BTreeMap<(&'static str, String), usize>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, seed, count] = &arguments[..] else {
        return Err("needs PROGRAM SEED|fresh COUNT".into());
    };
    let seed = match &**seed {
        "fresh" => RandomState::new().hash_one(0),
        seed => seed.parse()?,
    };
    let count: usize = count.parse()?;
    let random = &mut Random::new(seed);
    let mut run = Run {
        reference: Reference::start(program)?,
        session: Session::default(),
        counts: CountsByFate::new(),
        ambiguous: 0,
    };
    let mut differ = 0;
    let mut counts = Counts::default();
    for _ in 0..count {
        let pair = Pair::random(random, &mut counts);
        if let Err(difference) = run.compare(&pair)? {
            println!("{difference}\n{}\n{}\n", pair.schema, pair.stored);
            differ += 1;
        }
    }
    println!(
        "tighten, seed {seed}: {count} pairs of CRDs, {differ} differ; fields of two places: {}; {:?}",
        run.ambiguous, run.counts
    );
    if differ > 0 {
        return Err(format!("{differ} pairs are answered otherwise").into());
    }
    counts.assert_complete();
    for column in ["create", "unrelated_update", "update_of_field"] {
        for fate in ["refused", "tolerated", "accepted"] {
            let key = (column, fate.to_owned());
            // A create tolerates no error. An update rejects or tolerates each error, and never
            // accepts the value.
            let is_possible = !matches!(
                (column, fate),
                ("create", "tolerated") | ("unrelated_update" | "update_of_field", "accepted")
            );
            if is_possible && !run.counts.contains_key(&key) {
                return Err(format!("{column} never had the result {fate}").into());
            }
        }
    }
    Ok(())
}

/// A new schema, which replaces a schema that accepts any object, and a stored object.
struct Pair {
    schema: Value,
    stored: Value,
}

impl Pair {
    fn random(random: &mut Random, counts: &mut Counts) -> Self {
        let of_spec = SchemaWithObjects::random(random, counts);
        let of_status = SchemaWithObjects::random(random, counts);
        let mut schema = of_spec.schema;
        schema["properties"]["status"] = of_status.schema["properties"]["spec"].clone();
        let is_old = random.chance(80);
        let mut stored = if is_old { of_spec.old } else { of_spec.new };
        stored["status"] = of_status.old["spec"].clone();
        Self { schema, stored }
    }
}

struct Run {
    reference: Reference,
    session: Session,
    counts: CountsByFate,
    /// The number of findings whose field path is ambiguous, so that the field is not updated.
    ambiguous: usize,
}

/// An error as a server reports it.
#[derive(Clone, Debug, PartialEq)]
struct FieldError {
    kind: String,
    field: String,
    text: String,
}

impl Run {
    /// Compares the columns of `tighten` with the server's results. The inner error is a
    /// difference.
    fn compare(&mut self, pair: &Pair) -> Outcome<Result<(), String>> {
        let anything = json!({"type": "object", "x-kubernetes-preserve-unknown-fields": true});
        let question = json!({
            "crd": crd(&anything).to_string(),
            "crd_new": crd(&pair.schema).to_string(),
            "stored": pair.stored.to_string(),
        });
        let answer: Value = serde_json::from_str(&self.session.tighten(&question.to_string()))?;
        let objects = answer["report"]["objects"].as_array();
        let objects = objects.ok_or_else(|| format!("the answer has no report: {answer}"))?;
        let findings = objects
            .iter()
            .filter_map(|object| object["findings"].as_array());
        let findings: Vec<&Value> = findings.flatten().collect();

        let lint = self
            .reference
            .ask(&json!({"use": {"schema": pair.schema, "status_subresource": true}}))?;
        if lint.get("errors").is_some() {
            return Err(format!("the server rejects the schema: {lint}").into());
        }
        let created = self.ask("create", None, &pair.stored)?;
        let mut annotated = pair.stored.clone();
        annotated["metadata"]["annotations"] = json!({"unionctl/unrelated": "yes"});
        let updated = self.ask("update", Some(&pair.stored), &annotated)?;
        for (column, theirs) in [("create", &created), ("unrelated_update", &updated)] {
            let ours = findings
                .iter()
                .filter(|finding| finding[column] == "refused");
            let ours: Vec<FieldError> = ours.map(|finding| worded(finding)).collect();
            let is_same =
                ours.len() == theirs.len() && theirs.iter().all(|error| ours.contains(error));
            if !is_same {
                return Ok(Err(format!("{column}: ours {ours:?}, theirs {theirs:?}")));
            }
        }
        let request = json!({"op": "update", "old": pair.stored, "new": pair.stored});
        let read = self.reference.ask(&request)?["object"].take();
        for finding in findings {
            for column in ["create", "unrelated_update", "update_of_field"] {
                let fate = finding[column].as_str().unwrap_or_default().to_owned();
                *self.counts.entry((column, fate)).or_default() += 1;
            }
            let error = worded(finding);
            let Some(path) = path_of_error(&error, &read) else {
                self.ambiguous += 1;
                continue;
            };
            let is_of_status = path.steps().next() == Some(PathStep::Field("status"));
            let op = if is_of_status { "status" } else { "update" };
            let theirs = self.ask(op, Some(&object_before(&read, &path)), &read)?;
            let is_it = |other: &FieldError| {
                let is_field = match (
                    split_combinator_message(&other.text),
                    split_combinator_message(&error.text),
                ) {
                    (Some(other), Some(error)) if is_of_status => {
                        without_status_prefix(&format!("status.{}", other.0))
                            == without_status_prefix(&error.0)
                            && other.1 == error.1
                    }
                    (Some(other), Some(error)) => other == error,
                    (None, None) if is_of_status => {
                        without_status_prefix(&other.field) == without_status_prefix(&error.field)
                    }
                    (None, None) => other.field == error.field,
                    _ => false,
                };
                other.kind == error.kind && is_field
            };
            let is_rejected = finding["update_of_field"] == "refused";
            if theirs.iter().any(is_it) != is_rejected {
                return Ok(Err(format!(
                    "update of the field: ours {finding}, theirs {theirs:?}"
                )));
            }
        }
        Ok(Ok(()))
    }

    fn ask(&mut self, op: &str, old: Option<&Value>, new: &Value) -> Outcome<Vec<FieldError>> {
        let mut request = json!({"op": op, "new": new});
        if let Some(old) = old {
            request["old"] = old.clone();
        }
        let answer = self.reference.ask(&request)?;
        let errors = answer["errors"].as_array();
        Ok(errors.into_iter().flatten().map(worded).collect())
    }
}

fn worded(error: &Value) -> FieldError {
    let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
    FieldError {
        kind: text("type"),
        field: text("field"),
        text: text("text"),
    }
}

/// Returns the field path of an error relative to the status. The field paths of a request to
/// `/status` differ from other requests: there is always a dot after `status`, further dots are
/// missing, and the path of the status itself is `status`, not empty.
fn without_status_prefix(field: &str) -> &str {
    let rest = field.strip_prefix("status").unwrap_or_default();
    rest.trim_start_matches('.')
}

/// Splits the message of a combinator into the field path and the requirement.
fn split_combinator_message(text: &str) -> Option<(String, &str)> {
    let (_, text) = text.split_once(": Invalid value: \"\": ")?;
    let (quoted, rule) = text.split_once(" must ")?;
    Some((serde_json::from_str(quoted).ok()?, rule))
}

/// Returns the path of an error, or `None` if its field path is ambiguous.
fn path_of_error(error: &FieldError, object: &Value) -> Option<FieldPath> {
    let field = split_combinator_message(&error.text)
        .map_or_else(|| error.field.clone(), |(field, _)| field);
    let existing = FieldPath::resolve(&field, object);
    if error.kind != "FieldValueRequired" {
        return existing;
    }
    // The position of a missing field is ambiguous if another value has the same field path.
    if existing.is_some() || FieldPath::resolve_or_absent(&field, object).is_none() {
        return None;
    }
    let mut found = Vec::new();
    let mut waiting = vec![(FieldPath::root(), object)];
    while let Some((path, value)) = waiting.pop() {
        match value {
            Value::Object(fields) => {
                let missing = world::NAMES
                    .iter()
                    .filter(|name| !fields.contains_key(**name));
                let missing = missing.map(|name| path.clone().field(name));
                // A server writes a dot before each name, even if the name is empty.
                let is_it = |path: &FieldPath| {
                    let parent = path.parent().unwrap_or_default();
                    let name = path.steps().next_back().and_then(PathStep::name);
                    field == format!("{parent}.{}", name.unwrap_or_default())
                };
                found.extend(missing.filter(is_it));
                waiting.extend(
                    fields
                        .iter()
                        .map(|(name, value)| (path.clone().field(name), value)),
                );
            }
            Value::Array(elements) => {
                let elements = elements.iter().enumerate();
                waiting.extend(elements.map(|(i, value)| (path.clone().index(i), value)));
            }
            _ => {}
        }
    }
    let path = found.pop()?;
    found.is_empty().then_some(path)
}

/// Returns an old object for an update that changes the field at `path`. The update sets the field,
/// or removes it if it is missing in `object`.
fn object_before(object: &Value, path: &FieldPath) -> Value {
    let mut old = object.clone();
    let steps: Vec<PathStep<'_>> = path.steps().collect();
    let mut at = &mut old;
    for (depth, step) in steps.iter().enumerate() {
        let is_last = depth + 1 == steps.len();
        match (step, at) {
            (PathStep::Index(index), Value::Array(elements)) => {
                if is_last {
                    elements.remove(*index);
                    break;
                }
                at = &mut elements[*index];
            }
            (PathStep::Field(name) | PathStep::Key(name), Value::Object(fields)) => {
                if is_last && fields.remove(*name).is_some() {
                    break;
                }
                if !fields.contains_key(*name) {
                    fields.insert((*name).to_owned(), json!("before"));
                    break;
                }
                at = &mut fields[*name];
            }
            _ => break,
        }
    }
    old
}

fn crd(schema: &Value) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "mycoolcrds.mygroup.example.com"},
        "spec": {
            "group": "mygroup.example.com",
            "names": {"kind": "MyCoolCRD", "plural": "mycoolcrds"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1beta1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": schema}, "subresources": {"status": {}},
            }],
        },
    })
}
