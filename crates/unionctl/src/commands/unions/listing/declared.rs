//! Unions that a schema declares in this project's form: by its extension, or by the annotation of
//! its CRD. Declared unions take precedence over the unions of the rules.

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

/// A declared union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredUnion {
    pub(super) discriminator: Option<String>,
    pub(super) exactly_one: bool,
    pub(super) is_deduced: bool,
    /// The value and the field of each member; the last entry is true if the field is optional.
    pub(super) members: Vec<(String, String, bool)>,
    pub(super) empty_members: Vec<String>,
}

/// The declared unions, by the JSON pointers of their objects.
pub(super) type UnionsByPointer = BTreeMap<String, Vec<DeclaredUnion>>;

const UNIONS: &str = "x-kubernetes-unions";

/// Returns the unions that a schema declares.
pub(super) fn declared_in_schema(schema: &Value) -> UnionsByPointer {
    compile_by_pointer(schema, extensions_in_schema("v", schema))
}

/// Returns the unions that a version of a CRD declares.
pub(super) fn declared_in_crd(crd: &Value, version: &str, schema: &Value) -> UnionsByPointer {
    let mut extensions = extensions_in_schema(version, schema);
    let annotation = find_annotation(crd).and_then(|annotation| annotation.value.as_str());
    extensions.extend(
        annotation
            .and_then(|annotation| parse_annotation(annotation, version))
            .unwrap_or_default(),
    );
    compile_by_pointer(schema, extensions)
}

fn extensions_in_schema(version: &str, schema: &Value) -> Map<String, Value> {
    let schema = json!({"openAPIV3Schema": schema});
    let version_of = json!({"name": version, "schema": schema});
    let annotation = annotation(&json!({"spec": {"versions": [version_of]}}));
    annotation
        .and_then(|annotation| parse_annotation(&annotation, version))
        .unwrap_or_default()
}

/// Parses the value of an annotation, and returns the extensions of a version.
fn parse_annotation(annotation: &str, version: &str) -> Option<Map<String, Value>> {
    let mut versions: Map<String, Value> = serde_json::from_str(annotation).ok()?;
    match versions.remove(version) {
        Some(Value::Object(extensions)) => Some(extensions),
        _ => None,
    }
}

/// Compiles the extensions of each object separately, so that an invalid union does not affect
/// other objects.
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
        let Some(object_schema) = object.find(schema) else {
            continue;
        };
        let entry = objects.entry(object.to_string());
        let shallow = entry.or_insert_with(|| without_nested_schemas(object_schema));
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
    let mut by_pointer = UnionsByPointer::new();
    for (pointer, schema) in objects {
        // `unionctl check` reports the errors in these unions.
        let Ok(unions) = Unions::compiler()
            .lenient()
            .compile(SchemaSource::Schema(&schema))
        else {
            continue;
        };
        let declared: Vec<DeclaredUnion> = unions.iter().map(DeclaredUnion::of).collect();
        if !declared.is_empty() {
            by_pointer.insert(pointer, declared);
        }
    }
    by_pointer
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

    /// Returns true if this union and a union of the rules have a field in common.
    pub(super) fn shares_field_with(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let discriminator = discriminator.map(|discriminator| &*discriminator.name);
        let members = union.members.iter().map(|member| &*member.name);
        members.chain(discriminator).any(|name| {
            self.discriminator.as_deref() == Some(name)
                || self.members.iter().any(|(_, field, _)| field == name)
        })
    }

    /// Returns true if a union of the rules is equal to this union.
    pub(super) fn is_same_union(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let discriminator = discriminator.map(|discriminator| &discriminator.name);
        let is_selected = union.arity == UnionModel::Discriminated;
        let mut inferred: Vec<(&str, &str, bool)> = union
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
        let mut declared: Vec<(&str, &str, bool)> = self
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
        inferred.sort_unstable();
        declared.sort_unstable();
        // An extension cannot express "exactly one", so "exactly one" equals "at most one" here.
        let follows_members = union.arity != UnionModel::Discriminated;
        self.discriminator.as_ref() == discriminator
            && (self.is_deduced || self.exactly_one) == follows_members
            && inferred == declared
    }

    /// Returns a description of the union for messages.
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

/// Returns a finding for each union of the rules that contradicts a declared union.
pub(super) fn contradictions<'a>(
    object: &'a crd_unions::AnalyzedObject,
    declared: &'a [DeclaredUnion],
) -> impl Iterator<Item = ListedFinding> + 'a {
    object.analysis.unions.iter().filter_map(move |union| {
        let mut related = declared
            .iter()
            .filter(|declared| declared.shares_field_with(union));
        let first = related.clone().next()?;
        if related.any(|declared| declared.is_same_union(union)) {
            return None;
        }
        let message = format!(
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
            message,
            weight: Confidence::Strong,
            fields: fields.collect(),
            pointer: object.pointer.clone(),
            path: object.path.clone(),
            remedy: "make the declaration and the rules agree; the declaration takes precedence"
                .to_owned(),
            ..ListedFinding::default()
        })
    })
}
