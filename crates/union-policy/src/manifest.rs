//! The policy and binding objects.

use k8s_cel::{Feature, KubeVersion};
use serde_json::{Value, json};
use union_json::document::Crd;

use crate::error::PolicyError;
use crate::limitation::Limitation;
use crate::location::navigation::{UnkeyedLists, navigate};
use crate::location::union_location::UnionLocation;
use crate::rules::{cost, normalize, validate};

/// The library with `flatten`, which the expressions for lists and maps call. It is newer than the
/// macros with two variables, which these expressions use, too.
const LOOPS: Feature = Feature::ListsVersion3;

/// The maximum number of characters of an expression.
const MAX_EXPRESSION_LENGTH: usize = 100_000;

/// The maximum length of an object's name.
const MAX_NAME_LENGTH: usize = 253;

/// A served version of a kind.
pub(crate) struct Resource<'a> {
    group: &'a str,
    plural: &'a str,
    pub(crate) version: &'a str,
    schema: &'a Value,
    has_status: bool,
}

impl<'a> Resource<'a> {
    /// Returns the served versions of a CRD.
    pub(crate) fn served_versions(crd: &'a Value) -> Result<Vec<Self>, PolicyError> {
        let missing = |pointer: &str| PolicyError::MissingString {
            pointer: pointer.to_owned(),
        };
        let crd = Crd::new(crd);
        let group = crd.group().ok_or_else(|| missing("/spec/group"))?;
        let plural = crd.plural().ok_or_else(|| missing("/spec/names/plural"))?;
        let versions = crd.versions();
        let served = versions.filter(|version| version.served() == Some(true));
        let found = served.map(|version| {
            let name = version
                .name()
                .ok_or_else(|| missing(&format!("/spec/versions/{}/name", version.index())))?;
            let resource = Self {
                group,
                plural,
                version: name,
                schema: version.schema().unwrap_or(&Value::Null),
                has_status: version.has_status_subresource(),
            };
            resource.require_short_name()
        });
        found.collect()
    }

    /// Returns the resource, or an error if the names of its policies are too long.
    fn require_short_name(self) -> Result<Self, PolicyError> {
        let name = self.name("normalize");
        if name.len() <= MAX_NAME_LENGTH {
            return Ok(self);
        }
        Err(PolicyError::NameTooLong {
            name,
            max_length: MAX_NAME_LENGTH,
        })
    }

    /// Returns the requests that a policy matches. Each version has unions of its own, so a policy
    /// matches only its version.
    fn match_constraints(&self, found: &[LocationExpression<'_>], operations: &[&str]) -> Value {
        let mut resources = vec![self.plural.to_owned()];
        if self.has_status && found.iter().any(|found| found.site.is_in_status()) {
            resources.push(format!("{}/status", self.plural));
        }
        json!({
            "matchPolicy": "Exact",
            "resourceRules": [{
                "apiGroups": [self.group],
                "apiVersions": [self.version],
                "operations": operations,
                "resources": resources,
            }],
        })
    }

    fn name(&self, verb: &str) -> String {
        let Self {
            group,
            plural,
            version,
            ..
        } = self;
        format!("{verb}-unions.{version}.{plural}.{group}")
    }
}

/// Returns the policy that normalizes, and its binding.
pub(crate) fn mutating_policy(
    version: KubeVersion,
    api_version: &str,
    resource: &Resource<'_>,
    sites: Vec<UnionLocation<'_>>,
    gaps: &mut Vec<Limitation>,
) -> Option<[Value; 2]> {
    let sites = without_loops(version, sites, gaps, "normalized");
    let is_possible = |site: &UnionLocation<'_>| {
        site.has_old_objects() || normalize::may_change_without_old(site.union)
    };
    let sites = possible(sites, is_possible, gaps, |site| {
        format!(
            "the union {} is inside a list without keys, whose elements cannot be compared with the old object, so a change of the discriminator is not detected; use a list of type map",
            site.describe_union()
        )
    });
    let patches = fitting(resource, sites, [patch, priced_patch], gaps);
    if patches.is_empty() {
        return None;
    }
    let is_created =
        |patch: &LocationExpression<'_>| normalize::may_change_on_create(patch.site.union);
    let operations: &[&str] = if patches.iter().any(is_created) {
        &["CREATE", "UPDATE"]
    } else {
        &["UPDATE"]
    };
    let mutations = patches.iter().map(
        |patch| json!({"patchType": "JSONPatch", "jsonPatch": {"expression": patch.expression}}),
    );
    let name = resource.name("normalize");
    let policy = json!({
        "failurePolicy": "Fail",
        // Normalizes again after changes by other policies and webhooks.
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": resource.match_constraints(&patches, operations),
        "mutations": mutations.collect::<Vec<_>>(),
    });
    let binding = json!({"policyName": name});
    let kind = "MutatingAdmissionPolicy";
    Some(with_binding(api_version, kind, &name, [&policy, &binding]))
}

/// Returns a policy and its binding, with the `spec` of each.
fn with_binding(api_version: &str, kind: &str, name: &str, specs: [&Value; 2]) -> [Value; 2] {
    let object = |kind: &str, spec: &Value| {
        let metadata = json!({"name": name});
        json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec})
    };
    let [policy, binding] = specs;
    let binding_kind = format!("{kind}Binding");
    [object(kind, policy), object(&binding_kind, binding)]
}

/// Returns the sites for which a policy is possible, and adds a gap for each other site.
fn possible<'a>(
    sites: Vec<UnionLocation<'a>>,
    is_possible: impl Fn(&UnionLocation<'a>) -> bool,
    gaps: &mut Vec<Limitation>,
    why: impl Fn(&UnionLocation<'a>) -> String,
) -> Vec<UnionLocation<'a>> {
    let (possible, others): (Vec<_>, Vec<_>) = sites.into_iter().partition(is_possible);
    let others = others.iter();
    gaps.extend(others.map(|site| Limitation::new(site.path(), why(site))));
    possible
}

/// Returns the sites outside of lists and maps if new expressions of the version cannot call the
/// functions for lists and maps, or else all sites. Adds a gap for each other site. A policy is new
/// when it is applied.
fn without_loops<'a>(
    version: KubeVersion,
    sites: Vec<UnionLocation<'a>>,
    gaps: &mut Vec<Limitation>,
    done: &str,
) -> Vec<UnionLocation<'a>> {
    let has_loops = version.of_new_rules().has(LOOPS);
    let is_possible = |site: &UnionLocation<'_>| has_loops || !site.is_in_loop();
    let since = LOOPS.since_in_new_rules().unwrap_or_default();
    possible(sites, is_possible, gaps, |site| {
        format!(
            "the union {} is inside a list or a map and is not {done}, because new CEL expressions of Kubernetes {version} cannot call `flatten`; choose {since} or later",
            site.describe_union()
        )
    })
}

/// A site, and its expression, which is short enough for an API server.
struct LocationExpression<'a> {
    site: UnionLocation<'a>,
    expression: String,
}

/// Returns the sites with their expressions. Adds a gap for each expression that is too long or may
/// cost too much; `priced` creates an expression with the same cost.
fn fitting<'a>(
    resource: &Resource<'_>,
    sites: Vec<UnionLocation<'a>>,
    [expression, priced]: [fn(&UnionLocation<'_>) -> String; 2],
    gaps: &mut Vec<Limitation>,
) -> Vec<LocationExpression<'a>> {
    let mut fitting = Vec::with_capacity(sites.len());
    for site in sites {
        let expression = expression(&site);
        let length = expression.chars().count();
        if length <= MAX_EXPRESSION_LENGTH {
            fitting.push(LocationExpression { site, expression });
            continue;
        }
        let why = format!(
            "the expression for the union {} has {length} characters, and API servers accept at most {MAX_EXPRESSION_LENGTH}; use a webhook",
            site.describe_union(),
        );
        gaps.push(Limitation::new(site.path(), why));
    }
    let sites = fitting
        .iter()
        .map(|found: &LocationExpression<'_>| &found.site);
    let costs = sites.filter(|site| site.is_in_loop());
    gaps.extend(
        costs.filter_map(|site| cost::cost_limitation(site, resource.schema, &priced(site))),
    );
    fitting
}

/// Returns the CEL expression for the JSON patch of a site.
fn patch(site: &UnionLocation<'_>) -> String {
    patch_of(
        site,
        "JSONPatch{op: 'remove', path: c[1]}",
        "JSONPatch{op: 'add', path: c[1], value: c[2]}",
    )
}

/// Returns the expression of [`patch`] without the type `JSONPatch`, which only policies have, at
/// the same cost: an object of a type costs 40, a map 30 and a list 10.
fn priced_patch(site: &UnionLocation<'_>) -> String {
    patch_of(
        site,
        "[{'op': 'remove', 'path': c[1]}]",
        "[{'op': 'add', 'path': c[1], 'value': c[2]}]",
    )
}

fn patch_of(site: &UnionLocation<'_>, remove: &str, add: &str) -> String {
    let changes = changes(site);
    if normalize::may_change_on_create(site.union) {
        format!("{changes}.map(c, c[0] == 'add' ? {add} : {remove})")
    } else {
        format!("{changes}.map(c, {remove})")
    }
}

/// Returns a CEL expression for the list of changes by normalization at a site.
pub(crate) fn changes(site: &UnionLocation<'_>) -> String {
    let leaf = |at: &_| normalize::changes(site.union, at);
    navigate(site, UnkeyedLists::AllNew, &leaf)
}

/// Returns a CEL expression for the list of violations at a site, as strings.
pub(crate) fn violations(site: &UnionLocation<'_>) -> String {
    let leaf = |at: &_| validate::violations(site.union, at);
    navigate(site, UnkeyedLists::SkipUnchanged, &leaf)
}

/// Returns the policy that validates, and its binding.
pub(crate) fn validating_policy(
    version: KubeVersion,
    resource: &Resource<'_>,
    sites: Vec<UnionLocation<'_>>,
    gaps: &mut Vec<Limitation>,
) -> Option<[Value; 2]> {
    let sites = without_loops(version, sites, gaps, "validated");
    let found = fitting(resource, sites, [violations, violations], gaps);
    if found.is_empty() {
        return None;
    }
    let variable = |number: usize| format!("union{number}");
    let variables = found
        .iter()
        .enumerate()
        .map(|(number, found)| json!({"name": variable(number), "expression": found.expression}));
    let validations = (0..found.len()).map(|number| {
        let found = format!("variables.{}", variable(number));
        json!({
            "expression": format!("{found}.size() == 0"),
            // A message has at most 5 kB, so it contains the first violation and the number of
            // others.
            "messageExpression": format!("{found}[0] + ({found}.size() > 1 ? ' (and ' + string({found}.size() - 1) + ' more)' : '')"),
            "reason": "Invalid",
        })
    });
    let api_version = "admissionregistration.k8s.io/v1";
    let name = resource.name("validate");
    let policy = json!({
        "failurePolicy": "Fail",
        "matchConstraints": resource.match_constraints(&found, &["CREATE", "UPDATE"]),
        "variables": variables.collect::<Vec<_>>(),
        "validations": validations.collect::<Vec<_>>(),
    });
    let binding = json!({"policyName": name, "validationActions": ["Deny"]});
    let kind = "ValidatingAdmissionPolicy";
    Some(with_binding(api_version, kind, &name, [&policy, &binding]))
}
