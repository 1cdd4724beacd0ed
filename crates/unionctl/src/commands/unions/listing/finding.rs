//! Findings, with their pointers into the schema and the verdicts of a server on their examples.

use std::fmt::Write as _;

use crd_unions::{AnalyzedObject, Confidence, Finding, FindingCode, Rule};
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;

use super::example_check::{ExampleServer, ServerVerdict};
use crate::output::print;
use union_json::pointer::escape;

/// The code of a finding about a declaration that is not valid.
pub(super) const INVALID_DECLARATION: &str = "invalid-declaration";

/// A mistake, or a possible mistake, in the rules of an object.
#[derive(Clone, Debug)]
pub(super) struct ListedFinding {
    pub(super) code: &'static str,
    /// The message for users, which names the fields.
    pub(super) message: String,
    pub(super) weight: Confidence,
    pub(super) fields: Vec<FieldPath>,
    /// The JSON pointer of the finding's position in the schema.
    pub(super) pointer: String,
    /// The path of the object that the finding is about.
    pub(super) path: String,
    /// True if the rules accept an object that they should reject.
    pub(super) is_hole: bool,
    pub(super) example: Option<Value>,
    /// Three objects, if two updates demonstrate the finding.
    pub(super) updates: Vec<Value>,
    /// The attributes of `#[derive(Union)]` that have the effect of the remedy.
    pub(super) derive: Option<String>,
    /// The verdict of a server on the example or the updates.
    pub(super) verdict: Option<ServerVerdict>,
    pub(super) remedy: String,
    /// The finding as `crd_unions` serializes it.
    pub(super) finding: Option<Value>,
}

impl Default for ListedFinding {
    fn default() -> Self {
        Self {
            code: "",
            message: String::new(),
            weight: Confidence::Weak,
            fields: Vec::new(),
            pointer: String::new(),
            path: String::new(),
            is_hole: false,
            example: None,
            updates: Vec::new(),
            derive: None,
            verdict: None,
            remedy: String::new(),
            finding: None,
        }
    }
}

impl ListedFinding {
    /// Returns the findings in the rules of an object.
    pub(super) fn from_analyzed_object(schema: &Value, object: &AnalyzedObject) -> Vec<Self> {
        let findings = &object.analysis.findings;
        let has_example = findings
            .iter()
            .any(|finding| finding.object.is_some() || !finding.updates.is_empty());
        let server = has_example
            .then(|| ExampleServer::new(schema, object))
            .flatten();
        findings
            .iter()
            .map(|finding| Self::new(object, finding, server.as_ref()))
            .collect()
    }

    fn new(object: &AnalyzedObject, finding: &Finding, server: Option<&ExampleServer>) -> Self {
        let verdict = server.and_then(|server| match &finding.object {
            Some(example) => Some(server.check_example(example)),
            None if finding.updates.is_empty() => None,
            None => Some(server.check_updates(&finding.updates)),
        });
        Self {
            code: finding.code.as_str(),
            message: finding_message(finding),
            weight: finding.confidence,
            fields: finding.fields.clone(),
            pointer: finding_pointer(object, finding),
            path: object.path.clone(),
            is_hole: is_hole(finding.code),
            example: finding.object.clone(),
            updates: finding.updates.clone(),
            derive: finding.derive.clone(),
            verdict,
            remedy: finding.remedy.clone(),
            finding: Some(json!(finding)),
        }
    }

    pub(super) fn is_invalid_declaration(&self) -> bool {
        self.code == INVALID_DECLARATION
    }

    pub(super) const fn is_strong(&self) -> bool {
        matches!(self.weight, Confidence::Strong)
    }

    /// Returns the example of the finding, with the verdict of a server.
    pub(super) fn example_line(&self) -> Option<String> {
        let (example, accepted) = match &self.example {
            Some(example) => (print::one_line_json(example), "is accepted"),
            None if self.updates.is_empty() => return None,
            None => {
                let objects = self.updates.iter().map(print::one_line_json);
                let objects: Vec<String> = objects.collect();
                (objects.join(", then "), "are accepted")
            }
        };
        Some(match &self.verdict {
            Some(ServerVerdict::Accepted) => format!("{example} {accepted}"),
            Some(ServerVerdict::Rejected(errors)) => match errors.first() {
                Some(error) => format!("{example} is rejected: {error}"),
                None => format!("{example} is rejected"),
            },
            None => format!("for example {example}"),
        })
    }

    /// Returns the finding as JSON, with the verdict of a server on its example.
    pub(super) fn to_json(&self) -> Value {
        let mut json = if let Some(Value::Object(finding)) = &self.finding {
            finding.clone()
        } else {
            let mut json = Map::new();
            json.insert("code".to_owned(), self.code.into());
            json.insert("weight".to_owned(), self.weight.as_str().into());
            json.insert("fields".to_owned(), json!(self.fields));
            json.insert("remedy".to_owned(), self.remedy.clone().into());
            json
        };
        json.insert("what".to_owned(), self.message.clone().into());
        if let Some(verdict) = &self.verdict {
            json.insert("server".to_owned(), verdict.to_json());
        }
        json.insert("pointer".to_owned(), self.pointer.clone().into());
        Value::Object(json)
    }
}

/// Returns true if the rules accept an object that they should reject.
const fn is_hole(code: FindingCode) -> bool {
    matches!(
        code,
        FindingCode::NotForbidden
            | FindingCode::NoRule
            | FindingCode::FreeWhenAbsent
            | FindingCode::FreeWithUnknownValue
            | FindingCode::FreeWithNextValue
            | FindingCode::NullCountsAsSet
            | FindingCode::NestedNotExclusive
            | FindingCode::DescribedNotEnforced
            | FindingCode::ImmutabilityEvaded
    )
}

/// Returns the message of a finding, which names its fields.
fn finding_message(finding: &Finding) -> String {
    let fields = finding.fields.iter().map(|field| format!("`{field}`"));
    let fields: Vec<String> = fields.collect();
    let fields = fields.join(", ");
    let value = finding
        .value
        .as_deref()
        .map(print::display_value)
        .unwrap_or_default();
    match finding.code {
        FindingCode::NoRule => format!("no rule forbids {fields}"),
        FindingCode::DescribedNotEnforced => {
            let words = finding.words.as_deref().unwrap_or_default();
            format!("{fields}: the description states \"{words}\", but no rule enforces it")
        }
        FindingCode::ImmutabilityEvaded => evasion_message(finding),
        FindingCode::NotForbidden if !finding.other_states.is_empty() => {
            let other_values = finding
                .other_states
                .iter()
                .map(|value| print::display_value(value));
            let other_values = other_values.collect::<Vec<_>>().join(", ");
            format!("{fields} is required at {value}, but also allowed at {other_values}")
        }
        _ => {
            let value = match value {
                "" => String::new(),
                value => format!(" at {value}"),
            };
            let subject = if fields.is_empty() {
                value.trim_start().to_owned()
            } else {
                format!("{fields}{value}")
            };
            let colon = if subject.is_empty() { "" } else { ": " };
            format!("{subject}{colon}{}", finding.code.description())
        }
    }
}

/// Returns the message of a finding about immutability: the first field is removed, and the other
/// fields are the values that the rule keeps unchanged.
fn evasion_message(finding: &Finding) -> String {
    let mut fields = finding.fields.iter().map(|field| format!("`{field}`"));
    let removed = fields.next().unwrap_or_default();
    let kept: Vec<String> = fields.collect();
    let keeps_entries = finding.updates.get(1).is_some_and(|between| {
        let field = finding.fields.first();
        field.is_some_and(|field| field.find(between).is_some())
    });
    let removal = if keeps_entries {
        format!("entries of {removed} can be removed and added anew")
    } else {
        format!("{removed} can be removed and set anew")
    };
    if kept.is_empty() {
        format!("{removal}, although a rule keeps the value unchanged")
    } else {
        format!(
            "{removal}, although a rule keeps {} unchanged",
            kept.join(", ")
        )
    }
}

/// Returns the JSON pointer of a finding: the pointer of its rule, or else of its first field, or
/// else of the object.
fn finding_pointer(object: &AnalyzedObject, finding: &Finding) -> String {
    if let Some(rule) = finding
        .rule
        .and_then(|index| object.analysis.rules.get(index))
    {
        return rule_pointer(rule, finding.code);
    }
    let Some(field) = finding.fields.first() else {
        return object.pointer.clone();
    };
    let nested_object = field
        .parent()
        .filter(|_| finding.code == FindingCode::NestedNotExclusive);
    let field = nested_object.as_ref().unwrap_or(field);
    let properties = field.steps().filter_map(|step| {
        let name = escape(step.name()?);
        Some(format!("/properties/{name}"))
    });
    object.pointer.clone() + &properties.collect::<String>()
}

fn rule_pointer(rule: &Rule, code: FindingCode) -> String {
    let mut pointer = format!("{}/{}", rule.pointer, rule.keyword);
    if let Some(index) = rule.index {
        let _ = write!(pointer, "/{index}");
        let is_about_message = matches!(
            code,
            FindingCode::MessageNamesAnotherField
                | FindingCode::MessageSaysAtMostOne
                | FindingCode::MessageSaysExactlyOne
        );
        if rule.keyword == "x-kubernetes-validations" {
            pointer += if is_about_message {
                "/message"
            } else {
                "/rule"
            };
        }
    }
    pointer
}
