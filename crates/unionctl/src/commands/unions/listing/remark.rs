//! A remark on a place: a finding, with its position and the verdict of a server on its object.

use std::fmt::Write as _;

use crd_unions::{Code, Finding, Place, Rule, Weight};
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;

use super::server::{Server, Verdict};
use crate::output::output;
use union_json::pointer::escape;

/// An error, or a possible error.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub(super) code: &'static str,
    /// The message for users, with the field.
    pub(super) what: String,
    pub(super) weight: Weight,
    pub(super) fields: Vec<FieldPath>,
    /// The JSON pointer of the position, below the schema.
    pub(super) pointer: String,
    /// The path of the object that the remark is about.
    pub(super) path: String,
    /// True if the server accepts an object that it should reject.
    pub(super) is_hole: bool,
    pub(super) object: Option<Value>,
    pub(super) server: Option<Verdict>,
    pub(super) remedy: String,
    /// The finding, as `crd_unions` writes it.
    pub(super) finding: Option<Value>,
}

impl Default for Remark {
    fn default() -> Self {
        Self {
            code: "",
            what: String::new(),
            weight: Weight::Weak,
            fields: Vec::new(),
            pointer: String::new(),
            path: String::new(),
            is_hole: false,
            object: None,
            server: None,
            remedy: String::new(),
            finding: None,
        }
    }
}

impl Remark {
    /// Returns the findings of a place of a schema.
    pub(super) fn of_place(schema: &Value, place: &Place) -> Vec<Self> {
        let findings = &place.reading.findings;
        let shows = findings.iter().any(|finding| finding.object.is_some());
        let server = shows.then(|| Server::new(schema, place)).flatten();
        let of = |finding| Self::of(place, finding, server.as_ref());
        findings.iter().map(of).collect()
    }

    fn of(place: &Place, finding: &Finding, server: Option<&Server>) -> Self {
        let verdict = finding.object.as_ref().zip(server);
        let verdict = verdict.map(|(object, server)| server.judge(object));
        Self {
            code: finding.code.name(),
            what: what(finding),
            weight: finding.weight,
            fields: finding.fields.clone(),
            pointer: pointer(place, finding),
            path: place.path.clone(),
            is_hole: is_hole(finding.code),
            object: finding.object.clone(),
            server: verdict,
            remedy: finding.remedy.clone(),
            finding: Some(json!(finding)),
        }
    }

    pub(super) const fn is_strong(&self) -> bool {
        matches!(self.weight, Weight::Strong)
    }

    /// Returns the object that shows the finding, and the verdict on it.
    pub(super) fn shown(&self) -> Option<String> {
        let object = output::on_a_line(self.object.as_ref()?);
        Some(match &self.server {
            Some(Verdict::Accepted) => format!("{object} is accepted"),
            Some(Verdict::Refused(errors)) => match errors.first() {
                Some(error) => format!("{object} is rejected: {error}"),
                None => format!("{object} is rejected"),
            },
            None => format!("for example {object}"),
        })
    }

    /// Returns the remark in the format of the case files, with the answer of the server.
    pub(super) fn to_json(&self) -> Value {
        let mut json = if let Some(Value::Object(finding)) = &self.finding {
            finding.clone()
        } else {
            let mut json = Map::new();
            json.insert("code".to_owned(), self.code.into());
            json.insert("weight".to_owned(), self.weight.name().into());
            json.insert("fields".to_owned(), json!(self.fields));
            json.insert("remedy".to_owned(), self.remedy.clone().into());
            json
        };
        json.insert("what".to_owned(), self.what.clone().into());
        if let Some(server) = &self.server {
            json.insert("server".to_owned(), server.to_json());
        }
        json.insert("pointer".to_owned(), self.pointer.clone().into());
        Value::Object(json)
    }
}

/// Returns true if the server should reject the object of the finding.
const fn is_hole(code: Code) -> bool {
    matches!(
        code,
        Code::NotForbidden
            | Code::NoRule
            | Code::FreeWhenAbsent
            | Code::FreeWithUnknownValue
            | Code::FreeWithNextValue
            | Code::NullCountsAsSet
    )
}

/// Returns the message of a finding, with its fields.
fn what(finding: &Finding) -> String {
    let fields = finding.fields.iter().map(|field| format!("`{field}`"));
    let fields: Vec<String> = fields.collect();
    let fields = fields.join(", ");
    let value = finding
        .value
        .as_deref()
        .map(output::value)
        .unwrap_or_default();
    match finding.code {
        Code::NoRule => format!("no rule forbids {fields}"),
        Code::NotForbidden if !finding.also.is_empty() => {
            let also = finding.also.iter().map(|value| output::value(value));
            let also = also.collect::<Vec<_>>().join(", ");
            format!("{fields} is required at {value}, but also allowed at {also}")
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
            format!("{subject}{colon}{}", finding.code.what())
        }
    }
}

/// Returns the pointer of a finding: its rule, its field, or the object.
fn pointer(place: &Place, finding: &Finding) -> String {
    if let Some(rule) = finding.rule.and_then(|rule| place.reading.rules.get(rule)) {
        return pointer_of(rule, finding.code);
    }
    let Some(field) = finding.fields.first() else {
        return place.pointer.clone();
    };
    let names = field.steps().filter_map(|step| {
        let name = escape(step.name()?);
        Some(format!("/properties/{name}"))
    });
    place.pointer.clone() + &names.collect::<String>()
}

fn pointer_of(rule: &Rule, code: Code) -> String {
    let mut pointer = format!("{}/{}", rule.pointer, rule.keyword);
    if let Some(index) = rule.index {
        let _ = write!(pointer, "/{index}");
        let of_message = matches!(
            code,
            Code::MessageNamesAnotherField
                | Code::MessageSaysAtMostOne
                | Code::MessageSaysExactlyOne
        );
        if rule.keyword == "x-kubernetes-validations" {
            pointer += if of_message { "/message" } else { "/rule" };
        }
    }
    pointer
}
