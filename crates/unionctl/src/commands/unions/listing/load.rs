//! Reads files, and analyzes their schemas.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use union_json::document::{Crd, SchemaPath};

use crd_unions::ObjectAnalysis;

use super::declared::{self, DeclaredUnion};
use super::finding::ListedFinding;
use super::json;
use super::model::{ListedKind, ListedObject, ListedVersion, Listing};
use crate::error::CommandError;
use crate::input::{Documents, InputReader, crd, openapi};
use crate::judge::schema::{SchemaArgs, SchemaFlag, require_schema};

/// A schema before its analysis.
struct NamedSchema<'v> {
    name: String,
    pointer: String,
    value: &'v Value,
    declared: declared::UnionsByPointer,
}

impl Listing {
    /// Reads and analyzes a file. Rules of lists are analyzed only if `with_lists` is true.
    pub(super) fn read_file(
        inputs: &mut InputReader,
        args: &SchemaArgs,
        with_lists: bool,
    ) -> Result<Self, CommandError> {
        let schema_flag = args.schema_flag()?;
        let (flag, path) = match schema_flag {
            SchemaFlag::Schema(path) => ("--schema", path),
            SchemaFlag::Crd(path) => ("--crd", path),
        };
        let (documents, text) = inputs.read_documents_and_bytes(flag, path)?;
        let mut notes = documents.notes.clone();
        let kinds = match schema_flag {
            SchemaFlag::Schema(_) => {
                vec![kind_from_schema(
                    &documents,
                    args.name(),
                    with_lists,
                    &mut notes,
                )?]
            }
            SchemaFlag::Crd(_) => {
                kinds_from_crds(&documents, args.name(), args.version(), with_lists)?
            }
        };
        Ok(Self {
            file: documents.file,
            notes,
            kinds,
            text,
        })
    }

    /// Analyzes the CRDs of a source, without the rules of lists.
    pub(super) fn from_source(documents: Documents, text: &str) -> Result<Self, CommandError> {
        let kinds = kinds_from_crds(&documents, None, None, false)?;
        Ok(Self {
            file: documents.file,
            notes: documents.notes,
            kinds,
            text: text.as_bytes().to_vec(),
        })
    }
}

fn kind_from_schema(
    documents: &Documents,
    name: Option<&str>,
    with_lists: bool,
    notes: &mut Vec<String>,
) -> Result<ListedKind, CommandError> {
    let document = documents.select_object("a schema", |_| false)?;
    let problem = |message| CommandError::new(documents.file.as_str(), message);
    let (pointer, schema) = if let Some(name) = name {
        openapi::find_schema(document, name).map_err(problem)?
    } else {
        require_schema(document).map_err(problem)?;
        (String::new(), document)
    };
    if has_reference(schema) {
        notes.push(format!(
            "{}: `$ref` is not followed, so unions behind it are not listed; pass a schema without `$ref`, or select the referenced schema with --name",
            documents.file
        ));
    }
    let schema = NamedSchema {
        name: String::new(),
        pointer,
        value: schema,
        declared: declared::declared_in_schema(schema),
    };
    Ok(ListedKind {
        name: name.unwrap_or(&documents.file).to_owned(),
        group: None,
        document: 0,
        versions: versions(vec![schema], with_lists),
    })
}

/// Returns true if a schema has a reference. The value of `$ref` is a string in a reference, and an
/// object if `$ref` is the name of a property.
fn has_reference(schema: &Value) -> bool {
    let mut pending = vec![schema];
    while let Some(value) = pending.pop() {
        match value {
            Value::Object(object) => {
                if object.get("$ref").is_some_and(Value::is_string) {
                    return true;
                }
                pending.extend(object.values());
            }
            Value::Array(list) => pending.extend(list),
            _ => {}
        }
    }
    false
}

fn kinds_from_crds(
    documents: &Documents,
    wanted_name: Option<&str>,
    wanted_version: Option<&str>,
    with_lists: bool,
) -> Result<Vec<ListedKind>, CommandError> {
    let file = documents.file.as_str();
    let mut kinds = Vec::new();
    for located in documents
        .located_objects()
        .filter(|located| crd::is_crd(located.object))
    {
        let crd = Crd::new(located.object);
        if wanted_name.is_some_and(|name| !crd::is_called(crd, name)) {
            continue;
        }
        let requested_versions = crd
            .versions()
            .filter(|version| wanted_version.is_none() || version.name() == wanted_version);
        let schemas = requested_versions.filter_map(|version| {
            let (name, schema) = (version.name()?, version.schema()?);
            Some(NamedSchema {
                name: name.to_owned(),
                pointer: located.pointer() + &version.schema_pointer(),
                value: schema,
                declared: declared::declared_in_crd(crd.json(), name, schema),
            })
        });
        let versions = versions(schemas.collect(), with_lists);
        if versions.is_empty() {
            continue;
        }
        kinds.push(ListedKind {
            name: crd.kind().unwrap_or_default().to_owned(),
            group: Some(crd.group().unwrap_or_default().to_owned()),
            document: located.document,
            versions,
        });
    }
    if !kinds.is_empty() {
        return Ok(kinds);
    }
    let message = match (wanted_name, wanted_version) {
        (_, Some(version)) => format!("no CustomResourceDefinition has version {version:?}; remove --version"),
        (Some(name), None) => format!("found no CustomResourceDefinition {name:?} with a schema; remove --name"),
        (None, None) => "found no CustomResourceDefinition with a schema; pass a schema without a CRD to --schema".to_owned(),
    };
    Err(CommandError::new(file, message))
}

/// Analyzes schemas. Versions with equal results become one entry.
fn versions(schemas: Vec<NamedSchema<'_>>, with_lists: bool) -> Vec<ListedVersion> {
    let mut analyzed: Vec<(&Value, Vec<crd_unions::AnalyzedObject>, ListedVersion)> = Vec::new();
    for schema in schemas {
        // The versions of a CRD often have equal schemas, which are analyzed once.
        let same = analyzed.iter().find(|(other, ..)| *other == schema.value);
        let (objects, lists) = if let Some((_, objects, version)) = same {
            (objects.clone(), version.lists.clone())
        } else {
            let lists = with_lists.then(|| crd_unions::analyze_lists(schema.value));
            let objects = crd_unions::analyze_schema(schema.value);
            (objects, lists.unwrap_or_default())
        };
        let version = ListedVersion {
            objects: listed_objects(schema.value, &objects, &schema.declared),
            names: vec![schema.name],
            pointer: schema.pointer,
            lists,
            differing_paths: Vec::new(),
        };
        let same = analyzed.iter_mut().find(|(_, other, listed)| {
            *other == objects
                && listed.lists == version.lists
                && has_same_declarations(&listed.objects, &version.objects)
        });
        match same {
            Some((.., same)) => same.names.extend(version.names),
            None => analyzed.push((schema.value, objects, version)),
        }
    }
    let mut versions: Vec<ListedVersion> =
        analyzed.into_iter().map(|(.., version)| version).collect();
    if let Some((first, others)) = versions.split_first_mut() {
        for other in others {
            other.differing_paths = differing_paths(first, other);
        }
    }
    versions
}

/// Returns true if two versions with equal rules have equal declared unions.
fn has_same_declarations(first: &[ListedObject], other: &[ListedObject]) -> bool {
    let declared = |objects: &[ListedObject]| -> Vec<(String, Vec<DeclaredUnion>)> {
        let objects = objects.iter().filter(|object| !object.declared.is_empty());
        let objects = objects.map(|object| (object.pointer.clone(), object.declared.clone()));
        objects.collect()
    };
    declared(first) == declared(other)
}

/// Returns the paths at which two versions differ.
fn differing_paths(first: &ListedVersion, other: &ListedVersion) -> Vec<String> {
    let by_path = |version: &ListedVersion| -> BTreeMap<String, Vec<Value>> {
        let mut contents: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for object in &version.objects {
            let reading = json::object_unions_json(object);
            contents
                .entry(object.path.clone())
                .or_default()
                .push(reading);
        }
        for rule in &version.lists {
            let list_rule = json!(rule);
            contents
                .entry(rule.path.clone())
                .or_default()
                .push(list_rule);
        }
        contents
    };
    let paths = |version: &ListedVersion| -> Vec<String> {
        let objects = version.objects.iter().map(|object| &object.path);
        let lists = version.lists.iter().map(|rule| &rule.path);
        objects.chain(lists).cloned().collect()
    };
    let (first_contents, other_contents) = (by_path(first), by_path(other));
    let mut differing_paths = Vec::new();
    for path in paths(first).into_iter().chain(paths(other)) {
        if first_contents.get(&path) != other_contents.get(&path)
            && !differing_paths.contains(&path)
        {
            differing_paths.push(path);
        }
    }
    differing_paths
}

/// Returns the analyzed objects with their declared unions and findings.
fn listed_objects(
    schema: &Value,
    analyzed: &[crd_unions::AnalyzedObject],
    declared: &declared::UnionsByPointer,
) -> Vec<ListedObject> {
    let mut objects = Vec::new();
    let mut remaining = declared.clone();
    for object in analyzed {
        let declared = remaining.remove(&object.pointer).unwrap_or_default();
        let mut findings = ListedFinding::from_analyzed_object(schema, object);
        findings.extend(declared::contradictions(object, &declared));
        objects.push(ListedObject {
            pointer: object.pointer.clone(),
            path: object.path.clone(),
            reading: object.analysis.clone(),
            declared,
            findings,
        });
    }
    // These objects have declared unions and no rules.
    for (pointer, declared) in remaining {
        objects.push(ListedObject {
            path: SchemaPath::from_pointer(&pointer)
                .map_or_else(|| pointer.clone(), |path| path.to_field_notation()),
            pointer,
            reading: ObjectAnalysis::default(),
            declared,
            findings: Vec::new(),
        });
    }
    objects
}
