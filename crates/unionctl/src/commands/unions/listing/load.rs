//! Reads the schemas of a file, and analyzes them.

use std::collections::BTreeMap;

use crd_unions::{AnalyzedObject, ObjectAnalysis};
use serde_json::{Value, json};
use union_json::document::{Crd, SchemaPath};
use union_json::{SchemaSource, Unions};

use super::declared::{self, DeclaredUnion};
use super::finding::ListedFinding;
use super::json;
use super::model::{ListedKind, ListedObject, ListedVersion, Listing};
use crate::cluster::Cluster;
use crate::error::CommandError;
use crate::input::{Documents, InputReader, crd, object, openapi};
use crate::judge::schema::{SchemaArgs, SchemaFlag, require_schema};

/// A schema before its analysis.
struct NamedSchema<'v> {
    name: String,
    pointer: String,
    schema: &'v Value,
    declared_unions: declared::UnionsByPointer,
    /// The errors in the declarations of unions.
    invalid_declarations: Vec<ListedFinding>,
}

impl Listing {
    /// Reads and analyzes a file. Rules of lists are analyzed only if `analyzes_lists` is true.
    pub(super) fn read_file(
        inputs: &mut InputReader,
        args: &SchemaArgs,
        analyzes_lists: bool,
    ) -> Result<Self, CommandError> {
        let schema_flag = args.schema_flag()?;
        let (flag, path) = match schema_flag {
            SchemaFlag::Schema(path) => ("--schema", path),
            SchemaFlag::Crd(path) => ("--crd", path),
        };
        let (documents, source) = inputs.read_documents_and_bytes(flag, path)?;
        let mut notes = documents.notes.clone();
        let kinds = match schema_flag {
            SchemaFlag::Schema(_) => {
                vec![kind_from_schema(
                    &documents,
                    args.name(),
                    analyzes_lists,
                    &mut notes,
                )?]
            }
            SchemaFlag::Crd(_) => {
                crd::require_distinct_in(&documents)?;
                let (name, version) = (args.name(), args.version());
                let kinds = kinds_from_crds(&documents, name, version, analyzes_lists, &mut notes);
                require_kinds(&documents.file, kinds, name, version)?
            }
        };
        Ok(Self {
            file: documents.file,
            notes,
            kinds,
            source,
        })
    }

    /// Reads and analyzes the CRDs of a cluster, or the CRD of `--name`.
    pub(super) fn read_cluster(
        cluster: &mut Cluster,
        args: &SchemaArgs,
        analyzes_lists: bool,
    ) -> Result<Self, CommandError> {
        let is_wanted = |crd: &Value| {
            let is_named = |name| crd::has_name(Crd::new(crd), name);
            args.name().is_none_or(is_named)
        };
        let documents = cluster.crds(is_wanted)?;
        let (name, version) = (args.name(), args.version());
        let mut notes = documents.notes.clone();
        let mut kinds = kinds_from_crds(&documents, name, version, analyzes_lists, &mut notes);
        // No CRD may be readable.
        if !documents.values.is_empty() || cluster.unread_count() == 0 {
            kinds = require_kinds(&documents.file, kinds, name, version)?;
        }
        Ok(Self {
            file: documents.file,
            notes,
            kinds,
            source: Vec::new(),
        })
    }

    /// Analyzes the CRDs of a file with this content. The listing may be empty.
    pub(super) fn of_crds(documents: Documents, source: Vec<u8>, analyzes_lists: bool) -> Self {
        let mut notes = Vec::new();
        let kinds = kinds_from_crds(&documents, None, None, analyzes_lists, &mut notes);
        if !kinds.is_empty() {
            notes.extend(documents.notes);
        }
        Self {
            file: documents.file,
            notes,
            kinds,
            source,
        }
    }

    /// Analyzes the CRDs of a source, without the rules of lists.
    pub(super) fn from_source(documents: Documents, source: &str) -> Result<Self, CommandError> {
        let mut listing = Self::of_crds(documents, source.as_bytes().to_vec(), false);
        listing.kinds = require_kinds(&listing.file, listing.kinds, None, None)?;
        Ok(listing)
    }
}

fn kind_from_schema(
    documents: &Documents,
    name: Option<&str>,
    analyzes_lists: bool,
    notes: &mut Vec<String>,
) -> Result<ListedKind, CommandError> {
    let document = documents.select_object("a schema", |_| false)?;
    let command_error = |message| CommandError::new(documents.file.as_str(), message);
    let (pointer, schema) = if let Some(name) = name {
        openapi::find_schema(document, name).map_err(command_error)?
    } else {
        require_schema(document).map_err(command_error)?;
        // A document that is not a schema has an error, for example a list.
        let unions = Unions::compiler().lenient();
        let unions = unions.compile(SchemaSource::Schema(document));
        unions.map_err(|error| command_error(error.message().to_owned()))?;
        (String::new(), document)
    };
    if has_reference(schema) {
        notes.push(format!(
            "{}: `$ref` is not followed, so unions behind it are not listed; pass a schema without `$ref`, or select the referenced schema with --name",
            documents.file
        ));
    }
    let named_schema = NamedSchema {
        name: String::new(),
        pointer,
        schema,
        declared_unions: declared::declared_in_schema(schema),
        invalid_declarations: declared::invalid_in_schema(schema),
    };
    Ok(ListedKind {
        name: name.unwrap_or(&documents.file).to_owned(),
        group: None,
        document: 0,
        versions: analyze_versions(vec![named_schema], analyzes_lists),
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
    analyzes_lists: bool,
    notes: &mut Vec<String>,
) -> Vec<ListedKind> {
    let mut kinds = Vec::new();
    for object_in_file in documents
        .objects_in_file()
        .filter(|object_in_file| crd::is_crd(object_in_file.object))
    {
        let crd = Crd::new(object_in_file.object);
        if wanted_name.is_some_and(|name| !crd::has_name(crd, name)) {
            continue;
        }
        let requested_versions = crd
            .versions()
            .filter(|version| wanted_version.is_none() || version.name() == wanted_version);
        let schemas = requested_versions.filter_map(|version| {
            let (name, schema) = (version.name()?, version.schema()?);
            let schema_pointer = version.schema_pointer();
            Some(NamedSchema {
                name: name.to_owned(),
                invalid_declarations: declared::invalid_in_crd(crd.json(), name, &schema_pointer),
                pointer: object_in_file.pointer() + &schema_pointer,
                schema,
                declared_unions: declared::declared_in_crd(crd.json(), name, schema),
            })
        });
        let versions = analyze_versions(schemas.collect(), analyzes_lists);
        if versions.is_empty() {
            if wanted_version.is_none() {
                let title = object::display_name(crd.json());
                notes.push(format!(
                    "{}: {title} is not listed, because none of its versions has a schema (spec.versions[*].schema.openAPIV3Schema)",
                    documents.file
                ));
            }
            continue;
        }
        kinds.push(ListedKind {
            name: crd.kind().unwrap_or_default().to_owned(),
            group: Some(crd.group().unwrap_or_default().to_owned()),
            document: object_in_file.document,
            versions,
        });
    }
    kinds
}

/// Returns the kinds, or an error if there are none.
fn require_kinds(
    file: &str,
    kinds: Vec<ListedKind>,
    wanted_name: Option<&str>,
    wanted_version: Option<&str>,
) -> Result<Vec<ListedKind>, CommandError> {
    if !kinds.is_empty() {
        return Ok(kinds);
    }
    let message = match (wanted_name, wanted_version) {
        (_, Some(version)) => format!("no CustomResourceDefinition has version {version:?}; remove --version"),
        (Some(name), None) => format!("found no CustomResourceDefinition {name:?} with a schema; remove --name"),
        (None, None) => "found no CustomResourceDefinition with a schema (spec.versions[*].schema.openAPIV3Schema); convert a CRD of apiextensions.k8s.io/v1beta1, or pass a schema without a CRD to --schema".to_owned(),
    };
    Err(CommandError::new(file, message))
}

/// Analyzes the schemas of versions. Versions with equal results become one entry.
fn analyze_versions(schemas: Vec<NamedSchema<'_>>, analyzes_lists: bool) -> Vec<ListedVersion> {
    struct AnalyzedVersion<'v> {
        schema: &'v Value,
        objects: Vec<AnalyzedObject>,
        listed_version: ListedVersion,
    }

    let mut analyzed_versions: Vec<AnalyzedVersion<'_>> = Vec::new();
    for named_schema in schemas {
        let schema = named_schema.schema;
        // The versions of a CRD often have equal schemas, which are analyzed once.
        let same_schema = analyzed_versions
            .iter()
            .find(|analyzed| analyzed.schema == schema);
        let (objects, lists) = if let Some(analyzed) = same_schema {
            (
                analyzed.objects.clone(),
                analyzed.listed_version.lists.clone(),
            )
        } else {
            let lists = analyzes_lists.then(|| crd_unions::analyze_lists(schema));
            let objects = crd_unions::analyze_schema(schema);
            (objects, lists.unwrap_or_default())
        };
        let listed_version = ListedVersion {
            objects: listed_objects(
                schema,
                &objects,
                &named_schema.declared_unions,
                named_schema.invalid_declarations,
            ),
            names: vec![named_schema.name],
            pointer: named_schema.pointer,
            lists,
            differing_paths: Vec::new(),
        };
        let same_analysis = analyzed_versions.iter_mut().find(|analyzed| {
            analyzed.objects == objects
                && analyzed.listed_version.lists == listed_version.lists
                && has_same_declarations(&analyzed.listed_version.objects, &listed_version.objects)
        });
        match same_analysis {
            Some(analyzed) => analyzed.listed_version.names.extend(listed_version.names),
            None => analyzed_versions.push(AnalyzedVersion {
                schema,
                objects,
                listed_version,
            }),
        }
    }
    let mut versions: Vec<ListedVersion> = analyzed_versions
        .into_iter()
        .map(|analyzed| analyzed.listed_version)
        .collect();
    if let Some((first_version, later_versions)) = versions.split_first_mut() {
        for later_version in later_versions {
            later_version.differing_paths = differing_paths(first_version, later_version);
        }
    }
    versions
}

/// Returns true if two versions with equal rules have equal declared unions.
fn has_same_declarations(first_objects: &[ListedObject], later_objects: &[ListedObject]) -> bool {
    let declarations = |objects: &[ListedObject]| -> Vec<(String, Vec<DeclaredUnion>)> {
        let objects = objects
            .iter()
            .filter(|object| !object.declared_unions.is_empty());
        let objects =
            objects.map(|object| (object.pointer.clone(), object.declared_unions.clone()));
        objects.collect()
    };
    let invalid_declarations = |objects: &[ListedObject]| -> Vec<(String, String)> {
        let findings = objects.iter().flat_map(|object| &object.findings);
        let findings = findings.filter(|finding| finding.is_invalid_declaration());
        let findings = findings.map(|finding| (finding.pointer.clone(), finding.message.clone()));
        findings.collect()
    };
    declarations(first_objects) == declarations(later_objects)
        && invalid_declarations(first_objects) == invalid_declarations(later_objects)
}

/// Returns the paths at which two versions differ.
fn differing_paths(first_version: &ListedVersion, later_version: &ListedVersion) -> Vec<String> {
    let contents_by_path = |version: &ListedVersion| -> BTreeMap<String, Vec<Value>> {
        let mut contents: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for object in &version.objects {
            let analysis = json::object_unions_json(object);
            contents
                .entry(object.path.clone())
                .or_default()
                .push(analysis);
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
    let (first_contents, later_contents) = (
        contents_by_path(first_version),
        contents_by_path(later_version),
    );
    let mut differing_paths = Vec::new();
    for path in paths(first_version).into_iter().chain(paths(later_version)) {
        if first_contents.get(&path) != later_contents.get(&path)
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
    analyzed_objects: &[AnalyzedObject],
    declarations: &declared::UnionsByPointer,
    invalid_declarations: Vec<ListedFinding>,
) -> Vec<ListedObject> {
    let mut objects = Vec::new();
    let mut unlisted_unions = declarations.clone();
    for object in analyzed_objects {
        let declared_unions = unlisted_unions.remove(&object.pointer).unwrap_or_default();
        let mut findings = ListedFinding::from_analyzed_object(schema, object);
        findings.extend(declared::contradictions(object, &declared_unions));
        objects.push(ListedObject {
            pointer: object.pointer.clone(),
            path: object.path.clone(),
            analysis: object.analysis.clone(),
            declared_unions,
            findings,
        });
    }
    // These objects have declared unions and no rules.
    for (pointer, declared_unions) in unlisted_unions {
        objects.push(ListedObject {
            path: SchemaPath::from_pointer(&pointer)
                .map_or_else(|| pointer.clone(), |path| path.to_field_notation()),
            pointer,
            analysis: ObjectAnalysis::default(),
            declared_unions,
            findings: Vec::new(),
        });
    }
    for finding in invalid_declarations {
        add_to_nearest_object(finding, &mut objects);
    }
    objects
}

/// Adds a finding to the innermost object that contains the finding. If no listed object contains
/// the finding, adds the root object with the finding to the list.
fn add_to_nearest_object(finding: ListedFinding, objects: &mut Vec<ListedObject>) {
    let is_prefix = |object: &&mut ListedObject| {
        let rest = finding.pointer.strip_prefix(&*object.pointer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let containing = objects.iter_mut().filter(is_prefix);
    match containing.max_by_key(|object| object.pointer.len()) {
        Some(object) => object.findings.push(finding),
        None => objects.push(ListedObject {
            pointer: String::new(),
            path: String::new(),
            analysis: ObjectAnalysis::default(),
            declared_unions: Vec::new(),
            findings: vec![finding],
        }),
    }
}
