//! (g) Tests of admission policies for built-in kinds, on a whole kube-apiserver: updates that the
//! server rejects without the policies are accepted with them, and unions that the server does not
//! enforce cause warnings.

use k8s_builtin_unions::{BuiltinKind, find_kind, kinds};
use serde_json::{Value, json};
use union_policy::{Settings, builtin_mutating_policies, builtin_validating_policies};

use crate::cluster::{Cluster, Deadline, Fallible, ServerResponse, text};
use crate::policies;
use crate::tally::Tally;
use crate::webhook::stories::count_story;
use crate::webhook::world::expect_equal;

const APPS: &str = "/apis/apps/v1/namespaces/default";

/// The content types of patches that leave the old member set.
const MERGE_PATCH: &str = "application/merge-patch+json";
const STRATEGIC_MERGE_PATCH: &str = "application/strategic-merge-patch+json";

pub(crate) async fn run(cluster: &Cluster) -> Fallible<bool> {
    let mut tally = Tally::default();
    let accepted = accept_all_policies(cluster, &mut tally).await;
    count_story(&mut tally, "policies of all kinds", accepted);
    for name in ["switched", "patched"] {
        let path = format!("{APPS}/deployments");
        expect_accepted(&cluster.post(&path, &deployment(name)).await?)?;
    }
    let rejected = reject_switches(cluster).await;
    count_story(&mut tally, "the server alone rejects a switch", rejected);
    let settings = Settings::default();
    let deployment_kind = kind("Deployment")?;
    let daemon_set = kind("DaemonSet")?;
    for policies in [
        builtin_mutating_policies(deployment_kind, &settings)?,
        builtin_validating_policies(daemon_set, &settings)?,
    ] {
        policies::apply(cluster, &policies, &mut tally).await?;
    }
    let results = [
        ("a strategy is switched", switch_strategy(cluster).await),
        ("a variable is switched", switch_variable(cluster).await),
        ("a stale member", warn_of_stale_member(cluster).await),
    ];
    for (name, result) in results {
        count_story(&mut tally, name, result);
    }
    Ok(tally.finish("policies of built-in kinds, stories", 9))
}

fn kind(name: &str) -> Fallible<BuiltinKind> {
    find_kind("apps/v1", name).ok_or_else(|| format!("no kind {name}").into())
}

fn expect_accepted(response: &ServerResponse) -> Fallible {
    if response.is_accepted() {
        return Ok(());
    }
    Err(format!("rejected: {}", response.body).into())
}

/// Sends the policies of each kind that the server serves as dry runs with strict field validation,
/// and compares the plural name of the kind with the name that the server uses.
async fn accept_all_policies(cluster: &Cluster, tally: &mut Tally) -> Fallible {
    let mut policy_count = 0;
    for kind in kinds() {
        let path = match kind.group() {
            "" => format!("/api/{}", kind.version()),
            group => format!("/apis/{group}/{}", kind.version()),
        };
        let resources = cluster.get(&path).await?.body["resources"].take();
        let resources = resources.as_array().map_or(&[][..], Vec::as_slice);
        let mut resources = resources.iter();
        // Subresources have a slash in their names.
        let resource = resources.find(|resource| {
            resource["kind"] == kind.name() && !text(&resource["name"]).contains('/')
        });
        let Some(resource) = resource else {
            continue;
        };
        expect_equal("plural", &text(&resource["name"]), &kind.plural())?;
        let settings = Settings::default();
        let generated = [
            builtin_mutating_policies(kind, &settings),
            builtin_validating_policies(kind, &settings),
        ];
        for policies in generated.into_iter().flatten() {
            policy_count += policies.objects.len() / 2;
            policies::send(cluster, &policies, "&dryRun=All", tally).await?;
        }
    }
    expect_equal("at least 20 policies", &(policy_count >= 20), &true)
}

fn deployment(name: &str) -> Value {
    let mut deployment = workload("Deployment", name);
    deployment["spec"]["strategy"] = json!({"type": "RollingUpdate"});
    deployment
}

fn workload(kind: &str, name: &str) -> Value {
    let container = json!({
        "name": "app", "image": "example.com/app", "env": [{"name": "TOKEN", "value": "x"}],
    });
    json!({
        "apiVersion": "apps/v1", "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "selector": {"matchLabels": {"app": name}},
            "template": {
                "metadata": {"labels": {"app": name}},
                "spec": {"containers": [container]},
            },
        },
    })
}

/// Returns the patch that selects another strategy. The server has set `rollingUpdate`, which the
/// patch does not clear.
fn strategy_patch() -> Value {
    json!({"spec": {"strategy": {"type": "Recreate"}}})
}

/// Returns the patch that selects another source of a variable, and keeps `value`.
fn variable_patch() -> Value {
    let source = json!({"secretKeyRef": {"name": "web", "key": "token"}});
    let container = json!({"name": "app", "env": [{"name": "TOKEN", "valueFrom": source}]});
    json!({"spec": {"template": {"spec": {"containers": [container]}}}})
}

async fn reject_switches(cluster: &Cluster) -> Fallible {
    for (name, content_type, patch, field) in [
        (
            "switched",
            MERGE_PATCH,
            strategy_patch(),
            "spec.strategy.rollingUpdate",
        ),
        (
            "patched",
            STRATEGIC_MERGE_PATCH,
            variable_patch(),
            "spec.template.spec.containers[0].env[0].valueFrom",
        ),
    ] {
        let path = format!("{APPS}/deployments/{name}");
        let response = cluster.patch(&path, content_type, &patch).await?;
        expect_equal("code", &response.code, &422)?;
        let fields = response.causes().into_iter().map(|[_, field, _]| field);
        expect_equal(
            "fields",
            &fields.collect::<Vec<_>>(),
            &vec![field.to_owned()],
        )?;
    }
    Ok(())
}

/// Sends a patch until the server evaluates the policy, and returns the stored object.
async fn patch_with_policy(
    cluster: &Cluster,
    path: &str,
    content_type: &str,
    body: &Value,
) -> Fallible<Value> {
    let deadline = Deadline::new();
    loop {
        let response = cluster.patch(path, content_type, body).await?;
        if response.is_accepted() {
            return Ok(response.body);
        }
        deadline.wait("the policy of a built-in kind").await?;
    }
}

async fn switch_strategy(cluster: &Cluster) -> Fallible {
    let path = format!("{APPS}/deployments/switched");
    let stored = patch_with_policy(cluster, &path, MERGE_PATCH, &strategy_patch()).await?;
    let strategy = &stored["spec"]["strategy"];
    expect_equal("strategy", strategy, &json!({"type": "Recreate"}))
}

async fn switch_variable(cluster: &Cluster) -> Fallible {
    let path = format!("{APPS}/deployments/patched");
    let content_type = STRATEGIC_MERGE_PATCH;
    let stored = patch_with_policy(cluster, &path, content_type, &variable_patch()).await?;
    let variable = &stored["spec"]["template"]["spec"]["containers"][0]["env"][0];
    let source = json!({"secretKeyRef": {"name": "web", "key": "token"}});
    expect_equal(
        "variable",
        variable,
        &json!({"name": "TOKEN", "valueFrom": source}),
    )
}

/// A member that is not in use is stored with a warning. When a client changes the type, the server
/// validates the member, and rejects the update.
async fn warn_of_stale_member(cluster: &Cluster) -> Fallible {
    let path = format!("{APPS}/daemonsets");
    let mut new = workload("DaemonSet", "stale");
    let rolling_update = json!({"maxSurge": 1, "maxUnavailable": 1});
    new["spec"]["updateStrategy"] = json!({"type": "OnDelete", "rollingUpdate": rolling_update});
    let deadline = Deadline::new();
    let warning = loop {
        let response = cluster.post(&format!("{path}?dryRun=All"), &new).await?;
        expect_accepted(&response)?;
        if let Some(warning) = response.warnings.into_iter().next() {
            break warning;
        }
        deadline.wait("the policy of DaemonSet").await?;
    };
    let only_when = union_runtime::only_when("type", "RollingUpdate");
    let violation =
        format!("spec.updateStrategy.rollingUpdate: Invalid value: \"\": {only_when}; ");
    if !warning.contains(&violation) {
        return Err(format!("{warning:?} does not contain {violation:?}").into());
    }
    let mut stored = cluster.post(&path, &new).await?.body;
    let path = format!("{path}/stale");
    stored["metadata"]["labels"] = json!({"edited": "yes"});
    let response = cluster.put(&path, &stored).await?;
    expect_accepted(&response)?;
    expect_equal(
        "warnings of another update",
        &response.warnings,
        &vec![warning],
    )?;
    let switch = json!({"spec": {"updateStrategy": {"type": "RollingUpdate"}}});
    let response = cluster.patch(&path, MERGE_PATCH, &switch).await?;
    expect_equal("code of the switch", &response.code, &422)
}
