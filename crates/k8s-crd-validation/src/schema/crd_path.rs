//! Paths in a CRD, as an API server prints them.

use core::fmt;

use super::raw::keywords::UnmarshalTypeError;
use k8s_json_internals::quote::quote_list;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A path in a CRD, such as `spec.validation.openAPIV3Schema.properties[a].items`.
///
/// A walk builds paths without allocation: each path borrows the path of its parent.
#[derive(Clone, Copy)]
pub(crate) struct CrdPath<'a> {
    parent: Option<&'a CrdPath<'a>>,
    step: CrdPathStep<'a>,
}

/// The last step of a path.
#[derive(Clone, Copy)]
enum CrdPathStep<'a> {
    Root(&'a FieldPath),
    Field(&'a str),
    Key(&'a str, &'a str),
    Index(&'a str, usize),
}

impl<'a> CrdPath<'a> {
    /// Returns a path without a parent.
    pub(crate) const fn root(path: &'a FieldPath) -> Self {
        Self {
            parent: None,
            step: CrdPathStep::Root(path),
        }
    }

    const fn step(&'a self, step: CrdPathStep<'a>) -> Self {
        Self {
            parent: Some(self),
            step,
        }
    }

    /// Returns the path of a field, such as `.items`.
    pub(crate) const fn field(&'a self, field: &'a str) -> Self {
        self.step(CrdPathStep::Field(field))
    }

    /// Returns the path of a key of a map, such as `.properties[a]`.
    pub(crate) const fn key(&'a self, field: &'a str, key: &'a str) -> Self {
        self.step(CrdPathStep::Key(field, key))
    }

    /// Returns the path of an element of a list, such as `.allOf[0]`.
    pub(crate) const fn index(&'a self, field: &'a str, index: usize) -> Self {
        self.step(CrdPathStep::Index(field, index))
    }

    pub(crate) fn violation(
        &self,
        kind: ViolationKind,
        value: BadValue,
        detail: &str,
    ) -> Violation {
        Violation::from_parts(kind, self.to_field_path(), value, detail.to_owned())
    }

    pub(crate) fn invalid(&self, detail: &str) -> Violation {
        self.violation(ViolationKind::Invalid, BadValue::Omitted, detail)
    }

    pub(crate) fn forbidden(&self, detail: &str) -> Violation {
        self.violation(ViolationKind::Forbidden, BadValue::Omitted, detail)
    }

    pub(crate) fn required(&self, detail: &str) -> Violation {
        self.violation(ViolationKind::Required, BadValue::Omitted, detail)
    }

    /// Returns the error for an invalid string. An empty string is reported as missing.
    pub(crate) fn invalid_or_required(&self, value: &str, detail: &str) -> Violation {
        if value.is_empty() {
            return self.required(detail);
        }
        self.violation(
            ViolationKind::Invalid,
            BadValue::Quoted(value.to_owned()),
            detail,
        )
    }

    /// Returns the error for a string that is not one of the supported values.
    pub(crate) fn not_supported(&self, value: &str, values: &[&str]) -> Violation {
        let detail = format!("supported values: {}", quote_list(values.iter().copied()));
        self.violation(
            ViolationKind::NotSupported,
            BadValue::Quoted(value.to_owned()),
            &detail,
        )
    }

    /// Returns the path without the steps after the root.
    pub(crate) fn root_path(&self) -> FieldPath {
        match self.parent {
            Some(parent) => parent.root_path(),
            None => self.to_field_path(),
        }
    }

    /// Returns the path as a [`FieldPath`].
    pub(crate) fn to_field_path(self) -> FieldPath {
        let parent = self
            .parent
            .map_or_else(FieldPath::root, |parent| parent.to_field_path());
        match self.step {
            CrdPathStep::Root(path) => path.clone(),
            CrdPathStep::Field(field) => parent.field(field),
            CrdPathStep::Key(field, key) => parent.field(field).key(key),
            CrdPathStep::Index(field, index) => parent.field(field).index(index),
        }
    }

    /// Returns the error for a keyword whose value has the wrong type.
    pub(crate) fn type_error(&self, error: &UnmarshalTypeError) -> Violation {
        let detail = format!("must be {}", error.expected);
        match error.keyword {
            "" => self.invalid(&detail),
            keyword => self.field(keyword).invalid(&detail),
        }
    }
}

impl fmt::Display for CrdPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_field_path().fmt(f)
    }
}
