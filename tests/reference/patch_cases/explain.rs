//! The predicates of intended differences, which are named in `DIFFERENCES.md`.

use k8s_strategic_merge_patch::PatchSchema;
use serde_json::Value;
use union_runtime::path::FieldPath;

use crate::mistakes;
use crate::outcome::{self, Case, Op, Outcome};
use crate::schema::Schema;

/// A mistake of the reference, for which its result can be predicted. The result equals our result
/// for changed documents, or both results are equal except for the part that the mistake changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReferenceMistake {
    /// The reference sorts the original's lists of scalars before it compares them.
    SortedOriginal,
    /// Repeated scalars disturb the order of a list.
    ScrambledScalars,
    /// Values that a patch adds keep their directives and nulls.
    Leak,
    /// The search for conflicts sorts the lists of scalars in the patch.
    SortedPatch,
    /// If an order directive is empty, new elements are in the order of the patch.
    EmptyOrder,
}

const FIXES: [(ReferenceMistake, &str); 5] = [
    (ReferenceMistake::SortedOriginal, "sorted-original"),
    (ReferenceMistake::ScrambledScalars, "scrambled-scalars"),
    (ReferenceMistake::Leak, "leak"),
    (ReferenceMistake::SortedPatch, "sorted-patch"),
    (ReferenceMistake::EmptyOrder, "empty-order"),
];

/// The names of all predicates.
pub(crate) const NAMES: [&str; 16] = [
    "sorted-original",
    "scrambled-scalars",
    "leak",
    "sorted-patch",
    "empty-order",
    "directive-looked-up",
    "keyless-order",
    "crash",
    "empty-lists",
    "deleted-objects",
    "duplicate-keys",
    "random",
    "null-directive",
    "lost-conflict",
    "which-element",
    "which-error",
];

pub(crate) struct Question<'q> {
    pub(crate) schema: &'q Schema,
    pub(crate) compiled: &'q PatchSchema,
    pub(crate) op: Op,
    pub(crate) case: &'q Case,
}

impl Question<'_> {
    pub(crate) fn ours(&self) -> Outcome {
        Outcome::ours(self.compiled, self.op, self.case)
    }

    /// Returns our outcome, and the path of an error or conflict.
    pub(crate) fn ours_with_path(&self) -> (Outcome, Option<FieldPath>) {
        Outcome::ours_with_path(self.compiled, self.op, self.case)
    }

    /// Returns the result of applying a patch that the operation returned. Returns `None` if the
    /// patch is rejected, or if the operation does not return a patch.
    pub(crate) fn result_of(&self, patch: &Value) -> Option<Value> {
        let live = match self.op {
            Op::Diff => &self.case.original,
            Op::ThreeWay | Op::Overwrite => &self.case.current,
            Op::Apply | Op::Compose => return None,
        };
        // In the patch, whole floats are already replaced by integers.
        let mut live = live.clone();
        outcome::numbers_alike(&mut live);
        self.compiled.apply(live, patch).ok()
    }

    /// Returns the same operation on other documents.
    pub(crate) fn about<'c>(&'c self, case: &'c Case) -> Question<'c> {
        Question { case, ..*self }
    }

    /// Returns the names of the predicates that explain the reference's result, or `None` if no
    /// predicates explain it. The list is empty if both results are equal.
    pub(crate) fn explain(&self, theirs: &Outcome) -> Option<Vec<&'static str>> {
        let ours = self.ours();
        if *theirs == ours {
            return Some(Vec::new());
        }
        self.explain_by_mistakes(theirs).or_else(|| {
            self.explain_by_outcomes(theirs, &ours)
                .map(|name| vec![name])
        })
    }

    /// Returns the smallest set of mistakes that explains the result.
    fn explain_by_mistakes(&self, theirs: &Outcome) -> Option<Vec<&'static str>> {
        let applies: Vec<_> = FIXES.iter().filter(|(fix, _)| self.applies(*fix)).collect();
        let mut subsets: Vec<u32> = (1..1 << applies.len()).collect();
        subsets.sort_by_key(|subset| subset.count_ones());
        subsets.into_iter().find_map(|subset| {
            let chosen: Vec<_> = (0..applies.len())
                .filter(|i| subset & (1 << i) != 0)
                .map(|i| *applies[i])
                .collect();
            let mistakes: Vec<ReferenceMistake> = chosen.iter().map(|(fix, _)| *fix).collect();
            self.agree(theirs, &mistakes)
                .then(|| chosen.iter().map(|(_, name)| *name).collect())
        })
    }

    fn applies(&self, fix: ReferenceMistake) -> bool {
        let Self {
            schema, op, case, ..
        } = self;
        match fix {
            ReferenceMistake::SortedOriginal => {
                (*op == Op::Diff || op.is_three_way())
                    && mistakes::sorted_originals(schema, case) != **case
            }
            ReferenceMistake::ScrambledScalars => mistakes::has_repeated_scalars(schema, case),
            ReferenceMistake::Leak => *op == Op::Apply,
            ReferenceMistake::SortedPatch => *op == Op::ThreeWay,
            ReferenceMistake::EmptyOrder => mistakes::has_empty_order(case),
        }
    }

    fn agree(&self, theirs: &Outcome, mistakes: &[ReferenceMistake]) -> bool {
        let ours = |case: &Case| Outcome::ours(self.compiled, self.op, case);
        if mistakes.contains(&ReferenceMistake::SortedOriginal) {
            let case = mistakes::sorted_originals(self.schema, self.case);
            return self.are_alike(theirs, ours(&case), mistakes);
        }
        if self.are_alike(theirs, self.ours(), mistakes) {
            return true;
        }
        let inserted = mistakes
            .contains(&ReferenceMistake::Leak)
            .then(|| mistakes::without_null_directives(self.case));
        let inserted = inserted.filter(|inserted| inserted != self.case);
        inserted.is_some_and(|inserted| self.are_alike(theirs, ours(&inserted), mistakes))
    }

    /// Returns true if the results are equal except for the effects of the mistakes.
    fn are_alike(&self, theirs: &Outcome, ours: Outcome, mistakes: &[ReferenceMistake]) -> bool {
        let (mut theirs, mut ours) = match (theirs.clone(), ours) {
            (Outcome::Done(theirs), Outcome::Done(ours)) => (theirs, ours),
            // The messages about conflicts contain both patches.
            (Outcome::Conflict(theirs), Outcome::Conflict(ours)) => {
                let is_sorted = mistakes.contains(&ReferenceMistake::SortedPatch);
                return theirs == ours || is_sorted && mistakes::have_same_lines(&theirs, &ours);
            }
            // The messages contain values, which may contain leaked directives and nulls.
            (Outcome::Error(theirs), Outcome::Error(ours)) => {
                let is_leaked = mistakes.contains(&ReferenceMistake::Leak);
                return theirs == ours
                    || is_leaked && mistakes::without_printed_leaks(&theirs) == ours;
            }
            (theirs, ours) => return theirs == ours,
        };
        for side in [&mut theirs, &mut ours] {
            for fix in mistakes {
                match fix {
                    ReferenceMistake::SortedOriginal => {}
                    ReferenceMistake::ScrambledScalars => {
                        mistakes::sort_scalars(self.schema, side, true);
                        mistakes::sort_deleted(side);
                    }
                    ReferenceMistake::Leak => mistakes::remove_leaks(side),
                    ReferenceMistake::SortedPatch => {
                        mistakes::sort_scalars(self.schema, side, false);
                    }
                    ReferenceMistake::EmptyOrder => mistakes::sort_all(side),
                }
            }
        }
        theirs == ours
    }

    /// Returns the predicate that explains the results by the two outcomes alone.
    fn explain_by_outcomes(&self, theirs: &Outcome, ours: &Outcome) -> Option<&'static str> {
        let is = |text: &str, outcome: &Outcome| matches!(outcome, Outcome::Error(found) if found.starts_with(text));
        let rejected = matches!(ours, Outcome::Error(_) | Outcome::Conflict(_));
        if matches!(theirs, Outcome::Panic(_)) && rejected {
            return Some("crash");
        }
        if is("the lookup fails of a directive", theirs) && self.op == Op::ThreeWay {
            return Some("directive-looked-up");
        }
        let no_elements = "no elements in any of the given slices";
        if is(no_elements, theirs) && !is(no_elements, ours) {
            return Some("empty-lists");
        }
        let no_object = "expected a map[string]interface {}, but received a";
        let no_key = matches!(theirs, Outcome::Error(text) if text.ends_with("merge key: "));
        if (no_key || is(no_object, theirs))
            && mistakes::orders_list_without_key(self.schema, self.case)
        {
            return Some("keyless-order");
        }
        if is("invalid patch format of primitive list", ours)
            && mistakes::deletes_from_scalar_list(self.case)
        {
            return Some("deleted-objects");
        }
        let is_lost = self.op == Op::ThreeWay && matches!(ours, Outcome::Conflict(_));
        if is_lost && mistakes::has_replaced_scalars_twice(self.schema, self.case) {
            return Some("lost-conflict");
        }
        match (theirs, ours) {
            (Outcome::Error(theirs), Outcome::Error(ours))
                if mistakes::are_about_same_missing_key(theirs, ours) =>
            {
                Some("which-element")
            }
            (Outcome::Error(theirs), Outcome::Error(ours))
                if mistakes::print_null_otherwise(theirs, ours) =>
            {
                Some("null-directive")
            }
            _ => None,
        }
    }
}
