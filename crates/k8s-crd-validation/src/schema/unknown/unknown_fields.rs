//! Unknown fields: the fields of an object that no schema describes. An API server removes unknown
//! fields.

use core::fmt::{self, Write as _};
use std::collections::HashSet;

use super::near_name::near_name;
use crate::schema::structural::Node;
use k8s_json_internals::quote::GoQuoted;
use union_runtime::path::{FieldPath, Path, PathStep};

/// The fields of every resource, which schemas need not describe.
pub(crate) const TYPE_META: [&str; 3] = ["apiVersion", "kind", "metadata"];

/// The largest number of unknown fields of a Go struct that a server reports (`sigs.k8s.io/json`).
pub(crate) const MAX_STRUCT_ERRORS: usize = 100;

/// The limit on the total length of recorded paths, in bytes. Beyond the limit, unknown fields are
/// only counted. Without the limit, a long key would be copied into the path of every field inside
/// the value of the key, so the paths could be far larger than a request (at most 3 MiB).
const MAX_PATH_BYTES: usize = 4 << 20;

/// A type that has field names: the properties of a schema, or the fields of a Go struct.
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

/// The known field names of an object: up to two lists.
pub(crate) type AllowedNames<'s> = [Option<&'s dyn FieldNames>; 2];

/// Returns the known field names of an object with a schema.
pub(crate) fn names_of(node: &Node, is_resource: bool) -> AllowedNames<'_> {
    let type_meta: &dyn FieldNames = &TYPE_META;
    [Some(node), is_resource.then_some(type_meta)]
}

/// The known field names of an object without a schema: none.
pub(crate) const NO_NAMES: AllowedNames<'static> = [None, None];

/// A field that the schema of its object does not describe. An API server removes the field.
///
/// `Display` prints the warning of an API server. The message is also part of the error with
/// [`FieldValidation::Strict`](crate::FieldValidation::Strict): `unknown field "spec.replcas"`.
#[derive(Clone, Debug)]
pub struct UnknownField<'s> {
    path: FieldPath,
    /// The known field names of the object, for suggestions.
    allowed: AllowedNames<'s>,
    /// True if the path is printed with the escapes of a Go string.
    is_escaped: bool,
}

impl<'s> UnknownField<'s> {
    /// Returns the path of the field. The path prints as in the server's message: `.key` instead of
    /// `[key]` for keys of maps.
    pub const fn path(&self) -> &FieldPath {
        &self.path
    }

    /// Returns the known field name that was probably meant, or `None`: the [near name](near_name)
    /// among the known field names of the object.
    #[must_use]
    pub fn near_name(&self) -> Option<&'s str> {
        let unknown_name = self.path.steps().next_back()?.name()?;
        let mut names = Vec::new();
        for list in self.allowed.into_iter().flatten() {
            list.visit_names(&mut |name| names.push(name));
        }
        // A field that was added after the server's version is unknown, but its name is in the
        // list.
        names.retain(|name| *name != unknown_name);
        near_name(unknown_name, names)
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

/// The kind of struct that contains a field of a CRD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// A schema, or a struct inside a schema, such as a CEL rule.
    Keyword,
    /// Another struct of the CRD.
    Definition,
}

/// A receiver of the unknown fields that decoding removes.
pub(crate) trait RemovedFields<'s> {
    /// Records an unknown field of an object inside nested lists. `path` is the path of the
    /// outermost list, `indexes` are the steps from this list to the object, and `allowed` are the
    /// known field names.
    fn record_in_lists(
        &mut self,
        path: &Path<'_>,
        indexes: &[usize],
        name: &str,
        allowed: AllowedNames<'s>,
    );

    /// Returns true if a field of a CRD was added after the version of the server.
    fn is_newer(&self, _name: &str, _kind: FieldKind) -> bool {
        false
    }

    /// Records an unknown field of the object at `path`.
    fn record(&mut self, path: &Path<'_>, name: &str, allowed: AllowedNames<'s>) {
        self.record_in_lists(path, &[], name, allowed);
    }
}

/// The receiver that ignores all fields.
impl<'s> RemovedFields<'s> for () {
    fn record_in_lists(&mut self, _: &Path<'_>, _: &[usize], _: &str, _: AllowedNames<'s>) {}
}

/// The unknown fields of a request.
#[derive(Debug, Default)]
pub(crate) struct UnknownFields<'s> {
    pub(crate) fields: Vec<UnknownField<'s>>,
    /// The number of unknown fields beyond [`MAX_PATH_BYTES`], which are not in `fields`.
    pub(crate) omitted: usize,
    /// The fields of a CRD that were added after the version of the server.
    newer_fields: Vec<(&'static str, FieldKind)>,
    /// True if nothing is recorded.
    is_off: bool,
    /// The total length of the paths in `fields`.
    path_bytes: usize,
}

impl<'s> RemovedFields<'s> for UnknownFields<'s> {
    fn is_newer(&self, name: &str, kind: FieldKind) -> bool {
        self.newer_fields.contains(&(name, kind))
    }

    fn record_in_lists(
        &mut self,
        path: &Path<'_>,
        indexes: &[usize],
        name: &str,
        allowed: AllowedNames<'s>,
    ) {
        if self.is_off {
            return;
        }
        if self.path_bytes > MAX_PATH_BYTES {
            self.omitted += 1;
            return;
        }
        let mut field_path = path.to_field_path();
        for index in indexes {
            field_path = field_path.index(*index);
        }
        field_path = field_path.field(name);
        self.path_bytes += field_path.as_str().len();
        self.fields.push(UnknownField {
            path: field_path,
            allowed,
            is_escaped: false,
        });
    }
}

/// Returns the printed form of a path in a message about an unknown field. The first `steps` steps
/// are printed as in other errors. After these steps, keys are printed as `.key`, and an empty name
/// adds only the dot.
pub(crate) fn printed_as_fields(path: &FieldPath, steps: usize) -> String {
    let start: FieldPath = path.steps().take(steps).collect();
    let mut printed_path = start.as_str().to_owned();
    for (i, step) in path.steps().enumerate().skip(steps) {
        match step {
            // Writing to a String cannot fail.
            PathStep::Index(index) => drop(write!(printed_path, "[{index}]")),
            PathStep::Field(name) | PathStep::Key(name) => {
                printed_path.push_str(if i > 0 { "." } else { "" });
                printed_path.push_str(name);
            }
        }
    }
    printed_path
}

impl UnknownFields<'_> {
    /// Returns an empty collection for a CRD. `newer_fields` are the fields that were added after
    /// the version of the server.
    pub(crate) fn of_crd(newer_fields: Vec<(&'static str, FieldKind)>) -> Self {
        Self {
            newer_fields,
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

    /// Sets the printed form of paths with empty names to the form of [`printed_as_fields`], for
    /// the fields from index `start`. `steps` returns the number of steps that are printed as in
    /// other errors.
    fn print_empty_names(&mut self, start: usize, steps: impl Fn(&FieldPath) -> usize) {
        for field in self.fields.iter_mut().skip(start) {
            if !field.path.steps().any(|step| step.name() == Some("")) {
                continue;
            }
            let printed_path = printed_as_fields(&field.path, steps(&field.path));
            field.path = core::mem::take(&mut field.path).with_printed_form(&printed_path);
        }
    }

    /// Sorts the fields from index `start`, which pruning has removed, as a server does.
    pub(crate) fn finish_pruned(&mut self, start: usize) {
        self.print_empty_names(start, |_| 0);
        self.sort_by_printed_path(start);
    }

    /// Sorts the fields from index `start` by their printed paths.
    pub(crate) fn sort_by_printed_path(&mut self, start: usize) {
        let recorded_fields = self.fields.get_mut(start..).unwrap_or_default();
        recorded_fields.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
    }

    /// Sorts the fields from index `start`, which are unknown fields of the Go struct at `path`, by
    /// path. Keeps the first field of each printed path, and at most
    /// [`MAX_STRUCT_ERRORS`] fields.
    pub(crate) fn finish_struct(&mut self, start: usize, path: &Path<'_>) {
        if self.fields.len() == start {
            return;
        }
        let steps = path.to_field_path().steps().len();
        self.print_empty_names(start, |_| steps);
        let mut recorded_fields = self.fields.split_off(start);
        recorded_fields.sort_by(|a, b| a.path.cmp(&b.path));
        let mut printed_paths = HashSet::new();
        recorded_fields.retain(|field| {
            printed_paths.len() < MAX_STRUCT_ERRORS
                && printed_paths.insert(field.path.as_str().to_owned())
        });
        self.fields.append(&mut recorded_fields);
    }

    /// Makes all fields print their paths with the escapes of a Go string, as a server does for
    /// built-in types.
    pub(crate) fn escape(&mut self) {
        for field in &mut self.fields {
            field.is_escaped = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PATH_BYTES, NO_NAMES, Path, RemovedFields as _, UnknownFields};

    #[test]
    fn a_field_is_omitted_if_the_recorded_paths_exceed_the_limit() {
        let mut unknown = UnknownFields::default();
        for (name, expected) in [
            ("x".repeat(MAX_PATH_BYTES), (1, 0)),
            ("y".to_owned(), (2, 0)),
            ("z".to_owned(), (2, 1)),
        ] {
            unknown.record(&Path::ROOT, &name, NO_NAMES);
            assert_eq!((unknown.len(), unknown.omitted), expected);
        }
    }

    #[test]
    fn a_path_with_an_empty_name_has_the_dot_of_the_name() {
        for (outer, name, expected) in [
            ("", "", "."),
            ("", "a", ".a"),
            ("a", "", "a."),
            ("a", "b", "a.b"),
        ] {
            let mut unknown = UnknownFields::default();
            unknown.record(&Path::ROOT.field(outer), name, NO_NAMES);
            unknown.finish_pruned(0);
            assert_eq!(unknown.fields[0].path, *expected, "{outer:?} {name:?}");
        }
    }
}
