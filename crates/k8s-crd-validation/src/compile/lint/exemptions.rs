//! The conditions from which an update is exempt, because a stored schema does not meet them.

use super::errors::LintErrors;
use super::lists;
use super::validation_options::ValidationOptions;
use crate::schema::SchemaType;
use crate::schema::crd_path::CrdPath;
use crate::schema::raw::keywords::Keywords;
use union_runtime::path::FieldPath;

impl ValidationOptions {
    /// Drops the conditions that one stored schema does not meet. The schemas inside are not
    /// checked.
    pub(crate) fn drop_unmet(&mut self, props: &Keywords<'_>) {
        if !props.schema_type.is_empty() && SchemaType::from_name(props.schema_type).is_none() {
            self.types = false;
        }
        let count_errors = |options| {
            let mut errors = LintErrors::default();
            lists::check(
                props,
                &CrdPath::root(&FieldPath::root()),
                options,
                &mut errors,
            );
            errors.len()
        };
        // The schema meets a condition if the check of the condition adds no errors.
        let error_count = count_errors(Self::ALL);
        let without_sets = Self {
            atomic_sets: false,
            ..Self::ALL
        };
        let without_keys = Self {
            map_keys: false,
            ..Self::ALL
        };
        self.atomic_sets &= count_errors(without_sets) == error_count;
        self.map_keys &= count_errors(without_keys) == error_count;
    }
}
