//! Finds the difference that causes an error, or another stored value.

use std::collections::HashMap;

use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use super::answer::JudgedError;
use super::cause_score::{ErrorPlace, Side, is_about_storage, side_of_rule, storage_score};
use crate::schema::difference::Difference;
use crate::schema::keyword::Keyword;

/// The first differences at places below a place.
#[derive(Default)]
struct DifferencesBelow {
    default: Option<usize>,
    storage: Option<usize>,
    any: Option<usize>,
}

/// The differences of two schemas, by place. The causes of an error are looked up, so the time for
/// an error does not depend on the number of differences.
pub(crate) struct DifferenceIndex {
    differences: Vec<Difference>,
    /// The differences at each place, without required fields and rules. A place has at most one
    /// such difference for each keyword.
    at_place: HashMap<SchemaPath, Vec<usize>>,
    required_fields: HashMap<(SchemaPath, String), usize>,
    rules: HashMap<(SchemaPath, Side, usize), usize>,
    below_place: HashMap<SchemaPath, DifferencesBelow>,
}

impl DifferenceIndex {
    pub(crate) fn new(differences: Vec<Difference>) -> Self {
        let mut index = Self {
            differences: Vec::new(),
            at_place: HashMap::new(),
            required_fields: HashMap::new(),
            rules: HashMap::new(),
            below_place: HashMap::new(),
        };
        for (number, difference) in differences.iter().enumerate() {
            index.add(number, difference);
        }
        index.differences = differences;
        index
    }

    fn add(&mut self, number: usize, difference: &Difference) {
        let path = &difference.path;
        match (difference.keyword, difference.rule_index) {
            (Keyword::Required, _) => {
                let name = difference.old.as_ref().or(difference.new.as_ref());
                let name = name.and_then(Value::as_str).unwrap_or_default();
                let key = (path.clone(), name.to_owned());
                self.required_fields.insert(key, number);
                return;
            }
            (Keyword::Rule, Some(rule_index)) => {
                let key = (path.clone(), side_of_rule(difference), rule_index);
                self.rules.insert(key, number);
            }
            _ => self.at_place.entry(path.clone()).or_default().push(number),
        }
        let mut outer = path.parent();
        while let Some(place) = outer {
            outer = place.parent();
            let below = self.below_place.entry(place).or_default();
            below.any.get_or_insert(number);
            if difference.keyword == Keyword::Default {
                below.default.get_or_insert(number);
            }
            if is_about_storage(difference.keyword) {
                below.storage.get_or_insert(number);
            }
        }
    }

    pub(crate) fn differences(&self) -> &[Difference] {
        &self.differences
    }

    /// Returns the index of the difference that most likely causes an error of a version.
    /// `fallback` is the difference for which the object was made.
    pub(crate) fn cause_of_error(
        &self,
        error: &JudgedError,
        side: Side,
        schema: &Value,
        fallback: usize,
    ) -> usize {
        let places = ErrorPlace::of_error(error, side, schema);
        let scores = places.iter().flat_map(|place| {
            let candidates = self.candidates(place, fallback);
            candidates.into_iter().filter_map(|number| {
                let score = place.score(self.differences.get(number)?);
                Some((score, number))
            })
        });
        best(scores, fallback)
    }

    /// Returns true if the keyword of a difference reports an error of a version.
    pub(crate) fn reports_error(
        &self,
        number: usize,
        error: &JudgedError,
        side: Side,
        schema: &Value,
    ) -> bool {
        self.has_place(number, error, side, schema, ErrorPlace::is_of_keyword)
    }

    /// Returns true if another value than the value at the place of a difference may remove an
    /// error of a version.
    pub(crate) fn depends_on_others(
        &self,
        number: usize,
        error: &JudgedError,
        side: Side,
        schema: &Value,
    ) -> bool {
        let depends_on_others =
            |place: &ErrorPlace, difference: &Difference| place.depends_on_others(&difference.path);
        self.has_place(number, error, side, schema, depends_on_others)
    }

    /// Returns true if `is_match` accepts a place of an error of a version for a difference.
    fn has_place(
        &self,
        number: usize,
        error: &JudgedError,
        side: Side,
        schema: &Value,
        is_match: impl Fn(&ErrorPlace, &Difference) -> bool,
    ) -> bool {
        let mut places = ErrorPlace::of_error(error, side, schema).into_iter();
        let difference = self.differences.get(number);
        difference.is_some_and(|difference| places.any(|place| is_match(&place, difference)))
    }

    /// Returns true if the keyword of another difference at the same place reports an error of a
    /// version: one keyword may replace the other.
    pub(crate) fn is_of_replaced_keyword(
        &self,
        number: usize,
        error: &JudgedError,
        side: Side,
        schema: &Value,
    ) -> bool {
        let cause = self.cause_of_error(error, side, schema, number);
        let path = |number: usize| self.differences.get(number).map(|it| &it.path);
        cause != number
            && path(cause) == path(number)
            && self.reports_error(cause, error, side, schema)
    }

    /// Returns the index of the difference that most likely causes another stored value at a path.
    pub(crate) fn cause_of_stored(&self, path: &SchemaPath, fallback: usize) -> usize {
        let mut candidates = self.candidates_around(path);
        let below = self.below_place.get(path);
        candidates.extend(below.and_then(|below| below.storage));
        candidates.push(fallback);
        let scores = candidates.into_iter().filter_map(|number| {
            let score = storage_score(path, self.differences.get(number)?);
            Some((score, number))
        });
        best(scores, fallback)
    }

    /// Returns the indexes of the differences that may cause an error.
    fn candidates(&self, place: &ErrorPlace, fallback: usize) -> Vec<usize> {
        let mut candidates = self.candidates_around(&place.path);
        if let Some(SchemaStep::Property(name)) = place.path.steps().next_back() {
            let key = (place.schema.clone(), name.to_owned());
            candidates.extend(self.required_fields.get(&key));
        }
        if let Some((side, rule_index)) = place.rule {
            let key = (place.schema.clone(), side, rule_index);
            candidates.extend(self.rules.get(&key));
        }
        let below = self.below_place.get(&place.path);
        candidates.extend(
            below
                .into_iter()
                .flat_map(|below| [below.default, below.any])
                .flatten(),
        );
        candidates.push(fallback);
        candidates
    }

    /// Returns the indexes of the differences at a place and around it.
    fn candidates_around(&self, path: &SchemaPath) -> Vec<usize> {
        let mut candidates = Vec::new();
        let mut place = Some(path.clone());
        while let Some(path) = place {
            candidates.extend(self.at_place.get(&path).into_iter().flatten());
            place = path.parent();
        }
        candidates
    }
}

/// Returns the candidate with the highest score: `fallback` if its score is not lower, and
/// otherwise the first difference of the schemas.
fn best(scores: impl Iterator<Item = (usize, usize)>, fallback: usize) -> usize {
    let ranked = scores.filter(|(score, _)| *score > 0);
    let ranked = ranked
        .max_by_key(|(score, number)| (*score, *number == fallback, std::cmp::Reverse(*number)));
    ranked.map_or(fallback, |(_, number)| number)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use union_json::document::SchemaPath;

    use super::DifferenceIndex;
    use crate::judge::cause_score::{ErrorPlace, Side};
    use crate::schema::difference::Differences;
    use crate::schema::keyword::Keyword;

    /// Returns the index of schemas with a number of fields, each with a changed bound, a required
    /// field and a rule.
    fn index_of(field_count: usize) -> DifferenceIndex {
        let schema = |bound: usize, is_new: bool| {
            let names = (0..field_count).map(|number| format!("f{number}"));
            let fields = names.clone().map(|name| {
                (
                    name,
                    json!({"type": "integer", "maximum": bound, "default": bound}),
                )
            });
            let fields: serde_json::Map<String, Value> = fields.collect();
            let rules = names
                .clone()
                .map(|name| json!({"rule": format!("self.{name} < {bound}")}));
            let mut spec = json!({"type": "object", "properties": fields});
            spec["x-kubernetes-validations"] = rules.collect();
            if is_new {
                spec["required"] = names.collect();
            }
            json!({"type": "object", "properties": {"spec": spec}})
        };
        let differences = Differences::between(&schema(9, false), &schema(5, true));
        assert!(differences.list.len() >= 5 * field_count);
        DifferenceIndex::new(differences.list)
    }

    /// The work for an error is the number of differences that get a score.
    #[test]
    fn the_work_for_an_error_does_not_grow_with_the_number_of_differences() {
        let path = SchemaPath::root().property("spec").property("f3");
        let place = |path: &SchemaPath, keyword: Keyword, rule: Option<usize>| ErrorPlace {
            path: path.clone(),
            schema: match keyword {
                Keyword::Required => path.parent().unwrap(),
                _ => path.clone(),
            },
            keyword: Some(keyword),
            rule: rule.map(|rule| (Side::New, rule)),
            is_in_combinator: false,
            is_null: false,
        };
        let spec = path.parent().unwrap();
        let places = [
            place(&path, Keyword::Maximum, None),
            place(&path, Keyword::Required, None),
            place(&spec, Keyword::Rule, Some(3)),
        ];
        let [few, many] = [5, 400].map(index_of);
        for place in &places {
            let work = |index: &DifferenceIndex| index.candidates(place, 0).len();
            assert!(work(&few) > 1);
            assert_eq!(work(&few), work(&many));
        }
        let work = |index: &DifferenceIndex| index.candidates_around(&path).len();
        assert_eq!(work(&few), work(&many));
    }
}
