//! Readings compared with a server that validates objects: the evaluator of this workspace in these
//! tests, Kubernetes' own code in `tests/reference/foreign`.

pub(crate) mod forms;
pub(crate) mod lists;
pub(crate) mod objects;
pub(crate) mod rules;

use std::error::Error;

use crd_unions::{ObjectAnalysis, Union, UnionModel};
use serde_json::{Map, Value, json};

/// A server that accepts or rejects objects of a schema.
pub(crate) trait Server {
    /// Returns, for each object, the stored object with its defaults, or `None` if the object is
    /// rejected.
    fn create(
        &mut self,
        schema: &Value,
        objects: &[Value],
    ) -> Result<Vec<Option<Value>>, Box<dyn Error>>;
}

/// Returns true if a union accepts an object.
pub(crate) fn accepts(union: &Union, object: &Map<String, Value>) -> bool {
    let is_set = |name: &str| object.get(name).is_some_and(|value| !value.is_null());
    let set: Vec<&str> = union
        .members
        .iter()
        .map(|member| &*member.name)
        .filter(|name| is_set(name))
        .collect();
    let Some(discriminator) = &union.discriminator else {
        return match union.arity {
            UnionModel::ExactlyOne => set.len() == 1,
            _ => set.len() < 2,
        };
    };
    let value = object
        .get(&discriminator.name)
        .and_then(Value::as_str)
        .or(discriminator.default.as_deref());
    let follows = union.arity == UnionModel::AtMostOne;
    let Some(value) = value.filter(|value| !follows || !value.is_empty()) else {
        return !discriminator.required && (set.is_empty() || follows && set.len() == 1);
    };
    let member = union.members.iter().find(|member| member.value == value);
    match member {
        None => {
            let is_listed = discriminator
                .empty_members
                .iter()
                .any(|other| other == value);
            set.is_empty() && (is_listed || discriminator.open)
        }
        Some(member) => match &*set {
            [] => member.optional,
            [only] => *only == member.name,
            _ => false,
        },
    }
}

/// The results of comparing a reading with a server.
#[derive(Default)]
pub(crate) struct Judged {
    pub(crate) objects: usize,
    pub(crate) accepted: usize,
    /// The number of objects that the server rejects, and that unions reject too, because they can
    /// replace all rules.
    pub(crate) refused_by_unions: usize,
    /// The objects that the server accepts, but a union rejects.
    pub(crate) unsound: Vec<String>,
    /// The objects that all unions accept, but the server rejects for its rules, although the
    /// unions can replace all rules.
    pub(crate) inexact: Vec<String>,
    /// The objects of findings that the server accepts or rejects, contrary to the finding.
    pub(crate) mistaken: Vec<String>,
}

impl Judged {
    pub(crate) fn wrong(&self) -> impl Iterator<Item = &String> {
        self.unsound
            .iter()
            .chain(&self.inexact)
            .chain(&self.mistaken)
    }
}

/// Returns a schema without the rules that its unions may replace.
fn without_rules(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Some(object) = schema.as_object_mut() {
        for keyword in [
            "x-kubernetes-validations",
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "minProperties",
            "maxProperties",
        ] {
            object.remove(keyword);
        }
    }
    schema
}

/// Compares a reading with a server. Each sound union must accept the objects that the server
/// accepts. If the unions can replace all rules, they must reject the objects that the server
/// rejects for a rule.
pub(crate) fn judge(
    server: &mut impl Server,
    schema: &Value,
    pointer: &str,
    reading: &ObjectAnalysis,
    objects: &[Value],
) -> Result<Judged, Box<dyn Error>> {
    let sound = reading.unions.iter().filter(|union| union.is_sound());
    let sound: Vec<&Union> = sound.collect();
    let mut judged = Judged {
        objects: objects.len(),
        ..Judged::default()
    };
    let answers = server.create(schema, objects)?;
    for stored in answers.iter().flatten() {
        judged.accepted += 1;
        for place in objects::at(stored, pointer) {
            let Some(fields) = place.as_object() else {
                continue;
            };
            for union in sound.iter().filter(|union| !accepts(union, fields)) {
                let refused = format!("{} refuses {place}\n{schema}", json!(union));
                judged.unsound.push(refused);
            }
        }
    }
    let is_stood_for = |rule| {
        sound
            .iter()
            .any(|union| union.replaceable_rules.contains(&rule))
    };
    // The comparison requires that all rules are at the object itself.
    if !pointer.is_empty() || sound.is_empty() || !(0..reading.rules.len()).all(is_stood_for) {
        return Ok(judged);
    }
    let answers = objects.iter().zip(&answers);
    let refused = answers.filter(|(_, stored)| stored.is_none());
    let refused: Vec<Value> = refused.map(|(object, _)| object.clone()).collect();
    for stored in server.create(&without_rules(schema), &refused)? {
        // An object that is rejected without the rules too is rejected for another reason.
        let Some(fields) = stored.as_ref().and_then(Value::as_object) else {
            continue;
        };
        if sound.iter().all(|union| accepts(union, fields)) {
            let accepted = format!("{} accepts {stored:?}\n{schema}", json!(reading));
            judged.inexact.push(accepted);
        } else {
            judged.refused_by_unions += 1;
        }
    }
    Ok(judged)
}

/// Compares findings with a server: the server accepts or rejects the object of each finding, as
/// the finding predicts.
pub(crate) fn judge_findings(
    server: &mut impl Server,
    schema: &Value,
    reading: &ObjectAnalysis,
) -> Result<Judged, Box<dyn Error>> {
    let findings = reading.findings.iter();
    let (findings, objects): (Vec<_>, Vec<Value>) = findings
        .filter_map(|finding| Some((finding, finding.object.clone()?)))
        .unzip();
    let mut judged = Judged {
        objects: objects.len(),
        ..Judged::default()
    };
    if objects.is_empty() {
        return Ok(judged);
    }
    for (finding, stored) in findings.iter().zip(server.create(schema, &objects)?) {
        judged.accepted += usize::from(stored.is_some());
        if stored.is_some() != finding.accepted {
            let says = if stored.is_some() {
                "accepted"
            } else {
                "refused"
            };
            let mistaken = format!("{}: its object is {says}\n{schema}", json!(finding));
            judged.mistaken.push(mistaken);
        }
    }
    Ok(judged)
}
