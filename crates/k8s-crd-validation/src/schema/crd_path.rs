//! Positions in a schema, as an API server prints them.

use core::fmt;

use super::keywords::UnmarshalTypeError;
use k8s_json_internals::quote::quote_list;
use union_runtime::path::FieldPath;
use union_runtime::{BadValue, Violation, ViolationKind};

/// A position in a schema: `spec.validation.openAPIV3Schema.properties[a].items`.
#[derive(Clone, Copy)]
pub(crate) struct CrdPath<'a> {
    before: Option<&'a CrdPath<'a>>,
    step: CrdPathStep<'a>,
}

#[derive(Clone, Copy)]
enum CrdPathStep<'a> {
    Root(&'a FieldPath),
    Field(&'a str),
    Key(&'a str, &'a str),
    Index(&'a str, usize),
}

impl<'a> CrdPath<'a> {
    pub(crate) const fn root(path: &'a FieldPath) -> Self {
        Self {
            before: None,
            step: CrdPathStep::Root(path),
        }
    }

    const fn step(&'a self, step: CrdPathStep<'a>) -> Self {
        Self {
            before: Some(self),
            step,
        }
    }

    /// Returns a position such as `.items`.
    pub(crate) const fn field(&'a self, field: &'a str) -> Self {
        self.step(CrdPathStep::Field(field))
    }

    /// Returns a position such as `.properties[a]`.
    pub(crate) const fn key(&'a self, field: &'a str, key: &'a str) -> Self {
        self.step(CrdPathStep::Key(field, key))
    }

    /// Returns a position such as `.allOf[0]`.
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

    /// Returns the error for a string that is invalid, or missing if it is empty.
    pub(crate) fn invalid_or_required(&self, found: &str, detail: &str) -> Violation {
        if found.is_empty() {
            return self.required(detail);
        }
        self.violation(
            ViolationKind::Invalid,
            BadValue::Quoted(found.to_owned()),
            detail,
        )
    }

    /// Returns the error for a string that is not one of the supported values.
    pub(crate) fn not_supported(&self, found: &str, values: &[&str]) -> Violation {
        let detail = format!("supported values: {}", quote_list(values.iter().copied()));
        self.violation(
            ViolationKind::NotSupported,
            BadValue::Quoted(found.to_owned()),
            &detail,
        )
    }

    /// Returns the path of the whole schema.
    pub(crate) fn root_path(&self) -> FieldPath {
        match self.before {
            Some(before) => before.root_path(),
            None => self.to_field_path(),
        }
    }

    /// Returns the path of the position.
    pub(crate) fn to_field_path(self) -> FieldPath {
        let before = self
            .before
            .map_or_else(FieldPath::root, |before| before.to_field_path());
        match self.step {
            CrdPathStep::Root(path) => path.clone(),
            CrdPathStep::Field(field) => before.field(field),
            CrdPathStep::Key(field, key) => before.field(field).key(key),
            CrdPathStep::Index(field, index) => before.field(field).index(index),
        }
    }

    /// Returns the error for a keyword whose value has the wrong type.
    pub(crate) fn type_error(&self, wrong: &UnmarshalTypeError) -> Violation {
        let detail = format!("must be {}", wrong.wanted);
        match wrong.keyword {
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
