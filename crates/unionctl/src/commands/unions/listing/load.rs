//! Reads files into a listing.

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

/// A schema before it is read, with its names.
struct NamedSchema<'v> {
    name: String,
    pointer: String,
    value: &'v Value,
    declared: declared::UnionsByPointer,
}

impl Listing {
    /// Reads a file, with the rules of lists if `with_lists` is true.
    pub(super) fn read_file(
        inputs: &mut InputReader,
        args: &SchemaArgs,
        with_lists: bool,
    ) -> Result<Self, CommandError> {
        let given = args.schema_flag()?;
        let (flag, path) = match given {
            SchemaFlag::Schema(path) => ("--schema", path),
            SchemaFlag::Crd(path) => ("--crd", path),
        };
        let (documents, text) = inputs.read_documents_and_bytes(flag, path)?;
        let mut notes = documents.notes.clone();
        let kinds = match given {
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

    /// Reads the CRDs of a source, without the rules of lists.
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
    let problem = |text| CommandError::new(documents.file.as_str(), text);
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

/// Returns true if a schema refers to another one by `$ref`. A property of that name has an object
/// as its value.
fn has_reference(schema: &Value) -> bool {
    let mut waiting = vec![schema];
    while let Some(value) = waiting.pop() {
        match value {
            Value::Object(object) => {
                if object.get("$ref").is_some_and(Value::is_string) {
                    return true;
                }
                waiting.extend(object.values());
            }
            Value::Array(list) => waiting.extend(list),
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
    for placed in documents
        .located_objects()
        .filter(|placed| crd::is_crd(placed.object))
    {
        let crd = Crd::new(placed.object);
        if wanted_name.is_some_and(|name| !crd::is_called(crd, name)) {
            continue;
        }
        let wanted = crd
            .versions()
            .filter(|version| wanted_version.is_none() || version.name() == wanted_version);
        let schemas = wanted.filter_map(|version| {
            let (name, schema) = (version.name()?, version.schema()?);
            Some(NamedSchema {
                name: name.to_owned(),
                pointer: placed.pointer() + &version.schema_pointer(),
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
            document: placed.document,
            versions,
        });
    }
    if !kinds.is_empty() {
        return Ok(kinds);
    }
    let text = match (wanted_name, wanted_version) {
        (_, Some(version)) => format!("no CustomResourceDefinition has version {version:?}; remove --version"),
        (Some(name), None) => format!("found no CustomResourceDefinition {name:?} with a schema; remove --name"),
        (None, None) => "found no CustomResourceDefinition with a schema; pass a schema without a CRD to --schema".to_owned(),
    };
    Err(CommandError::new(file, text))
}

/// Reads schemas; versions with equal rules are one entry.
fn versions(schemas: Vec<NamedSchema<'_>>, with_lists: bool) -> Vec<ListedVersion> {
    let mut read: Vec<(&Value, Vec<crd_unions::AnalyzedObject>, ListedVersion)> = Vec::new();
    for schema in schemas {
        // The versions of a CRD often have equal schemas.
        let same = read.iter().find(|(other, ..)| *other == schema.value);
        let (places, lists) = if let Some((_, places, version)) = same {
            (places.clone(), version.lists.clone())
        } else {
            let lists = with_lists.then(|| crd_unions::analyze_lists(schema.value));
            let places = crd_unions::analyze_schema(schema.value);
            (places, lists.unwrap_or_default())
        };
        let version = ListedVersion {
            objects: listed(schema.value, &places, &schema.declared),
            names: vec![schema.name],
            pointer: schema.pointer,
            lists,
            differing_paths: Vec::new(),
        };
        let same = read.iter_mut().find(|(_, other, listed)| {
            *other == places
                && listed.lists == version.lists
                && has_same_declarations(&listed.objects, &version.objects)
        });
        match same {
            Some((.., same)) => same.names.extend(version.names),
            None => read.push((schema.value, places, version)),
        }
    }
    let mut versions: Vec<ListedVersion> = read.into_iter().map(|(.., version)| version).collect();
    if let Some((first, others)) = versions.split_first_mut() {
        for other in others {
            other.differing_paths = differing(first, other);
        }
    }
    versions
}

/// Returns true if places with equal rules have equal declared unions.
fn has_same_declarations(one: &[ListedObject], other: &[ListedObject]) -> bool {
    let declared = |places: &[ListedObject]| -> Vec<(String, Vec<DeclaredUnion>)> {
        let places = places.iter().filter(|place| !place.declared.is_empty());
        let places = places.map(|place| (place.pointer.clone(), place.declared.clone()));
        places.collect()
    };
    declared(one) == declared(other)
}

/// Returns the paths at which two versions differ.
fn differing(first: &ListedVersion, other: &ListedVersion) -> Vec<String> {
    let by_path = |version: &ListedVersion| -> BTreeMap<String, Vec<Value>> {
        let mut said: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for place in &version.objects {
            let reading = json::object_unions_json(place);
            said.entry(place.path.clone()).or_default().push(reading);
        }
        for rule in &version.lists {
            let rule_of = json!(rule);
            said.entry(rule.path.clone()).or_default().push(rule_of);
        }
        said
    };
    let paths = |version: &ListedVersion| -> Vec<String> {
        let places = version.objects.iter().map(|place| &place.path);
        let lists = version.lists.iter().map(|rule| &rule.path);
        places.chain(lists).cloned().collect()
    };
    let (of_first, of_other) = (by_path(first), by_path(other));
    let mut differing = Vec::new();
    for path in paths(first).into_iter().chain(paths(other)) {
        if of_first.get(&path) != of_other.get(&path) && !differing.contains(&path) {
            differing.push(path);
        }
    }
    differing
}

/// Returns the places with their declared unions and remarks.
fn listed(
    schema: &Value,
    read: &[crd_unions::AnalyzedObject],
    declared: &declared::UnionsByPointer,
) -> Vec<ListedObject> {
    let mut places = Vec::new();
    let mut left = declared.clone();
    for place in read {
        let declared = left.remove(&place.pointer).unwrap_or_default();
        let mut remarks = ListedFinding::from_analyzed_object(schema, place);
        remarks.extend(declared::contradictions(place, &declared));
        places.push(ListedObject {
            pointer: place.pointer.clone(),
            path: place.path.clone(),
            reading: place.analysis.clone(),
            declared,
            findings: remarks,
        });
    }
    // These places have declared unions and no rules.
    for (pointer, declared) in left {
        places.push(ListedObject {
            path: SchemaPath::from_pointer(&pointer)
                .map_or_else(|| pointer.clone(), |path| path.to_field_notation()),
            pointer,
            reading: ObjectAnalysis::default(),
            declared,
            findings: Vec::new(),
        });
    }
    places
}
