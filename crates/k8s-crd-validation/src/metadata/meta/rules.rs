//! The rules for new metadata, most of which also apply to updates.

use super::managed;
use super::names;
use super::owners;
use super::read::{ObjectMeta, integer, list, text, texts};
use super::report::Rules;
use crate::schema::print;
use union_runtime::path::Path;
use union_runtime::{Found, Violation, ViolationKind};

/// The syntax of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameRule {
    /// DNS subdomains, the names of custom resources.
    Subdomain,
    /// Names that can be a segment of a path, the names of resources of any kind.
    PathSegment,
    /// Like `PathSegment`, but the name may be missing.
    NamelessPathSegment,
}

/// The scope of a resource, which decides whether its objects have a namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Objects are in namespaces: a namespace is required.
    Namespaced,
    /// Objects are not in namespaces: a namespace is rejected.
    Cluster,
}

/// Checks the rules for metadata of new objects. `at` is the path of the metadata.
///
/// If the server generates the name from `generateName`, the name is not checked.
pub(crate) fn common(
    metadata: Option<&serde_json::Value>,
    names: NameRule,
    scope: Scope,
    at: &Path<'_>,
    sink: &mut Vec<Violation>,
) {
    let meta = ObjectMeta::of(metadata);
    let mut rules = Rules { at, sink };
    rules.names(&meta, names);
    rules.namespace(&meta, scope);
    let generation = integer(meta.generation);
    if generation < 0 {
        let printed = Found::Printed(generation.to_string());
        rules.invalid("generation", printed, "must be greater than or equal to 0");
    }
    rules.labels(&meta);
    rules.annotations(&meta);
    owners::check(&mut rules, list(meta.owner_references));
    rules.finalizers(&meta);
    managed::check(&mut rules, list(meta.managed_fields));
}

impl Rules<'_> {
    fn names(&mut self, meta: &ObjectMeta<'_>, names: NameRule) {
        let start = text(meta.generate_name);
        if !start.is_empty() {
            let wrong = match names {
                NameRule::Subdomain => names::subdomain_start(start),
                _ => names::path_segment_start(start),
            };
            self.wrong("generateName", start, wrong);
        }
        match (text(meta.name), names) {
            ("", NameRule::NamelessPathSegment) => {}
            ("", _) if !start.is_empty() => {}
            ("", _) => self.found(
                ViolationKind::Required,
                "name",
                Found::Nothing,
                "name or generateName is required",
            ),
            (name, NameRule::Subdomain) => self.wrong("name", name, names::subdomain(name)),
            (name, _) => self.wrong("name", name, names::path_segment(name)),
        }
    }

    fn namespace(&mut self, meta: &ObjectMeta<'_>, scope: Scope) {
        match (text(meta.namespace), scope) {
            ("", Scope::Cluster) => {}
            ("", Scope::Namespaced) => {
                self.found(ViolationKind::Required, "namespace", Found::Nothing, "");
            }
            (_, Scope::Cluster) => self.found(
                ViolationKind::Forbidden,
                "namespace",
                Found::Nothing,
                "not allowed on this type",
            ),
            (name, Scope::Namespaced) => self.wrong("namespace", name, names::label(name)),
        }
    }

    pub(super) fn labels(&mut self, meta: &ObjectMeta<'_>) {
        for (key, value) in texts(meta.labels) {
            self.wrong("labels", key, names::key(key));
            self.wrong("labels", value, names::label_value(value));
        }
    }

    pub(super) fn annotations(&mut self, meta: &ObjectMeta<'_>) {
        const MOST: usize = 256 << 10;
        let mut size = 0;
        for (key, value) in texts(meta.annotations) {
            self.wrong("annotations", key, names::annotation_key(key));
            size += key.len() + value.len();
        }
        if size > MOST {
            self.too_long("annotations", MOST);
        }
    }

    /// Checks finalizers. The two finalizers that decide about dependents exclude each other.
    fn finalizers(&mut self, meta: &ObjectMeta<'_>) {
        const ORPHAN: &str = "orphan";
        const FOREGROUND: &str = "foregroundDeletion";
        let finalizers = list(meta.finalizers);
        for finalizer in finalizers.iter().filter_map(serde_json::Value::as_str) {
            self.wrong("finalizers", finalizer, names::key(finalizer));
        }
        let has = |name: &str| finalizers.iter().any(|finalizer| finalizer == name);
        if has(ORPHAN) && has(FOREGROUND) {
            let detail = format!("finalizer {ORPHAN} and {FOREGROUND} cannot be both set");
            let printed = meta.finalizers.map_or(Found::Nothing, print::found);
            self.invalid("finalizers", printed, &detail);
        }
    }
}
