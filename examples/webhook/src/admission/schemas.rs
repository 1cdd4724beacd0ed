//! The compiled schemas of CRDs, by kind and version.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use k8s_crd_validation::StructuralSchema;
use kube::core::GroupVersionKind;
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{SchemaError, SchemaSource, Unions, find_annotation};

use crate::error::WebhookError;

/// The known kinds, by group and kind.
#[derive(Debug, Default)]
pub struct Schemas {
    groups: HashMap<String, HashMap<String, CompiledKind>>,
    /// The kinds whose unions are inferred from the rules of their CRDs, such as
    /// `HTTPRoute.gateway.networking.k8s.io`.
    inferred_kinds: BTreeSet<String>,
}

/// A kind of objects, with the versions of its CRD.
#[derive(Debug)]
struct CompiledKind {
    /// The kind and its group, as Kubernetes writes them: `Backup.db.example.com`.
    label: String,
    versions: BTreeMap<String, KnownVersion>,
}

/// A version of a kind, valid or not.
#[derive(Clone, Debug)]
struct KnownVersion {
    /// The version, or the problem of its schema.
    compiled: Result<CompiledVersion, String>,
    presence: Presence,
}

/// The presence of a version in the sources of CRDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// A CRD has the version and its unions.
    Present,
    /// The CRD, the version or its unions have disappeared.
    Missing(MissingCrd),
}

/// The treatment of objects whose CRD has disappeared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingCrd {
    /// The objects are rejected.
    #[default]
    Reject,
    /// The last CRD is still used.
    Keep,
}

/// The checks of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckScope {
    /// The unions only.
    Unions,
    /// The unions, and the whole schema as an API server checks it.
    WholeSchema,
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub struct CompiledVersion {
    /// The unions of the schema.
    pub unions: Unions,
    /// The schema itself, if it is checked.
    pub whole_schema: Option<StructuralSchema>,
}

/// The result of a search for the kind and version of a request.
#[derive(Debug)]
pub enum KindLookup<'s> {
    /// The version is known. Contains the kind and the version.
    Version(&'s str, &'s CompiledVersion),
    /// The schema of the version is invalid. Contains the kind and the problem.
    InvalidSchema(&'s str, &'s str),
    /// The CRD of the version has disappeared, and objects are rejected. Contains the kind.
    Missing(&'s str),
    /// Only other versions of the kind are known. Contains the kind.
    OtherVersions(&'s str),
    /// The kind is unknown.
    UnknownKind,
}

impl Schemas {
    /// Creates an empty set of schemas. `inferred_kinds` names the kinds whose unions are inferred
    /// from the rules of their CRDs, if the CRDs do not declare unions.
    #[must_use]
    pub fn with_inferred_kinds(inferred_kinds: BTreeSet<String>) -> Self {
        Self {
            inferred_kinds,
            ..Self::default()
        }
    }

    /// Returns the kinds whose unions must be inferred, but that have no CRD with unions.
    pub fn missing_inferred_kinds(&self) -> impl Iterator<Item = &str> {
        let labels = self.inferred_kinds.iter().map(String::as_str);
        labels.filter(|label| {
            let kind_and_group = label.split_once('.');
            kind_and_group
                .and_then(|(kind, group)| self.kind(group, kind))
                .is_none()
        })
    }

    /// Compiles the versions of a CRD for these checks, and adds them.
    ///
    /// A version that does not compile is recorded as invalid, and its objects are rejected. A
    /// version without checks is not added.
    ///
    /// # Errors
    ///
    /// Returns all errors of the CRD, with their `location`.
    pub fn add(
        &mut self,
        location: &str,
        crd: &Value,
        checks: CheckScope,
    ) -> Result<(), Vec<WebhookError>> {
        let document = Crd::new(crd);
        let (Some(group), Some(kind)) = (document.group(), document.kind()) else {
            return Err(vec![WebhookError::new(
                location,
                "missing `spec.group` or `spec.names.kind`; expected a CustomResourceDefinition of \
                 apiextensions.k8s.io/v1",
            )]);
        };
        let label = format!("{kind}.{group}");
        let infers_unions = self.inferred_kinds.contains(&label);
        let mut errors = Vec::new();
        let mut versions = BTreeMap::new();
        for version_name in served_version_names(document) {
            let compiled = CompiledVersion::compile(crd, version_name, checks, infers_unions);
            match &compiled {
                Err(problem) => errors.push(WebhookError::new(
                    format!("{location}: {kind}.{group}/{version_name}"),
                    problem.as_str(),
                )),
                Ok(version) if version.has_no_checks() => continue,
                Ok(_) => {}
            }
            let version = KnownVersion {
                compiled,
                presence: Presence::Present,
            };
            versions.insert(version_name.to_owned(), version);
        }
        if !versions.is_empty() {
            let kinds = self.groups.entry(group.to_owned()).or_default();
            kinds.insert(kind.to_owned(), CompiledKind { label, versions });
        }
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors)
        }
    }

    /// Replaces each invalid version by the version of the same name in `previous`, if that version
    /// is valid. Returns the names of the replaced versions.
    pub fn keep_valid_versions(&mut self, previous: &Self) -> BTreeSet<String> {
        let mut replaced_names = BTreeSet::new();
        for (group, kinds) in &mut self.groups {
            for (kind_name, kind) in kinds {
                let Some(previous_kind) = previous.kind(group, kind_name) else {
                    continue;
                };
                for (version_name, version) in &mut kind.versions {
                    let previous_version = previous_kind.versions.get(version_name);
                    if version.compiled.is_err()
                        && let Some(KnownVersion { compiled, .. }) = previous_version
                        && compiled.is_ok()
                    {
                        version.compiled.clone_from(compiled);
                        replaced_names.insert(format!("{}/{version_name}", kind.label));
                    }
                }
            }
        }
        replaced_names
    }

    /// Adds the versions that only `previous` has, as missing versions. Without them, objects of
    /// these versions would be allowed unchecked.
    pub fn add_missing_versions(&mut self, previous: &Self, treatment: MissingCrd) {
        for (group, previous_kinds) in &previous.groups {
            for (kind_name, previous_kind) in previous_kinds {
                let kinds = self.groups.entry(group.clone()).or_default();
                let kind = kinds
                    .entry(kind_name.clone())
                    .or_insert_with(|| CompiledKind {
                        label: previous_kind.label.clone(),
                        versions: BTreeMap::new(),
                    });
                for (version_name, previous_version) in &previous_kind.versions {
                    let version = kind.versions.entry(version_name.clone());
                    version.or_insert_with(|| KnownVersion {
                        compiled: previous_version.compiled.clone(),
                        presence: Presence::Missing(treatment),
                    });
                }
            }
        }
    }

    /// Returns the versions whose CRD has disappeared, such as `Backup.db.example.com/v1`, sorted.
    #[must_use]
    pub fn missing_versions(&self) -> Vec<String> {
        self.names_of_versions(|version| version.presence != Presence::Present)
    }

    /// Returns the schema for the kind and version of a request.
    #[must_use]
    pub fn find(&self, request_kind: &GroupVersionKind) -> KindLookup<'_> {
        let Some(kind) = self.kind(&request_kind.group, &request_kind.kind) else {
            return KindLookup::UnknownKind;
        };
        match kind.versions.get(&request_kind.version) {
            Some(KnownVersion {
                presence: Presence::Missing(MissingCrd::Reject),
                ..
            }) => KindLookup::Missing(&kind.label),
            Some(KnownVersion { compiled, .. }) => match compiled {
                Ok(version) => KindLookup::Version(&kind.label, version),
                Err(problem) => KindLookup::InvalidSchema(&kind.label, problem),
            },
            None => KindLookup::OtherVersions(&kind.label),
        }
    }

    fn kind(&self, group: &str, kind: &str) -> Option<&CompiledKind> {
        self.groups.get(group)?.get(kind)
    }

    /// Returns the known kinds with their versions, such as `Backup.db.example.com/v1`, sorted.
    /// Versions whose CRD has disappeared are not included.
    #[must_use]
    pub fn version_names(&self) -> Vec<String> {
        self.names_of_versions(|version| version.presence == Presence::Present)
    }

    fn names_of_versions(&self, is_included: impl Fn(&KnownVersion) -> bool) -> Vec<String> {
        let mut names = BTreeSet::new();
        for kind in self.groups.values().flat_map(HashMap::values) {
            for (version_name, version) in &kind.versions {
                if is_included(version) {
                    names.insert(format!("{}/{version_name}", kind.label));
                }
            }
        }
        names.into_iter().collect()
    }
}

impl CompiledVersion {
    fn compile(
        crd: &Value,
        version: &str,
        checks: CheckScope,
        infers_unions: bool,
    ) -> Result<Self, String> {
        let mut unions = Unions::compile(SchemaSource::Crd(crd, Some(version)))
            .map_err(|error| error.to_string())?;
        // Declared unions take precedence over the rules.
        if infers_unions && unions.is_empty() {
            unions = infer_unions(crd, version).map_err(|error| error.to_string())?;
        }
        let whole_schema = (checks == CheckScope::WholeSchema)
            .then(|| {
                StructuralSchema::compiler()
                    .stored()
                    .crd(crd, Some(version))
            })
            .transpose()
            .map_err(|violations| violations.to_string().replace('\n', "; "))?;
        Ok(Self {
            unions,
            whole_schema,
        })
    }

    /// Returns true if the version has no unions, and its schema is not checked.
    fn has_no_checks(&self) -> bool {
        self.unions.is_empty() && self.whole_schema.is_none()
    }
}

/// Infers the sound unions from the rules of a CRD.
fn infer_unions(crd: &Value, version: &str) -> Result<Unions, SchemaError> {
    let schema_in_document = Crd::new(crd)
        .find_version(Some(version))?
        .located_schema()?;
    let objects = crd_unions::analyze_schema(schema_in_document.schema);
    let compiler = crd_unions::add_unions_to(Unions::compiler(), &objects);
    let source = SchemaSource::Crd(crd, Some(version));
    let unions = compiler.lenient().compile(source)?;
    for problem in unions.errors() {
        tracing::warn!(%problem, "a union of the rules is not used");
    }
    Ok(unions)
}

/// Returns true if a CRD has the annotation of unions, or if its kind is in `inferred_kinds`.
#[must_use]
pub fn is_wanted(crd: &Value, inferred_kinds: &BTreeSet<String>) -> bool {
    let document = Crd::new(crd);
    find_annotation(crd).is_some()
        || match (document.kind(), document.group()) {
            (Some(kind), Some(group)) => inferred_kinds.contains(&format!("{kind}.{group}")),
            _ => false,
        }
}

/// Returns the names of the served versions. Objects in requests have only these versions.
fn served_version_names(crd: Crd<'_>) -> impl Iterator<Item = &str> {
    let versions = crd.versions();
    let served = versions.filter(|version| version.served() != Some(false));
    served.filter_map(CrdVersion::name)
}
