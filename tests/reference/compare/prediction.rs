//! The predicted results of both sides for a case, and their comparison with the actual results.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::walk::{Path, Step};

/// The name of an intended difference between the reference and us, as in DIFFERENCES.md.
pub(crate) type Predicate = &'static str;

/// The expected results of both sides, computed from the case alone.
#[derive(Default)]
pub(crate) struct Prediction {
    both_reject: bool,
    only_we_reject: BTreeSet<Predicate>,
    only_they_reject: BTreeSet<Predicate>,
    changes: Vec<Change>,
}

/// A change of a field to another value, or its removal if the value is `None`.
struct Change {
    who: ChangedBy,
    at: Path,
    value: Option<Value>,
}

/// The side that changes the object.
#[derive(Clone, Copy)]
pub(crate) enum ChangedBy {
    Both,
    We(Predicate),
    They(Predicate),
}

/// The result of a case.
pub(crate) enum Outcome {
    /// Both sides have the same result.
    Agree { is_rejected: bool },
    /// The results differ as these predicates predict.
    Explained(BTreeSet<Predicate>),
    /// The result of one side is not the expected result.
    Differ(String),
}

impl Prediction {
    pub(crate) const fn both_reject(&mut self) {
        self.both_reject = true;
    }

    pub(crate) fn only_we_reject(&mut self, predicate: Predicate) {
        self.only_we_reject.insert(predicate);
    }

    pub(crate) fn only_they_reject(&mut self, predicate: Predicate) {
        self.only_they_reject.insert(predicate);
    }

    /// Adds a change. Changes must be added in the order of the walk.
    pub(crate) fn change(&mut self, who: ChangedBy, at: Path, value: Option<Value>) {
        self.changes.push(Change { who, at, value });
    }

    /// Compares the results for the object `sent` with the expected results. `None` is a rejected
    /// request.
    pub(crate) fn compare(
        self,
        sent: &Value,
        ours: Option<&Value>,
        theirs: Option<&Value>,
    ) -> Outcome {
        let we_reject = self.both_reject || !self.only_we_reject.is_empty();
        let they_reject = self.both_reject || !self.only_they_reject.is_empty();
        let [mut our_object, mut their_object] = [sent.clone(), sent.clone()];
        let mut changed_by_one = BTreeSet::new();
        for change in &self.changes {
            let mut by_one = |predicate, is_changed| {
                if is_changed {
                    changed_by_one.insert(predicate);
                }
            };
            match change.who {
                ChangedBy::Both => {
                    change.apply(&mut our_object);
                    change.apply(&mut their_object);
                }
                ChangedBy::We(predicate) => by_one(predicate, change.apply(&mut our_object)),
                ChangedBy::They(predicate) => by_one(predicate, change.apply(&mut their_object)),
            }
        }
        let we_should = (!we_reject).then_some(&our_object);
        let they_should = (!they_reject).then_some(&their_object);
        if ours != we_should {
            return Outcome::Differ(format!("we should {}", answer(we_should)));
        }
        if theirs != they_should {
            return Outcome::Differ(format!("the reference should {}", answer(they_should)));
        }
        if ours == theirs {
            return Outcome::Agree {
                is_rejected: we_reject,
            };
        }
        Outcome::Explained(match (we_reject, they_reject) {
            (true, _) => self.only_we_reject,
            (_, true) => self.only_they_reject,
            _ => changed_by_one,
        })
    }
}

fn answer(object: Option<&Value>) -> String {
    object.map_or_else(|| "reject".to_owned(), |object| format!("return {object}"))
}

impl Change {
    /// Applies the change. Returns true if the object changed. A change inside an object that was
    /// removed has no effect.
    fn apply(&self, object: &mut Value) -> bool {
        let Some((Step::Field(name), parents)) = self.at.split_last() else {
            return false;
        };
        let mut found = Some(object);
        for step in parents {
            found = found.and_then(|object| match step {
                Step::Field(name) => object.get_mut(name),
                Step::Index(index) => object.get_mut(index),
            });
        }
        let Some(Value::Object(object)) = found else {
            return false;
        };
        if object.get(name) == self.value.as_ref() {
            return false;
        }
        match &self.value {
            Some(value) => object.insert(name.clone(), value.clone()),
            None => object.remove(name),
        };
        true
    }
}
