//! What is to be said of a place: a finding, with where it stands and what a server says to its object.

use std::fmt::Write as _;

use crd_unions::{Code, Finding, Place, Rule, Weight};
use serde_json::{Map, Value, json};
use union_runtime::path::FieldPath;

use super::server::{Server, Verdict};
use crate::output::output;
use union_json::pointer::escape;

/// What is wrong, or may be.
#[derive(Clone, Debug)]
pub(super) struct Remark {
    pub(super) code: &'static str,
    /// For people, with the field.
    pub(super) what: String,
    pub(super) weight: Weight,
    pub(super) fields: Vec<FieldPath>,
    /// Where it stands, as a JSON pointer below the schema.
    pub(super) pointer: String,
    /// The object that it is about.
    pub(super) path: String,
    /// Accepted where nothing should be.
    pub(super) is_hole: bool,
    pub(super) object: Option<Value>,
    pub(super) server: Option<Verdict>,
    pub(super) remedy: String,
    /// As `crd_unions` writes it.
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
    /// The findings of a place of a schema.
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

    /// The object that shows it, and what is said to it.
    pub(super) fn shown(&self) -> Option<String> {
        let object = output::on_a_line(self.object.as_ref()?);
        Some(match &self.server {
            Some(Verdict::Accepted) => format!("{object} is accepted"),
            Some(Verdict::Refused(errors)) => match errors.first() {
                Some(error) => format!("{object} is refused: {error}"),
                None => format!("{object} is refused"),
            },
            None => format!("{object} shows it"),
        })
    }

    /// In the form of the case files, with the server's answer.
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

/// Whether the object that shows it is one that should be refused.
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

/// What is wrong, with the fields that it is about.
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
        Code::NoRule => format!("{fields} has no rule"),
        Code::NotForbidden if !finding.also.is_empty() => {
            let also = finding.also.iter().map(|value| output::value(value));
            let also = also.collect::<Vec<_>>().join(", ");
            format!("{fields} is required at {value}, and allowed at {also}")
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

/// Where it stands: at its rule, at its field, or at the object.
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
