//! Finds the values that a printed path, such as `spec.ports[0].labels[a.b/c]`, may refer to.

use std::collections::HashMap;

use serde_json::Value;

use super::path_step::PathStep;

/// A value of the object, whose path is a prefix of the printed path.
#[derive(Clone, Copy)]
pub struct PartialMatch<'v, 't> {
    /// The value.
    pub value: &'v Value,
    /// The part of the printed path after the prefix.
    pub suffix: &'t str,
    /// The index of the parent among the matches, and the step from the parent to this value, or
    /// `None` for the object itself.
    pub parent_and_step: Option<(usize, PathStep<'v>)>,
}

/// The number of equal matches that are kept. Two show that a path is ambiguous.
const MAX_EQUAL_MATCHES: usize = 2;

/// Returns all values whose paths are prefixes of the printed path, beginning with the object
/// itself. The printed path may contain each name in its own spelling or in the spelling that
/// `spell` returns.
#[must_use]
pub fn match_prefixes<'v, 't>(
    printed: &'t str,
    object: &'v Value,
    spell: &impl Fn(&str) -> String,
) -> Vec<PartialMatch<'v, 't>> {
    let mut matches = vec![PartialMatch {
        value: object,
        suffix: printed,
        parent_and_step: None,
    }];
    let mut parent = 0;
    let mut spelled_matches = SpelledMatches::default();
    while let Some(&PartialMatch { value, suffix, .. }) = matches.get(parent) {
        let mut add_match = |value, step, suffix: &'t str| {
            if suffix.is_empty() || suffix.starts_with(['.', '[']) {
                matches.push(PartialMatch {
                    value,
                    suffix,
                    parent_and_step: Some((parent, step)),
                });
            }
        };
        match value {
            Value::Object(object) => {
                for (name, value) in object {
                    let mut try_spelling = |spelling: &str, is_name: bool| {
                        let mut is_needed =
                            |suffix: &str| is_name || spelled_matches.add(value, suffix);
                        // The first name of a path has no dot before it.
                        let first_name = (parent == 0 && !spelling.is_empty()).then_some(suffix);
                        let names = [first_name, suffix.strip_prefix('.')].into_iter().flatten();
                        for suffix in names.filter_map(|names| names.strip_prefix(spelling)) {
                            if is_needed(suffix) {
                                add_match(value, PathStep::Field(name), suffix);
                            }
                        }
                        if let Some(suffix) = strip_key(suffix, spelling)
                            && is_needed(suffix)
                        {
                            add_match(value, PathStep::Key(name), suffix);
                        }
                    };
                    let other_spelling = spell(name);
                    try_spelling(name, true);
                    if other_spelling != *name {
                        try_spelling(&other_spelling, false);
                    }
                }
            }
            Value::Array(elements) => {
                if let Some((index, suffix)) = split_index(suffix)
                    && let Some(value) = elements.get(index)
                {
                    add_match(value, PathStep::Index(index), suffix);
                }
            }
            _ => {}
        }
        parent += 1;
    }
    matches
}

/// The numbers of matches by spellings that are not the names, by the value and the length of the
/// suffix. Spellings may overlap, so that a value has the same suffix by very many combinations.
#[derive(Default)]
struct SpelledMatches(HashMap<(*const Value, usize), usize>);

impl SpelledMatches {
    /// Adds a match. Returns false if there are enough equal matches.
    fn add(&mut self, value: &Value, suffix: &str) -> bool {
        let key = (core::ptr::from_ref(value), suffix.len());
        let count = self.0.entry(key).or_default();
        *count += 1;
        *count <= MAX_EQUAL_MATCHES
    }
}

/// Returns the suffix after the key with this name: `.a` for `[name].a`.
fn strip_key<'t>(printed: &'t str, name: &str) -> Option<&'t str> {
    let key = printed.strip_prefix('[')?;
    key.strip_prefix(name)?.strip_prefix(']')
}

/// Splits `[3].a` into the index 3 and the suffix `.a`. Returns `None` for an index with a leading
/// zero or a sign, which API servers do not print.
fn split_index(printed: &str) -> Option<(usize, &str)> {
    let (digits, suffix) = printed.strip_prefix('[')?.split_once(']')?;
    let is_canonical = digits == "0" || !digits.starts_with(['0', '+']);
    let index = digits.parse().ok()?;
    is_canonical.then_some((index, suffix))
}

/// Returns the indexes of the first two matches of the whole printed path.
#[must_use]
pub fn full_matches(matches: &[PartialMatch<'_, '_>]) -> (Option<usize>, Option<usize>) {
    let candidates = matches.iter().enumerate();
    let mut full_matches = candidates.filter(|(_, candidate)| candidate.suffix.is_empty());
    let mut next_index = || full_matches.next().map(|(index, _)| index);
    (next_index(), next_index())
}

/// Returns the steps from the object to the match at an index.
#[must_use]
pub fn steps_to<'v>(matches: &[PartialMatch<'v, '_>], index: usize) -> Vec<PathStep<'v>> {
    let (mut steps, mut index) = (Vec::new(), index);
    while let Some(&PartialMatch {
        parent_and_step: Some((parent, step)),
        ..
    }) = matches.get(index)
    {
        steps.push(step);
        index = parent;
    }
    steps.reverse();
    steps
}
