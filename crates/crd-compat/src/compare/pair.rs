//! Compares two versions: tries objects, and keeps the smallest object for each effect.

use std::cell::Cell;
use std::collections::{BTreeMap, HashSet};

use k8s_crd_validation::is_rules_not_checked;
use serde_json::Value;
use union_json::document::{SchemaPath, SchemaStep};

use super::effects::{Answers, CausedEffect, Causes, Weakness};
use super::objects::base_objects::{BaseObject, BaseObjects};
use super::objects::near_proofs::{NearProof, NearProofs};
use super::objects::random::{Choices, Neighborhood};
use super::objects::transitions;
use super::objects::unknown_fields::with_unknown_fields;
use crate::bounds::{
    FEWEST_OBJECTS, OBJECT_BYTES, OBJECTS, OBJECTS_PER_DIFFERENCE, RANDOM_OBJECTS, REPAIR,
};
use crate::edges::placement::{field_path, with_value};
use crate::edges::probes::values_at;
use crate::judge::answer::WriteAnswer;
use crate::judge::attribution::DifferenceIndex;
use crate::judge::cause_score::Side;
use crate::judge::judged_version::JudgedVersion;
use crate::report::finding::VersionReport;
use crate::report::unproven::{Unproven, UnprovenReason};
use crate::report::wording::{Effect, Relation};
use crate::schema::difference::{DifferenceLimit, Differences, OmittedPlace};
use crate::schema::keyword::Keyword;
use crate::schema::merge::merge_schemas;

/// A request that proves an effect.
#[derive(Clone, Debug)]
pub(super) struct ProvingRequest {
    pub(super) object: Value,
    pub(super) replaced: Option<Value>,
    rank: Rank,
}

impl ProvingRequest {
    pub(super) const fn weakness(&self) -> Weakness {
        self.rank.0
    }
}

/// The rank of a request that proves an effect: the request with the lowest rank is kept. The parts
/// are the weakness of the proof, true for an update, the length of the object as JSON, and the
/// JSON.
type Rank = (Weakness, bool, usize, String);

/// The objects of a difference that were tried, and those that were not.
#[derive(Clone, Debug, Default)]
pub(super) struct Progress {
    pub(super) tried_count: usize,
    /// The number of values beyond the limit of objects.
    pub(super) omitted_count: usize,
    /// The number of values in objects over [`OBJECT_BYTES`].
    pub(super) large_count: usize,
    /// True if an object has an effect because of the difference.
    pub(super) is_proven: bool,
    /// True if one version rejects an object because of the difference, and the other version only
    /// because of other values.
    pub(super) is_nearly_proven: bool,
}

/// A comparison of two versions.
pub(super) struct PairComparison<'a> {
    pub(super) versions: [&'a JudgedVersion<'a>; 2],
    /// The merged schema.
    pub(super) merged: Value,
    pub(super) index: DifferenceIndex,
    pub(super) bases: BaseObjects<'a>,
    pub(super) proving_requests: BTreeMap<CausedEffect, ProvingRequest>,
    pub(super) progress: Vec<Progress>,
    pub(super) objects: usize,
    /// The requests for the current difference that were sent.
    sent: HashSet<String>,
    /// The objects that nearly prove the current difference.
    near_proofs: NearProofs,
    /// The number of objects that may still be validated to repair objects.
    repair_budget: Cell<usize>,
    /// The maximum number of requests for each difference.
    budget: usize,
    /// The part of the budget that is kept for updates and for random objects, as long as no
    /// request has an effect.
    reserved: usize,
}

/// Returns the maximum number of objects for each of a number of differences.
fn object_budget(difference_count: usize) -> usize {
    let share = OBJECTS / difference_count.max(1);
    share.clamp(FEWEST_OBJECTS, OBJECTS_PER_DIFFERENCE)
}

/// Returns the report on two versions.
pub(crate) fn compare_versions(
    old: &JudgedVersion<'_>,
    new: &JudgedVersion<'_>,
    relation: Relation,
) -> VersionReport {
    let Differences {
        mut list, omitted, ..
    } = Differences::between(old.schema, new.schema);
    for difference in &mut list {
        let other_version = if difference.old.is_none() { old } else { new };
        difference.keeps_unknown |=
            difference.keyword == Keyword::Properties && other_version.keeps_all_fields;
    }
    let mut report = VersionReport {
        differences: list.len(),
        ..VersionReport::new([&old.name, &new.name], relation)
    };
    let omitted = omitted.iter();
    report
        .unproven
        .extend(omitted.map(|place| unexamined(place, [old, new])));
    if list.is_empty() {
        return report;
    }
    let merged = merge_schemas(old.schema, new.schema);
    let count = list.len();
    let mut pair = PairComparison {
        versions: [old, new],
        bases: BaseObjects::new([old, new], &merged),
        merged,
        index: DifferenceIndex::new(list),
        proving_requests: BTreeMap::new(),
        progress: vec![Progress::default(); count],
        objects: 0,
        sent: HashSet::new(),
        near_proofs: NearProofs::default(),
        repair_budget: Cell::new(REPAIR),
        budget: object_budget(count),
        reserved: 0,
    };
    for number in 0..count {
        pair.try_difference(number);
    }
    pair.add_to_report(&mut report, relation);
    report
}

/// Returns the note about a place with differences that were not listed.
fn unexamined(omitted: &OmittedPlace, versions: [&JudgedVersion<'_>; 2]) -> Unproven {
    let [old_pointer, new_pointer] = pointers(&omitted.path, versions);
    Unproven {
        place: omitted.path.clone(),
        path: omitted.path.to_field_notation(),
        old_pointer,
        new_pointer,
        keyword: None,
        objects: 0,
        reason: match omitted.limit {
            DifferenceLimit::Levels => UnprovenReason::TooManyLevels,
            DifferenceLimit::Differences(count) => UnprovenReason::TooManyDifferences(count),
        },
    }
}

/// Returns the JSON pointers of a place in the CRDs that have the place.
pub(super) fn pointers(
    path: &SchemaPath,
    versions: [&JudgedVersion<'_>; 2],
) -> [Option<String>; 2] {
    versions.map(|version| {
        path.find(version.schema)?;
        Some(format!("{}{path}", version.schema_pointer))
    })
}

impl PairComparison<'_> {
    /// Returns the causes of the answers to a request for a difference.
    pub(super) const fn causes(&self, number: usize) -> Causes<'_> {
        Causes {
            merged: &self.merged,
            index: &self.index,
            fallback: number,
        }
    }

    pub(super) fn answers(&self, object: &Value, replaced: Option<&Value>) -> Answers {
        self.versions.map(|version| match replaced {
            None => version.create(object),
            Some(replaced) => version.replace(replaced, object),
        })
    }

    /// Tries the objects of a difference.
    fn try_difference(&mut self, number: usize) {
        let Some(difference) = self.index.differences().get(number).cloned() else {
            return;
        };
        self.sent.clear();
        self.near_proofs = NearProofs::default();
        let is_transition = difference.is_transition_rule();
        self.reserved = self.budget / if is_transition { 2 } else { 4 };
        let accepted = self.try_edges(number, &difference.path);
        self.reserved = 0;
        if difference.keeps_unknown {
            self.try_unknown_fields(number, &difference.path, &accepted);
        }
        if is_transition {
            for (old, new) in transitions::pairs(&accepted) {
                self.send(number, new, Some(old));
            }
        }
        for side in Side::BOTH {
            self.try_near_proofs(number, side);
        }
        let progress = self.progress.get(number);
        if !progress.is_some_and(|progress| progress.is_proven) {
            self.try_random(number);
        }
    }

    /// Tries the objects that nearly prove a difference after a repair: a search changes other
    /// values until the version `repaired_side` accepts the object, while the other version still
    /// rejects the object because of the difference.
    fn try_near_proofs(&mut self, number: usize, repaired_side: Side) {
        let effect = match repaired_side {
            Side::Old => Effect::Refused,
            Side::New => Effect::Accepted,
        };
        let rejecting_side = repaired_side.other();
        let rejecting_version = rejecting_side.select(self.versions);
        for NearProof { object, .. } in self.near_proofs.take(repaired_side) {
            let is_proven = self.proving_requests.contains_key(&(number, effect));
            let Some(difference) = self.index.differences().get(number) else {
                return;
            };
            if is_proven || self.remaining(number) == 0 || self.repair_budget.get() == 0 {
                return;
            }
            let is_rejected = |object: &Value| {
                let budget = self.repair_budget.get().saturating_sub(1);
                self.repair_budget.set(budget);
                let answer = rejecting_version.create(object);
                self.is_reported(number, rejecting_side, &answer)
            };
            let path = &difference.path;
            let repaired = self
                .bases
                .repaired(object, path, repaired_side, is_rejected);
            if let Some(object) = repaired {
                self.send(number, &object, None);
            }
        }
    }

    /// Returns true if a version rejects an object because of a difference.
    fn is_reported(&self, number: usize, side: Side, answer: &WriteAnswer) -> bool {
        let mut errors = answer.errors.iter();
        errors.any(|error| self.index.reports_error(number, error, side, &self.merged))
    }

    /// Keeps an object that both versions reject, if only one of them rejects the object because of
    /// a difference, and if other values may remove the errors of the other version.
    fn keep_near_proof(&mut self, number: usize, object: &Value, [old, new]: &Answers) {
        let is_reported = |side: Side| self.is_reported(number, side, side.select([old, new]));
        let side = match Side::BOTH.map(is_reported) {
            [true, false] => Side::New,
            [false, true] => Side::Old,
            _ => return,
        };
        let answer = side.select([old, new]);
        let errors = answer.errors.iter();
        let errors: Vec<_> = errors
            .filter(|error| !is_rules_not_checked(&error.violation))
            .collect();
        let (index, merged) = (&self.index, &self.merged);
        let depends_on_others = |error| index.depends_on_others(number, error, side, merged);
        if !errors.iter().all(|error| depends_on_others(error)) {
            return;
        }
        let is_replaced = |error| index.is_of_replaced_keyword(number, error, side, merged);
        let has_replaced = errors.iter().any(|error| is_replaced(error));
        // A rule that was not checked may replace the keyword, too.
        let are_rules_checked = errors.len() == answer.errors.len();
        self.near_proofs.add(side, object, errors.len());
        if let Some(progress) = self.progress.get_mut(number) {
            progress.is_nearly_proven |= are_rules_checked && !has_replaced;
        }
    }

    /// Tries objects with random values near a difference.
    fn try_random(&mut self, number: usize) {
        let Some(difference) = self.index.differences().get(number).cloned() else {
            return;
        };
        let [old, new] = self.versions.map(|version| version.schema);
        let schema = self.bases.changeable_schema().clone();
        let neighborhood = Neighborhood::new(&schema, [old, new], &difference.path);
        let seed = u64::try_from(number).unwrap_or(0);
        let mut choices = Choices::new(seed);
        let bases = self.bases.at(&difference.path);
        for choice in 0..RANDOM_OBJECTS {
            if self.remaining(number) == 0 {
                break;
            }
            let base = bases.get(choice % bases.len().max(1));
            let object =
                base.and_then(|base| neighborhood.change(&base.object, &schema, &mut choices));
            if let Some(object) = object {
                self.send(number, &object, None);
            }
        }
    }

    /// Tries the edge values at the place of a difference, in each object around the place. Returns
    /// the objects that both versions accept.
    fn try_edges(&mut self, number: usize, path: &SchemaPath) -> Vec<Value> {
        let mut accepted = Vec::new();
        // Objects with an item or an entry that is valid.
        for step in [SchemaStep::Items, SchemaStep::AdditionalProperties] {
            let child = path.clone().step(step);
            if child.find(&self.merged).is_some_and(Value::is_object) {
                for base in self.bases.at(&child).iter() {
                    self.try_values(number, base, &mut accepted);
                }
            }
        }
        let bases = self.bases.at(path);
        for base in bases.iter() {
            self.try_values(number, base, &mut accepted);
        }
        // No small value at the path is valid, but one of the edge values may be.
        let has_valid_base = bases.iter().any(|base| base.is_valid);
        if let Some(parent) = path.parent().filter(|_| !has_valid_base) {
            for base in self.bases.at(&parent).iter() {
                self.try_values(number, base, &mut accepted);
            }
        }
        accepted
    }

    /// Tries objects with unknown fields in the value at the place of a difference: a schema drops
    /// the fields, which a version without the schema keeps.
    fn try_unknown_fields(&mut self, number: usize, path: &SchemaPath, accepted: &[Value]) {
        let place = field_path(path);
        for object in accepted {
            for object in with_unknown_fields(object, &place) {
                self.send(number, &object, None);
            }
        }
    }

    /// Tries an object, and the object with each edge value at the place of a difference.
    fn try_values(&mut self, number: usize, base: &BaseObject, accepted: &mut Vec<Value>) {
        if self.send(number, &base.object, None) {
            accepted.push(base.object.clone());
        }
        let Some(difference) = self.index.differences().get(number) else {
            return;
        };
        let path = difference.path.clone();
        let [old, new] = self.versions.map(|version| version.schema);
        let base_value = field_path(&path).find(&base.object);
        let schemas = [old, new, &self.merged];
        let tried_count = self.progress.get(number).map_or(0, |it| it.tried_count);
        let limit = self.budget.saturating_sub(tried_count);
        let values = values_at(difference, schemas, base_value, limit);
        if let Some(progress) = self.progress.get_mut(number) {
            progress.omitted_count += values.omitted_count;
            progress.large_count += values.large_count;
        }
        let values = values.list.iter().map(Some);
        for value in std::iter::once(None).chain(values) {
            let object = with_value(&base.object, &self.merged, &path, value);
            if let Some(object) = object
                && self.send(number, &object, None)
            {
                accepted.push(object);
            }
        }
    }

    /// Returns the number of requests that may be sent for a difference at this time.
    fn remaining(&self, number: usize) -> usize {
        let Some(progress) = self.progress.get(number) else {
            return 0;
        };
        let reserved = if progress.is_proven { 0 } else { self.reserved };
        self.budget
            .saturating_sub(reserved)
            .saturating_sub(progress.tried_count)
    }

    /// Sends a request for a difference to both versions, and records its effects. Returns true if
    /// both versions accept the object. A request is sent once, and not if a limit excludes it.
    fn send(&mut self, number: usize, object: &Value, replaced: Option<&Value>) -> bool {
        let remaining = self.remaining(number);
        let Some(progress) = self.progress.get_mut(number) else {
            return false;
        };
        let json = object.to_string();
        if json.len() > OBJECT_BYTES {
            progress.large_count += 1;
            return false;
        }
        let request = match replaced {
            None => json.clone(),
            Some(replaced) => format!("{replaced}{json}"),
        };
        if self.sent.contains(&request) {
            return false;
        }
        if remaining == 0 {
            progress.omitted_count += 1;
            return false;
        }
        self.sent.insert(request);
        progress.tried_count += 1;
        self.objects += 1;
        let answers = self.answers(object, replaced);
        if replaced.is_none() && answers.iter().all(|answer| answer.stored.is_none()) {
            self.keep_near_proof(number, object, &answers);
        }
        for (effect, weakness) in self.causes(number).effects_of(&answers) {
            let rank = (weakness, replaced.is_some(), json.len(), json.clone());
            if let Some(progress) = self.progress.get_mut(effect.0) {
                progress.is_proven = true;
            }
            let known = self.proving_requests.get(&effect);
            if known.is_none_or(|known| rank < known.rank) {
                let request = ProvingRequest {
                    object: object.clone(),
                    replaced: replaced.cloned(),
                    rank,
                };
                self.proving_requests.insert(effect, request);
            }
        }
        answers.iter().all(|answer| answer.stored.is_some())
    }
}
