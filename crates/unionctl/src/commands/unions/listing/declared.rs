//! Unions that a schema declares in our form, by its extension or by the annotation of its CRD.
//! They take precedence over its rules.

use std::collections::BTreeMap;

use crd_unions::{Confidence, Union, UnionModel};
use serde_json::{Map, Value, json};
use union_compat::without_nested_schemas;
use union_json::document::{SchemaPath, SchemaStep};
use union_json::{SchemaSource, Unions, annotation, find_annotation};
use union_runtime::UnionSpec;
use union_runtime::path::FieldPath;

use super::finding::ListedFinding;
use crate::judge::inferred_unions;

/// A union that is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredUnion {
    pub(super) discriminator: Option<String>,
    pub(super) exactly_one: bool,
    pub(super) is_deduced: bool,
    /// The members: value, field, and true if the field is optional.
    pub(super) members: Vec<(String, String, bool)>,
    pub(super) empty_members: Vec<String>,
}

/// The declared unions by the JSON pointers of their objects.
pub(super) type UnionsByPointer = BTreeMap<String, Vec<DeclaredUnion>>;

const UNIONS: &str = "x-kubernetes-unions";

/// Returns the unions that a schema declares.
pub(super) fn declared_in_schema(schema: &Value) -> UnionsByPointer {
    compile_by_pointer(schema, extensions_in_schema("v", schema))
}

/// Returns the unions that a version of a CRD declares.
pub(super) fn declared_in_crd(crd: &Value, version: &str, schema: &Value) -> UnionsByPointer {
    let mut extensions = extensions_in_schema(version, schema);
    let text = find_annotation(crd).and_then(|found| found.value.as_str());
    extensions.extend(
        text.and_then(|text| parse_annotation(text, version))
            .unwrap_or_default(),
    );
    compile_by_pointer(schema, extensions)
}

fn extensions_in_schema(version: &str, schema: &Value) -> Map<String, Value> {
    let schema = json!({"openAPIV3Schema": schema});
    let version_of = json!({"name": version, "schema": schema});
    let text = annotation(&json!({"spec": {"versions": [version_of]}}));
    text.and_then(|text| parse_annotation(&text, version))
        .unwrap_or_default()
}

/// Returns the extensions of a version in the value of an annotation.
fn parse_annotation(text: &str, version: &str) -> Option<Map<String, Value>> {
    let mut versions: Map<String, Value> = serde_json::from_str(text).ok()?;
    match versions.remove(version) {
        Some(Value::Object(extensions)) => Some(extensions),
        _ => None,
    }
}

/// Compiles the extensions, one object at a time.
fn compile_by_pointer(schema: &Value, extensions: Map<String, Value>) -> UnionsByPointer {
    let mut objects: BTreeMap<String, Value> = BTreeMap::new();
    for (pointer, extension) in extensions {
        let Some(path) = SchemaPath::from_pointer(&pointer) else {
            continue;
        };
        let (object, property) = match (&extension, path.parent(), path.steps().next_back()) {
            (Value::Object(_), Some(object), Some(SchemaStep::Property(name))) => {
                (object, Some(name))
            }
            _ => (path.clone(), None),
        };
        let Some(found) = object.find(schema) else {
            continue;
        };
        let entry = objects.entry(object.to_string());
        let shallow = entry.or_insert_with(|| without_nested_schemas(found));
        let target = match property {
            Some(name) => shallow
                .get_mut("properties")
                .and_then(|properties| properties.get_mut(name)),
            None => Some(shallow),
        };
        if let Some(Value::Object(target)) = target {
            target.insert(UNIONS.to_owned(), extension);
        }
    }
    let mut found = UnionsByPointer::new();
    for (pointer, schema) in objects {
        // `unionctl check` reports the errors in it.
        let Ok(unions) = Unions::compiler()
            .lenient()
            .compile(SchemaSource::Schema(&schema))
        else {
            continue;
        };
        let declared: Vec<DeclaredUnion> = unions.iter().map(DeclaredUnion::of).collect();
        if !declared.is_empty() {
            found.insert(pointer, declared);
        }
    }
    found
}

impl DeclaredUnion {
    fn of(spec: UnionSpec<'_>) -> Self {
        let discriminator = spec.discriminator();
        let members: Vec<(String, String, bool)> = spec
            .members()
            .map(|member| {
                let (value, name) = (member.value().to_owned(), member.name().to_owned());
                (value, name, member.is_optional())
            })
            .collect();
        let has_member = |value: &str| members.iter().any(|(of, ..)| of == value);
        let values = discriminator
            .into_iter()
            .flat_map(|discriminator| discriminator.values().iter());
        let empty_members = values.filter(|value| !has_member(value)).map(str::to_owned);
        Self {
            discriminator: discriminator.map(|discriminator| discriminator.name().to_owned()),
            exactly_one: spec.model() == UnionModel::ExactlyOne,
            is_deduced: spec.model() == UnionModel::AtMostOne,
            empty_members: empty_members.collect(),
            members,
        }
    }

    /// Returns true if this union and another one have a field in common.
    pub(super) fn shares_field_with(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let discriminator = discriminator.map(|discriminator| &*discriminator.name);
        let members = union.members.iter().map(|member| &*member.name);
        members.chain(discriminator).any(|name| {
            self.discriminator.as_deref() == Some(name)
                || self.members.iter().any(|(_, field, _)| field == name)
        })
    }

    /// Returns true if the rules declare the same union.
    pub(super) fn is_same_union(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let discriminator = discriminator.map(|discriminator| &discriminator.name);
        let is_selected = union.arity == UnionModel::Discriminated;
        let mut theirs: Vec<(&str, &str, bool)> = union
            .members
            .iter()
            .map(|member| {
                let value = if discriminator.is_some() {
                    &*member.value
                } else {
                    ""
                };
                (value, &*member.name, is_selected && member.optional)
            })
            .collect();
        let mut ours: Vec<(&str, &str, bool)> = self
            .members
            .iter()
            .map(|(value, field, optional)| {
                let value = if discriminator.is_some() {
                    &**value
                } else {
                    ""
                };
                (value, &**field, is_selected && *optional)
            })
            .collect();
        theirs.sort_unstable();
        ours.sort_unstable();
        // No extension can express "exactly one".
        let follows = union.arity != UnionModel::Discriminated;
        self.discriminator.as_ref() == discriminator
            && (self.is_deduced || self.exactly_one) == follows
            && theirs == ours
    }

    /// Returns the name of the union for messages.
    pub(super) fn name(&self) -> String {
        if let Some(discriminator) = &self.discriminator {
            return format!("by `{discriminator}`");
        }
        let members = self
            .members
            .iter()
            .map(|(_, field, _)| format!("`{field}`"));
        let members: Vec<String> = members.collect();
        format!("at most one of {}", members.join(", "))
    }
}

/// Returns remarks on unions of the rules that contradict the declared unions.
pub(super) fn contradictions<'a>(
    place: &'a crd_unions::AnalyzedObject,
    declared: &'a [DeclaredUnion],
) -> impl Iterator<Item = ListedFinding> + 'a {
    place.analysis.unions.iter().filter_map(move |union| {
        let mut about = declared
            .iter()
            .filter(|declared| declared.shares_field_with(union));
        let first = about.clone().next()?;
        if about.any(|declared| declared.is_same_union(union)) {
            return None;
        }
        let what = format!(
            "the rules declare another union than `{UNIONS}`: {} instead of {}",
            inferred_unions::union_name(union),
            first.name()
        );
        let fields = union
            .members
            .iter()
            .map(|member| FieldPath::from([&*member.name]));
        Some(ListedFinding {
            code: "contradicts-declaration",
            message: what,
            weight: Confidence::Strong,
            fields: fields.collect(),
            pointer: place.pointer.clone(),
            path: place.path.clone(),
            remedy: "make the declaration and the rules agree; the declaration takes precedence"
                .to_owned(),
            ..ListedFinding::default()
        })
    })
}
