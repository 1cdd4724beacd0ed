//! Makes findings of the objects that prove effects.

use serde_json::Value;

use super::consequences::{affected, field_of, level_of};
use super::effects::{CausedEffect, Weakness, is_of_dropped_field};
use super::objects::clearer::clearer;
use super::objects::smaller::smaller;
use super::pair::{PairComparison, ProvingRequest, pointers};
use super::topology::server_side_apply_finding;
use crate::judge::answer::{Answer, WriteAnswer};
use crate::judge::cause_score::Side;
use crate::report::finding::{Finding, Proof, VersionReport};
use crate::report::unproven::{ObjectLimit, Unproven, UnprovenReason, Untried};
use crate::report::wording::{self, Effect, Relation};
use crate::schema::difference::Difference;

impl PairComparison<'_> {
    pub(super) fn add_to_report(mut self, report: &mut VersionReport, relation: Relation) {
        let proving_requests = std::mem::take(&mut self.proving_requests);
        for ((number, effect), request) in &proving_requests {
            let Some(difference) = self.index.differences().get(*number).cloned() else {
                continue;
            };
            let has = |effect: Effect| proving_requests.contains_key(&(*number, effect));
            let is_repeated = match effect {
                // A null proves little, if another finding shows that the schema matters.
                Effect::Stored => {
                    let is_weak = difference.keeps_unknown && request.weakness().only_null;
                    is_weak && (has(Effect::Refused) || has(Effect::Accepted))
                }
                // A server that does not know the field drops it, which another finding tells.
                _ => is_of_dropped_field(&difference, *effect) && has(Effect::Stored),
            };
            if !is_repeated {
                let proof = self.proof((*number, *effect), request);
                report
                    .findings
                    .push(self.finding(&difference, *effect, proof, relation));
            }
        }
        for number in 0..self.progress.len() {
            if let Some(difference) = self.index.differences().get(number).cloned() {
                self.add_unproven(report, number, &difference, relation);
            }
        }
        report
            .findings
            .sort_by_key(|finding| std::cmp::Reverse(finding.level));
        report.objects = self.objects;
    }

    fn finding(
        &self,
        difference: &Difference,
        effect: Effect,
        proof: Proof,
        relation: Relation,
    ) -> Finding {
        let level = level_of(effect, &proof, relation);
        let [old_pointer, new_pointer] = pointers(&difference.path, self.versions);
        let names = self.versions.map(|version| &*version.name);
        Finding {
            code: wording::code(difference, effect),
            level,
            place: difference.path.clone(),
            identity: difference.identity(),
            keyword: Some(difference.keyword),
            field: field_of(difference),
            path: difference.path.to_field_notation(),
            old_pointer,
            new_pointer,
            description: wording::description(difference),
            affected: vec![affected(difference, effect, &proof, relation, names)],
            remedy: wording::remedy(difference, effect, relation, proof.replaced.is_some())
                .to_owned(),
            proof: Some(proof),
        }
    }

    /// Adds the finding about server-side apply, or else the difference without a proof, and the
    /// objects that were not tried.
    fn add_unproven(
        &mut self,
        report: &mut VersionReport,
        number: usize,
        difference: &Difference,
        relation: Relation,
    ) {
        let progress = self.progress.get(number).cloned().unwrap_or_default();
        let pointers = pointers(&difference.path, self.versions);
        let path = difference.path.to_field_notation();
        let keyword = difference.keyword.as_str();
        let apply_finding = server_side_apply_finding(difference, relation, pointers.clone());
        if !progress.is_proven && apply_finding.is_none() {
            let bases = self.bases.at(&difference.path);
            let [old_pointer, new_pointer] = pointers;
            report.unproven.push(Unproven {
                place: difference.path.clone(),
                path: path.clone(),
                old_pointer,
                new_pointer,
                keyword: Some(keyword),
                objects: progress.tried_count,
                reason: if bases.iter().any(|base| base.is_valid) {
                    UnprovenReason::SameAnswers
                } else {
                    UnprovenReason::NoValidObject
                },
            });
        }
        report.findings.extend(apply_finding);
        for (values, limit) in [
            (progress.omitted_count, ObjectLimit::Objects),
            (progress.large_count, ObjectLimit::Bytes),
        ] {
            if values > 0 {
                report.untried.push(Untried {
                    path: path.clone(),
                    keyword,
                    values,
                    limit,
                });
            }
        }
    }

    /// Returns the proof of an effect, with the best object that was found.
    fn proof(&mut self, caused: CausedEffect, request: &ProvingRequest) -> Proof {
        let (number, effect) = caused;
        let replaced = request.replaced.clone();
        let object = self.best_object(caused, request);
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
    fn best_object(&self, caused: CausedEffect, request: &ProvingRequest) -> Value {
        let (number, effect) = caused;
        let replaced = request.replaced.as_ref();
        let schema = self.bases.changeable_schema();
        let side = match effect {
            Effect::Accepted => Side::Old,
            Effect::Refused | Effect::Stored => Side::New,
        };
        let causes = self.causes(number);
        let other_errors = |object: &Value| {
            let answers = self.answers(object, replaced);
            causes.effects_of(&answers).get(&caused)?;
            let [old, new] = answers;
            let refusing = if side == Side::Old { old } else { new };
            let errors = refusing.errors.into_iter();
            let of_others = errors.filter(|error| {
                causes
                    .of_error(error, side)
                    .is_some_and(|cause| cause != number)
            });
            Some(of_others.map(|error| error.violation).collect())
        };
        let weakness_of = |object: &Value| -> Option<Weakness> {
            let answers = self.answers(object, replaced);
            causes.effects_of(&answers).get(&caused).copied()
        };
        let mut object = request.object.clone();
        let is_clear = weakness_of(&object).is_none_or(|weakness| weakness.other_causes == 0);
        if effect != Effect::Stored && !is_clear {
            object = clearer(object, schema, other_errors);
        }
        smaller(object, schema, weakness_of)
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
