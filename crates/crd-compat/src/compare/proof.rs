//! Makes the proof of an effect: the best object, with the answers to the requests for the object.

use k8s_crd_validation::ViolationKind;
use serde_json::Value;

use super::effects::{CausedEffect, Weakness};
use super::objects::distinct_items::with_distinct_items;
use super::objects::smaller::smaller;
use super::pair::{PairComparison, ProvingRequest};
use crate::judge::answer::{Answer, WriteAnswer};
use crate::judge::cause_score::Side;
use crate::report::finding::Proof;
use crate::report::wording::Effect;

impl PairComparison<'_> {
    /// Returns the proof of an effect, with the best object that was found.
    pub(super) fn proof(&mut self, proven: CausedEffect, request: &ProvingRequest) -> Proof {
        let (number, effect) = proven;
        let replaced = request.replaced.clone();
        let object = self.best_object(proven, request);
        let [old, new] = self.answers(&object, replaced.as_ref());
        let [_, new_version] = self.versions;
        let updated = match &replaced {
            Some(replaced) => Some(replaced).filter(|_| effect == Effect::Refused),
            None => old.stored.as_ref(),
        };
        let unrelated_update = updated.map(|stored| new_version.update_annotation(stored));
        let field_update = match effect {
            Effect::Refused if replaced.is_none() => self.field_update(number, &object),
            _ => None,
        };
        let stored = |answer: &WriteAnswer| answer.stored.clone();
        let new_answer = |answer: &WriteAnswer| self.with_cause_first(number, Side::New, answer);
        Proof {
            stored: match effect {
                Effect::Stored => stored(&old).zip(stored(&new)).map(<[Value; 2]>::from),
                _ => None,
            },
            before: self.with_cause_first(number, Side::Old, &old),
            after: new_answer(&new),
            unrelated_update: unrelated_update.as_ref().map(new_answer),
            field_update: field_update.as_ref().map(new_answer),
            object,
            replaced,
        }
    }

    /// Returns an object that proves an effect: an object with few errors of other causes, without
    /// the values that the finding does not need.
    fn best_object(&self, proven: CausedEffect, request: &ProvingRequest) -> Value {
        let (number, effect) = proven;
        let replaced = request.replaced.as_ref();
        let schema = self.bases.changeable_schema();
        let causes = self.causes(number);
        let weakness_of = |object: &Value| -> Option<Weakness> {
            let answers = self.answers(object, replaced);
            causes.effects_of(&answers).get(&proven).copied()
        };
        let object = self.distinct_object(effect, request, weakness_of);
        smaller(object, schema, weakness_of)
    }

    /// Returns the object of a request with distinct items in a list with duplicates, if the object
    /// is then a better proof, and otherwise the object of the request.
    fn distinct_object(
        &self,
        effect: Effect,
        request: &ProvingRequest,
        weakness_of: impl Fn(&Value) -> Option<Weakness>,
    ) -> Value {
        let [old, new] = self.answers(&request.object, request.replaced.as_ref());
        let refusing = match effect {
            Effect::Accepted => old,
            Effect::Refused | Effect::Stored => new,
        };
        let mut errors = refusing.errors.iter().map(|error| &error.violation);
        let duplicate = errors.find(|error| error.kind() == ViolationKind::Duplicate);
        let schema = self.bases.changeable_schema();
        let distinct = duplicate
            .and_then(|error| with_distinct_items(&request.object, schema, error.path()))
            .filter(|distinct| {
                let weakness = weakness_of(distinct);
                weakness.is_some_and(|weakness| weakness < request.weakness())
            });
        distinct.unwrap_or_else(|| request.object.clone())
    }

    /// Returns the answer of a version with the errors first that a difference causes.
    fn with_cause_first(&self, number: usize, side: Side, answer: &WriteAnswer) -> Answer {
        let causes = self.causes(number);
        let mut errors: Vec<_> = answer.errors.iter().collect();
        errors.sort_by_key(|error| causes.of_error(error, side) != Some(number));
        let messages = errors.iter().map(|error| error.violation.to_string());
        answer.answer.with_messages(messages.collect())
    }

    /// Returns the answer of the new version to an update that sets the invalid value.
    fn field_update(&mut self, number: usize, object: &Value) -> Option<WriteAnswer> {
        let path = self.index.differences().get(number)?.path.clone();
        let bases = self.bases.at(&path);
        let base = bases.iter().find(|base| base.is_valid)?;
        let [_, new] = self.versions;
        let stored = new.create(&base.object).stored?;
        let update = new.replace(&stored, object);
        update.answer.is_rejected().then_some(update)
    }
}
