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

use super::finding::{INVALID_DECLARATION, ListedFinding};
use crate::judge::inferred_unions;
use crate::judge::schema::declaration_errors;

/// A declared union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredUnion {
    pub(super) discriminator: Option<String>,
    pub(super) exactly_one: bool,
    /// True if the union has at most one set member, and the discriminator gets the value of this
    /// member.
    pub(super) is_deduced: bool,
    pub(super) members: Vec<DeclaredMember>,
    pub(super) empty_members: Vec<String>,
}

/// A member of a declared union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DeclaredMember {
    pub(super) value: String,
    pub(super) field: String,
    pub(super) optional: bool,
}

/// The declared unions, by the JSON pointers of their objects.
pub(super) type UnionsByPointer = BTreeMap<String, Vec<DeclaredUnion>>;

const UNIONS_KEYWORD: &str = "x-kubernetes-unions";

/// Returns the unions that a schema declares.
pub(super) fn declared_in_schema(schema: &Value) -> UnionsByPointer {
    compile_by_pointer(schema, extensions_in_schema("v", schema))
}

/// Returns the unions that a version of a CRD declares.
pub(super) fn declared_in_crd(crd: &Value, version: &str, schema: &Value) -> UnionsByPointer {
    let mut extensions = extensions_in_schema(version, schema);
    let annotation_value = find_annotation(crd).and_then(|annotation| annotation.value.as_str());
    extensions.extend(
        annotation_value
            .and_then(|value| parse_annotation(value, version))
            .unwrap_or_default(),
    );
    compile_by_pointer(schema, extensions)
}

/// Returns the union extensions of a schema, by their JSON pointers.
fn extensions_in_schema(version: &str, schema: &Value) -> Map<String, Value> {
    let schema = json!({"openAPIV3Schema": schema});
    let crd_version = json!({"name": version, "schema": schema});
    let annotation_value = annotation(&json!({"spec": {"versions": [crd_version]}}));
    annotation_value
        .and_then(|value| parse_annotation(&value, version))
        .unwrap_or_default()
}

/// Parses the value of an annotation, and returns the extensions of a version.
fn parse_annotation(annotation_value: &str, version: &str) -> Option<Map<String, Value>> {
    let mut versions: Map<String, Value> = serde_json::from_str(annotation_value).ok()?;
    match versions.remove(version) {
        Some(Value::Object(extensions)) => Some(extensions),
        _ => None,
    }
}

/// Compiles the extensions of each object separately, so that an invalid union does not affect
/// other objects.
fn compile_by_pointer(schema: &Value, extensions: Map<String, Value>) -> UnionsByPointer {
    let mut object_schemas: BTreeMap<String, Value> = BTreeMap::new();
    for (pointer, extension) in extensions {
        let Some(path) = SchemaPath::from_pointer(&pointer) else {
            continue;
        };
        let (object_path, property) = match (&extension, path.parent(), path.steps().next_back()) {
            (Value::Object(_), Some(object_path), Some(SchemaStep::Property(name))) => {
                (object_path, Some(name))
            }
            _ => (path.clone(), None),
        };
        let Some(object_schema) = object_path.find(schema) else {
            continue;
        };
        let entry = object_schemas.entry(object_path.to_string());
        let shallow_schema = entry.or_insert_with(|| without_nested_schemas(object_schema));
        let extended_schema = match property {
            Some(name) => shallow_schema
                .get_mut("properties")
                .and_then(|properties| properties.get_mut(name)),
            None => Some(shallow_schema),
        };
        if let Some(Value::Object(extended_schema)) = extended_schema {
            extended_schema.insert(UNIONS_KEYWORD.to_owned(), extension);
        }
    }
    let mut unions_by_pointer = UnionsByPointer::new();
    for (pointer, schema) in object_schemas {
        // `unionctl check` reports the errors in these unions.
        let Ok(unions) = Unions::compiler()
            .lenient()
            .compile(SchemaSource::Schema(&schema))
        else {
            continue;
        };
        let declared_unions: Vec<DeclaredUnion> =
            unions.iter().map(DeclaredUnion::from_spec).collect();
        if !declared_unions.is_empty() {
            unions_by_pointer.insert(pointer, declared_unions);
        }
    }
    unions_by_pointer
}

/// Returns a finding for each error in the declarations of unions of a version. `schema_pointer` is
/// the JSON pointer of the schema in the CRD.
pub(super) fn invalid_in_crd(
    crd: &Value,
    version: &str,
    schema_pointer: &str,
) -> Vec<ListedFinding> {
    let errors = declaration_errors(SchemaSource::Crd(crd, Some(version))).into_iter();
    let findings = errors.map(|error| {
        // An error in the annotation is about the whole version.
        let pointer = error.pointer().strip_prefix(schema_pointer);
        invalid_declaration(pointer.unwrap_or_default(), error.message())
    });
    findings.collect()
}

/// Returns a finding for each error in the declarations of unions of a schema.
pub(super) fn invalid_in_schema(schema: &Value) -> Vec<ListedFinding> {
    let errors = declaration_errors(SchemaSource::Schema(schema)).into_iter();
    errors
        .map(|error| invalid_declaration(error.pointer(), error.message()))
        .collect()
}

fn invalid_declaration(pointer: &str, message: &str) -> ListedFinding {
    let object_pointer = pointer.split(&format!("/{UNIONS_KEYWORD}")).next();
    let path = object_pointer.and_then(SchemaPath::from_pointer);
    ListedFinding {
        code: INVALID_DECLARATION,
        message: format!("the declaration of unions is invalid: {message}"),
        weight: Confidence::Strong,
        pointer: pointer.to_owned(),
        path: path.map_or_else(String::new, |path| path.to_field_notation()),
        remedy: "correct the declaration, or remove it; the unions that it declares are ignored"
            .to_owned(),
        ..ListedFinding::default()
    }
}

impl DeclaredUnion {
    fn from_spec(spec: UnionSpec<'_>) -> Self {
        let discriminator = spec.discriminator();
        let members: Vec<DeclaredMember> = spec
            .members()
            .map(|member| DeclaredMember {
                value: member.value().to_owned(),
                field: member.name().to_owned(),
                optional: member.is_optional(),
            })
            .collect();
        let has_member = |value: &str| members.iter().any(|member| member.value == value);
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
        let discriminator_name = discriminator.map(|discriminator| &*discriminator.name);
        let member_names = union.members.iter().map(|member| &*member.name);
        member_names.chain(discriminator_name).any(|name| {
            self.discriminator.as_deref() == Some(name)
                || self.members.iter().any(|member| member.field == *name)
        })
    }

    /// Returns true if a union of the rules is equal to this union.
    pub(super) fn is_same_union(&self, union: &Union) -> bool {
        let discriminator = union.discriminator.as_ref();
        let discriminator_name = discriminator.map(|discriminator| &discriminator.name);
        let is_discriminated = union.arity == UnionModel::Discriminated;
        // Without a discriminator, the values of the members have no effect.
        let comparable_value = |value: &str| match discriminator_name {
            Some(_) => value.to_owned(),
            None => String::new(),
        };
        let mut inferred_members: Vec<(String, &str, bool)> = union
            .members
            .iter()
            .map(|member| {
                let value = comparable_value(&member.value);
                (value, &*member.name, is_discriminated && member.optional)
            })
            .collect();
        let mut declared_members: Vec<(String, &str, bool)> = self
            .members
            .iter()
            .map(|member| {
                let value = comparable_value(&member.value);
                (value, &*member.field, is_discriminated && member.optional)
            })
            .collect();
        inferred_members.sort_unstable();
        declared_members.sort_unstable();
        // An extension cannot express "exactly one", so "exactly one" equals "at most one" here.
        self.discriminator.as_ref() == discriminator_name
            && (self.is_deduced || self.exactly_one) != is_discriminated
            && inferred_members == declared_members
    }

    /// Returns a description of the union for messages.
    pub(super) fn description(&self) -> String {
        if let Some(discriminator) = &self.discriminator {
            return format!("by `{discriminator}`");
        }
        let fields = self.members.iter().map(|member| &member.field);
        let fields: Vec<String> = fields.map(|field| format!("`{field}`")).collect();
        format!("at most one of {}", fields.join(", "))
    }
}

/// Returns a finding for each union of the rules that contradicts a declared union.
pub(super) fn contradictions<'a>(
    object: &'a crd_unions::AnalyzedObject,
    declared_unions: &'a [DeclaredUnion],
) -> impl Iterator<Item = ListedFinding> + 'a {
    object.analysis.unions.iter().filter_map(move |union| {
        let mut related_unions = declared_unions
            .iter()
            .filter(|declared| declared.shares_field_with(union));
        let first_related = related_unions.clone().next()?;
        if related_unions.any(|declared| declared.is_same_union(union)) {
            return None;
        }
        let message = format!(
            "the rules declare another union than `{UNIONS_KEYWORD}`: {} instead of {}",
            inferred_unions::union_name(union),
            first_related.description()
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
