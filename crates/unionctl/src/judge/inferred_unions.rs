//! Unions that are inferred from the rules of a schema. Objects are validated by these unions if
//! the schema does not declare unions in the form of this project.

use std::collections::BTreeSet;

use crd_unions::{AnalyzedObject, FindingCode, Union};
use union_json::{SchemaError, SchemaSource, Unions};
use union_runtime::path::{FieldPath, PathStep};

use crate::judge::reply::unions_reply::Change;
use union_json::pointer::unescape;

/// The inferred unions, with notes for the user.
#[derive(Debug)]
pub(crate) struct InferredUnions {
    pub(crate) unions: Unions,
    /// Notes on the objects of the unions, and on unions that are not used.
    pub(crate) notes: Vec<String>,
    preserved_fields: Vec<PreservedField>,
}

/// A field whose value must not change, because a rule compares it with the old value.
#[derive(Debug)]
struct PreservedField {
    /// The JSON pointer of the schema of the object that has the field.
    pointer: String,
    field: FieldPath,
    rule: String,
}

impl InferredUnions {
    /// Compiles the trusted unions of analyzed objects; `None` if no union is trusted. `source` is
    /// the schema of the objects.
    pub(crate) fn compile(
        file: &str,
        objects: &[AnalyzedObject],
        source: SchemaSource<'_>,
    ) -> Result<Option<Self>, SchemaError> {
        let unions = objects.iter().flat_map(|object| {
            let unions = object.analysis.unions.iter();
            unions.map(move |union| (object, union))
        });
        let (trusted, untrusted): (Vec<_>, Vec<_>) =
            unions.partition(|(_, union)| union.is_trusted());
        if trusted.is_empty() {
            return Ok(None);
        }
        let compiler = crd_unions::add_unions_to(Unions::compiler(), objects).lenient();
        let unions = compiler.compile(source)?;
        let locations = trusted
            .iter()
            .map(|(object, union)| union_location(object, union));
        let locations: Vec<String> = locations.collect();
        let mut notes = vec![format!(
            "{file}: no unions are declared; using unions that are inferred from the rules: {}",
            locations.join("; ")
        )];
        for (object, union) in untrusted.iter().filter(|(_, union)| !union.is_sound()) {
            notes.push(format!(
                "{file}: not used: {}: the rules treat an empty value as unset",
                union_location(object, union)
            ));
        }
        let errors = unions.errors().iter();
        notes.extend(errors.map(|error| format!("{file}: not used: {error}")));
        Ok(Some(Self {
            unions,
            notes,
            preserved_fields: objects.iter().flat_map(preserved_fields).collect(),
        }))
    }

    /// Returns notes on normalized fields for which a server rejects the object, because a rule
    /// does not allow the field to change.
    pub(crate) fn rejection_notes(&self, changes: &[Change]) -> Vec<String> {
        let mut notes = BTreeSet::new();
        for change in changes {
            let changed_steps: Vec<PathStep<'_>> = change.path.steps().collect();
            let is_preserved = |preserved_field: &&PreservedField| {
                let field_steps: Vec<PathStep<'_>> = preserved_field.field.steps().collect();
                let object_steps = changed_steps.strip_suffix(&*field_steps);
                object_steps.is_some_and(|steps| matches_pointer(steps, &preserved_field.pointer))
            };
            for preserved_field in self.preserved_fields.iter().filter(is_preserved) {
                notes.insert(format!(
                    "{}: normalization {} this field, but an API server would reject that: a rule keeps the old value: {}",
                    change.path, change.kind, preserved_field.rule
                ));
            }
        }
        notes.into_iter().collect()
    }
}

/// Returns the path of an object with the name of its union, for messages.
fn union_location(object: &AnalyzedObject, union: &Union) -> String {
    format!("{} ({})", display_path(&object.path), union_name(union))
}

/// Returns a path for messages. The root is `the object`.
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

/// Returns the fields of an object whose values must not change.
fn preserved_fields(object: &AnalyzedObject) -> impl Iterator<Item = PreservedField> {
    let findings = object.analysis.findings.iter();
    let findings = findings.filter(|finding| finding.code == FindingCode::SwitchRefused);
    findings.flat_map(|finding| {
        finding.fields.iter().map(|field| PreservedField {
            pointer: object.pointer.clone(),
            field: field.clone(),
            rule: finding.rule_source.clone().unwrap_or_default(),
        })
    })
}

/// Returns true if the path of a value matches the JSON pointer of its schema.
pub(crate) fn matches_pointer(steps: &[PathStep<'_>], pointer: &str) -> bool {
    let mut tokens = pointer.split('/').skip(1);
    let mut matches_step = |step: &PathStep<'_>| match (step, tokens.next()) {
        (PathStep::Index(_), Some("items"))
        | (PathStep::Field(_) | PathStep::Key(_), Some("additionalProperties")) => true,
        (PathStep::Field(name) | PathStep::Key(name), Some("properties")) => {
            tokens.next().is_some_and(|token| unescape(token) == *name)
        }
        _ => false,
    };
    steps.iter().all(&mut matches_step) && tokens.next().is_none()
}
