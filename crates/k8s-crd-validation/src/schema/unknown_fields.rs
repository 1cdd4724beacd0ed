//! The fields of an object that no schema describes, which a server removes.

use core::fmt::{self, Write as _};
use std::collections::HashSet;

use super::near_name::near_name;
use super::node::Node;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::{FieldPath, Path, PathStep};

/// Fields that every resource has.
pub(crate) const TYPE_META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The number of unknown fields of a Go struct after which a server stops collecting them
/// (`sigs.k8s.io/json`).
pub(crate) const MAX_STRUCT_ERRORS: usize = 100;

/// The number of bytes of paths after which unknown fields are only counted. A long key of a map is
/// part of the path of every field below it, so without a limit, the paths could be larger than the
/// object by any factor. A request has at most 3 MiB.
const MAX_PATH_BYTES: usize = 4 << 20;

/// A list of field names: the properties of a schema, or the fields of a Go struct.
pub(crate) trait FieldNames: fmt::Debug + Sync {
    /// Calls `visit` with each name.
    fn visit_names<'n>(&'n self, visit: &mut dyn FnMut(&'n str));
}

impl FieldNames for Node {
    fn visit_names<'n>(&'n self, visit: &mut dyn FnMut(&'n str)) {
        for property in &self.properties {
            visit(&property.name);
        }
    }
}

impl FieldNames for [&'static str; 3] {
    fn visit_names<'n>(&'n self, visit: &mut dyn FnMut(&'n str)) {
        for name in self {
            visit(name);
        }
    }
}

/// The names that the fields of an object may have, in two lists.
pub(crate) type AllowedNames<'s> = [Option<&'s dyn FieldNames>; 2];

/// Returns the names of the fields of an object with a schema.
pub(crate) fn names_of(node: &Node, is_resource: bool) -> AllowedNames<'_> {
    let type_meta: &dyn FieldNames = &TYPE_META;
    [Some(node), is_resource.then_some(type_meta)]
}

/// The names of the fields of an object without a schema.
pub(crate) const NO_NAMES: AllowedNames<'static> = [None, None];

/// A field that the schema of the object does not describe. A server removes the field.
///
/// `Display` prints the warning of an API server, which is also a part of the error with
/// [`FieldValidation::Strict`](crate::FieldValidation::Strict): `unknown field "spec.replcas"`.
#[derive(Clone, Debug)]
pub struct UnknownField<'s> {
    path: FieldPath,
    allowed: AllowedNames<'s>,
    /// True if the path is printed with the escapes of a Go string.
    is_escaped: bool,
}

impl<'s> UnknownField<'s> {
    /// Returns the path of the field. Its printed form is the form in the server's message: keys of
    /// maps are printed as fields.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the name of the field that was probably meant: the only [near name](near_name) of
    /// the fields that the object may have, or `None`.
    #[must_use]
    pub fn near_name(&self) -> Option<&'s str> {
        let written = self.path.steps().next_back()?.name()?;
        let mut names = Vec::new();
        for list in self.allowed.into_iter().flatten() {
            list.visit_names(&mut |name| names.push(name));
        }
        // A server of an older version does not know all of the names.
        names.retain(|name| *name != written);
        near_name(written, names)
    }
}

impl fmt::Display for UnknownField<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.as_str();
        if self.is_escaped {
            write!(f, "unknown field {}", GoQuoted(path))
        } else {
            write!(f, "unknown field \"{path}\"")
        }
    }
}

/// The type that has a field of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// A schema, or a rule or another struct in a schema.
    Keyword,
    /// Another struct of the CRD.
    Definition,
}

/// An observer of the fields that decoding removes, because no schema describes them.
pub(crate) trait RemovedFields<'s> {
    /// Observes a field. `at` is the path of its object, and `indexes` are the positions in lists
    /// between `at` and the object.
    fn record_in_lists(
        &mut self,
        at: &Path<'_>,
        indexes: &[usize],
        name: &str,
        allowed: AllowedNames<'s>,
    );

    /// Returns true if a field of a CRD was added after the version of the server.
    fn is_newer(&self, _name: &str, _kind: FieldKind) -> bool {
        false
    }

    /// Observes a field of the object at the path `at`.
    fn record(&mut self, at: &Path<'_>, name: &str, allowed: AllowedNames<'s>) {
        self.record_in_lists(at, &[], name, allowed);
    }
}

/// An observer that does nothing.
impl<'s> RemovedFields<'s> for () {
    fn record_in_lists(&mut self, _: &Path<'_>, _: &[usize], _: &str, _: AllowedNames<'s>) {}
}

/// The unknown fields of a request.
#[derive(Debug, Default)]
pub(crate) struct UnknownFields<'s> {
    pub(crate) fields: Vec<UnknownField<'s>>,
    /// The number of further fields, whose paths would be too large.
    pub(crate) omitted: usize,
    /// The fields of a CRD that were added after the version of the server.
    newer: Vec<(&'static str, FieldKind)>,
    /// True if nothing is recorded.
    is_off: bool,
    bytes: usize,
}

impl<'s> RemovedFields<'s> for UnknownFields<'s> {
    fn is_newer(&self, name: &str, kind: FieldKind) -> bool {
        self.newer.contains(&(name, kind))
    }

    fn record_in_lists(
        &mut self,
        at: &Path<'_>,
        indexes: &[usize],
        name: &str,
        allowed: AllowedNames<'s>,
    ) {
        if self.is_off {
            return;
        }
        if self.bytes > MAX_PATH_BYTES {
            self.omitted += 1;
            return;
        }
        let mut path = at.to_field_path();
        for index in indexes {
            path = path.index(*index);
        }
        path = path.field(name);
        self.bytes += path.as_str().len();
        self.fields.push(UnknownField {
            path,
            allowed,
            is_escaped: false,
        });
    }
}

/// Returns the printed form of a path of which only the first `steps` steps are printed as in other
/// errors. In the rest, keys are printed as fields, and a name without letters as nothing.
pub(crate) fn printed_as_fields(path: &FieldPath, steps: usize) -> String {
    let start: FieldPath = path.steps().take(steps).collect();
    let mut text = start.as_str().to_owned();
    for (i, step) in path.steps().enumerate().skip(steps) {
        match step {
            // Writing to a String cannot fail.
            PathStep::Index(index) => drop(write!(text, "[{index}]")),
            PathStep::Field(name) | PathStep::Key(name) => {
                text.push_str(if i > 0 { "." } else { "" });
                text.push_str(name);
            }
        }
    }
    text
}

impl UnknownFields<'_> {
    /// Returns a collection for a CRD. `newer` are the fields that were added after the version of
    /// the server.
    pub(crate) fn of_crd(newer: Vec<(&'static str, FieldKind)>) -> Self {
        Self {
            newer,
            ..Self::default()
        }
    }

    /// Returns a collection that stays empty.
    pub(crate) fn off() -> Self {
        Self {
            is_off: true,
            ..Self::default()
        }
    }

    pub(crate) const fn is_off(&self) -> bool {
        self.is_off
    }

    pub(crate) const fn len(&self) -> usize {
        self.fields.len()
    }

    /// Prints the names in the paths of the fields from `start` on as pruning does: a field
    /// without a name is printed as nothing. Only the first `steps` steps of a path, which lead to
    /// metadata, are printed as in other errors.
    fn print_empty_names(&mut self, start: usize, steps: impl Fn(&FieldPath) -> usize) {
        for field in self.fields.iter_mut().skip(start) {
            if !field.path.steps().any(|step| step.name() == Some("")) {
                continue;
            }
            let text = printed_as_fields(&field.path, steps(&field.path));
            field.path = core::mem::take(&mut field.path).with_printed_form(&text);
        }
    }

    /// Sorts the fields from `start` on, which pruning has removed, as a server does.
    pub(crate) fn finish_pruned(&mut self, start: usize) {
        self.print_empty_names(start, |_| 0);
        self.sort_by_printed_path(start);
    }

    pub(crate) fn sort_by_printed_path(&mut self, start: usize) {
        let new = self.fields.get_mut(start..).unwrap_or_default();
        new.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    }

    /// Sorts the fields from `start` on, which are unknown to the Go struct at the path `at`, as a
    /// server collects them: in the order of the object, each printed path only once, and at most
    /// [`MAX_STRUCT_ERRORS`].
    pub(crate) fn finish_struct(&mut self, start: usize, at: &Path<'_>) {
        if self.fields.len() == start {
            return;
        }
        let steps = at.to_field_path().steps().len();
        self.print_empty_names(start, |_| steps);
        let mut new = self.fields.split_off(start);
        new.sort_by(|a, b| a.path.cmp(&b.path));
        let mut printed = HashSet::new();
        new.retain(|field| {
            printed.len() < MAX_STRUCT_ERRORS && printed.insert(field.path.as_str().to_owned())
        });
        self.fields.append(&mut new);
    }

    /// Prints the paths with the escapes of a Go string, as a server does for its own types.
    pub(crate) fn escape(&mut self) {
        for field in &mut self.fields {
            field.is_escaped = true;
        }
    }
}
