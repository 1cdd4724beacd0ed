//! Positions in a schema, as an API server prints them.

use core::fmt;

use super::props::WrongType;
use k8s_json_internals::quote::quoted;
use union_runtime::path::FieldPath;
use union_runtime::{Found, Violation, ViolationKind};

/// A position in a schema: `spec.validation.openAPIV3Schema.properties[a].items`.
#[derive(Clone, Copy)]
pub(crate) struct Place<'a> {
    before: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root(&'a FieldPath),
    Field(&'a str),
    Key(&'a str, &'a str),
    Index(&'a str, usize),
}

impl<'a> Place<'a> {
    pub(crate) const fn root(path: &'a FieldPath) -> Self {
        Self {
            before: None,
            step: Step::Root(path),
        }
    }

    const fn step(&'a self, step: Step<'a>) -> Self {
        Self {
            before: Some(self),
            step,
        }
    }

    /// Returns a position such as `.items`.
    pub(crate) const fn field(&'a self, field: &'a str) -> Self {
        self.step(Step::Field(field))
    }

    /// Returns a position such as `.properties[a]`.
    pub(crate) const fn key(&'a self, field: &'a str, key: &'a str) -> Self {
        self.step(Step::Key(field, key))
    }

    /// Returns a position such as `.allOf[0]`.
    pub(crate) const fn index(&'a self, field: &'a str, index: usize) -> Self {
        self.step(Step::Index(field, index))
    }

    pub(crate) fn found(&self, kind: ViolationKind, value: Found, detail: &str) -> Violation {
        Violation::found(kind, self.to_field_path(), value, detail.to_owned())
    }

    pub(crate) fn invalid(&self, detail: &str) -> Violation {
        self.found(ViolationKind::Invalid, Found::Nothing, detail)
    }

    pub(crate) fn forbidden(&self, detail: &str) -> Violation {
        self.found(ViolationKind::Forbidden, Found::Nothing, detail)
    }

    pub(crate) fn required(&self, detail: &str) -> Violation {
        self.found(ViolationKind::Required, Found::Nothing, detail)
    }

    /// Returns the error for a string that is invalid, or missing if it is empty.
    pub(crate) fn wrong(&self, found: &str, detail: &str) -> Violation {
        if found.is_empty() {
            return self.required(detail);
        }
        self.found(
            ViolationKind::Invalid,
            Found::Text(found.to_owned()),
            detail,
        )
    }

    /// Returns the error for a string that is not one of the supported values.
    pub(crate) fn unsupported(&self, found: &str, values: &[&str]) -> Violation {
        let detail = format!("supported values: {}", quoted(values.iter().copied()));
        self.found(
            ViolationKind::NotSupported,
            Found::Text(found.to_owned()),
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
            Step::Root(path) => path.clone(),
            Step::Field(field) => before.field(field),
            Step::Key(field, key) => before.field(field).key(key),
            Step::Index(field, index) => before.field(field).index(index),
        }
    }

    /// Returns the error for a keyword whose value has the wrong type.
    pub(crate) fn wrong_type(&self, wrong: &WrongType) -> Violation {
        let detail = format!("must be {}", wrong.wanted);
        match wrong.keyword {
            "" => self.invalid(&detail),
            keyword => self.field(keyword).invalid(&detail),
        }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_field_path().fmt(f)
    }
}
