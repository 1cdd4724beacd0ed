//! Compares creates and updates in the 2019 model: union-runtime and structured-merge-diff.

use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::{Ratchet, Settings};

use crate::group::{Case, Group};
use crate::object::{self, Object};
use crate::prediction::{ChangedBy, Predicate, Prediction};
use crate::schema::{Struct, Union};
use crate::state::{State, null_members};
use crate::walk::{ATOMIC, ProcessingSides, Visit, Visitor, walk};
use union_random::Random;

/// The discriminator changed, and a member was added that the discriminator does not select. 2019
/// text: a changed discriminator clears all other fields. The reference rejects the update.
const OTHER_ADDED: Predicate = "other-added";
/// The discriminator changed, and several members were added. 2019 text: a changed discriminator
/// clears all other fields. The reference rejects the update.
const SEVERAL_ADDED: Predicate = "several-added";
/// The discriminator did not change, several members are set, and one of them is new. 2019 text:
/// the new member is kept, and the other members are cleared. The reference rejects the update.
const ONE_ADDED: Predicate = "one-added";
/// The discriminator did not change, and only one member is set. 2019 text: the discriminator gets
/// the value of this member. The reference does this only if its internal schema has
/// `deduceInvalidDiscriminator`, and no conversion from `OpenAPI` sets this flag.
pub(crate) const NO_DEDUCTION: Predicate = "no-deduction";
/// The discriminator has a value that its enum does not contain. We reject the value; the reference
/// ignores enums.
pub(crate) const ENUM: Predicate = "enum";
/// The discriminator changed to the name of a member, but the value of this member is another
/// string. The reference selects the member by its name.
const NAME_FOR_VALUE: Predicate = "name-for-value";
/// Other members are cleared, and one of them is null. The reference removes the null. We treat a
/// member that is null as unset, and do not change it.
pub(crate) const NULL_MEMBER: Predicate = "null-member";
/// A struct with unions became null. The reference panics.
const NULL_STRUCT: Predicate = "null-struct";
/// A union inside a member that is cleared is invalid. The reference validates the union before the
/// member is cleared, and rejects the update.
const INSIDE_CLEARED: Predicate = "inside-cleared";

pub(crate) const PREDICATES: &[Predicate] = &[
    OTHER_ADDED,
    SEVERAL_ADDED,
    ONE_ADDED,
    NO_DEDUCTION,
    ENUM,
    NAME_FOR_VALUE,
    NULL_MEMBER,
    NULL_STRUCT,
    INSIDE_CLEARED,
    ATOMIC,
];

/// An update of `old`, or a create.
pub(crate) struct Update {
    old: Option<Object>,
    new: Object,
}

impl Case for Update {
    fn random(random: &mut Random, of: &Struct) -> Self {
        if random.chance(15) {
            let new = object::stored(random, of);
            return Self { old: None, new };
        }
        let old = object::stored(random, of);
        let new = if random.chance(90) {
            object::sent(random, of, &old)
        } else {
            object::stored(random, of)
        };
        let old = Some(old);
        Self { old, new }
    }

    fn question(&self, schema: &str) -> Value {
        json!({ "subject": "smd-normalize", "schema": schema, "old": self.old, "new": self.new })
    }

    fn sent(&self, _: &Value) -> Value {
        self.new.clone().into()
    }

    fn ours(&self, unions: &Unions, _: &Value) -> Option<Value> {
        let settings = Settings::default().ratchet(Ratchet::Off);
        let old = self.old.clone().map(Value::Object);
        let mut admitted = Value::Object(self.new.clone());
        let report = unions.admit(&mut admitted, old.as_ref(), &settings);
        report.is_accepted().then_some(admitted)
    }

    fn predict(&self, group: &Group, _: &Value) -> Prediction {
        let mut rules = Rules {
            deduce: group.deduce,
            prediction: Prediction::default(),
        };
        walk(&group.of, &self.new, self.old.as_ref(), &mut rules);
        rules.prediction
    }
}

struct Rules {
    deduce: bool,
    prediction: Prediction,
}

impl Visitor for Rules {
    fn visit(&mut self, visit: &Visit<'_>) -> Vec<String> {
        let Some(new) = visit.new else {
            if !visit.of.unions.is_empty() {
                self.predict_rejection_by_reference(visit, NULL_STRUCT);
            }
            return Vec::new();
        };
        let unions = visit.of.unions.iter();
        unions
            .flat_map(|union| self.union(union, new, visit))
            .collect()
    }
}

impl Rules {
    /// Predicts the results for a union, and returns the members that are cleared.
    fn union(&mut self, union: &Union, new: &Object, visit: &Visit<'_>) -> Vec<String> {
        let old = State::of(union, visit.old);
        let state = State::of(union, Some(new));
        if state.is_rejected_by_enum(union) && !visit.sides.is_cleared {
            self.prediction.only_we_reject(ENUM);
        }
        let added = state.added(&old);
        if !state.selected.is_empty() && state.selected != old.selected {
            let selected = state.member(union);
            match added.as_slice() {
                [] => {}
                [one] if Some(*one) == selected => {}
                [_] => self.predict_rejection_by_reference(visit, OTHER_ADDED),
                _ => self.predict_rejection_by_reference(visit, SEVERAL_ADDED),
            }
            return self.keep_selected(union, new, &state, visit);
        }
        match (state.set.as_slice(), added.as_slice()) {
            ([], _) => Vec::new(),
            ([one], _) => {
                let who = if self.deduce {
                    ChangedBy::Both
                } else {
                    ChangedBy::We(NO_DEDUCTION)
                };
                self.select(who, union, *one, visit);
                Vec::new()
            }
            (_, [one]) => {
                self.predict_rejection_by_reference(visit, ONE_ADDED);
                let others = state.others(union, Some(*one));
                for name in &others {
                    self.change(ChangedBy::Both, visit, name, None);
                }
                self.select(ChangedBy::Both, union, *one, visit);
                others
            }
            _ => {
                match visit.sides {
                    ProcessingSides {
                        is_cleared: true, ..
                    } => self.predict_rejection_by_reference(visit, INSIDE_CLEARED),
                    ProcessingSides {
                        is_atomic: true, ..
                    } => self.prediction.only_we_reject(ATOMIC),
                    _ => self.prediction.both_reject(),
                }
                Vec::new()
            }
        }
    }

    /// Predicts that the reference rejects the update, if the reference visits this struct.
    fn predict_rejection_by_reference(&mut self, visit: &Visit<'_>, predicate: Predicate) {
        if !visit.sides.is_atomic {
            self.prediction.only_they_reject(if visit.sides.is_cleared {
                INSIDE_CLEARED
            } else {
                predicate
            });
        }
    }

    fn change(&mut self, who: ChangedBy, visit: &Visit<'_>, name: &str, value: Option<Value>) {
        visit.change(&mut self.prediction, who, name, value);
    }

    /// Predicts that a changed discriminator clears the other members.
    fn keep_selected(
        &mut self,
        union: &Union,
        new: &Object,
        state: &State<'_>,
        visit: &Visit<'_>,
    ) -> Vec<String> {
        let selected = state.member(union);
        let others = state.others(union, selected);
        let is_kept_by_name = |name: &str| selected.is_none() && name == state.selected;
        for name in &others {
            let who = if is_kept_by_name(name) {
                ChangedBy::We(NAME_FOR_VALUE)
            } else {
                ChangedBy::Both
            };
            self.change(who, visit, name, None);
        }
        for name in null_members(union, new, selected) {
            if !is_kept_by_name(name) {
                self.change(ChangedBy::They(NULL_MEMBER), visit, name, None);
            }
        }
        others
    }

    /// Predicts that the discriminator becomes the value of a member.
    fn select(&mut self, who: ChangedBy, union: &Union, one: usize, visit: &Visit<'_>) {
        if let Some(discriminator) = &union.discriminator {
            let value = json!(union.members[one].value);
            self.change(who, visit, &discriminator.name, Some(value));
        }
    }
}
