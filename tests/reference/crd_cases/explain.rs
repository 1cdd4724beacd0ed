//! The predicates of intended differences, which are named in `DIFFERENCES.md`.

use k8s_crd_validation::KubeVersion;

use crate::case::Case;
use crate::older_texts::is_older_text;
use crate::type_name;
use crate::verdict::{Difference, PANIC};

/// A function that removes a part of a difference, if a row in `DIFFERENCES.md` explains this part.
/// Returns true if a part was removed.
type Predicate = fn(Option<&Case>, &mut Difference) -> bool;

const PREDICATES: &[(&str, Predicate)] = &[
    ("crash", crash),
    ("list-type", list_type),
    ("type-name", type_name),
];

/// Predicates of rare differences. A run may not need them.
const RARE: [&str; 3] = ["crash", "list-type", "type-name"];

/// The predicate for a request for which the reference has several possible results, if our result
/// is one of them.
pub(crate) const SEVERAL_ANSWERS: &str = "several-answers";

/// Returns the names of the predicates that every long run needs.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    let of_difference = PREDICATES.iter().map(|(name, _)| *name);
    of_difference
        .filter(|name| !RARE.contains(name))
        .chain([SEVERAL_ANSWERS])
}

/// The predicate for a message of an older version.
const OLDER_TEXT: &str = "older-text";

/// Removes the parts of a difference that predicates explain, and returns the names of these
/// predicates.
pub(crate) fn explain(
    server: KubeVersion,
    case: Option<&Case>,
    difference: &mut Difference,
) -> Vec<&'static str> {
    let explains = PREDICATES
        .iter()
        .filter(|(_, predicate)| predicate(case, difference));
    let mut names: Vec<&'static str> = explains.map(|(name, _)| *name).collect();
    if older_text(server, difference) {
        names.push(OLDER_TEXT);
    }
    names
}

/// Explains an error that both sides report with the same field and type, if the server's message
/// is in the table of messages of older versions.
pub(crate) fn older_text(server: KubeVersion, difference: &mut Difference) -> bool {
    let older = difference.missing.iter();
    let older = older.filter(|[_, _, message]| is_older_text(server, message));
    let older: Vec<[String; 3]> = older.cloned().collect();
    let mut is_explained = false;
    for error in &older {
        let surplus = difference.surplus.iter();
        let mut ours = surplus.filter(|ours| ours[..2] == error[..2]);
        if let Some(ours) = ours.next().cloned() {
            difference.surplus.remove(&ours);
            difference.missing.remove(error);
            is_explained = true;
        }
    }
    is_explained
}

/// Explains a panic of the server's code at a schema. After a panic, there is no result to compare.
fn crash(case: Option<&Case>, difference: &mut Difference) -> bool {
    let is_crash = case.is_none() && difference.missing.iter().any(|[kind, ..]| kind == PANIC);
    if is_crash {
        *difference = Difference::default();
    }
    is_crash
}

/// Explains a rule of a stored CRD that reads a list with an invalid list type. The server cannot
/// evaluate the rule, but we can.
fn list_type(_: Option<&Case>, difference: &mut Difference) -> bool {
    const WRONG: &str = "invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got odd evaluating rule: ";
    let rule = |[_, _, text]: &[String; 3]| {
        let (_, rule) = text.split_once(WRONG)?;
        Some(rule.to_owned())
    };
    let found: Vec<String> = difference.missing.iter().filter_map(rule).collect();
    difference.missing.retain(|error| rule(error).is_none());
    for rule in &found {
        // A rule may report its error at another field.
        let is_of_rule = |text: &str| text.ends_with(&format!("failed rule: {rule}"));
        difference.surplus.retain(|[_, _, text]| !is_of_rule(text));
        difference.surplus_warnings.retain(|text| !is_of_rule(text));
    }
    !found.is_empty()
}

fn type_name(_: Option<&Case>, difference: &mut Difference) -> bool {
    let plain =
        |[kind, field, text]: &[String; 3]| [kind.clone(), field.clone(), type_name::plain(text)];
    let is_named = |error: &&[String; 3]| error[2].contains("selfType");
    let named: Vec<_> = difference
        .missing
        .iter()
        .filter(is_named)
        .cloned()
        .collect();
    let mut explained = false;
    for error in named {
        if difference.surplus.remove(&plain(&error)) {
            difference.missing.remove(&error);
            explained = true;
        }
    }
    explained
}
