//! Unions that the rules of a schema declare, to judge objects of a schema that does not declare
//! unions in our form.

use std::collections::BTreeSet;

use crd_unions::{AnalyzedObject, FindingCode, Union};
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::path::{FieldPath, PathStep};

use crate::judge::unions_reply::Change;
use union_json::pointer::unescape;

/// The unions, with notes on them.
#[derive(Debug)]
pub(crate) struct InferredUnions {
    pub(crate) unions: Unions,
    /// Notes on the origin of the unions, and on unions that are not used.
    pub(crate) notes: Vec<String>,
    preserved: Vec<PreservedField>,
}

/// A field that a rule keeps unchanged.
#[derive(Debug)]
struct PreservedField {
    /// The JSON pointer of the schema of the object that has the field.
    pointer: String,
    field: FieldPath,
    rule: String,
}

impl InferredUnions {
    /// Returns the unions; `None` if the rules do not declare unions to judge by. `compile`
    /// compiles the schema that has the places.
    pub(crate) fn compile(
        file: &str,
        places: &[AnalyzedObject],
        source: SchemaSource<'_>,
    ) -> Result<Option<Self>, SchemaError> {
        let unions = places.iter().flat_map(|place| {
            let unions = place.analysis.unions.iter();
            unions.map(move |union| (place, union))
        });
        let (used, unused): (Vec<_>, Vec<_>) = unions.partition(|(_, union)| union.is_trusted());
        if used.is_empty() {
            return Ok(None);
        }
        let compiler = crd_unions::add_unions_to(Unions::compiler(), places).lenient();
        let unions = compiler.compile(source)?;
        let where_from = used
            .iter()
            .map(|(place, union)| union_location(place, union));
        let where_from: Vec<String> = where_from.collect();
        let mut notes = vec![format!(
            "{file}: no unions are declared; using unions that are inferred from the rules: {}",
            where_from.join("; ")
        )];
        for (place, union) in unused.iter().filter(|(_, union)| !union.is_sound()) {
            notes.push(format!(
                "{file}: not used: {}: the rules treat an empty value as unset",
                union_location(place, union)
            ));
        }
        let problems = unions.errors().iter();
        notes.extend(problems.map(|problem| format!("{file}: not used: {problem}")));
        Ok(Some(Self {
            unions,
            notes,
            preserved: places.iter().flat_map(kept).collect(),
        }))
    }

    /// Returns notes on normalized fields that a server will reject, because a rule keeps the field
    /// unchanged.
    pub(crate) fn rejection_notes(&self, changes: &[Change]) -> Vec<String> {
        let mut notes = BTreeSet::new();
        for change in changes {
            let steps: Vec<PathStep<'_>> = change.path.steps().collect();
            let is_it = |kept: &&PreservedField| {
                let field: Vec<PathStep<'_>> = kept.field.steps().collect();
                let object = steps.strip_suffix(&*field);
                object.is_some_and(|steps| matches_pointer(steps, &kept.pointer))
            };
            for kept in self.preserved.iter().filter(is_it) {
                notes.insert(format!(
                    "{}: normalization {} this field, but an API server would reject that: a rule keeps the old value: {}",
                    change.path, change.kind, kept.rule
                ));
            }
        }
        notes.into_iter().collect()
    }
}

/// Returns the name of a place and of its union, for messages.
fn union_location(place: &AnalyzedObject, union: &Union) -> String {
    format!("{} ({})", display_path(&place.path), union_name(union))
}

/// Returns the name of the object at a path, for messages.
pub(crate) fn display_path(path: &str) -> &str {
    match path {
        "" => "the object",
        path => path,
    }
}

/// Returns the name of a union for messages: its discriminator, or its members.
pub(crate) fn union_name(union: &Union) -> String {
    if let Some(discriminator) = &union.discriminator {
        return format!("by `{}`", discriminator.name);
    }
    let members = union
        .members
        .iter()
        .map(|member| format!("`{}`", member.name));
    let members: Vec<String> = members.collect();
    format!("{} of {}", union.arity_name(), members.join(", "))
}

fn kept(place: &AnalyzedObject) -> impl Iterator<Item = PreservedField> {
    let findings = place.analysis.findings.iter();
    let findings = findings.filter(|finding| finding.code == FindingCode::SwitchRefused);
    findings.flat_map(|finding| {
        finding.fields.iter().map(|field| PreservedField {
            pointer: place.pointer.clone(),
            field: field.clone(),
            rule: finding.rule_source.clone().unwrap_or_default(),
        })
    })
}

/// Returns true if the steps lead to a value that the schema at a pointer describes.
fn matches_pointer(steps: &[PathStep<'_>], pointer: &str) -> bool {
    let mut tokens = pointer.split('/').skip(1);
    let mut fits = |step: &PathStep<'_>| match (step, tokens.next()) {
        (PathStep::Index(_), Some("items"))
        | (PathStep::Field(_) | PathStep::Key(_), Some("additionalProperties")) => true,
        (PathStep::Field(name) | PathStep::Key(name), Some("properties")) => {
            tokens.next().is_some_and(|token| unescape(token) == *name)
        }
        _ => false,
    };
    steps.iter().all(&mut fits) && tokens.next().is_none()
}
