//! Comparison of analyses with a server that validates objects: the validator of this workspace in
//! these tests, and Kubernetes' own code in `tests/reference/foreign`.

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
    let set_members: Vec<&str> = union
        .members
        .iter()
        .map(|member| &*member.name)
        .filter(|name| is_set(name))
        .collect();
    let Some(discriminator) = &union.discriminator else {
        return match union.arity {
            UnionModel::ExactlyOne => set_members.len() == 1,
            _ => set_members.len() < 2,
        };
    };
    let value = object
        .get(&discriminator.name)
        .and_then(Value::as_str)
        .or(discriminator.default.as_deref());
    let is_deduced = union.arity == UnionModel::AtMostOne;
    let Some(value) = value.filter(|value| !is_deduced || !value.is_empty()) else {
        return !discriminator.required
            && (set_members.is_empty() || is_deduced && set_members.len() == 1);
    };
    let member = union.members.iter().find(|member| member.value == value);
    match member {
        None => {
            let is_listed = discriminator
                .empty_members
                .iter()
                .any(|empty_member| empty_member == value);
            set_members.is_empty() && (is_listed || discriminator.open)
        }
        Some(member) => match &*set_members {
            [] => member.optional,
            [set_member] => *set_member == member.name,
            _ => false,
        },
    }
}

/// The results of comparing an analysis with a server.
#[derive(Default)]
pub(crate) struct ServerComparison {
    pub(crate) object_count: usize,
    pub(crate) accepted_count: usize,
    /// The number of objects that both the server and the unions reject, for schemas whose unions
    /// can replace all rules.
    pub(crate) rejected_by_unions: usize,
    /// The objects that the server accepts, but a union rejects.
    pub(crate) unsound: Vec<String>,
    /// The objects that all unions accept, but the server rejects because of a rule, for schemas
    /// whose unions can replace all rules.
    pub(crate) inexact: Vec<String>,
    /// The findings whose object the server accepts or rejects contrary to the finding.
    pub(crate) wrong_findings: Vec<String>,
}

impl ServerComparison {
    /// Returns the messages of all differences.
    pub(crate) fn differences(&self) -> impl Iterator<Item = &String> {
        self.unsound
            .iter()
            .chain(&self.inexact)
            .chain(&self.wrong_findings)
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

/// Compares an analysis with a server. Each sound union must accept the objects that the server
/// accepts. If the unions can replace all rules, they must reject the objects that the server
/// rejects for a rule.
pub(crate) fn compare_with_server(
    server: &mut impl Server,
    schema: &Value,
    pointer: &str,
    analysis: &ObjectAnalysis,
    objects: &[Value],
) -> Result<ServerComparison, Box<dyn Error>> {
    let sound_unions = analysis.unions.iter().filter(|union| union.is_sound());
    let sound_unions: Vec<&Union> = sound_unions.collect();
    let mut comparison = ServerComparison {
        object_count: objects.len(),
        ..ServerComparison::default()
    };
    let results = server.create(schema, objects)?;
    for stored in results.iter().flatten() {
        comparison.accepted_count += 1;
        for value in objects::values_at(stored, pointer) {
            let Some(fields) = value.as_object() else {
                continue;
            };
            for union in sound_unions.iter().filter(|union| !accepts(union, fields)) {
                let difference = format!("{} rejects {value}\n{schema}", json!(union));
                comparison.unsound.push(difference);
            }
        }
    }
    let is_replaceable = |rule| {
        sound_unions
            .iter()
            .any(|union| union.replaceable_rules.contains(&rule))
    };
    // The comparison requires that all rules are at the object itself.
    if !pointer.is_empty()
        || sound_unions.is_empty()
        || !(0..analysis.rules.len()).all(is_replaceable)
    {
        return Ok(comparison);
    }
    let results = objects.iter().zip(&results);
    let rejected_objects = results.filter(|(_, stored)| stored.is_none());
    let rejected_objects: Vec<Value> = rejected_objects.map(|(object, _)| object.clone()).collect();
    for stored in server.create(&without_rules(schema), &rejected_objects)? {
        // Without the rules, the server still rejects objects that violate other keywords.
        let Some(fields) = stored.as_ref().and_then(Value::as_object) else {
            continue;
        };
        if sound_unions.iter().all(|union| accepts(union, fields)) {
            let difference = format!("{} accepts {stored:?}\n{schema}", json!(analysis));
            comparison.inexact.push(difference);
        } else {
            comparison.rejected_by_unions += 1;
        }
    }
    Ok(comparison)
}

/// Compares findings with a server: the server accepts or rejects the object of each finding, as
/// the finding predicts.
pub(crate) fn compare_findings_with_server(
    server: &mut impl Server,
    schema: &Value,
    analysis: &ObjectAnalysis,
) -> Result<ServerComparison, Box<dyn Error>> {
    let findings = analysis.findings.iter();
    let (findings, objects): (Vec<_>, Vec<Value>) = findings
        .filter_map(|finding| Some((finding, finding.object.clone()?)))
        .unzip();
    let mut comparison = ServerComparison {
        object_count: objects.len(),
        ..ServerComparison::default()
    };
    if objects.is_empty() {
        return Ok(comparison);
    }
    for (finding, stored) in findings.iter().zip(server.create(schema, &objects)?) {
        comparison.accepted_count += usize::from(stored.is_some());
        if stored.is_some() != finding.accepted {
            let outcome = if stored.is_some() {
                "accepted"
            } else {
                "refused"
            };
            let difference = format!("{}: its object is {outcome}\n{schema}", json!(finding));
            comparison.wrong_findings.push(difference);
        }
    }
    Ok(comparison)
}
