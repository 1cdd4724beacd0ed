//! Counts the results of cases, and finds kinds of mistakes that no case had.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::case::{Case, Validation};
use super::library::Answer;
use super::mistakes::Change;
use super::names::Mistake;
use super::types::{BELOW_OWN, BELOW_PRESERVED, IN_EMBEDDED, IN_LIST, IN_LISTS, IN_MAP, Structs};

/// The number of differences of each kind that are printed.
const MAX_PRINTED: usize = 3;
/// The names of the intended differences in `../DIFFERENCES.md`.
const TYPE_META: &str = "type-meta";
const REPEATED_IN_CRD: &str = "repeated-in-crd";
/// The maximum number of problems that a server reports for a struct.
const MAX_PROBLEMS: usize = 100;
/// The minimum number of requests for which all kinds of mistakes must have occurred.
const MIN_CASES_FOR_COVERAGE: usize = 8_000;

/// The kinds of objects in which a server reports unknown fields. At least one case must have a
/// mistake in each kind. Structs are counted separately.
const REPORTED: [&str; 9] = [
    "the root",
    "an object",
    "an object without fields",
    "an object in place of a scalar",
    "an object in place of a list",
    "an object without described fields",
    "an embedded resource",
    "a map of anything",
    "a map",
];
/// The kinds of objects in which a server accepts some unknown fields. At least one case must have
/// an accepted mistake in each kind.
const SILENT: [&str; 14] = [
    "a root that preserves unknown fields",
    "a map",
    "a map of anything",
    "a map that preserves unknown fields",
    "a map of the metadata or of a CRD",
    "an object that preserves unknown fields",
    "an object with fields that preserves unknown fields",
    "an object that is not checked",
    "an embedded resource that preserves unknown fields",
    "own type FieldsV1",
    "own type JSON",
    "own type JSONSchemaPropsOrArray",
    "own type JSONSchemaPropsOrBool",
    "own type JSONSchemaPropsOrStringArray",
];
/// The contexts in which at least one unknown field must be reported (true) or accepted (false).
const CONTEXTS: [(&str, bool); 6] = [
    (IN_LIST, true),
    (IN_LISTS, true),
    (IN_MAP, true),
    (IN_EMBEDDED, true),
    (BELOW_PRESERVED, true),
    (BELOW_OWN, false),
];

pub(crate) struct Tally<'s> {
    structs: &'s Structs,
    requests: usize,
    rejected: usize,
    warned: usize,
    passed: usize,
    unreadable: usize,
    /// The numbers of intended differences by name.
    intended: BTreeMap<&'static str, usize>,
    differ: usize,
    /// The numbers of differences by operation and by the parts that differ.
    differ_by_kind: BTreeMap<String, usize>,
    /// The changes, kinds of objects and contexts that occurred, each with true if a server
    /// reported the change.
    seen: BTreeSet<(String, bool)>,
    /// The structs and fields in whose names a mistake was made.
    fields: BTreeSet<(String, String)>,
}

impl<'s> Tally<'s> {
    pub(crate) const fn new(structs: &'s Structs) -> Self {
        Self {
            structs,
            requests: 0,
            rejected: 0,
            warned: 0,
            passed: 0,
            unreadable: 0,
            intended: BTreeMap::new(),
            differ: 0,
            differ_by_kind: BTreeMap::new(),
            seen: BTreeSet::new(),
            fields: BTreeSet::new(),
        }
    }

    /// Returns the name of the intended difference, if these results are exactly the results that
    /// the difference predicts.
    fn intended_difference(
        &self,
        case: &Case,
        theirs: &Answer,
        ours: &Answer,
    ) -> Option<&'static str> {
        if theirs.is_unreadable() && case.has_other_type_meta() {
            return Some(TYPE_META);
        }
        if case.op != "crd" || case.is_yaml || case.repeated.is_empty() {
            return None;
        }
        let (repeated, unknown) = separate(theirs);
        let (our_repeated, our_unknown) = separate(ours);
        let all: BTreeSet<String> = case.repeated.iter().map(|key| format!("{key:?}")).collect();
        let (predicted, is_all) = (
            case.repeated_in_structs(self.structs),
            our_repeated.len() == all.len(),
        );
        let is_predicted = if repeated.len() + unknown.len() == MAX_PROBLEMS {
            // Both sides report `MAX_PROBLEMS` problems, but not the same problems.
            repeated.is_subset(&predicted)
                && unknown.iter().all(|field| our_unknown.contains(field))
        } else {
            unknown == our_unknown
                && repeated == predicted
                && repeated.is_subset(&our_repeated)
                && is_all
        };
        is_predicted.then_some(REPEATED_IN_CRD)
    }

    pub(crate) fn add(
        &mut self,
        case: &Case,
        validation: Validation,
        theirs: &Answer,
        ours: &Answer,
    ) {
        self.requests += 1;
        let is_strict = theirs
            .unreadable
            .as_deref()
            .is_some_and(|text| !text.is_empty());
        match &theirs.unreadable {
            Some(_) if is_strict => self.rejected += 1,
            Some(_) => self.unreadable += 1,
            None if theirs.is_warned() => self.warned += 1,
            None => self.passed += 1,
        }
        if validation == Validation::Strict && (is_strict || theirs.unreadable.is_none()) {
            self.note(case, is_strict);
        }
        if theirs == ours {
            return;
        }
        if let Some(name) = self.intended_difference(case, theirs, ours) {
            *self.intended.entry(name).or_default() += 1;
            return;
        }
        self.differ += 1;
        let parts = differing(theirs, ours);
        let names: Vec<&str> = parts.iter().map(|(name, _)| *name).collect();
        let same = self
            .differ_by_kind
            .entry(format!("{} {names:?}", case.op))
            .or_default();
        *same += 1;
        if *same <= MAX_PRINTED {
            println!("differs: {} {}", case.op, case.line(validation)["body"]);
            for (name, [theirs, ours]) in parts {
                println!("  {name}, the reference: {theirs}\n  {name}, ours: {ours}");
            }
        }
    }

    /// Records the mistakes of a case, for [`missing`](Self::missing).
    fn note(&mut self, case: &Case, is_reported: bool) {
        for made in &case.changes {
            if let (Some(name), Change::Renamed(_) | Change::Added(_)) =
                (made.kind.strip_prefix("struct "), made.change)
            {
                let fields = self.structs.fields(name);
                if fields.iter().any(|(field, _)| *field == made.field) {
                    self.fields.insert((name.to_owned(), made.field.clone()));
                }
            }
        }
        // Only if a case has a single change, the result is certainly about this change.
        let [made] = &case.changes[..] else { return };
        let mut see = |what: String| {
            self.seen.insert((what, is_reported));
        };
        see(format!("{:?}", made.change));
        if made.change != Change::Repeated {
            see(made.kind.clone());
            made.contexts
                .iter()
                .for_each(|context| see((*context).to_owned()));
        }
    }

    /// Returns descriptions of the mistakes that no case had, or that were never reported or
    /// accepted as expected.
    fn missing(&self, fields: &[(&str, &str)]) -> Vec<String> {
        let mistakes = Mistake::ALL.iter();
        let changes = mistakes
            .flat_map(|mistake| [Change::Renamed(*mistake), Change::Added(*mistake)])
            .chain([
                Change::Many,
                Change::Moved,
                Change::Repeated,
                Change::Object,
                Change::Objects,
            ])
            .map(|change| (format!("{change:?}"), true));
        let named = |names: &[&str], reported: bool| -> Vec<(String, bool)> {
            names
                .iter()
                .map(|name| ((*name).to_owned(), reported))
                .collect()
        };
        let contexts = CONTEXTS
            .iter()
            .map(|(name, reported)| ((*name).to_owned(), *reported));
        let wanted = changes
            .chain(contexts)
            .chain(named(&REPORTED, true))
            .chain(named(&SILENT, false));
        let mut missing: Vec<String> = wanted
            .filter(|what| !self.seen.contains(what))
            .map(|(what, reported)| {
                format!(
                    "{what}, {}",
                    if reported { "reported" } else { "not reported" }
                )
            })
            .collect();
        let unbroken = fields.iter().filter(|(holder, field)| {
            !self
                .fields
                .contains(&((*holder).to_owned(), (*field).to_owned()))
        });
        missing.extend(unbroken.map(|(holder, field)| format!("{holder}.{field}")));
        missing
    }

    /// Prints the counts. Returns true if nothing differs, and if every kind of mistake occurred or
    /// the run was short.
    pub(crate) fn finish(&self, fields: &[(&str, &str)]) -> bool {
        println!(
            "{} requests: {} are rejected for their fields, {} are warned, {} pass, {} are unreadable; mistakes in {} of {} fields of a CRD: {} differ, {} differ as intended",
            self.requests,
            self.rejected,
            self.warned,
            self.passed,
            self.unreadable,
            self.fields.len(),
            fields.len(),
            self.differ,
            self.intended.values().sum::<usize>(),
        );
        for (name, count) in &self.intended {
            println!("  {count} differ as intended: {name}");
        }
        let mut missing = self.missing(fields);
        let names = [TYPE_META, REPEATED_IN_CRD];
        let names = names
            .into_iter()
            .filter(|name| !self.intended.contains_key(name));
        missing.extend(names.map(str::to_owned));
        let covers = self.requests < MIN_CASES_FOR_COVERAGE || missing.is_empty();
        if !covers {
            println!("cases that are missing: {}", missing.join("; "));
        }
        self.differ == 0 && covers
    }
}

/// Splits the problems of a result into the repeated keys, and the other problems in their order.
fn separate(answer: &Answer) -> (BTreeSet<String>, Vec<String>) {
    let is_repeated = |problem: &String| problem.starts_with("duplicate field");
    let (repeated, others): (Vec<_>, Vec<_>) = answer.problems().into_iter().partition(is_repeated);
    (repeated.into_iter().collect(), others)
}

/// Returns the names of the parts that differ, each with the reference's and our value.
fn differing(theirs: &Answer, ours: &Answer) -> Vec<(&'static str, [Value; 2])> {
    let parts = |answer: &Answer| {
        [
            json!(answer.unreadable),
            json!(answer.errors),
            json!(answer.warnings),
            json!(answer.object),
        ]
    };
    let names = ["unreadable", "errors", "warnings", "object"];
    let parts = parts(theirs).into_iter().zip(parts(ours));
    let parts = names.into_iter().zip(parts);
    parts
        .filter(|(_, (theirs, ours))| theirs != ours)
        .map(|(name, (theirs, ours))| (name, [theirs, ours]))
        .collect()
}
