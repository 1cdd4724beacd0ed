//! The objects that go to a cluster.

use serde_json::{Value, json};
use union_json::document::Crd;

use crate::error::PolicyError;
use crate::gap::Gap;
use crate::place::descend::{Unkeyed, descend};
use crate::place::site::Site;
use crate::rules::{cost, normalize, validate};

/// The first version whose CEL has `flatten` and loops of two variables.
const LOOPS_SINCE: u16 = 34;

/// How long an expression may be.
const LONGEST: usize = 100_000;

/// How long the name of an object may be.
const LONGEST_NAME: usize = 253;

/// A served version of a kind.
pub(crate) struct Resource<'a> {
    group: &'a str,
    plural: &'a str,
    pub(crate) version: &'a str,
    schema: &'a Value,
    has_status: bool,
}

impl<'a> Resource<'a> {
    /// The served versions of a CRD.
    pub(crate) fn all(crd: &'a Value) -> Result<Vec<Self>, PolicyError> {
        let missing = |pointer: &str| PolicyError::MissingText {
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
            resource.named()
        });
        found.collect()
    }

    /// The same, if its policies can be called so.
    fn named(self) -> Result<Self, PolicyError> {
        let name = self.name("normalize");
        if name.len() <= LONGEST_NAME {
            return Ok(self);
        }
        Err(PolicyError::LongName {
            name,
            longest: LONGEST_NAME,
        })
    }

    /// What a policy is asked about. A version is asked by its own name, since each has unions of its own.
    fn match_constraints(&self, sites: &[Site<'_>], operations: &[&str]) -> Value {
        let mut resources = vec![self.plural.to_owned()];
        if self.has_status && sites.iter().any(Site::is_in_status) {
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

/// The policy that normalizes, and its binding.
pub(crate) fn mutating(
    api_version: &str,
    resource: &Resource<'_>,
    sites: Vec<Site<'_>>,
    gaps: &mut Vec<Gap>,
) -> Option<[Value; 2]> {
    let (sites, never): (Vec<_>, Vec<_>) = sites
        .into_iter()
        .partition(|site| site.has_old() || normalize::is_of_new(site.union));
    gaps.extend(never.iter().map(|site| {
        let why = format!(
            "the union {} is below a list without keys, whose elements have no old ones: nothing says that the discriminator changed. Make the list one of type map",
            site.called()
        );
        Gap::new(site.path(), why)
    }));
    let patches = fitting(resource, sites, [patch, priced_patch], gaps);
    if patches.is_empty() {
        return None;
    }
    let sites: Vec<Site<'_>> = patches.iter().map(|(site, _)| site.clone()).collect();
    let is_created = |site: &Site<'_>| normalize::is_of_creates(site.union);
    let operations: &[&str] = if sites.iter().any(is_created) {
        &["CREATE", "UPDATE"]
    } else {
        &["UPDATE"]
    };
    let mutations = sites
        .iter()
        .map(|site| json!({"patchType": "JSONPatch", "jsonPatch": {"expression": patch(site)}}));
    let name = resource.name("normalize");
    let policy = json!({
        "apiVersion": api_version,
        "kind": "MutatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": "Fail",
            // What other policies and webhooks change is normalized too.
            "reinvocationPolicy": "IfNeeded",
            "matchConstraints": resource.match_constraints(&sites, operations),
            "mutations": mutations.collect::<Vec<_>>(),
        },
    });
    let binding = json!({
        "apiVersion": api_version,
        "kind": "MutatingAdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": {"policyName": name},
    });
    Some([policy, binding])
}

/// The sites with their expressions, but for those that are too long for a server. `priced` is the expression that has its cost.
fn fitting<'a>(
    resource: &Resource<'_>,
    sites: Vec<Site<'a>>,
    [expression, priced]: [fn(&Site<'_>) -> String; 2],
    gaps: &mut Vec<Gap>,
) -> Vec<(Site<'a>, String)> {
    let all = sites.into_iter().map(|site| {
        let expression = expression(&site);
        (site, expression)
    });
    let (fitting, long): (Vec<_>, Vec<_>) =
        all.partition(|(_, expression)| expression.chars().count() <= LONGEST);
    gaps.extend(long.iter().map(|(site, expression)| {
        let why = format!(
            "the expression for the union {} has {} characters, and a server takes {LONGEST}; use a webhook",
            site.called(),
            expression.chars().count()
        );
        Gap::new(site.path(), why)
    }));
    let costs = fitting.iter().filter(|(site, _)| site.is_in_loop());
    gaps.extend(costs.filter_map(|(site, _)| cost::gap(site, resource.schema, &priced(site))));
    fitting
}

/// The JSON patch of a site, in CEL.
fn patch(site: &Site<'_>) -> String {
    patch_of(
        site,
        "JSONPatch{op: 'remove', path: c[1]}",
        "JSONPatch{op: 'add', path: c[1], value: c[2]}",
    )
}

/// The same without the type that only policies know, at the same cost: an object of a type costs 40, a map 30 and a list 10.
fn priced_patch(site: &Site<'_>) -> String {
    patch_of(
        site,
        "[{'op': 'remove', 'path': c[1]}]",
        "[{'op': 'add', 'path': c[1], 'value': c[2]}]",
    )
}

fn patch_of(site: &Site<'_>, remove: &str, add: &str) -> String {
    let changes = changes(site);
    if normalize::is_of_creates(site.union) {
        format!("{changes}.map(c, c[0] == 'add' ? {add} : {remove})")
    } else {
        format!("{changes}.map(c, {remove})")
    }
}

/// What normalization changes at a site, in CEL: a list of changes.
pub(crate) fn changes(site: &Site<'_>) -> String {
    let leaf = |at: &_| normalize::changes(site.union, at);
    descend(site, Unkeyed::New, &leaf)
}

/// What is wrong at a site, in CEL: a list of texts.
pub(crate) fn violations(site: &Site<'_>) -> String {
    let leaf = |at: &_| validate::violations(site.union, at);
    descend(site, Unkeyed::Changed, &leaf)
}

/// The policy that refuses, and its binding.
pub(crate) fn validating(
    minor: u16,
    resource: &Resource<'_>,
    sites: Vec<Site<'_>>,
    gaps: &mut Vec<Gap>,
) -> Option<[Value; 2]> {
    let (sites, never): (Vec<_>, Vec<_>) = sites
        .into_iter()
        .partition(|site| minor >= LOOPS_SINCE || !site.is_in_loop());
    gaps.extend(never.iter().map(|site| {
        let why = format!(
            "the union {} is below a list or a map, and CEL of Kubernetes 1.{minor} has no `flatten`; it is judged from 1.{LOOPS_SINCE} on",
            site.called()
        );
        Gap::new(site.path(), why)
    }));
    let found = fitting(resource, sites, [violations, violations], gaps);
    if found.is_empty() {
        return None;
    }
    let sites: Vec<Site<'_>> = found.iter().map(|(site, _)| site.clone()).collect();
    let variable = |number: usize| format!("union{number}");
    let variables = found.iter().enumerate().map(
        |(number, (_, violations))| json!({"name": variable(number), "expression": violations}),
    );
    let validations = (0..sites.len()).map(|number| {
        let found = format!("variables.{}", variable(number));
        json!({
            "expression": format!("{found}.size() == 0"),
            // A message is no longer than 5 kB, whatever is wrong.
            "messageExpression": format!("{found}[0] + ({found}.size() > 1 ? ' (and ' + string({found}.size() - 1) + ' more)' : '')"),
            "reason": "Invalid",
        })
    });
    let api_version = "admissionregistration.k8s.io/v1";
    let name = resource.name("validate");
    let policy = json!({
        "apiVersion": api_version,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": name},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": resource.match_constraints(&sites, &["CREATE", "UPDATE"]),
            "variables": variables.collect::<Vec<_>>(),
            "validations": validations.collect::<Vec<_>>(),
        },
    });
    let binding = json!({
        "apiVersion": api_version,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": name},
        "spec": {"policyName": name, "validationActions": ["Deny"]},
    });
    Some([policy, binding])
}
