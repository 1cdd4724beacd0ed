//! Tests of the manifests that the webhook prints.

use serde_json::{Value, json};

use super::process::Process;
use crate::cluster::{Cluster, Fallible, ServerResponse, text};
use crate::tally::Tally;

/// Query parameters for strict field validation.
const STRICT: &str = "?fieldValidation=Strict";
const DRY_RUN: &str = "?fieldValidation=Strict&dryRun=All";

/// The namespace and the service account in the manifests.
pub(crate) const NAMESPACE: &str = "union-webhook";
const ACCOUNT: &str = "union-webhook";

/// Sends all manifests to the server, and stores the namespace and the rights that the webhook
/// needs to run here. Returns the token of the service account.
pub(crate) async fn apply(
    cluster: &Cluster,
    objects: &[Value],
    tally: &mut Tally,
) -> Fallible<String> {
    for object in objects {
        let kind = text(&object["kind"]);
        let is_needed = [
            "Namespace",
            "ServiceAccount",
            "ClusterRole",
            "ClusterRoleBinding",
        ]
        .contains(&kind.as_str());
        let query = if is_needed { STRICT } else { DRY_RUN };
        let response = cluster
            .post(&(path_for_create(object) + query), object)
            .await?;
        expect_no_warnings(&response, &kind, tally);
    }
    check_pods(cluster, single_object(objects, "Deployment")?, tally).await?;

    // If the server accepts this field, field validation is not strict, and the other responses
    // prove nothing.
    let mut invalid_deployment = single_object(objects, "Deployment")?.clone();
    invalid_deployment["spec"]["replica"] = 2.into();
    let response = cluster
        .post(
            &(path_for_create(&invalid_deployment) + DRY_RUN),
            &invalid_deployment,
        )
        .await?;
    let is_strict =
        response.code == 400 && text(&response.body["message"]).contains("spec.replica");
    tally.count_event("rejected manifests", is_strict);

    let accounts = format!("/api/v1/namespaces/{NAMESPACE}/serviceaccounts/{ACCOUNT}/token");
    let request =
        json!({"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}});
    let token = cluster.post(&accounts, &request).await?;
    match token.body["status"]["token"].as_str() {
        Some(token) => Ok(token.to_owned()),
        None => Err(format!("no token: {}", token.body).into()),
    }
}

/// Checks that the pods of the Deployment are admitted to their namespace, which is restricted, and
/// that other pods are rejected.
async fn check_pods(cluster: &Cluster, deployment: &Value, tally: &mut Tally) -> Fallible {
    let template = &deployment["spec"]["template"];
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "pod", "namespace": NAMESPACE, "labels": template["metadata"]["labels"]},
        "spec": template["spec"],
    });
    let response = cluster
        .post(&(path_for_create(&pod) + DRY_RUN), &pod)
        .await?;
    expect_no_warnings(&response, "Pod", tally);
    pod["spec"]["containers"][0]["securityContext"] = json!({});
    let response = cluster
        .post(&(path_for_create(&pod) + DRY_RUN), &pod)
        .await?;
    let is_rejected =
        response.code == 403 && text(&response.body["message"]).contains("restricted");
    tally.count_event("rejected pods", is_rejected);
    Ok(())
}

/// Checks that the service account can list CRDs, and has no other rights.
pub(crate) async fn check_rights(account: &Cluster) -> Fallible {
    const CRDS_PATH: &str = crate::cluster::CRDS;
    let secrets_path = format!("/api/v1/namespaces/{NAMESPACE}/secrets");
    let things_path = "/apis/webhook.example.com/v1/things";
    let crd_path = format!("{CRDS_PATH}/backups.db.example.com");
    let paths_and_codes = [
        (CRDS_PATH, 200),
        (&crd_path, 403),
        (secrets_path.as_str(), 403),
        (things_path, 403),
    ];
    for (path, code) in paths_and_codes {
        let response = account.get(path).await?;
        if response.code != code {
            return Err(format!("{path}: {}, not {code}", response.code).into());
        }
    }
    Ok(())
}

/// Stores the shipped configurations of the webhooks, with another address, and with an additional
/// rule for one version of another API group.
pub(crate) async fn register(
    cluster: &Cluster,
    objects: &[Value],
    process: &Process<'_>,
    group: &str,
    tally: &mut Tally,
) -> Fallible {
    for kind in [
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    ] {
        let mut config = single_object(objects, kind)?.clone();
        let webhook = &mut config["webhooks"][0];
        let client = webhook["clientConfig"]
            .as_object_mut()
            .ok_or("no clientConfig")?;
        let service = client.remove("service").ok_or("no service")?;
        client.insert("url".into(), process.url(&text(&service["path"])).into());
        let mut rule = webhook["rules"][0].clone();
        rule["apiGroups"] = json!([group]);
        rule["apiVersions"] = json!(["v1"]);
        for resource in rule["resources"].as_array_mut().ok_or("no resources")? {
            *resource = text(resource).replace("backups", "things").into();
        }
        webhook["rules"]
            .as_array_mut()
            .ok_or("no rules")?
            .push(rule);
        let response = cluster
            .post(&(path_for_create(&config) + STRICT), &config)
            .await?;
        expect_no_warnings(&response, kind, tally);
    }
    Ok(())
}

/// Updates the CA bundle in the configurations from the current manifests.
pub(crate) async fn update_ca_bundle(cluster: &Cluster, objects: &[Value]) -> Fallible {
    for kind in [
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    ] {
        let printed_config = single_object(objects, kind)?;
        let config_path = format!(
            "{}/{}",
            path_for_create(printed_config),
            text(&printed_config["metadata"]["name"])
        );
        let mut config = cluster.get(&config_path).await?.body;
        let bundle = &printed_config["webhooks"][0]["clientConfig"]["caBundle"];
        if config["webhooks"][0]["clientConfig"]["caBundle"] == *bundle {
            return Err("the CA is the same".into());
        }
        config["webhooks"][0]["clientConfig"]["caBundle"] = bundle.clone();
        let response = cluster.put(&config_path, &config).await?;
        if !response.is_accepted() {
            return Err(format!("{kind}: {}", response.body).into());
        }
    }
    Ok(())
}

/// Returns the only object of a kind.
pub(crate) fn single_object<'o>(objects: &'o [Value], kind: &str) -> Fallible<&'o Value> {
    let mut objects_of_kind = objects.iter().filter(|object| object["kind"] == kind);
    match (objects_of_kind.next(), objects_of_kind.next()) {
        (Some(object), None) => Ok(object),
        _ => Err(format!("expected one {kind} in the manifests").into()),
    }
}

/// Counts an agreement if the manifest is accepted without warnings.
fn expect_no_warnings(response: &ServerResponse, kind: &str, tally: &mut Tally) {
    if response.is_accepted() && response.warnings.is_empty() {
        tally.count_agreement();
    } else {
        tally.add_difference(format!("{kind}: {response:?}"));
    }
}

/// Returns the URL path for creating objects of this kind.
fn path_for_create(object: &Value) -> String {
    let version = text(&object["apiVersion"]);
    let api = if version.contains('/') { "apis" } else { "api" };
    let namespace = match object["metadata"]["namespace"].as_str() {
        Some(namespace) => format!("/namespaces/{namespace}"),
        None => String::new(),
    };
    let kind = text(&object["kind"]).to_lowercase();
    let plural = match kind.strip_suffix('y') {
        Some(start) => format!("{start}ies"),
        None => kind + "s",
    };
    format!("/{api}/{version}{namespace}/{plural}")
}
