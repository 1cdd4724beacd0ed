//! Makes findings of the objects that prove effects.

use serde_json::Value;

use super::consequences::{Relation, affected, field_of, level_of};
use super::effects::{effects_of, is_of_unknown_field};
use super::objects::smaller::smaller;
use super::pair::{PairComparison, ProvingRequest, pointers};
use super::topology::server_side_apply_finding;
use crate::judge::answer::{Answer, CreateAnswer};
use crate::report::finding::{Finding, Proof, VersionReport};
use crate::report::unproven::{ObjectLimit, Unproven, UnprovenReason, Untried};
use crate::report::wording::{self, Effect};
use crate::schema::difference::Difference;

impl PairComparison<'_> {
    pub(super) fn add_to_report(mut self, report: &mut VersionReport, relation: Relation) {
        let proving_requests = std::mem::take(&mut self.proving_requests);
        for ((number, effect), request) in &proving_requests {
            let Some(difference) = self.index.differences().get(*number).cloned() else {
                continue;
            };
            // A server that does not know the field drops it, which another finding tells.
            let is_repeated = is_of_unknown_field(&difference, *effect)
                && proving_requests.contains_key(&(*number, Effect::Stored));
            if !is_repeated {
                let proof = self.proof(*number, *effect, request);
                report
                    .findings
                    .push(self.finding(&difference, *effect, proof, relation));
            }
        }
        for number in 0..self.progress.len() {
            if let Some(difference) = self.index.differences().get(number).cloned() {
                self.add_unproven(report, number, &difference);
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
            affected: affected(difference, effect, level),
            proof: Some(proof),
            remedy: wording::remedy(difference, effect).to_owned(),
        }
    }

    /// Adds the finding about server-side apply, or else the difference without a proof, and the
    /// objects that were not tried.
    fn add_unproven(&mut self, report: &mut VersionReport, number: usize, difference: &Difference) {
        let progress = self.progress.get(number).cloned().unwrap_or_default();
        let pointers = pointers(&difference.path, self.versions);
        let path = difference.path.to_field_notation();
        let keyword = difference.keyword.as_str();
        let apply_finding = server_side_apply_finding(difference, pointers.clone());
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

    /// Returns the proof of an effect, with the smallest object that was found.
    fn proof(&mut self, number: usize, effect: Effect, request: &ProvingRequest) -> Proof {
        let replaced = request.replaced.clone();
        let is_proof = |object: &Value| {
            let answers = self.answers(object, replaced.as_ref());
            let effects = effects_of(&answers, &self.merged, &self.index, number);
            effects.contains(&(number, effect))
        };
        let schema = self.bases.changeable_schema();
        let object = smaller(request.object.clone(), schema, is_proof);
        let [old, new] = self.answers(&object, replaced.as_ref());
        let [_, new_version] = self.versions;
        let unrelated_update = old.stored.as_ref().filter(|_| replaced.is_none());
        let unrelated_update = unrelated_update.map(|stored| new_version.update_annotation(stored));
        let field_update = match effect {
            Effect::Refused if replaced.is_none() => self.field_update(number, &object),
            _ => None,
        };
        let stored = |answer: &CreateAnswer| answer.stored.clone();
        Proof {
            stored: match effect {
                Effect::Stored => stored(&old).zip(stored(&new)).map(<[Value; 2]>::from),
                _ => None,
            },
            object,
            replaced,
            before: old.answer,
            after: new.answer,
            unrelated_update,
            field_update,
        }
    }

    /// Returns the answer of the new version to an update that sets the invalid value.
    fn field_update(&mut self, number: usize, object: &Value) -> Option<Answer> {
        let path = self.index.differences().get(number)?.path.clone();
        let bases = self.bases.at(&path);
        let base = bases.iter().find(|base| base.is_valid)?;
        let [_, new] = self.versions;
        let stored = new.create(&base.object).stored?;
        let answer = new.replace(&stored, object).answer;
        answer.is_rejected().then_some(answer)
    }
}
