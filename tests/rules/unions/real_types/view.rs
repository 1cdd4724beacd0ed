//! The two views of a union: a value of the real type, and a JSON object with the engine for the
//! type's schema.
//!
//! The JSON view also represents objects that the real type cannot read.

use serde::Serialize;
use serde_json::Value;
use union_json::{SchemaSource, Unions};
use union_runtime::{Changes, Report, Settings, Union, schema_for};

use crate::unions::real_types::model::{Finding, Model};
use crate::unions::real_types::states::{Sample, as_json};

/// A representation of an object with a union: a value of the real type, or JSON with an engine.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the methods of the crate take settings so"
)]
pub(crate) trait View: Clone {
    /// Returns the findings of the oracle in the order of reports of this view.
    fn in_report_order<T: Sample>(findings: Vec<Finding>) -> Vec<Finding> {
        findings
    }

    fn json(&self) -> Value;
    fn normalize(&mut self, old: Option<&Self>, settings: &Settings) -> Changes;
    fn validate(&self) -> Report;
    fn validate_update(&self, old: &Self, settings: &Settings) -> Report;
    fn admit(&mut self, old: Option<&Self>, settings: &Settings) -> Report;
}

impl<T: Union + Serialize + Clone> View for T {
    fn json(&self) -> Value {
        as_json(self)
    }

    fn normalize(&mut self, old: Option<&Self>, settings: &Settings) -> Changes {
        self.normalize_unions(old, settings)
    }

    fn validate(&self) -> Report {
        self.validate_unions()
    }

    fn validate_update(&self, old: &Self, settings: &Settings) -> Report {
        self.validate_unions_update(old, settings)
    }

    fn admit(&mut self, old: Option<&Self>, settings: &Settings) -> Report {
        self.admit_unions(old, settings)
    }
}

/// The engine for the schema of a real type.
pub(crate) struct Engine(Unions);

impl Engine {
    pub(crate) fn compile<T: Sample>() -> Self {
        Self::compile_schema(schema_for::<T>().as_value())
    }

    pub(crate) fn compile_schema(schema: &Value) -> Self {
        Self(
            Unions::compile(SchemaSource::Schema(schema)).unwrap_or_else(|error| panic!("{error}")),
        )
    }

    pub(crate) const fn view_of(&self, object: Value) -> JsonView<'_> {
        JsonView {
            unions: &self.0,
            object,
        }
    }
}

/// A JSON object and the engine for its schema.
#[derive(Clone)]
pub(crate) struct JsonView<'u> {
    unions: &'u Unions,
    object: Value,
}

impl View for JsonView<'_> {
    /// Sorts the findings by the values of their members, because a schema has no order of fields.
    fn in_report_order<T: Sample>(mut findings: Vec<Finding>) -> Vec<Finding> {
        let Model {
            values, members, ..
        } = T::MODEL;
        findings.sort_by_key(|(field, _)| {
            let member = members.iter().find(|member| member.field == *field);
            let value = member.map(|member| member.value);
            values
                .iter()
                .position(|candidate| Some(*candidate) == value)
        });
        findings
    }

    fn json(&self) -> Value {
        self.object.clone()
    }

    fn normalize(&mut self, old: Option<&Self>, settings: &Settings) -> Changes {
        let old = old.map(|old| &old.object);
        self.unions.normalize(&mut self.object, old, settings)
    }

    fn validate(&self) -> Report {
        self.unions.validate(&self.object)
    }

    fn validate_update(&self, old: &Self, settings: &Settings) -> Report {
        self.unions
            .validate_update(&self.object, &old.object, settings)
    }

    fn admit(&mut self, old: Option<&Self>, settings: &Settings) -> Report {
        let old = old.map(|old| &old.object);
        self.unions.admit(&mut self.object, old, settings)
    }
}
