//! The parts of a schema that report errors.

use crd_compat::{Finding as Change, Keyword};
use k8s_crd_validation::{ErrorOrigin, Violation};
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::path::PathStep;

use crate::world::request_schema::RequestSchema;

/// The keyword that reports an error, with the path of its schema and the path of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ErrorPlace {
    /// The path of the invalid or missing value. `None` for errors without a path, such as an error
    /// of `oneOf`.
    value: Option<SchemaPath>,
    /// The path of the schema with the keyword; `None` for errors without a path.
    schema: Option<SchemaPath>,
    /// The keyword; `None` for errors that no schema causes.
    keyword: Option<Keyword>,
    /// The text of the rule that reports the error.
    rule: Option<String>,
    /// True if a branch of a combinator has the keyword.
    is_in_combinator: bool,
}

impl ErrorPlace {
    /// Returns the parts of the schema that report an error. An error without a known keyword has
    /// one part, too.
    pub(crate) fn of_error(
        error: &Violation,
        origins: &[ErrorOrigin],
        request: RequestSchema<'_>,
    ) -> Vec<Self> {
        let steps: Vec<PathStep<'_>> = error.path().steps().collect();
        let place = |origin: Option<&ErrorOrigin>| {
            let keyword = origin.and_then(|origin| Keyword::from_name(origin.keyword));
            let is_of_root = keyword.is_some_and(|keyword| !keyword.is_combinator());
            let has_path = !steps.is_empty() || is_of_root;
            let steps_below = origin.map_or(0, |origin| origin.steps_below);
            let schema_step_count = steps.len().saturating_sub(steps_below);
            let value_steps = steps.iter().copied();
            let schema_steps = value_steps.clone().take(schema_step_count);
            let rule_index = origin.and_then(|origin| origin.rule_index);
            let rule = rule_index.and_then(|index| request.rule(schema_steps.clone(), index));
            let value = request.place(value_steps);
            let schema = request.place(schema_steps);
            Self {
                value: has_path.then_some(value),
                schema: has_path.then_some(schema),
                keyword,
                rule,
                is_in_combinator: origin.is_some_and(|origin| origin.is_in_combinator),
            }
        };
        if origins.is_empty() {
            return vec![place(None)];
        }
        origins.iter().map(|origin| place(Some(origin))).collect()
    }

    fn is_of_combinator(&self) -> bool {
        self.is_in_combinator || self.keyword.is_some_and(Keyword::is_combinator)
    }

    /// Returns true if the error is about the value at a path, and not about a value around or
    /// inside it. An error of a combinator without a path is about the value if the schema of the
    /// value has the combinator.
    pub(crate) fn is_about_value(&self, path: &SchemaPath, schema: &Value) -> bool {
        match &self.value {
            Some(value) => value == path,
            None => self
                .keyword
                .is_some_and(|keyword| schema.get(keyword.as_str()).is_some()),
        }
    }

    /// Returns true if only the value itself decides about the error.
    pub(crate) fn depends_only_on_value(&self, path: &SchemaPath) -> bool {
        !self.is_of_combinator()
            && self.value.as_ref() == Some(path)
            && self.schema.as_ref() == Some(path)
    }

    /// Returns true if an enum, null or a combinator may cause the error.
    pub(crate) fn may_be_of_enum(&self) -> bool {
        self.is_of_combinator() || matches!(self.keyword, Some(Keyword::Enum | Keyword::Nullable))
    }

    /// Returns true if the error is about the fields of an object, or about the object itself.
    pub(crate) fn is_about_fields(&self, path: &SchemaPath, fields: &[String]) -> bool {
        let (Some(value), Some(schema)) = (&self.value, &self.schema) else {
            return self.keyword.is_some_and(Keyword::is_combinator);
        };
        let is_own_field = || {
            let parent = value.parent();
            let step = value.steps().next_back();
            let is_field = |name: &str| fields.iter().any(|field| field == name);
            parent.as_ref() == Some(path)
                && matches!(step, Some(SchemaStep::Property(name)) if is_field(name))
        };
        schema == path || value == path || is_own_field()
    }

    /// Returns true if the difference of two schemas that a change reports has the keyword that
    /// reports the error. `place` is the path of the object or value that was rejected.
    pub(crate) fn is_caused_by(&self, change: &Change, place: &SchemaPath) -> bool {
        if change.keyword.is_some_and(Keyword::is_combinator) && self.is_of_combinator() {
            return match &self.value {
                Some(value) => value.starts_with(&change.place),
                None => change.place == *place,
            };
        }
        change.keyword == self.keyword
            && !self.is_in_combinator
            && Some(&change.place) == self.schema.as_ref()
            && (change.keyword != Some(Keyword::Rule) || change.rule() == self.rule.as_deref())
    }
}
