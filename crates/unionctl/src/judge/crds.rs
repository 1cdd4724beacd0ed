//! The CRDs of a file. Each version is compiled when the first object needs it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use k8s_crd_validation::crd::{remove_unstored_fields, to_stored_form};
use k8s_crd_validation::{FieldValidation, ServerSettings, StructuralSchema};
use serde::Serialize;
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::Report;
use union_runtime::path::FieldPath;

use crate::cluster::{CLUSTER, Cluster, CrdLookup, Resource};
use crate::error::{CommandError, InputError};
use crate::input::object::GroupVersionKind;
use crate::input::{
    Documents, InputReader, LocatedDuplicate, ObjectSource, Position, crd, folder, list, object,
};
use crate::judge::crd_index::CrdIndex;
use crate::judge::hints::{costs, references};
use crate::judge::manifest;
use crate::judge::reply::unions_reply::{FieldError, field_errors};
use crate::judge::reply::unknown_field::{UnknownFieldReply, notes_on_unknown_fields};
use crate::judge::schema::notes_on_declarations;
use crate::judge::server_settings::CompilingServer;
use crate::judge::skipped_objects::UncheckedReason;
use crate::output::print;
use crate::output::table::pluralize;

/// The CRDs that describe the objects of a command.
pub(crate) struct Crds {
    pub(crate) file: String,
    /// The version that a flag sets for all objects.
    version: Option<String>,
    /// The settings of the API server.
    server: CompilingServer,
    field_validation: FieldValidation,
    definitions: Vec<CompiledCrd>,
    index: CrdIndex,
    /// The number of errors in the compiled schemas. A server keeps using a stored CRD that has
    /// errors, so these schemas are compiled nevertheless.
    error_count: usize,
    /// The cluster that supplies the CRDs of kinds without a definition.
    cluster: Option<Cluster>,
    /// The kinds without a definition, for which the cluster has been queried.
    kinds_without_crd: HashMap<ObjectType, Option<UncheckedReason>>,
}

/// The group, the version and the kind of objects.
type ObjectType = [String; 3];

fn object_type_key(object_type: GroupVersionKind<'_>) -> ObjectType {
    let GroupVersionKind {
        group,
        version,
        kind,
    } = object_type;
    [group, version, kind].map(str::to_owned)
}

/// A CRD, with the schemas that have been compiled.
struct CompiledCrd {
    file: String,
    document: Value,
    source: Option<ObjectSource>,
    compiled_versions: Vec<CompiledVersion>,
}

impl CompiledCrd {
    const fn crd(&self) -> Crd<'_> {
        Crd::new(&self.document)
    }
}

/// A compiled version of a CRD.
struct CompiledVersion {
    version: Option<String>,
    schema: Arc<StructuralSchema>,
}

impl Crds {
    /// Reads the CRDs of a file or a folder, and ignores other objects.
    pub(crate) fn read_file(
        inputs: &mut InputReader,
        flag: &'static str,
        path: &Path,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        Self::read_files(flag, path, version, |file| {
            inputs.read_documents(flag, file)
        })
    }

    /// Reads the CRDs of a file or a folder that a client sends. A duplicate key is not an error
    /// here, because `validate` reports it.
    pub(crate) fn read_file_with_sources(
        inputs: &mut InputReader,
        flag: &'static str,
        path: &Path,
        version: Option<String>,
    ) -> Result<Self, CommandError> {
        Self::read_files(flag, path, version, |file| {
            inputs.read_documents_with_sources(flag, file)
        })
    }

    fn read_files(
        flag: &'static str,
        path: &Path,
        version: Option<String>,
        mut read_documents: impl FnMut(&Path) -> Result<Documents, CommandError>,
    ) -> Result<Self, CommandError> {
        let files = folder::find_all_files(flag, path)?;
        let mut crds: Option<Self> = None;
        for file in &files {
            let documents = read_documents(file)?;
            let crds_in_file = Self::from_documents(&documents, None);
            match (&mut crds, crds_in_file) {
                (None, crds_in_file) => crds = crds_in_file,
                (Some(crds), Some(crds_in_file)) => crds.add_definitions(crds_in_file.definitions),
                (Some(_), None) => {}
            }
        }
        let is_folder = path.is_dir();
        let path = match &*files {
            [_] if !is_folder && path.as_os_str() == "-" => "stdin".to_owned(),
            _ => path.display().to_string(),
        };
        let Some(mut crds) = crds else {
            return Err(CommandError::new(
                path,
                format!("no CustomResourceDefinition found; pass a file with one to {flag}"),
            ));
        };
        let definitions = crds.definitions.iter();
        crd::require_distinct(definitions.map(|crd| (&*crd.file, crd.crd())))?;
        crds.version = version;
        if is_folder {
            crds.file = path;
        }
        Ok(crds)
    }

    /// Returns the CRDs of documents; `None` if the documents do not contain a CRD.
    pub(crate) fn from_documents(documents: &Documents, version: Option<String>) -> Option<Self> {
        let definitions: Vec<CompiledCrd> = documents
            .objects_in_file()
            .filter(|object_in_file| crd::is_crd(object_in_file.object))
            .map(|object_in_file| CompiledCrd {
                file: documents.file.clone(),
                document: object_in_file.object.clone(),
                source: documents.source_of(object_in_file),
                compiled_versions: Vec::new(),
            })
            .collect();
        (!definitions.is_empty()).then(|| {
            let mut crds = Self {
                file: documents.file.clone(),
                version,
                ..Self::without_definitions()
            };
            crds.add_definitions(definitions);
            crds
        })
    }

    fn add_definitions(&mut self, definitions: Vec<CompiledCrd>) {
        for crd in definitions {
            self.index.add(self.definitions.len(), crd.crd());
            self.definitions.push(crd);
        }
    }

    /// Returns no CRDs, for objects whose CRDs are read from a cluster.
    pub(crate) fn without_definitions() -> Self {
        Self {
            file: CLUSTER.to_owned(),
            version: None,
            server: CompilingServer::default(),
            field_validation: FieldValidation::Warn,
            definitions: Vec::new(),
            index: CrdIndex::default(),
            error_count: 0,
            cluster: None,
            kinds_without_crd: HashMap::new(),
        }
    }

    /// Returns the CRDs that were read from a cluster. There may be none.
    pub(crate) fn from_cluster_documents(documents: &Documents) -> Self {
        Self::from_documents(documents, None).unwrap_or_else(Self::without_definitions)
    }

    /// Sets the cluster that supplies the CRDs of kinds without a definition.
    pub(crate) fn with_cluster(mut self, cluster: Cluster) -> Self {
        self.cluster = Some(cluster);
        self
    }

    /// Returns an error if a CRD has another API version than `apiextensions.k8s.io/v1`.
    pub(crate) fn require_v1(&self) -> Result<(), CommandError> {
        let mut definitions = self.definitions.iter();
        definitions.try_for_each(|crd| crd::require_v1(&crd.file, &crd.document))
    }

    /// Returns the cluster; `None` if all CRDs are files.
    pub(crate) const fn cluster_mut(&mut self) -> Option<&mut Cluster> {
        self.cluster.as_mut()
    }

    /// Returns the number of parts of the cluster that could not be read.
    pub(crate) fn unread_parts(&self) -> usize {
        self.cluster.as_ref().map_or(0, Cluster::unread_count)
    }

    /// Reads the stored CRDs that these CRDs update from a cluster.
    pub(crate) fn read_stored_crds(&self, cluster: &mut Cluster) -> Result<Self, CommandError> {
        let mut stored_crds = Vec::new();
        for crd in &self.definitions {
            let Some(name) = crd.crd().name() else {
                continue;
            };
            let unread_before = cluster.unread_count();
            let stored_crd = cluster.crd(name)?;
            if stored_crd.is_none() && cluster.unread_count() == unread_before {
                let title = object::display_name(&crd.document);
                let note = format!(
                    "{}: {title} is not stored in the cluster; it is new",
                    crd.file
                );
                print::notes(&[note]);
            }
            stored_crds.extend(stored_crd);
        }
        let documents = Documents::from_values(CLUSTER, stored_crds);
        Ok(Self::from_cluster_documents(&documents).with_server(self.server))
    }

    /// Reads the CRD of an object from the cluster, unless the CRD is known.
    pub(crate) fn read_crd_for(&mut self, object: &Value) -> Result<(), CommandError> {
        let Some(object_type) = object::group_version_kind(object) else {
            return Ok(());
        };
        let known_crd = self.find(object).map(|id| self.definitions[id.0].crd());
        let has_served =
            |crd: Crd<'_>| crd.version(object_type.version).is_some_and(crd::is_served);
        if known_crd.is_some_and(has_served) {
            return Ok(());
        }
        let key = object_type_key(object_type);
        if self.kinds_without_crd.contains_key(&key) {
            return Ok(());
        }
        let has_crd = known_crd.is_some();
        let Some(cluster) = &mut self.cluster else {
            return Ok(());
        };
        if has_crd {
            let [group, version, kind] = &key;
            let part = format!("{kind} of {group}/{version}");
            cluster.skip(&part, "the CRD does not serve this version");
            self.kinds_without_crd
                .insert(key, Some(UncheckedReason::NotServed));
            return Ok(());
        }
        let reason = match cluster.crd_for(object_type)? {
            CrdLookup::Found(crd) => {
                let documents = Documents::from_values(CLUSTER, vec![crd]);
                if let Some(crds) = Self::from_documents(&documents, None) {
                    self.add_definitions(crds.definitions);
                }
                return Ok(());
            }
            CrdLookup::WithoutCrd => None,
            CrdLookup::NotServed => Some(UncheckedReason::NotServed),
            CrdLookup::Unread => Some(UncheckedReason::UnreadCrd),
        };
        self.kinds_without_crd.insert(key, reason);
        Ok(())
    }

    /// Returns the CRD of an object, as [`find`](Self::find) does. Returns `None` if the cluster
    /// does not serve the version of the object.
    pub(crate) fn find_served(&self, object: &Value) -> Option<CrdId> {
        let object_type = object::group_version_kind(object);
        let is_served = object_type.is_none_or(|object_type| {
            let key = object_type_key(object_type);
            !self.kinds_without_crd.contains_key(&key)
        });
        self.find(object).filter(|_| is_served)
    }

    /// Reads the stored object that a new object replaces; `None` if there is none, or without a
    /// cluster.
    pub(crate) fn read_stored_object(
        &mut self,
        id: CrdId,
        object: &Value,
    ) -> Result<Option<Value>, CommandError> {
        let version = self.version_name(id, object);
        let Some(cluster) = &mut self.cluster else {
            return Ok(None);
        };
        let crd = &self.definitions[id.0].document;
        let metadata = |field| object.get("metadata")?.get(field)?.as_str();
        let (Some(resource), Some(name)) =
            (Resource::of_crd(crd, version.as_deref()), metadata("name"))
        else {
            return Ok(None);
        };
        cluster.object(&resource, metadata("namespace"), name)
    }

    /// Sets the server settings for compilation.
    pub(crate) fn with_server(mut self, server: CompilingServer) -> Self {
        self.server = server;
        self
    }

    /// Sets the server settings for compilation, and the treatment of unknown fields in the CRDs.
    pub(crate) fn with_settings(mut self, settings: &ServerSettings) -> Self {
        self.field_validation = settings.field_validation;
        self.with_server(CompilingServer::from_settings(settings))
    }

    /// Returns the only CRD, or an error if there are several.
    pub(crate) fn single_crd(&self) -> Result<&Value, CommandError> {
        match self.definitions.as_slice() {
            [crd] => Ok(&crd.document),
            crds => Err(CommandError::new(
                self.file.as_str(),
                format!(
                    "expected one CustomResourceDefinition, found {}",
                    crds.len()
                ),
            )),
        }
    }

    /// Returns the CRDs, each with its file, and with its source if the file was read with sources.
    pub(crate) fn with_sources(
        &self,
    ) -> impl Iterator<Item = (&str, &Value, Option<&ObjectSource>)> {
        let crds = self.definitions.iter();
        crds.map(|crd| (&*crd.file, &crd.document, crd.source.as_ref()))
    }

    /// Returns an error if a CRD that was read with its source has a duplicate key.
    pub(crate) fn require_unique_keys(&self) -> Result<(), CommandError> {
        for (file, _, source) in self.with_sources() {
            let duplicates = source.map(ObjectSource::duplicates).unwrap_or_default();
            if let Some(duplicate) = duplicates.first() {
                let error = InputError {
                    line: duplicate.position.line,
                    column: duplicate.position.column,
                    message: format!("duplicate key {:?}; remove one", duplicate.name),
                };
                return Err(error.in_file(file));
            }
        }
        Ok(())
    }

    /// Returns the kinds of the CRDs, for messages.
    pub(crate) fn kinds(&self) -> String {
        let kinds = self.definitions.iter().map(CompiledCrd::crd);
        let kinds = kinds.map(crd::kind_and_group);
        kinds.collect::<Vec<_>>().join(", ")
    }

    /// Validates the CRDs. With `old_crds`, each CRD is an update of a stored CRD.
    pub(crate) fn validate(
        &self,
        old_crds: Option<&Self>,
    ) -> Result<Vec<CrdDiagnostics>, CommandError> {
        self.definitions
            .iter()
            .map(|crd| self.validate_crd(crd, old_crds))
            .collect()
    }

    fn validate_crd(
        &self,
        crd: &CompiledCrd,
        old_crds: Option<&Self>,
    ) -> Result<CrdDiagnostics, CommandError> {
        let mut diagnostics = CrdDiagnostics {
            title: object::display_name(&crd.document),
            file: crd.file.clone(),
            ..CrdDiagnostics::default()
        };
        self.add_unknown_fields_and_duplicate_keys(crd, &mut diagnostics);
        let located_duplicates = diagnostics.duplicate_keys.iter();
        let duplicate_keys: Vec<_> = located_duplicates
            .map(|duplicate| duplicate.key.clone())
            .collect();
        let review = self
            .server
            .review()
            .field_validation(self.field_validation)
            .duplicate_keys(&duplicate_keys);
        let report = match old_crds.and_then(|old_crds| self.stored_crd_for(crd, old_crds)) {
            None => review.create(&crd.document),
            Some(stored_crd) => {
                let (mut new_crd, mut stored_crd) = (crd.document.clone(), stored_crd.clone());
                manifest::complete_stored_crd(&mut stored_crd);
                manifest::complete(&mut new_crd, Some(&stored_crd), false);
                review.update(&new_crd, &stored_crd)
            }
        };
        diagnostics.errors = field_errors(report.errors());
        costs::add_hints(&mut diagnostics.errors, &crd.document, self.server);
        references::add_hints(&mut diagnostics.errors, &crd.document);
        diagnostics.warnings = report.warnings().to_vec();
        self.add_union_errors(crd, &mut diagnostics.notes)?;
        if diagnostics.errors.is_empty() {
            add_stored_form(crd, &mut diagnostics);
        }
        Ok(diagnostics)
    }

    /// Returns notes on unknown fields in stored CRDs, such as misspelled keywords. A server has
    /// dropped these fields.
    pub(crate) fn notes_on_unknown_fields(&self) -> Vec<String> {
        let review = self.server.review().field_validation(self.field_validation);
        let notes_on = |crd: &CompiledCrd| {
            let source = match self.definitions.len() {
                1 => crd.file.clone(),
                _ => format!("{}: {}", crd.file, object::display_name(&crd.document)),
            };
            notes_on_unknown_fields(review, &crd.document, &source)
        };
        self.definitions.iter().flat_map(notes_on).collect()
    }

    /// Adds the unknown fields and the duplicate keys of a CRD to the diagnostics.
    fn add_unknown_fields_and_duplicate_keys(
        &self,
        crd: &CompiledCrd,
        diagnostics: &mut CrdDiagnostics,
    ) {
        if self.field_validation == FieldValidation::Ignore {
            return;
        }
        let source = crd.source.as_ref();
        let unknown_fields = self.server.review().unknown_fields(&crd.document);
        diagnostics.unknown_fields = UnknownFieldReply::from_fields(&unknown_fields, source);
        diagnostics.duplicate_keys = source.map(ObjectSource::duplicates).unwrap_or_default();
    }

    /// Returns the CRDs, each with the stored CRD that it updates.
    pub(crate) fn with_stored_crds<'c>(
        &'c self,
        old_crds: &'c Self,
    ) -> impl Iterator<Item = (&'c Value, Option<&'c Value>)> {
        self.definitions
            .iter()
            .map(|crd| (&crd.document, self.stored_crd_for(crd, old_crds)))
    }

    /// Returns a note for each CRD that does not update one of the old CRDs.
    pub(crate) fn notes_on_new_crds(&self, old_crds: &Self) -> Vec<String> {
        let definitions = self.definitions.iter();
        let new_crds = definitions.filter(|crd| self.stored_crd_for(crd, old_crds).is_none());
        let notes = new_crds.map(|crd| {
            let (title, old_file) = (object::display_name(&crd.document), &old_crds.file);
            format!("{}: {title} is not in {old_file}; it is new", crd.file)
        });
        notes.collect()
    }

    /// Returns the stored CRD that a CRD updates: the CRD with the same name, or the only CRD if
    /// both files have one.
    fn stored_crd_for<'o>(&self, crd: &CompiledCrd, old_crds: &'o Self) -> Option<&'o Value> {
        if let ([_], [old_crd]) = (&*self.definitions, &*old_crds.definitions) {
            return Some(&old_crd.document);
        }
        let name = crd.crd().name();
        let has_same_name = |old_crd: &&CompiledCrd| old_crd.crd().name() == name;
        let old_crd = old_crds.definitions.iter().find(has_same_name);
        old_crd.map(|old_crd| &old_crd.document)
    }

    /// Adds the errors in declarations of unions as notes, because a server does not check these
    /// declarations.
    fn add_union_errors(
        &self,
        crd: &CompiledCrd,
        notes: &mut Vec<String>,
    ) -> Result<(), CommandError> {
        let requested_version = self.version.as_deref();
        let parsed_crd = crd.crd();
        if let Some(version) =
            requested_version.filter(|version| parsed_crd.version(version).is_none())
        {
            let versions = parsed_crd.versions().filter_map(CrdVersion::name);
            let versions: Vec<&str> = versions.collect();
            let versions = versions.join(", ");
            let message = format!(
                "the CRD has no version {version:?} (--version); pass one of its versions: {versions}"
            );
            return Err(CommandError::new(self.file.as_str(), message));
        }
        for note in notes_on_declarations(&crd.file, &crd.document, requested_version, |_| true) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        Ok(())
    }

    /// Returns the CRD that describes an object. An object without a type matches only if there is
    /// a single CRD.
    pub(crate) fn find(&self, object: &Value) -> Option<CrdId> {
        let index = match object::group_version_kind(object) {
            Some(object_type) => {
                let is_for_type = |position: &usize| {
                    crd::is_for_type(self.definitions[*position].crd(), object_type)
                };
                let positions = self.index.positions(object_type.kind);
                positions.filter(is_for_type).min()
            }
            None => (self.definitions.len() == 1).then_some(0),
        };
        index.map(CrdId)
    }

    /// Returns true if a value is a list of objects of a CRD, in a version that the CRD does not
    /// have.
    pub(crate) fn is_list_of_unknown_version(&self, value: &Value) -> bool {
        let Some(list_type) = object::group_version_kind(value) else {
            return false;
        };
        self.crd_of_list(value)
            .is_some_and(|crd| crd.version(list_type.version).is_none())
    }

    /// Returns the CRD of the objects in a list, by the kind of the list.
    fn crd_of_list(&self, value: &Value) -> Option<Crd<'_>> {
        let list_type = object::group_version_kind(value)?;
        let item_type = GroupVersionKind {
            kind: list::item_kind(value)?,
            ..list_type
        };
        let mut crds = self.definitions.iter().map(CompiledCrd::crd);
        crds.find(|crd| crd::is_for_type(*crd, item_type))
    }

    /// Returns the reason why an object without a CRD is not checked; `None` if the object has
    /// nothing to do with the CRDs.
    pub(crate) fn reason_not_to_check(
        &self,
        value: &Value,
        is_list_item: bool,
    ) -> Option<UncheckedReason> {
        if !value.is_object() {
            let type_name = object::json_type_name(value);
            return Some(if is_list_item {
                UncheckedReason::ItemNotAnObject(type_name)
            } else {
                UncheckedReason::NotAnObject(type_name)
            });
        }
        if is_list_item && list::list_items(value).is_some() {
            return Some(UncheckedReason::NestedList);
        }
        let Some(object_type) = object::group_version_kind(value) else {
            return self.missing_type_field(value);
        };
        let GroupVersionKind {
            group,
            version,
            kind,
        } = object_type;
        let key = object_type_key(object_type);
        if let Some(Some(reason)) = self.kinds_without_crd.get(&key) {
            return Some(reason.clone());
        }
        let crds = self.definitions.iter().map(CompiledCrd::crd);
        let mut crds = crds.filter(|crd| crd.group() == Some(group)).peekable();
        crds.peek()?;
        if let Some(crd) = self.crd_of_list(value) {
            let versions = crd.versions().filter_map(CrdVersion::name);
            return Some(match crd.version(version) {
                Some(_) => UncheckedReason::ListWithoutItems,
                None => UncheckedReason::UnknownVersion(versions.map(str::to_owned).collect()),
            });
        }
        let mut kinds = crds.filter_map(Crd::kind);
        let similar_kind = kinds.find(|crd_kind| crd_kind.eq_ignore_ascii_case(kind));
        Some(match similar_kind {
            Some(similar_kind) => UncheckedReason::OtherCase(similar_kind.to_owned()),
            None => UncheckedReason::UnknownKind,
        })
    }

    /// Returns the missing field of an object that has the kind or the group of a CRD, and lacks
    /// `apiVersion` or `kind`.
    fn missing_type_field(&self, value: &Value) -> Option<UncheckedReason> {
        let mut crds = self.definitions.iter().map(CompiledCrd::crd);
        let field = |name| value.get(name).and_then(Value::as_str);
        let missing_field = if let Some(kind) = field("kind") {
            crds.any(|crd| crd.kind() == Some(kind))
                .then_some("apiVersion")
        } else {
            let (group, _) = field("apiVersion")?.split_once('/')?;
            crds.any(|crd| crd.group() == Some(group)).then_some("kind")
        };
        missing_field.map(UncheckedReason::MissingField)
    }

    /// Returns the JSON of a CRD.
    pub(crate) fn document(&self, id: CrdId) -> &Value {
        &self.definitions[id.0].document
    }

    /// Returns true if the objects of a CRD are namespaced.
    pub(crate) fn is_namespaced(&self, id: CrdId) -> bool {
        self.definitions[id.0].crd().is_namespaced()
    }

    /// Returns true if the version for an object has the status subresource.
    pub(crate) fn has_status_subresource(&self, id: CrdId, object: &Value) -> bool {
        let crd = self.definitions[id.0].crd();
        let version = match self.version_for(id, object) {
            Some(name) => crd.version(name),
            None => crd.stored_version(),
        };
        version.is_some_and(CrdVersion::has_status_subresource)
    }

    /// Returns the served versions of a CRD if the version of an object is not served.
    pub(crate) fn served_versions_instead_of(
        &self,
        id: CrdId,
        object: &Value,
    ) -> Option<Vec<String>> {
        let crd = self.definitions[id.0].crd();
        let version = crd.version(object::group_version_kind(object)?.version)?;
        (!crd::is_served(version)).then(|| {
            let served = crd.versions().filter(|version| crd::is_served(*version));
            served
                .filter_map(CrdVersion::name)
                .map(str::to_owned)
                .collect()
        })
    }

    /// Returns the version that a flag sets, or else the version of the object; `None` stands for
    /// the stored version.
    pub(crate) fn version_for<'v>(&'v self, id: CrdId, object: &'v Value) -> Option<&'v str> {
        let object_version =
            object::group_version_kind(object).map(|object_type| object_type.version);
        let crd = self.definitions[id.0].crd();
        let object_version =
            object_version.filter(|object_version| crd.version(object_version).is_some());
        self.version.as_deref().or(object_version)
    }

    /// Returns the name of the version for an object: the version that a flag sets, the version of
    /// the object, or else the stored version.
    pub(crate) fn version_name(&self, id: CrdId, object: &Value) -> Option<String> {
        let stored_version = || self.definitions[id.0].crd().stored_version()?.name();
        let version = self.version_for(id, object).or_else(stored_version);
        version.map(str::to_owned)
    }

    /// Converts an object to the version of its schema, as a server without a conversion webhook
    /// does: only `apiVersion` changes.
    pub(crate) fn convert(&self, id: CrdId, object: &mut Value) {
        if let Some(api_version) = self.converted_api_version(id, object) {
            object["apiVersion"] = api_version.into();
        }
    }

    /// Returns the `apiVersion` that [`convert`](Self::convert) sets; `None` if the object does not
    /// change.
    pub(crate) fn converted_api_version(&self, id: CrdId, object: &Value) -> Option<String> {
        let object_type = object::group_version_kind(object)?;
        let version = self.version_name(id, object)?;
        let is_converted = object_type.version != version && !self.needs_webhook(id, object);
        is_converted.then(|| format!("{}/{version}", object_type.group))
    }

    /// Returns true if only the conversion webhook of the CRD could convert an object to the
    /// version of its schema.
    pub(crate) fn needs_webhook(&self, id: CrdId, object: &Value) -> bool {
        let crd = self.definitions[id.0].crd();
        let Some(object_type) = object::group_version_kind(object) else {
            return false;
        };
        let version = self.version_name(id, object);
        crd.is_converted_by_webhook() && version.is_some_and(|v| v != object_type.version)
    }

    /// Returns the schema for an object, in the version of [`version_for`](Self::version_for). The
    /// first call for a version compiles the schema.
    pub(crate) fn schema(
        &mut self,
        id: CrdId,
        object: &Value,
    ) -> Result<Arc<StructuralSchema>, CommandError> {
        let version = self.version_for(id, object).map(str::to_owned);
        let crd = &mut self.definitions[id.0];
        crd::require_v1(&crd.file, &crd.document)?;
        let has_version = |compiled_version: &CompiledVersion| compiled_version.version == version;
        let index = if let Some(index) = crd.compiled_versions.iter().position(has_version) {
            index
        } else {
            let version_name = version.as_deref();
            let compiler = self.server.compiler();
            let schema = match compiler.crd(&crd.document, version_name) {
                Ok(schema) => schema,
                Err(errors) => {
                    let stored_schema = compiler.stored().crd(&crd.document, version_name);
                    let schema =
                        stored_schema.map_err(|errors| report_error(&crd.file, &errors))?;
                    self.error_count += errors.errors().len();
                    schema
                }
            };
            let schema = Arc::new(schema);
            crd.compiled_versions
                .push(CompiledVersion { version, schema });
            crd.compiled_versions.len() - 1
        };
        Ok(Arc::clone(&crd.compiled_versions[index].schema))
    }

    /// Returns a note if a server would reject a compiled schema in a new CRD.
    pub(crate) fn note_on_errors(&self) -> Option<String> {
        let file = &self.file;
        let errors = pluralize(self.error_count, "error");
        (self.error_count > 0).then(|| {
            format!(
                "{file}: an API server would reject this CRD ({errors}); `unionctl check --crd {file}` lists the errors"
            )
        })
    }
}

/// The result of validating a CRD, with notes on its unions.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CrdDiagnostics {
    /// The kind and the name of the CRD, for messages.
    #[serde(rename = "crd")]
    pub(crate) title: String,
    #[serde(skip)]
    pub(crate) file: String,
    pub(crate) errors: Vec<FieldError>,
    pub(crate) warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) unknown_fields: Vec<UnknownFieldReply>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) duplicate_keys: Vec<LocatedDuplicate>,
    /// The fields that a server does not store, because their value is empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) not_stored: Vec<UnstoredField>,
    /// The CRD as a server stores it; `None` if the server rejects the CRD.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stored: Option<Value>,
    #[serde(skip)]
    pub(crate) notes: Vec<String>,
}

/// A field that a server does not store, because its value is empty.
#[derive(Debug, Serialize)]
pub(crate) struct UnstoredField {
    field: FieldPath,
    #[serde(flatten)]
    position: Option<Position>,
}

/// Adds the stored form of a CRD, and notes on the fields that a server does not store.
fn add_stored_form(crd: &CompiledCrd, diagnostics: &mut CrdDiagnostics) {
    let mut stored_crd = crd.document.clone();
    for field in remove_unstored_fields(&mut stored_crd) {
        let position = crd
            .source
            .as_ref()
            .and_then(|source| source.position(&field));
        let location = position.map_or_else(String::new, |position| {
            format!(":{}:{}", position.line, position.column)
        });
        let value = field.find(&crd.document).map(print::one_line_json);
        let value = value.unwrap_or_default();
        diagnostics.notes.push(format!(
            "{}{location}: {field}: a server does not store {value}; leave it out",
            crd.file
        ));
        diagnostics
            .not_stored
            .push(UnstoredField { field, position });
    }
    to_stored_form(&mut stored_crd);
    diagnostics.stored = Some(stored_crd);
}

impl CrdDiagnostics {
    /// Merges the diagnostics of several CRDs. The title of the result is empty.
    pub(crate) fn merge(diagnostics_by_crd: Vec<Self>) -> Self {
        let is_only_crd = diagnostics_by_crd.len() == 1;
        let mut merged = Self::default();
        for mut diagnostics in diagnostics_by_crd {
            merged.errors.append(&mut diagnostics.errors);
            merged.warnings.append(&mut diagnostics.warnings);
            merged
                .unknown_fields
                .append(&mut diagnostics.unknown_fields);
            merged
                .duplicate_keys
                .append(&mut diagnostics.duplicate_keys);
            merged.notes.append(&mut diagnostics.notes);
            merged.not_stored.append(&mut diagnostics.not_stored);
            // Several CRDs have several stored forms.
            merged.stored = diagnostics.stored.filter(|_| is_only_crd);
        }
        merged
    }
}

/// The index of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CrdId(usize);

pub(crate) fn report_error(file: &str, report: &Report) -> CommandError {
    let errors: Vec<String> = report.errors().iter().map(ToString::to_string).collect();
    CommandError::new(file, errors.join("; "))
}
