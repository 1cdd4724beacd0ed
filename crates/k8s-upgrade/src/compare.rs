//! Compares the answers of two versions to the same requests.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::answer::{Answer, Problem, rule_source};
use crate::finding::{Finding, Outcome, RequestChange, Subject};

/// Returns the differences between the answers of two versions. Both have the same requests. The
/// findings do not have causes yet.
pub(crate) fn compare(before: &[Answer], after: &[Answer]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (old_problem, new_problem) in pair_problems(distinct(before), distinct(after)) {
        findings.extend(compare_problem(old_problem, new_problem, before, after));
    }
    findings.extend(compare_warnings(before, after));
    findings.extend(compare_stored_objects(before, after));
    findings
}

/// Returns the errors of all answers, each once.
fn distinct(answers: &[Answer]) -> Vec<&Problem> {
    let mut seen = HashSet::new();
    let problems = answers.iter().flat_map(Answer::problems);
    problems
        .filter(|problem| seen.insert(&problem.id))
        .collect()
}

/// The same error in both versions, or an error of one version.
type ProblemPair<'p> = (Option<&'p Problem>, Option<&'p Problem>);

/// The parts that are equal in a pair of errors.
#[derive(PartialEq, Eq, Hash)]
struct PairKey<'p> {
    kind: &'static str,
    path: Option<&'p FieldPath>,
    value: Option<&'p str>,
    rule: &'p str,
}

impl<'p> PairKey<'p> {
    fn new(problem: &'p Problem) -> Self {
        let id = &problem.id;
        Self {
            kind: id.kind,
            path: Some(&id.path),
            value: id.value.as_deref(),
            rule: &id.rule,
        }
    }

    fn without_value(self) -> Self {
        Self {
            value: None,
            ..self
        }
    }

    fn without_path(self) -> Self {
        Self { path: None, ..self }
    }

    fn with_rule(self, rule: &'p str) -> Self {
        Self { rule, ..self }
    }
}

/// Pairs the errors of two versions. Versions may print different values, different messages and
/// different paths for the same error, so errors that are nearly equal are pairs too.
fn pair_problems<'p>(
    mut before: Vec<&'p Problem>,
    mut after: Vec<&'p Problem>,
) -> Vec<ProblemPair<'p>> {
    let criteria: [fn(&Problem) -> Option<PairKey<'_>>; 5] = [
        |problem| Some(PairKey::new(problem)),
        |problem| Some(PairKey::new(problem).without_value()),
        |problem| {
            let source = rule_source(&problem.id.rule)?;
            Some(PairKey::new(problem).without_value().with_rule(source))
        },
        |problem| {
            let has_source = rule_source(&problem.id.rule).is_some();
            (!has_source).then(|| PairKey::new(problem).without_value().with_rule(""))
        },
        |problem| Some(PairKey::new(problem).without_value().without_path()),
    ];
    let mut pairs = Vec::new();
    for key in criteria {
        let mut new_by_key: HashMap<PairKey<'_>, VecDeque<usize>> = HashMap::new();
        for (index, new) in after.iter().enumerate() {
            if let Some(key) = key(new) {
                new_by_key.entry(key).or_default().push_back(index);
            }
        }
        let mut is_paired = vec![false; after.len()];
        before.retain(|old| {
            let new = key(old).and_then(|key| new_by_key.get_mut(&key)?.pop_front());
            let Some((is_paired, new)) =
                new.and_then(|index| Some((is_paired.get_mut(index)?, after.get(index)?)))
            else {
                return true;
            };
            *is_paired = true;
            pairs.push((Some(*old), Some(*new)));
            false
        });
        let mut is_paired = is_paired.into_iter();
        after.retain(|_| !is_paired.next().unwrap_or_default());
    }
    pairs.extend(before.into_iter().map(|old| (Some(old), None)));
    pairs.extend(after.into_iter().map(|new| (None, Some(new))));
    pairs
}

fn compare_problem(
    old_problem: Option<&Problem>,
    new_problem: Option<&Problem>,
    before: &[Answer],
    after: &[Answer],
) -> Option<Finding> {
    let changes: Vec<RequestChange> = before
        .iter()
        .zip(after)
        .map(|(old, new)| RequestChange {
            request: old.request,
            before: old.outcome(old_problem),
            after: new.outcome(new_problem),
            is_newly_rejected: false,
        })
        .zip(before.iter().zip(after))
        .filter(|(change, _)| is_different(change.before, change.after))
        .map(|(change, (old, new))| RequestChange {
            is_newly_rejected: change.after == Outcome::Rejected
                && old.is_accepted
                && !new.is_accepted,
            ..change
        })
        .collect();
    let text = |problem: Option<&Problem>| problem.map(|problem| problem.text.clone());
    let mut texts = (text(old_problem), text(new_problem));
    if changes.is_empty() {
        texts = different_texts(old_problem?, new_problem?, before, after)?;
    }
    let path = new_problem.or(old_problem)?.id.path.clone();
    Some(Finding {
        subject: Subject::Error,
        path,
        before: texts.0,
        after: texts.1,
        changes,
        causes: Vec::new(),
    })
}

/// Returns the messages of the first request for which the versions have different messages.
fn different_texts(
    old_problem: &Problem,
    new_problem: &Problem,
    before: &[Answer],
    after: &[Answer],
) -> Option<(Option<String>, Option<String>)> {
    let mut texts = before
        .iter()
        .zip(after)
        .map(|(old, new)| (old.text(old_problem), new.text(new_problem)));
    let (old_text, new_text) = texts.find(|(old_text, new_text)| old_text != new_text)?;
    Some((old_text.map(str::to_owned), new_text.map(str::to_owned)))
}

/// Returns true if an outcome differs. An error that one version does not have may also be an error
/// that this version does not evaluate.
fn is_different(before: Outcome, after: Outcome) -> bool {
    let is_absent = |outcome: Outcome| matches!(outcome, Outcome::Absent | Outcome::NotEvaluated);
    before != after && !(is_absent(before) && is_absent(after))
}

/// Returns a finding for each warning that only one version has.
fn compare_warnings(before: &[Answer], after: &[Answer]) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let answers = before.iter().chain(after);
    let warnings = answers.flat_map(|answer| &answer.warnings);
    let warnings = warnings.filter(|warning| seen.insert(*warning));
    let finding = |warning: &String| {
        let outcome = |answer: &Answer| {
            if answer.has_warning(warning) {
                Outcome::Tolerated
            } else {
                Outcome::Absent
            }
        };
        let text = |answers: &[Answer]| {
            let has_warning = answers.iter().any(|answer| answer.has_warning(warning));
            has_warning.then(|| warning.clone())
        };
        let changes: Vec<RequestChange> = before
            .iter()
            .zip(after)
            .map(|(old, new)| RequestChange {
                request: old.request,
                before: outcome(old),
                after: outcome(new),
                is_newly_rejected: false,
            })
            .filter(|change| change.before != change.after)
            .collect();
        (!changes.is_empty()).then(|| Finding {
            subject: Subject::Warning,
            path: FieldPath::root(),
            before: text(before),
            after: text(after),
            changes,
            causes: Vec::new(),
        })
    };
    warnings.filter_map(finding).collect()
}

/// Returns a finding if an accepted request stores another object.
fn compare_stored_objects(before: &[Answer], after: &[Answer]) -> Option<Finding> {
    let is_different = |(old, new): &(&Answer, &Answer)| {
        old.is_accepted && new.is_accepted && old.stored != new.stored
    };
    let (old, new) = before.iter().zip(after).find(is_different)?;
    let text = |stored: &Option<Value>| stored.as_ref().map(Value::to_string);
    Some(Finding {
        subject: Subject::StoredObject,
        path: FieldPath::root(),
        before: text(&old.stored),
        after: text(&new.stored),
        changes: Vec::new(),
        causes: Vec::new(),
    })
}
