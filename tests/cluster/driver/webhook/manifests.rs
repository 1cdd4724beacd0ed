//! Tests of the manifests that the webhook prints.

use serde_json::{Value, json};

use super::process::Process;
use crate::cluster::{Answer, Cluster, Fallible, text};
use crate::tally::Tally;

/// Query parameters for strict field validation.
const STRICT: &str = "?fieldValidation=Strict";
const DRY: &str = "?fieldValidation=Strict&dryRun=All";

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
        let query = if is_needed { STRICT } else { DRY };
        let answer = cluster.post(&(path(object) + query), object).await?;
        taken(&answer, &kind, tally);
    }
    pod(cluster, the(objects, "Deployment")?, tally).await?;

    // If the server accepts this field, field validation is not strict, and the other responses
    // prove nothing.
    let mut wrong = the(objects, "Deployment")?.clone();
    wrong["spec"]["replica"] = 2.into();
    let answer = cluster.post(&(path(&wrong) + DRY), &wrong).await?;
    let is_strict = answer.code == 400 && text(&answer.body["message"]).contains("spec.replica");
    tally.count("manifests refused as they should be", is_strict);

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
async fn pod(cluster: &Cluster, deployment: &Value, tally: &mut Tally) -> Fallible {
    let template = &deployment["spec"]["template"];
    let mut pod = json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": "pod", "namespace": NAMESPACE, "labels": template["metadata"]["labels"]},
        "spec": template["spec"],
    });
    let answer = cluster.post(&(path(&pod) + DRY), &pod).await?;
    taken(&answer, "Pod", tally);
    pod["spec"]["containers"][0]["securityContext"] = json!({});
    let answer = cluster.post(&(path(&pod) + DRY), &pod).await?;
    let is_restricted = answer.code == 403 && text(&answer.body["message"]).contains("restricted");
    tally.count("pods refused as they should be", is_restricted);
    Ok(())
}

/// Checks that the service account can list CRDs, and has no other rights.
pub(crate) async fn rights(account: &Cluster) -> Fallible {
    const CRDS: &str = crate::cluster::CRDS;
    let secrets = format!("/api/v1/namespaces/{NAMESPACE}/secrets");
    let things = "/apis/webhook.example.com/v1/things";
    let one = format!("{CRDS}/backups.db.example.com");
    let asked = [
        (CRDS, 200),
        (&one, 403),
        (secrets.as_str(), 403),
        (things, 403),
    ];
    for (path, code) in asked {
        let answer = account.get(path).await?;
        if answer.code != code {
            return Err(format!("{path}: {}, not {code}", answer.code).into());
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
        let mut config = the(objects, kind)?.clone();
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
        let answer = cluster.post(&(path(&config) + STRICT), &config).await?;
        taken(&answer, kind, tally);
    }
    Ok(())
}

/// Updates the CA bundle in the configurations from the current manifests.
pub(crate) async fn trust(cluster: &Cluster, objects: &[Value]) -> Fallible {
    for kind in [
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    ] {
        let shipped = the(objects, kind)?;
        let at = format!("{}/{}", path(shipped), text(&shipped["metadata"]["name"]));
        let mut config = cluster.get(&at).await?.body;
        let bundle = &shipped["webhooks"][0]["clientConfig"]["caBundle"];
        if config["webhooks"][0]["clientConfig"]["caBundle"] == *bundle {
            return Err("the CA is the same".into());
        }
        config["webhooks"][0]["clientConfig"]["caBundle"] = bundle.clone();
        let answer = cluster.put(&at, &config).await?;
        if !answer.is_accepted() {
            return Err(format!("{kind}: {}", answer.body).into());
        }
    }
    Ok(())
}

/// Returns the only object of a kind.
pub(crate) fn the<'o>(objects: &'o [Value], kind: &str) -> Fallible<&'o Value> {
    let mut found = objects.iter().filter(|object| object["kind"] == kind);
    match (found.next(), found.next()) {
        (Some(object), None) => Ok(object),
        _ => Err(format!("the manifests should have one {kind}").into()),
    }
}

fn taken(answer: &Answer, kind: &str, tally: &mut Tally) {
    if answer.is_accepted() && answer.warnings.is_empty() {
        tally.agrees();
    } else {
        tally.differs(format!("{kind}: {answer:?}"));
    }
}

/// Returns the URL path for creating objects of this kind.
fn path(object: &Value) -> String {
    let version = text(&object["apiVersion"]);
    let api = if version.contains('/') { "apis" } else { "api" };
    let namespace = match object["metadata"]["namespace"].as_str() {
        Some(namespace) => format!("/namespaces/{namespace}"),
        None => String::new(),
    };
    let plural = text(&object["kind"]).to_lowercase() + "s";
    format!("/{api}/{version}{namespace}/{plural}")
}
