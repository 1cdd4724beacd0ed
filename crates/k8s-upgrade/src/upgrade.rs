//! The comparison of two versions for CRDs and for objects.

use std::collections::HashMap;

use k8s_crd_validation::{CostReport, Feature, KubeVersion, Report, StructuralSchema};
use serde_json::Value;
use union_json::document::{Crd, CrdVersion};
use union_runtime::path::FieldPath;

use crate::answer::Answer;
use crate::causes::{OlderSide, changed_features, set_causes};
use crate::compare::compare;
use crate::finding::{Finding, Subject};
use crate::requests::{ObjectRequest, answer_crd, answer_object, object_requests};

/// The versions before and after an upgrade of an API server. A downgrade is an upgrade to an older
/// version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an upgrade does nothing until it compares something"]
pub struct Upgrade {
    from: KubeVersion,
    to: KubeVersion,
}

/// The schema of one version of a CRD, such as `v1`, compiled by both Kubernetes versions of an
/// [`Upgrade`].
#[derive(Debug)]
pub struct SchemaPair {
    upgrade: Upgrade,
    crd: Value,
    crd_version: String,
    has_status: bool,
    before: StructuralSchema,
    after: StructuralSchema,
    /// The single causes of earlier findings.
    known_causes: Vec<Feature>,
    /// The schemas of the newer version with some features of the older version.
    mixed: HashMap<Vec<Feature>, Option<StructuralSchema>>,
}

/// The maximum number of mixed schemas that are kept.
const MAX_MIXED_SCHEMAS: usize = 4;

impl Upgrade {
    /// Creates the upgrade of an API server between two versions. If `from` is newer than `to`, the
    /// upgrade is a downgrade.
    pub const fn new(from: KubeVersion, to: KubeVersion) -> Self {
        Self { from, to }
    }

    /// Compares the answers to the create and to an unchanged update of a CRD, and the estimated
    /// costs of its CEL rules. The CRD has the form in which a server stores it: its metadata has a
    /// `resourceVersion`.
    #[must_use]
    pub fn compare_crd(self, crd: &Value) -> Vec<Finding> {
        let answer = |version| VersionAnswers {
            answers: answer_crd(crd, version),
            costs: rule_costs(crd, version),
        };
        let older = answer(self.older());
        let mut findings = self.compare_answers(&older, &answer(self.newer()));
        let features = changed_features(self.older(), self.newer());
        let compare = |set: &[Feature]| self.compare_answers(&older, &answer(self.mixed(set)));
        let known_causes = &mut Vec::new();
        set_causes(
            &mut findings,
            self.older_side(),
            &features,
            known_causes,
            compare,
        );
        findings
    }

    /// Compiles the schema of a version of a stored CRD, such as `v1`, for both Kubernetes
    /// versions.
    ///
    /// # Errors
    ///
    /// Returns the errors of the schema if one of the Kubernetes versions cannot compile it.
    pub fn schema(self, crd: &Value, crd_version: &str) -> Result<SchemaPair, Report> {
        let version = Crd::new(crd).version(crd_version);
        Ok(SchemaPair {
            upgrade: self,
            has_status: version.is_some_and(CrdVersion::has_status_subresource),
            before: compile_stored(crd, crd_version, self.from)?,
            after: compile_stored(crd, crd_version, self.to)?,
            crd: crd.clone(),
            crd_version: crd_version.to_owned(),
            known_causes: Vec::new(),
            mixed: HashMap::new(),
        })
    }

    fn older(self) -> KubeVersion {
        self.from.min(self.to)
    }

    fn newer(self) -> KubeVersion {
        self.from.max(self.to)
    }

    fn older_side(self) -> OlderSide {
        if self.from <= self.to {
            OlderSide::Before
        } else {
            OlderSide::After
        }
    }

    /// Returns the newer version with some features of the older version.
    fn mixed(self, features: &[Feature]) -> KubeVersion {
        let features = features.iter().copied();
        self.newer().with_features_of(self.older(), features)
    }

    /// Compares the answers of the older and of the newer version, in the direction of the upgrade.
    fn compare_answers(self, older: &VersionAnswers, newer: &VersionAnswers) -> Vec<Finding> {
        let (before, after) = match self.older_side() {
            OlderSide::Before => (older, newer),
            OlderSide::After => (newer, older),
        };
        let mut findings = compare(&before.answers, &after.answers);
        findings.extend(compare_costs(&before.costs, &after.costs));
        findings
    }
}

impl SchemaPair {
    /// Returns true if [`compare_object`](Self::compare_object) finds a difference. Unlike that
    /// method, this one can be called from several threads, because it does not search for causes.
    #[must_use]
    pub fn has_findings(&self, object: &Value) -> bool {
        let requests = self.requests(object);
        let (older, newer) = self.answers(&requests);
        !self.upgrade.compare_answers(&older, &newer).is_empty()
    }

    /// Returns the requests for a stored object.
    fn requests(&self, object: &Value) -> Vec<ObjectRequest> {
        let requests = object_requests(object).into_iter();
        requests
            .filter(|request| self.has_status || !request.request.is_of_status())
            .collect()
    }

    /// Returns the answers of the older and of the newer version.
    fn answers(&self, requests: &[ObjectRequest]) -> (VersionAnswers, VersionAnswers) {
        let upgrade = self.upgrade;
        let (older, newer) = match upgrade.older_side() {
            OlderSide::Before => (&self.before, &self.after),
            OlderSide::After => (&self.after, &self.before),
        };
        (
            VersionAnswers::for_object(older, requests, upgrade.older()),
            VersionAnswers::for_object(newer, requests, upgrade.newer()),
        )
    }

    /// Returns the differences between the answers to the [requests](crate::Request) for a stored
    /// object. The list is empty if both Kubernetes versions give the same answers. The schemas of
    /// the search for causes are kept for the next object.
    #[must_use]
    pub fn compare_object(&mut self, object: &Value) -> Vec<Finding> {
        let upgrade = self.upgrade;
        let requests = self.requests(object);
        let (older, newer) = self.answers(&requests);
        let mut findings = upgrade.compare_answers(&older, &newer);
        if findings.is_empty() {
            return findings;
        }
        let features = changed_features(upgrade.older(), upgrade.newer());
        let compare = |set: &[Feature]| {
            if self.mixed.len() >= MAX_MIXED_SCHEMAS && !self.mixed.contains_key(set) {
                self.mixed.clear();
            }
            let mixed = upgrade.mixed(set);
            let schema = self
                .mixed
                .entry(set.to_vec())
                .or_insert_with(|| compile_stored(&self.crd, &self.crd_version, mixed).ok());
            match schema {
                Some(schema) => {
                    let mixed_answers = VersionAnswers::for_object(schema, &requests, mixed);
                    upgrade.compare_answers(&older, &mixed_answers)
                }
                None => Vec::new(),
            }
        };
        let known_causes = &mut self.known_causes;
        set_causes(
            &mut findings,
            upgrade.older_side(),
            &features,
            known_causes,
            compare,
        );
        findings
    }
}

/// Compiles a version of a stored CRD.
fn compile_stored(
    crd: &Value,
    crd_version: &str,
    version: KubeVersion,
) -> Result<StructuralSchema, Report> {
    let compiler = StructuralSchema::compiler().version(version);
    compiler.stored().crd(crd, Some(crd_version))
}

/// The answers of a version to all requests, and the costs of rules.
struct VersionAnswers {
    answers: Vec<Answer>,
    costs: Vec<RuleCost>,
}

impl VersionAnswers {
    fn for_object(
        schema: &StructuralSchema,
        requests: &[ObjectRequest],
        version: KubeVersion,
    ) -> Self {
        Self {
            answers: answer_object(schema, requests, version),
            costs: Vec::new(),
        }
    }
}

/// The estimated cost of a rule in a version of a CRD.
#[derive(PartialEq, Eq)]
struct RuleCost {
    /// The version of the CRD, the path of the value, and the rule.
    rule: String,
    cost: u64,
}

/// Returns the estimated costs of the rules in all versions of a CRD. A version that does not
/// compile has no costs.
fn rule_costs(crd: &Value, version: KubeVersion) -> Vec<RuleCost> {
    let mut costs = Vec::new();
    for crd_version in Crd::new(crd).versions().filter_map(CrdVersion::name) {
        let Ok(schema) = compile_stored(crd, crd_version, version) else {
            continue;
        };
        let report = CostReport::from_schema(&schema);
        costs.extend(report.rules.iter().map(|rule| RuleCost {
            rule: format!("{crd_version}: {}: `{}`", rule.path, rule.rule),
            cost: rule.cost().saturating_add(rule.message_cost),
        }));
    }
    costs
}

/// Returns a finding for each rule whose cost differs. A rule that compiles in one version only is
/// not a finding here, because it has an error.
fn compare_costs(before: &[RuleCost], after: &[RuleCost]) -> Vec<Finding> {
    let new_costs: HashMap<&str, u64> = after.iter().map(|rule| (&*rule.rule, rule.cost)).collect();
    let finding = |old: &RuleCost| {
        let new_cost = *new_costs.get(&*old.rule)?;
        let text = |cost| Some(format!("{}: estimated cost {cost}", old.rule));
        // A rule that does not compile has no cost.
        (old.cost != new_cost && old.cost != 0 && new_cost != 0).then(|| Finding {
            subject: Subject::Cost,
            path: FieldPath::root(),
            before: text(old.cost),
            after: text(new_cost),
            changes: Vec::new(),
            causes: Vec::new(),
        })
    };
    before.iter().filter_map(finding).collect()
}
