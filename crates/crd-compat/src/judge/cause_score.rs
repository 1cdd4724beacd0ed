//! Scores of the differences that may cause an error, or another stored value.

use k8s_crd_validation::ErrorOrigin;
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};
use union_runtime::path::PathStep;

use super::answer::JudgedError;
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// Keywords that may report the same error.
const GROUPS: [&[Keyword]; 4] = [
    &[
        Keyword::Type,
        Keyword::Format,
        Keyword::Nullable,
        Keyword::IntOrString,
        Keyword::EmbeddedResource,
    ],
    &[
        Keyword::ListType,
        Keyword::ListMapKeys,
        Keyword::UniqueItems,
    ],
    &[Keyword::AllOf, Keyword::AnyOf, Keyword::OneOf, Keyword::Not],
    &[
        Keyword::AdditionalProperties,
        Keyword::PreserveUnknownFields,
        Keyword::Properties,
    ],
];

/// Returns the path in a schema of the value at a path in an object, as far as the schema
/// describes the value.
pub fn schema_path<'p>(
    schema: &Value,
    steps: impl IntoIterator<Item = PathStep<'p>>,
) -> SchemaPath {
    let mut path = SchemaPath::root();
    let mut at = Some(schema);
    for step in steps {
        let step = match step {
            PathStep::Index(_) => SchemaStep::Items,
            PathStep::Field(name) | PathStep::Key(name) => {
                let properties = at.and_then(|schema| schema.get("properties"));
                let is_property = properties.is_some_and(|fields| fields.get(name).is_some());
                let values = at.and_then(|schema| schema.get("additionalProperties"));
                if !is_property && values.is_some_and(Value::is_object) {
                    SchemaStep::AdditionalProperties
                } else {
                    SchemaStep::Property(name)
                }
            }
        };
        at = at.and_then(|schema| step.find(schema));
        path = path.step(step);
    }
    path
}

/// The version that reports an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Side {
    Old,
    New,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Old, Self::New];

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Old => Self::New,
            Self::New => Self::Old,
        }
    }

    pub(crate) const fn select<T>(self, [old, new]: [&T; 2]) -> &T {
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }
}

/// Returns the version that has the rule of a difference.
pub(super) const fn side_of_rule(difference: &Difference) -> Side {
    if difference.old.is_some() {
        Side::Old
    } else {
        Side::New
    }
}

/// A part of a schema that reports an error.
pub(super) struct ErrorPlace {
    /// The place of the invalid or missing value.
    pub(super) path: SchemaPath,
    /// The place of the schema that reports the error.
    pub(super) schema: SchemaPath,
    pub(super) keyword: Option<Keyword>,
    pub(super) rule: Option<(Side, usize)>,
    pub(super) is_in_combinator: bool,
    /// True if the value is null, and the schema demands another type.
    pub(super) is_null: bool,
}

impl ErrorPlace {
    /// Returns the parts of the schema that report an error. An error without a known keyword has
    /// one part, too.
    pub(super) fn of_error(error: &JudgedError, side: Side, schema: &Value) -> Vec<Self> {
        let path = schema_path(schema, error.violation.path().steps());
        let has_null = error.violation.value() == Some("null");
        let place = |origin: Option<&ErrorOrigin>| {
            let mut schema = path.clone();
            for _ in 0..origin.map_or(0, |origin| origin.steps_below) {
                schema = schema.parent().unwrap_or_default();
            }
            let keyword = origin.and_then(|origin| Keyword::from_name(origin.keyword));
            // The value of an error about a type is the name of the type.
            let is_type = matches!(
                keyword,
                Some(Keyword::Type | Keyword::Format | Keyword::IntOrString)
            );
            Self {
                path: path.clone(),
                schema,
                keyword,
                rule: origin.and_then(|origin| Some((side, origin.rule_index?))),
                is_in_combinator: origin.is_some_and(|origin| origin.is_in_combinator),
                is_null: has_null && is_type,
            }
        };
        if error.origins.is_empty() {
            return vec![place(None)];
        }
        error
            .origins
            .iter()
            .map(|origin| place(Some(origin)))
            .collect()
    }

    /// Returns a number that is higher for a more likely cause, and 0 if a difference is not a
    /// cause of the error.
    pub(super) fn score(&self, difference: &Difference) -> usize {
        let keyword_score = self.score_of_keyword(difference);
        if keyword_score > 0 || difference.keyword == Keyword::Required {
            return keyword_score;
        }
        let is_of_known_rule = self.keyword == Some(Keyword::Rule) && self.rule.is_some();
        if difference.keyword == Keyword::Rule && is_of_known_rule {
            return 0;
        }
        let depth = difference.path.steps().count();
        let is_equal = difference.path == self.path;
        let is_around = self.path.starts_with(&difference.path);
        let is_below = difference.path.starts_with(&self.path);
        match difference.keyword {
            keyword if keyword.is_combinator() && is_around => 50 + depth,
            Keyword::Properties
            | Keyword::AdditionalProperties
            | Keyword::PreserveUnknownFields
            | Keyword::Items
            | Keyword::EmbeddedResource
            | Keyword::IntOrString
            | Keyword::Default
            | Keyword::Type
                if is_around =>
            {
                40 + depth
            }
            Keyword::Default if is_below => 30,
            _ if is_equal => 35,
            _ if is_around => 10 + depth,
            _ if is_below => 10,
            _ => 0,
        }
    }

    /// Returns the score of a difference whose keyword reports the error, and 0 for an error of
    /// another keyword.
    fn score_of_keyword(&self, difference: &Difference) -> usize {
        let is_in_group = || {
            GROUPS.iter().any(|group| {
                let is_member = self.keyword.is_some_and(|keyword| group.contains(&keyword));
                is_member && group.contains(&difference.keyword)
            })
        };
        let is_schema = difference.path == self.schema && !self.is_in_combinator;
        match difference.keyword {
            Keyword::Required => self.score_of_required(difference),
            Keyword::Rule if self.keyword == Some(Keyword::Rule) && self.rule.is_some() => {
                self.score_of_rule(difference)
            }
            Keyword::Nullable if difference.path == self.path && self.is_null => 120,
            keyword if is_schema && Some(keyword) == self.keyword => 100,
            _ if is_schema && is_in_group() => 90,
            _ => 0,
        }
    }

    /// Returns true if the keyword of a difference reports the error, also from inside of a
    /// combinator.
    pub(super) fn is_of_keyword(&self, difference: &Difference) -> bool {
        let is_around = self.path.starts_with(&difference.path);
        self.score_of_keyword(difference) > 0
            || difference.keyword.is_combinator() && self.is_of_combinator() && is_around
    }

    fn is_of_combinator(&self) -> bool {
        self.is_in_combinator || self.keyword.is_some_and(Keyword::is_combinator)
    }

    /// Returns true if another value may remove the error, while the value at a path is unchanged.
    pub(super) fn depends_on_others(&self, path: &SchemaPath) -> bool {
        self.path != *path || self.keyword == Some(Keyword::Rule) || self.is_of_combinator()
    }

    /// Returns the score of a field that only one schema requires.
    fn score_of_required(&self, difference: &Difference) -> usize {
        let name = difference.old.as_ref().or(difference.new.as_ref());
        let name = name.and_then(Value::as_str);
        let is_name = match self.path.steps().next_back() {
            Some(SchemaStep::Property(missing)) => name == Some(missing),
            _ => false,
        };
        let is_required = self.keyword == Some(Keyword::Required);
        if is_required && is_name && difference.path == self.schema {
            100
        } else {
            0
        }
    }

    /// Returns the score of a rule that only one schema has, if a known rule reports the error.
    fn score_of_rule(&self, difference: &Difference) -> usize {
        let index = difference.rule_index;
        let rule = index.map(|index| (side_of_rule(difference), index));
        if difference.path == self.schema && self.rule == rule {
            150
        } else {
            0
        }
    }
}

pub(super) const fn is_about_storage(keyword: Keyword) -> bool {
    matches!(
        keyword,
        Keyword::Default
            | Keyword::Properties
            | Keyword::AdditionalProperties
            | Keyword::PreserveUnknownFields
            | Keyword::EmbeddedResource
            | Keyword::Nullable
            | Keyword::Items
            | Keyword::IntOrString
    )
}

/// Returns a number that is higher for a more likely cause of another stored value, and 0 if a
/// difference is not a cause.
pub(super) fn storage_score(path: &SchemaPath, difference: &Difference) -> usize {
    let is_about_storage = is_about_storage(difference.keyword);
    let depth = difference.path.steps().count();
    match (path.starts_with(&difference.path), is_about_storage) {
        (true, true) if difference.path == *path => 100,
        (true, true) => 60 + depth,
        (true, false) => 10 + depth,
        (false, true) if difference.path.starts_with(path) => 50,
        (false, _) => 0,
    }
}
