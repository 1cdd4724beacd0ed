//! Verdicts of both sides, and how they differ.

use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use k8s_crd_validation::{ServerSettings, Status, StructuralSchema};
use serde_json::{Value, json};
use union_runtime::Violation;

use crate::case::{Case, Judge, Op};
use crate::same::same;

/// What is said about a request or a schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Type, field and text.
    pub(crate) errors: BTreeSet<[String; 3]>,
    pub(crate) warnings: BTreeSet<String>,
    /// The object after pruning, nulls and defaults; not there if it could not be read, or nothing is said about it.
    pub(crate) object: Option<Value>,
    /// The errors that were tolerated. The reference does not tell.
    pub(crate) ratcheted: BTreeSet<[String; 3]>,
}

/// The type of what the reference says where it breaks down.
pub(crate) const PANIC: &str = "Panic";

impl Verdict {
    /// Reads an answer of the reference.
    pub(crate) fn read(answer: &Value) -> Self {
        let list = |name: &str| answer[name].as_array().cloned().unwrap_or_default();
        let panic = answer["panic"].as_str();
        let panic = panic.map(|text| [PANIC.to_owned(), String::new(), text.to_owned()]);
        Self {
            errors: counted(list("errors").iter().map(triple).chain(panic)),
            warnings: list("warnings").iter().map(text).collect(),
            object: answer.get("object").cloned(),
            ratcheted: BTreeSet::new(),
        }
    }

    /// Whether the reference broke down.
    pub(crate) fn is_panic(&self) -> bool {
        self.errors.iter().any(|[kind, ..]| kind == PANIC)
    }

    /// Whether the object could not even be read.
    pub(crate) fn is_unreadable(&self) -> bool {
        self.errors.iter().any(|[kind, ..]| kind == "BadRequest")
    }

    /// Whether costs ended the evaluation of rules.
    pub(crate) fn is_stopped(&self) -> bool {
        self.errors.iter().any(is_stop)
    }

    /// Whether each part of this is said in some of these answers, and what it leaves out is left out in some. Which rule cost too
    /// much is of no account.
    pub(crate) fn is_made_of(&self, answers: &[Self]) -> bool {
        let is_said = |error: &[String; 3]| answers.iter().any(|of| of.errors.contains(error));
        let is_warned = |text: &String| answers.iter().any(|of| of.warnings.contains(text));
        let mut errors = self.errors.iter().filter(|error| !is_stop(error));
        let says_no_more = errors.all(is_said) && self.warnings.iter().all(is_warned);
        // What the first one has, and we have not, another one has not.
        let says_no_less = answers.first().is_some_and(|first| {
            let errors = first.errors.difference(&self.errors);
            let mut errors = errors.filter(|error| !is_stop(error));
            let mut warnings = first.warnings.difference(&self.warnings);
            errors.all(|error| answers.iter().any(|of| !of.errors.contains(error)))
                && warnings.all(|text| answers.iter().any(|of| !of.warnings.contains(text)))
        });
        answers.iter().all(Self::is_stopped) && says_no_more && says_no_less
    }

    fn of_panic() -> Self {
        let panicked = ["panic".into(), String::new(), "panicked".into()];
        Self {
            errors: BTreeSet::from([panicked]),
            ..Self::default()
        }
    }
}

/// Whether an error says that no further rules are evaluated, as all of them cost too much.
fn is_stop([_, _, text]: &[String; 3]) -> bool {
    text.contains("no further validation rules will be run")
}

fn triple(error: &Value) -> [String; 3] {
    ["type", "field", "text"].map(|part| text(&error[part]))
}

fn triples(violations: &[Violation]) -> BTreeSet<[String; 3]> {
    counted(violations.iter().map(|each| triple(&json!(each))))
}

/// As a set in which the second one of the same is another than the first: how often something is said counts.
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

/// Our schema, or what we say is wrong with it.
pub(crate) fn compile(judge: &Judge) -> Result<StructuralSchema, Verdict> {
    let compiled = catch_unwind(|| match judge {
        Judge::Schema {
            schema,
            status: false,
        } => StructuralSchema::compile(schema),
        Judge::Schema {
            schema,
            status: true,
        } => StructuralSchema::compiler()
            .status(Status::Subresource)
            .schema(schema),
        Judge::Crd { crd, version } => StructuralSchema::compiler().crd(crd, Some(version)),
        Judge::Stored { crd, version } => StructuralSchema::compiler()
            .stored()
            .crd(crd, Some(version)),
    });
    match compiled {
        Ok(Ok(schema)) => Ok(schema),
        Ok(Err(report)) => Err(Verdict {
            errors: triples(report.errors()),
            ..Verdict::default()
        }),
        Err(_) => Err(Verdict::of_panic()),
    }
}

/// Our verdict.
pub(crate) fn ours(schema: &StructuralSchema, case: &Case) -> Verdict {
    let settings = ServerSettings::default();
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

/// An object without the generation, which a server counts after it has read it.
fn uncounted(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.remove("generation");
    }
    object
}

/// How two verdicts differ.
#[derive(Clone, Debug, Default)]
pub(crate) struct Difference {
    /// What the reference alone says.
    pub(crate) missing: BTreeSet<[String; 3]>,
    /// What we alone say.
    pub(crate) surplus: BTreeSet<[String; 3]>,
    pub(crate) missing_warnings: BTreeSet<String>,
    pub(crate) surplus_warnings: BTreeSet<String>,
    /// The reference's object and ours.
    pub(crate) objects: Option<(Value, Value)>,
}

impl Difference {
    /// None if they agree.
    pub(crate) fn between(reference: &Verdict, ours: &Verdict) -> Option<Self> {
        let minus = |one: &BTreeSet<[String; 3]>, other: &BTreeSet<[String; 3]>| {
            one.difference(other).cloned().collect()
        };
        let warnings = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.difference(other).cloned().collect()
        };
        let objects = match (&reference.object, &ours.object) {
            (Some(one), Some(other)) => {
                let (one, other) = (uncounted(one), uncounted(other));
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

    /// What kinds of differences there are, without what is peculiar to the case.
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

/// A text without quoted parts, numbers and paths.
fn common(text: &str) -> String {
    let mut found = String::new();
    let mut quoted = false;
    let mut escaped = false;
    for sign in text.chars() {
        if quoted {
            quoted = escaped || sign != '"';
            escaped = sign == '\\' && !escaped;
        } else if sign == '"' {
            quoted = true;
            found.push('"');
        } else if !sign.is_ascii_digit() {
            found.push(sign);
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

/// How the tolerated errors of an update differ from what the reference says of a create and not of the update: those it
/// tolerated. Metadata has other rules in a create.
pub(crate) fn tolerated(create: &Verdict, update: &Verdict, ours: &Verdict) -> Difference {
    // The whole object is printed with its generation, which differs.
    let is_plain = |[_, field, text]: &&[String; 3]| {
        !(field.starts_with("metadata") || field == "<nil>" && text.contains("\"metadata\":"))
    };
    let without_metadata = |errors: &BTreeSet<[String; 3]>| -> BTreeSet<[String; 3]> {
        errors.iter().filter(is_plain).cloned().collect()
    };
    let refused = without_metadata(&create.errors);
    let ours = without_metadata(&ours.ratcheted);
    // One that is tolerated may stand in the answer all the same: from a combinator around it.
    let dropped = refused.difference(&update.errors);
    Difference {
        missing: dropped
            .filter(|error| !ours.contains(*error))
            .cloned()
            .collect(),
        surplus: ours.difference(&refused).cloned().collect(),
        ..Difference::default()
    }
}
