//! The conditions that a stored schema does not meet.

use super::demands::Demands;
use super::errors::Errors;
use super::lists;
use crate::schema::Kind;
use crate::schema::place::Place;
use crate::schema::props::Props;
use union_runtime::path::FieldPath;

impl Demands {
    /// Drops the conditions that this schema does not meet. The schemas inside it are not checked.
    pub(crate) fn forgive(&mut self, props: &Props<'_>) {
        if !props.kind.is_empty() && Kind::of_name(props.kind).is_none() {
            self.types = false;
        }
        let count = |demands| {
            let mut errors = Errors::default();
            lists::check(
                props,
                &Place::root(&FieldPath::root()),
                demands,
                &mut errors,
            );
            errors.len()
        };
        let all = count(Self::ALL);
        let without_sets = Self {
            atomic_sets: false,
            ..Self::ALL
        };
        let without_keys = Self {
            map_keys: false,
            ..Self::ALL
        };
        self.atomic_sets &= count(without_sets) == all;
        self.map_keys &= count(without_keys) == all;
    }
}
