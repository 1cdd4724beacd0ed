//! The verdicts of both sides, and their differences.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use k8s_crd_validation::{KubeVersion, ServerSettings, StatusHandling, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::Violation;

use crate::case::{Case, Definition, Op};
use crate::same::same;

/// The result for a request or for a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// The type, field path and message of each error.
    pub(crate) errors: BTreeSet<[String; 3]>,
    pub(crate) warnings: BTreeSet<String>,
    /// The object after pruning and defaulting, or `None` if the object was not decoded or not
    /// returned.
    pub(crate) object: Option<Value>,
    /// The tolerated errors, which only we report.
    pub(crate) ratcheted: BTreeSet<[String; 3]>,
}

/// The type of the error that represents a panic of the reference.
pub(crate) const PANIC: &str = "Panic";

impl Verdict {
    /// Returns the verdict in a reply of the reference.
    pub(crate) fn read(answer: &Value) -> Self {
        let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let panic = answer["panic"].as_str();
        let panic = panic.map(|text| [PANIC.to_owned(), String::new(), text.to_owned()]);
        Self {
            errors: counted(list("errors").iter().map(triple).chain(panic)),
            warnings: list("warnings").iter().map(text).collect(),
            object: answer.get("object").map(without_null_times),
            ratcheted: BTreeSet::new(),
        }
    }

    /// Returns true if the reference panicked.
    pub(crate) fn is_panic(&self) -> bool {
        self.errors.iter().any(|[kind, ..]| kind == PANIC)
    }

    /// Returns true if the object could not be decoded.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.errors.iter().any(|[kind, ..]| kind == "BadRequest")
    }

    /// Returns true if the cost limit ended the evaluation of rules.
    pub(crate) fn is_stopped(&self) -> bool {
        self.errors.iter().any(is_stop)
    }

    /// Returns true if this verdict is a possible combination of the results: each of its errors is
    /// in a result, and each error that it lacks is missing in a result. Warnings are compared in
    /// the same way. Errors about the cost limit are ignored, because any rule may exceed the
    /// limit.
    pub(crate) fn is_combination_of(&self, answers: &[Self]) -> bool {
        let is_reported = |error: &[String; 3]| answers.iter().any(|of| of.errors.contains(error));
        let is_warned = |text: &String| answers.iter().any(|of| of.warnings.contains(text));
        let mut errors = self.errors.iter().filter(|error| !is_stop(error));
        let has_no_surplus = errors.all(is_reported) && self.warnings.iter().all(is_warned);
        // An error that is in all results is also in the first result.
        let lacks_nothing = answers.first().is_some_and(|first| {
            let errors = first.errors.difference(&self.errors);
            let mut errors = errors.filter(|error| !is_stop(error));
            let mut warnings = first.warnings.difference(&self.warnings);
            errors.all(|error| answers.iter().any(|of| !of.errors.contains(error)))
                && warnings.all(|text| answers.iter().any(|of| !of.warnings.contains(text)))
        });
        answers.iter().all(Self::is_stopped) && has_no_surplus && lacks_nothing
    }

    fn of_panic() -> Self {
        let panicked = ["panic".into(), String::new(), "panicked".into()];
        Self {
            errors: BTreeSet::from([panicked]),
            ..Self::default()
        }
    }
}

/// Returns true if the error reports that the cost limit ended the evaluation of rules.
fn is_stop([_, _, text]: &[String; 3]) -> bool {
    text.contains("no further validation rules will be run")
}

fn triple(error: &Value) -> [String; 3] {
    ["type", "field", "text"].map(|part| text(&error[part]))
}

fn triples(violations: &[Violation]) -> BTreeSet<[String; 3]> {
    counted(violations.iter().map(|each| triple(&json!(each))))
}

/// Returns the errors as a set. A repeated error gets a number, because the number of equal errors
/// is compared too.
fn counted(triples: impl Iterator<Item = [String; 3]>) -> BTreeSet<[String; 3]> {
    let mut counted = BTreeSet::new();
    for [kind, field, text] in triples {
        let mut triple = [kind.clone(), field.clone(), text.clone()];
        let mut times = 1;
        while !counted.insert(triple) {
            times += 1;
            triple = [
                kind.clone(),
                field.clone(),
                format!("{text} (time {times})"),
            ];
        }
    }
    counted
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Compiles our schema, or returns our errors about the schema.
pub(crate) fn compile(
    definition: &Definition,
    server: KubeVersion,
) -> Result<StructuralSchema, Verdict> {
    // Before validation, a server drops keywords of feature gates that are off. The reference does
    // not.
    let compiler = StructuralSchema::compiler()
        .version(server)
        .ratchet(Some(true));
    let outcome = catch_unwind(|| match definition {
        Definition::Schema {
            schema,
            status: false,
        } => compiler.schema(schema),
        Definition::Schema {
            schema,
            status: true,
        } => compiler.status(StatusHandling::Subresource).schema(schema),
        Definition::Crd { crd, version } => compiler.crd(crd, Some(version)),
        Definition::Stored { crd, version } => compiler.stored().crd(crd, Some(version)),
    });
    match outcome {
        Ok(Ok(schema)) => Ok(schema),
        Ok(Err(report)) => Err(Verdict {
            errors: triples(report.errors()),
            ..Verdict::default()
        }),
        Err(_) => Err(Verdict::of_panic()),
    }
}

/// Returns our verdict of a request.
pub(crate) fn ours(schema: &StructuralSchema, case: &Case, server: KubeVersion) -> Verdict {
    let settings = ServerSettings::default().version(server);
    let judged = catch_unwind(AssertUnwindSafe(|| {
        let mut new = case.new.clone();
        let report = match case.op {
            Op::Create => schema.create(&mut new, &settings),
            Op::Update => schema.update(&mut new, &case.old, &settings),
            Op::Status => schema.update_status(&mut new, &case.old, &settings),
        };
        Verdict {
            errors: triples(report.errors()),
            warnings: report.warnings().iter().cloned().collect(),
            object: Some(new),
            ratcheted: triples(report.tolerated()),
        }
    }));
    judged.unwrap_or_else(|_| Verdict::of_panic())
}

/// Returns the object without creation times that are null. Servers before 1.34 write null for a
/// missing time in the metadata of the object and of its embedded resources.
fn without_null_times(value: &Value) -> Value {
    match value {
        Value::Object(object) => object
            .iter()
            .filter(|(key, value)| *key != "creationTimestamp" || !value.is_null())
            .map(|(key, value)| (key.clone(), without_null_times(value)))
            .collect(),
        Value::Array(values) => values.iter().map(without_null_times).collect(),
        _ => value.clone(),
    }
}

/// Returns the object without its generation, which a server sets after decoding.
fn without_generation(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("generation");
    }
    object
}

/// The difference between two verdicts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Difference {
    /// The errors of the reference that we do not report.
    pub(crate) missing: BTreeSet<[String; 3]>,
    /// The errors that only we report.
    pub(crate) surplus: BTreeSet<[String; 3]>,
    pub(crate) missing_warnings: BTreeSet<String>,
    pub(crate) surplus_warnings: BTreeSet<String>,
    /// The reference's object and ours, if they differ.
    pub(crate) objects: Option<(Value, Value)>,
}

impl Difference {
    /// Returns the difference, or `None` if the verdicts are equal.
    pub(crate) fn between(reference: &Verdict, ours: &Verdict) -> Option<Self> {
        let minus = |one: &BTreeSet<[String; 3]>, other: &BTreeSet<[String; 3]>| {
            one.difference(other).cloned().collect()
        };
        let warnings = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.difference(other).cloned().collect()
        };
        let objects = match (&reference.object, &ours.object) {
            (Some(one), Some(other)) => {
                let (one, other) = (without_generation(one), without_generation(other));
                (!same(&one, &other)).then_some((one, other))
            }
            _ => None,
        };
        let found = Self {
            missing: minus(&reference.errors, &ours.errors),
            surplus: minus(&ours.errors, &reference.errors),
            missing_warnings: warnings(&reference.warnings, &ours.warnings),
            surplus_warnings: warnings(&ours.warnings, &reference.warnings),
            objects,
        };
        (!found.is_empty()).then_some(found)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.missing.is_empty()
            && self.surplus.is_empty()
            && self.missing_warnings.is_empty()
            && self.surplus_warnings.is_empty()
            && self.objects.is_none()
    }

    /// Returns a description of each difference, without the parts that are specific to the case.
    /// Cases with equal descriptions have the same kind of difference.
    pub(crate) fn signs(&self) -> BTreeSet<String> {
        let of = |side: &str, errors: &BTreeSet<[String; 3]>| -> Vec<String> {
            errors
                .iter()
                .map(|[kind, field, text]| {
                    let body = text.strip_prefix(field.as_str()).unwrap_or(text);
                    format!("{side} {kind}{}", common(body))
                })
                .collect()
        };
        let mut signs: BTreeSet<String> = of("missing", &self.missing).into_iter().collect();
        signs.extend(of("surplus", &self.surplus));
        if !self.missing_warnings.is_empty() {
            signs.insert("missing warning".into());
        }
        if !self.surplus_warnings.is_empty() {
            signs.insert("surplus warning".into());
        }
        if self.objects.is_some() {
            signs.insert("object".into());
        }
        signs
    }
}

/// Returns a message without the parts that are specific to a case: quoted parts, numbers and
/// paths.
fn common(text: &str) -> String {
    let mut found = String::new();
    let mut quoted = false;
    let mut escaped = false;
    for c in text.chars() {
        if quoted {
            quoted = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c == '"' {
            quoted = true;
            found.push('"');
        } else if !c.is_ascii_digit() {
            found.push(c);
        }
    }
    let words = found.split(' ').enumerate();
    let kept: Vec<&str> = words
        .filter(|(_, word)| !word.contains(['.', '[', '{', '/']) || word.len() > 30)
        .map(|(_, word)| word)
        .take(14)
        .collect();
    kept.join(" ")
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for [kind, field, text] in &self.missing {
            writeln!(f, "only the server: {kind} `{field}`: {text}")?;
        }
        for [kind, field, text] in &self.surplus {
            writeln!(f, "only we: {kind} `{field}`: {text}")?;
        }
        for text in &self.missing_warnings {
            writeln!(f, "only the server warns: {text}")?;
        }
        for text in &self.surplus_warnings {
            writeln!(f, "only we warn: {text}")?;
        }
        if let Some((one, other)) = &self.objects {
            writeln!(f, "the server's object: {one}\nours: {other}")?;
        }
        Ok(())
    }
}

/// Compares our tolerated errors of an update with the errors that the reference reports for a
/// create, but not for the update. Errors about metadata are ignored, because a create validates
/// metadata in another way.
pub(crate) fn tolerated(create: &Verdict, update: &Verdict, ours: &Verdict) -> Difference {
    // A message may contain the whole object, whose generation differs.
    let is_plain = |[_, field, text]: &&[String; 3]| {
        !(field.starts_with("metadata") || field == "<nil>" && text.contains("\"metadata\":"))
    };
    let without_metadata = |errors: &BTreeSet<[String; 3]>| -> BTreeSet<[String; 3]> {
        errors.iter().filter(is_plain).cloned().collect()
    };
    let rejected = without_metadata(&create.errors);
    let ours = without_metadata(&ours.ratcheted);
    // A tolerated error is missing in `dropped` if a combinator around it repeats its message in
    // the update, so the surplus is computed from all errors of the create.
    let dropped = rejected.difference(&update.errors);
    Difference {
        missing: dropped
            .filter(|error| !ours.contains(*error))
            .cloned()
            .collect(),
        surplus: ours.difference(&rejected).cloned().collect(),
        ..Difference::default()
    }
}
