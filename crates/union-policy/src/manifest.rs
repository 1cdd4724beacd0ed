//! Creates the policy and binding objects.

use std::borrow::Cow;

use k8s_builtin_unions::BuiltinKind;
use k8s_cel::{Feature, KubeVersion};
use k8s_json_internals::cel_literal::string_literal;
use serde_json::{Value, json};
use union_json::document::Crd;

use crate::error::PolicyError;
use crate::limitation::Limitation;
use crate::location::navigation::{OldObjectUse, expression_at_location};
use crate::location::union_location::UnionLocation;
use crate::rules::cost::CostBudget;
use crate::rules::{normalize, validate};

/// The library with `flatten`, which the expressions for lists and maps call. These expressions
/// also use macros with two variables, but each version with this library has these macros.
const FLATTEN_LIBRARY: Feature = Feature::ListsVersion3;

/// The maximum number of characters of an expression, by the limit of API servers.
const MAX_EXPRESSION_LENGTH: usize = 100_000;

/// The end of a warning about a union that API servers do not enforce.
const UNENFORCED_ADVICE: &str = "; the server accepts this, but a later change of the union may fail: clear the members that are not in use";

/// The maximum length of the name of an object.
const MAX_NAME_LENGTH: usize = 253;

/// A version of a resource, and the effect of its policies.
pub(crate) struct Resource<'a> {
    group: &'a str,
    plural: Cow<'a, str>,
    pub(crate) version: &'a str,
    schema: &'a Value,
    has_status: bool,
    is_builtin: bool,
    effect: PolicyEffect,
}

/// The effect of a violation, and of a request that exceeds the cost limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PolicyEffect {
    /// The server rejects the request. Violations that the old object has are tolerated, so that
    /// the object can still be changed.
    Reject,
    /// The server accepts the request, and returns a warning. Violations that the old object has
    /// are reported too.
    Warn,
}

impl PolicyEffect {
    const fn failure_policy(self) -> &'static str {
        match self {
            Self::Reject => "Fail",
            Self::Warn => "Ignore",
        }
    }

    const fn validation_actions(self) -> &'static [&'static str] {
        match self {
            Self::Reject => &["Deny"],
            Self::Warn => &["Warn", "Audit"],
        }
    }
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
        let served_versions = versions.filter(|version| version.served() == Some(true));
        let resources = served_versions.map(|version| {
            let name = version
                .name()
                .ok_or_else(|| missing(&format!("/spec/versions/{}/name", version.index())))?;
            let resource = Self {
                group,
                plural: plural.into(),
                version: name,
                schema: version.schema().unwrap_or(&Value::Null),
                has_status: version.has_status_subresource(),
                is_builtin: false,
                effect: PolicyEffect::Reject,
            };
            resource.require_short_name()
        });
        resources.collect()
    }

    /// Returns the resource of a built-in kind. The table of built-in types has no bounds of lists,
    /// so the resource has no schema. Each built-in kind with a union in its status has a status
    /// subresource.
    pub(crate) fn builtin(kind: BuiltinKind, effect: PolicyEffect) -> Resource<'static> {
        Resource {
            group: kind.group(),
            plural: kind.plural().into(),
            version: kind.version(),
            schema: &Value::Null,
            has_status: true,
            is_builtin: true,
            effect,
        }
    }

    /// Returns the resource, or an error if the names of its policies would be too long.
    fn require_short_name(self) -> Result<Self, PolicyError> {
        let name = self.policy_name("normalize");
        if name.len() <= MAX_NAME_LENGTH {
            return Ok(self);
        }
        Err(PolicyError::NameTooLong {
            name,
            max_length: MAX_NAME_LENGTH,
        })
    }

    /// Returns the requests that a policy matches. A policy matches only its own version, because
    /// versions may have different unions.
    fn match_constraints(
        &self,
        expressions: &[LocationExpression<'_>],
        operations: &[&str],
    ) -> Value {
        let mut resources = vec![self.plural.clone().into_owned()];
        if self.has_status
            && expressions
                .iter()
                .any(|expression| expression.location.is_in_status())
        {
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

    fn policy_name(&self, verb: &str) -> String {
        let Self {
            group,
            plural,
            version,
            ..
        } = self;
        // The core group has no name.
        let dot = if group.is_empty() { "" } else { "." };
        format!("{verb}-unions.{version}.{plural}{dot}{group}")
    }
}

/// Returns the normalizing policy and its binding, unless there is nothing to normalize.
pub(crate) fn mutating_policy(
    version: KubeVersion,
    api_version: &str,
    resource: &Resource<'_>,
    locations: Vec<UnionLocation<'_>>,
    limitations: &mut Vec<Limitation>,
) -> Option<[Value; 2]> {
    let locations = keep_with_supported_loops(version, locations, limitations, "normalized");
    let is_supported = |location: &UnionLocation<'_>| {
        location.has_old_objects() || normalize::may_change_without_old(location.union)
    };
    let remedy = if resource.is_builtin {
        "clients must clear the old member"
    } else {
        "use a list of type map"
    };
    let locations = keep_supported(locations, is_supported, limitations, |location| {
        format!(
            "the union {} is inside a list without keys, whose elements cannot be compared with the old object, so a switch to another member is not detected; {remedy}",
            location.describe_union()
        )
    });
    let builder = ExpressionBuilder {
        expression: &patch_expression,
        cost_expression: &patch_cost_expression,
    };
    let patches = create_expressions(resource, locations, &builder, limitations);
    if patches.is_empty() {
        return None;
    }
    let changes_on_create =
        |patch: &LocationExpression<'_>| normalize::may_change_without_old(patch.location.union);
    let operations: &[&str] = if patches.iter().any(changes_on_create) {
        &["CREATE", "UPDATE"]
    } else {
        &["UPDATE"]
    };
    let mutations = patches.iter().map(
        |patch| json!({"patchType": "JSONPatch", "jsonPatch": {"expression": patch.expression}}),
    );
    let name = resource.policy_name("normalize");
    let policy = json!({
        "failurePolicy": resource.effect.failure_policy(),
        // Normalize again after other policies and webhooks have changed the object.
        "reinvocationPolicy": "IfNeeded",
        "matchConstraints": resource.match_constraints(&patches, operations),
        "mutations": mutations.collect::<Vec<_>>(),
    });
    let binding = json!({"policyName": name});
    let kind = "MutatingAdmissionPolicy";
    Some(policy_with_binding(
        api_version,
        kind,
        &name,
        [&policy, &binding],
    ))
}

/// Returns a policy and its binding with the given specs.
fn policy_with_binding(
    api_version: &str,
    kind: &str,
    name: &str,
    specs: [&Value; 2],
) -> [Value; 2] {
    let object = |kind: &str, spec: &Value| {
        let metadata = json!({"name": name});
        json!({"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec})
    };
    let [policy, binding] = specs;
    let binding_kind = format!("{kind}Binding");
    [object(kind, policy), object(&binding_kind, binding)]
}

/// Returns the locations that a policy supports, and adds a limitation for each other location.
fn keep_supported<'a>(
    locations: Vec<UnionLocation<'a>>,
    is_supported: impl Fn(&UnionLocation<'a>) -> bool,
    limitations: &mut Vec<Limitation>,
    message: impl Fn(&UnionLocation<'a>) -> String,
) -> Vec<UnionLocation<'a>> {
    let (supported, unsupported): (Vec<_>, Vec<_>) = locations.into_iter().partition(is_supported);
    let unsupported = unsupported.iter();
    limitations
        .extend(unsupported.map(|location| Limitation::new(location.path(), message(location))));
    supported
}

/// Returns the locations whose expressions the version can evaluate: without `flatten`, only the
/// locations outside lists and maps. Adds a limitation for each other location. The version must
/// support `flatten` in new expressions, because a policy is new when it is applied.
fn keep_with_supported_loops<'a>(
    version: KubeVersion,
    locations: Vec<UnionLocation<'a>>,
    limitations: &mut Vec<Limitation>,
    participle: &str,
) -> Vec<UnionLocation<'a>> {
    let has_flatten = version.of_new_rules().has(FLATTEN_LIBRARY);
    let is_supported = |location: &UnionLocation<'_>| has_flatten || !location.is_in_loop();
    let since = FLATTEN_LIBRARY.since_in_new_rules().unwrap_or_default();
    keep_supported(locations, is_supported, limitations, |location| {
        format!(
            "the union {} is inside a list or a map and is not {participle}, because new CEL expressions of Kubernetes {version} cannot call `flatten`; choose {since} or later",
            location.describe_union()
        )
    })
}

/// A location and its expression, which is short enough for an API server.
struct LocationExpression<'a> {
    location: UnionLocation<'a>,
    expression: String,
}

/// The functions that create the expression of a location.
struct ExpressionBuilder<'f> {
    expression: &'f dyn Fn(&UnionLocation<'_>) -> String,
    /// Returns an expression of equal cost that can be evaluated outside of policies.
    cost_expression: &'f dyn Fn(&UnionLocation<'_>) -> String,
}

/// Returns the locations with their expressions. Adds a limitation for each expression that is too
/// long or may cost too much.
fn create_expressions<'a>(
    resource: &Resource<'_>,
    locations: Vec<UnionLocation<'a>>,
    builder: &ExpressionBuilder<'_>,
    limitations: &mut Vec<Limitation>,
) -> Vec<LocationExpression<'a>> {
    let mut expressions = Vec::with_capacity(locations.len());
    for location in locations {
        let expression = (builder.expression)(&location);
        let length = expression.chars().count();
        if length <= MAX_EXPRESSION_LENGTH {
            expressions.push(LocationExpression {
                location,
                expression,
            });
            continue;
        }
        let message = format!(
            "the expression for the union {} has {length} characters, and API servers accept at most {MAX_EXPRESSION_LENGTH}; use a webhook",
            location.describe_union(),
        );
        limitations.push(Limitation::new(location.path(), message));
    }
    let locations_in_loops = expressions
        .iter()
        .map(|entry: &LocationExpression<'_>| &entry.location)
        .filter(|location| location.is_in_loop());
    let budgets = locations_in_loops.filter_map(|location| {
        let expression = (builder.cost_expression)(location);
        CostBudget::find(location, resource.schema, &expression)
    });
    if !resource.is_builtin {
        let consequence =
            "requests with more are rejected. Set `maxItems` or `maxProperties`, or use a webhook";
        limitations.extend(budgets.map(|budget| budget.into_limitation(consequence)));
        return expressions;
    }
    // The table of built-in types has no bounds of lists, so each union in a list has a limit.
    let smallest = budgets.min_by_key(|budget| budget.max_reordered);
    let consequence = match resource.effect {
        PolicyEffect::Reject => "requests with more are rejected",
        PolicyEffect::Warn => "the policy has no effect on requests with more",
    };
    limitations.extend(smallest.map(|budget| {
        budget.into_limitation(&format!(
            "{consequence}. This is the smallest limit of all lists"
        ))
    }));
    expressions
}

/// Returns the CEL expression for the JSON patch of a location.
fn patch_expression(location: &UnionLocation<'_>) -> String {
    patch_expression_with_operations(
        location,
        "JSONPatch{op: 'remove', path: c[1]}",
        "JSONPatch{op: 'add', path: c[1], value: c[2]}",
    )
}

/// Returns an expression that costs as much as [`patch_expression`], without the type `JSONPatch`,
/// which only policies have. Creating an object of a type costs 40, a map 30 and a
/// list 10.
fn patch_cost_expression(location: &UnionLocation<'_>) -> String {
    patch_expression_with_operations(
        location,
        "[{'op': 'remove', 'path': c[1]}]",
        "[{'op': 'add', 'path': c[1], 'value': c[2]}]",
    )
}

fn patch_expression_with_operations(
    location: &UnionLocation<'_>,
    remove: &str,
    add: &str,
) -> String {
    let changes = changes_expression(location);
    if normalize::may_change_without_old(location.union) {
        format!("{changes}.map(c, c[0] == 'add' ? {add} : {remove})")
    } else {
        format!("{changes}.map(c, {remove})")
    }
}

/// Returns a CEL expression whose value is the list of the changes that normalization makes at a
/// location.
pub(crate) fn changes_expression(location: &UnionLocation<'_>) -> String {
    let union_expression = |scope: &_| normalize::changes(location, scope);
    expression_at_location(
        location,
        OldObjectUse::UnkeyedElementsAreNew,
        &union_expression,
    )
}

/// Returns a CEL expression whose value is the list of the messages of violations at a location.
pub(crate) fn violations_expression(location: &UnionLocation<'_>, effect: PolicyEffect) -> String {
    let union_expression = |scope: &_| validate::violations(location, scope);
    let old_object_use = match effect {
        PolicyEffect::Reject => OldObjectUse::SkipUnchangedLists,
        PolicyEffect::Warn => OldObjectUse::Ignored,
    };
    expression_at_location(location, old_object_use, &union_expression)
}

/// Returns the validating policy and its binding, unless there is nothing to validate.
pub(crate) fn validating_policy(
    version: KubeVersion,
    resource: &Resource<'_>,
    locations: Vec<UnionLocation<'_>>,
    limitations: &mut Vec<Limitation>,
) -> Option<[Value; 2]> {
    let locations = keep_with_supported_loops(version, locations, limitations, "validated");
    let expression =
        |location: &UnionLocation<'_>| violations_expression(location, resource.effect);
    let builder = ExpressionBuilder {
        expression: &expression,
        cost_expression: &expression,
    };
    let expressions = create_expressions(resource, locations, &builder, limitations);
    if expressions.is_empty() {
        return None;
    }
    let variable = |index: usize| format!("union{index}");
    let variables = expressions
        .iter()
        .enumerate()
        .map(|(index, entry)| json!({"name": variable(index), "expression": entry.expression}));
    let advice = match resource.effect {
        PolicyEffect::Reject => String::new(),
        PolicyEffect::Warn => format!(" + {}", string_literal(UNENFORCED_ADVICE)),
    };
    let validations = (0..expressions.len()).map(|index| {
        let violations = format!("variables.{}", variable(index));
        json!({
            "expression": format!("{violations}.size() == 0"),
            // A message has at most 5 kB, so it contains the first violation and the number of the
            // others.
            "messageExpression": format!("{violations}[0] + ({violations}.size() > 1 ? ' (and ' + string({violations}.size() - 1) + ' more)' : ''){advice}"),
            "reason": "Invalid",
        })
    });
    let api_version = "admissionregistration.k8s.io/v1";
    let name = resource.policy_name("validate");
    let policy = json!({
        "failurePolicy": resource.effect.failure_policy(),
        "matchConstraints": resource.match_constraints(&expressions, &["CREATE", "UPDATE"]),
        "variables": variables.collect::<Vec<_>>(),
        "validations": validations.collect::<Vec<_>>(),
    });
    let actions = resource.effect.validation_actions();
    let binding = json!({"policyName": name, "validationActions": actions});
    let kind = "ValidatingAdmissionPolicy";
    Some(policy_with_binding(
        api_version,
        kind,
        &name,
        [&policy, &binding],
    ))
}
