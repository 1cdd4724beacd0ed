//! Compares server-side apply in the 2019 model: union-runtime and structured-merge-diff.

use serde_json::{Value, json};
use union_json::Unions;
use union_runtime::Settings;

use crate::group::{Case, Group};
use crate::normalize::{ENUM, NO_DEDUCTION, NULL_MEMBER};
use crate::object::{self, Object};
use crate::prediction::{ChangedBy, Predicate, Prediction};
use crate::schema::{Struct, Union};
use crate::state::{State, null_members};
use crate::walk::{ATOMIC, Visit, Visitor, walk};
use union_random::Random;

/// The applied object has a discriminator without a member, and the live object has other members.
/// 2019 text: a changed discriminator clears all other fields. The reference keeps the fields.
const DISCRIMINATOR_ALONE: Predicate = "discriminator-alone";

pub(crate) const PREDICATES: &[Predicate] =
    &[DISCRIMINATOR_ALONE, NO_DEDUCTION, ENUM, NULL_MEMBER, ATOMIC];

/// A live object, and an object that is applied to it.
pub(crate) struct Apply {
    live: Option<Object>,
    applied: Object,
}

impl Case for Apply {
    fn random(random: &mut Random, of: &Struct) -> Self {
        let live = random.chance(85).then(|| object::stored(random, of));
        let applied = object::applied(random, of);
        Self { live, applied }
    }

    fn question(&self, schema: &str) -> Value {
        json!({
            "subject": "smd-apply",
            "schema": schema,
            "live": self.live,
            "applied": self.applied,
        })
    }

    fn sent(&self, answer: &Value) -> Value {
        answer["merged"].clone()
    }

    fn ours(&self, unions: &Unions, answer: &Value) -> Option<Value> {
        let settings = Settings::default();
        let live = self.live.clone().map(Value::Object);
        let applied = Value::Object(self.applied.clone());
        let mut merged = self.sent(answer);
        let report = unions.normalize_apply(&mut merged, &applied, live.as_ref(), &settings);
        report.is_accepted().then_some(merged)
    }

    fn predict(&self, group: &Group, answer: &Value) -> Prediction {
        let mut rejected = Rejected(Prediction::default());
        walk(&group.of, &self.applied, None, &mut rejected);
        let mut cleared = Cleared {
            deduce: group.deduce,
            prediction: rejected.0,
        };
        if let Value::Object(merged) = self.sent(answer) {
            walk(&group.of, &merged, Some(&self.applied), &mut cleared);
        }
        cleared.prediction
    }
}

/// A visitor that predicts rejections. An applied union is rejected if it is ambiguous: several
/// members are set, or the discriminator does not select the set member.
struct Rejected(Prediction);

impl Visitor for Rejected {
    fn visit(&mut self, visit: &Visit<'_>) -> Vec<String> {
        for union in &visit.of.unions {
            let state = State::of(union, visit.new);
            if state.is_rejected_by_enum(union) {
                self.0.only_we_reject(ENUM);
            }
            let is_clear = match state.set.as_slice() {
                [] => true,
                [one] => state.selected.is_empty() || state.selected == union.members[*one].value,
                _ => false,
            };
            match (is_clear, visit.sides.is_atomic) {
                (true, _) => {}
                (false, true) => self.0.only_we_reject(ATOMIC),
                (false, false) => self.0.both_reject(),
            }
        }
        Vec::new()
    }
}

/// A visitor that predicts the changes of the merged object. The old object of a visit is the
/// applied object.
struct Cleared {
    deduce: bool,
    prediction: Prediction,
}

impl Visitor for Cleared {
    fn keeps_whole_lists(&self) -> bool {
        true
    }

    fn visit(&mut self, visit: &Visit<'_>) -> Vec<String> {
        if let (Some(merged), Some(applied)) = (visit.new, visit.old) {
            for union in &visit.of.unions {
                self.union(union, merged, applied, visit);
            }
        }
        Vec::new()
    }
}

impl Cleared {
    fn union(&mut self, union: &Union, merged: &Object, applied: &Object, visit: &Visit<'_>) {
        let applied = State::of(union, Some(applied));
        let state = State::of(union, Some(merged));
        let mut change = |who, name: &str, value: Option<Value>| {
            visit.change(&mut self.prediction, who, name, value);
        };
        match applied.set.as_slice() {
            [] if !applied.selected.is_empty() => {
                for name in state.others(union, applied.member(union)) {
                    change(ChangedBy::We(DISCRIMINATOR_ALONE), &name, None);
                }
            }
            [one] => {
                for name in state.others(union, Some(*one)) {
                    change(ChangedBy::Both, &name, None);
                }
                for name in null_members(union, merged, Some(*one)) {
                    change(ChangedBy::They(NULL_MEMBER), name, None);
                }
                if let Some(discriminator) = &union.discriminator {
                    let who = if self.deduce {
                        ChangedBy::Both
                    } else {
                        ChangedBy::We(NO_DEDUCTION)
                    };
                    let value = json!(union.members[*one].value);
                    change(who, &discriminator.name, Some(value));
                }
            }
            _ => {}
        }
    }
}
