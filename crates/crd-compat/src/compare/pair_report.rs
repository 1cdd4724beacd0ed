//! Makes findings of the objects that prove effects.

use super::consequences::{affected, field_of, level_of};
use super::effects::CausedEffect;
use super::effects::is_of_dropped_field;
use super::pair::{PairComparison, pointers};
use super::topology::server_side_apply_finding;
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
                report.findings.push(self.finding(
                    (*number, *effect),
                    &difference,
                    proof,
                    relation,
                ));
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
        (number, effect): CausedEffect,
        difference: &Difference,
        proof: Proof,
        relation: Relation,
    ) -> Finding {
        let stored = proof.stored.as_ref();
        let loses_values =
            stored.is_some_and(|stored| self.causes(number).loses_values(number, stored));
        let level = level_of(effect, &proof, loses_values, relation);
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
                reason: if progress.is_nearly_proven {
                    UnprovenReason::RejectedByBoth
                } else if bases.iter().any(|base| base.is_valid) {
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
}
