//! What objects are judged by: the CRDs, each version compiled once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use k8s_crd_validation::StructuralSchema;
use kube::core::GroupVersionKind;
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_json::{SchemaError, Unions, find_annotation};

use crate::problem::Problem;

/// The kinds that are known, by group and kind.
#[derive(Debug, Default)]
pub struct Schemas {
    groups: HashMap<String, HashMap<String, Kind>>,
    /// The kinds whose unions may be read from the rules of their CRDs, as `HTTPRoute.gateway.networking.k8s.io`.
    foreign: BTreeSet<String>,
}

/// A kind of object, in the versions of its CRD.
#[derive(Debug)]
struct Kind {
    /// As Kubernetes writes it: `Backup.db.example.com`.
    label: String,
    versions: BTreeMap<String, Result<Version, String>>,
}

/// The checks that objects go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// The unions alone.
    Unions,
    /// The unions, and the whole schema as an API server checks it.
    WholeSchema,
}

/// A version of a kind.
#[derive(Clone, Debug)]
pub struct Version {
    /// The unions of its schema.
    pub unions: Unions,
    /// The schema itself, where it is judged by.
    pub whole: Option<StructuralSchema>,
}

/// What is known of the kind of a request.
#[derive(Debug)]
pub enum Found<'s> {
    /// All.
    Version(&'s str, &'s Version),
    /// That its schema cannot be judged by, and why.
    Broken(&'s str, &'s str),
    /// Only other versions of it.
    OtherVersions(&'s str),
    /// Nothing.
    Nothing,
}

impl Schemas {
    /// None yet; `foreign` names the kinds of whose CRDs the rules declare the unions, where those have none of ours.
    #[must_use]
    pub fn with_foreign(foreign: BTreeSet<String>) -> Self {
        Self {
            foreign,
            ..Self::default()
        }
    }

    /// The kinds with foreign unions that are asked for, and not known.
    pub fn not_found(&self) -> impl Iterator<Item = &str> {
        let names = self.foreign.iter().map(String::as_str);
        names.filter(|name| {
            let found = name.split_once('.');
            let found = found.and_then(|(kind, group)| self.kind(group, kind));
            found.is_none()
        })
    }

    /// Adds the versions of a CRD, compiled for these checks.
    ///
    /// A version that cannot be compiled is known as that: its objects are refused. A CRD that has nothing to judge by is
    /// left out.
    ///
    /// # Errors
    ///
    /// All that is wrong with the CRD, named by `place`.
    pub fn add(&mut self, place: &str, crd: &Value, checks: Checks) -> Result<(), Vec<Problem>> {
        let document = Crd::new(crd);
        let (Some(group), Some(kind)) = (document.group(), document.kind()) else {
            return Err(vec![Problem::new(
                place,
                "it has no `spec.group` or no `spec.names.kind`; give a CustomResourceDefinition of \
                 apiextensions.k8s.io/v1",
            )]);
        };
        let label = format!("{kind}.{group}");
        let foreign = self.foreign.contains(&label);
        let mut problems = Vec::new();
        let mut versions = BTreeMap::new();
        for name in served(document) {
            let compiled = Version::of(crd, name, checks, foreign);
            match &compiled {
                Err(problem) => problems.push(Problem::new(
                    format!("{place}: {kind}.{group}/{name}"),
                    problem.as_str(),
                )),
                Ok(version) if version.is_idle() => continue,
                Ok(_) => {}
            }
            versions.insert(name.to_owned(), compiled);
        }
        if !versions.is_empty() {
            let kinds = self.groups.entry(group.to_owned()).or_default();
            kinds.insert(kind.to_owned(), Kind { label, versions });
        }
        if problems.is_empty() {
            Ok(())
        } else {
            Err(problems)
        }
    }

    /// Takes over the versions of `before` that are broken here: the last good schema goes on.
    pub fn keep_good(&mut self, before: &Self) -> BTreeSet<String> {
        let mut kept = BTreeSet::new();
        for (group, kinds) in &mut self.groups {
            for (name, kind) in kinds {
                let Some(was) = before.kind(group, name) else {
                    continue;
                };
                for (name, version) in &mut kind.versions {
                    if let (Err(_), Some(Ok(good))) = (&version, was.versions.get(name)) {
                        *version = Ok(good.clone());
                        kept.insert(format!("{}/{name}", kind.label));
                    }
                }
            }
        }
        kept
    }

    /// What is known of a kind.
    #[must_use]
    pub fn find(&self, of: &GroupVersionKind) -> Found<'_> {
        let Some(kind) = self.kind(&of.group, &of.kind) else {
            return Found::Nothing;
        };
        match kind.versions.get(&of.version) {
            Some(Ok(version)) => Found::Version(&kind.label, version),
            Some(Err(problem)) => Found::Broken(&kind.label, problem),
            None => Found::OtherVersions(&kind.label),
        }
    }

    fn kind(&self, group: &str, kind: &str) -> Option<&Kind> {
        self.groups.get(group)?.get(kind)
    }

    /// The kinds that are known, as Kubernetes writes them with their versions: `Backup.db.example.com/v1`.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let kinds = self.groups.values().flat_map(HashMap::values);
        let names = kinds.flat_map(|kind| {
            let versions = kind.versions.keys();
            versions.map(|version| format!("{}/{version}", kind.label))
        });
        let names: BTreeSet<String> = names.collect();
        names.into_iter().collect()
    }
}

impl Version {
    fn of(crd: &Value, name: &str, checks: Checks, foreign: bool) -> Result<Self, String> {
        let mut unions = Unions::of_crd(crd, Some(name)).map_err(|error| error.to_string())?;
        // Ours take precedence over everything.
        if foreign && unions.is_empty() {
            unions = of_rules(crd, name).map_err(|error| error.to_string())?;
        }
        let whole = (checks == Checks::WholeSchema)
            .then(|| StructuralSchema::compiler().stored().crd(crd, Some(name)))
            .transpose()
            .map_err(|violations| violations.to_string().replace('\n', "; "))?;
        Ok(Self { unions, whole })
    }

    /// Whether there is nothing to judge by.
    fn is_idle(&self) -> bool {
        self.unions.is_empty() && self.whole.is_none()
    }
}

/// The unions that the rules of a CRD declare: those that are sound.
fn of_rules(crd: &Value, version: &str) -> Result<Unions, SchemaError> {
    let located = Crd::new(crd)
        .find_version(Some(version))?
        .located_schema()?;
    let places = crd_unions::read_schema(located.schema);
    let compiler = crd_unions::declare(Unions::compiler(), &places);
    let sound = compiler.sound().crd(crd, Some(version))?;
    for problem in sound.problems {
        tracing::warn!(%problem, "a union that the rules declare is not judged by");
    }
    Ok(sound.unions)
}

/// Whether a CRD says that it has unions, or is one of those whose rules may.
#[must_use]
pub fn is_wanted(crd: &Value, foreign: &BTreeSet<String>) -> bool {
    let document = Crd::new(crd);
    find_annotation(crd).is_some()
        || match (document.kind(), document.group()) {
            (Some(kind), Some(group)) => foreign.contains(&format!("{kind}.{group}")),
            _ => false,
        }
}

/// The names of the versions that are served: no request is of another.
fn served(crd: Crd<'_>) -> impl Iterator<Item = &str> {
    let versions = crd.versions();
    let served = versions.filter(|version| version.served() != Some(false));
    served.filter_map(CrdVersion::name)
}
