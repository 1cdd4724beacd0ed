//! Tests of the manifests: flags, ports, paths and permissions match the code, and names and labels
//! are consistent.

use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_openapi::api::admissionregistration::v1::{
    MutatingWebhookConfiguration, ValidatingWebhookConfiguration,
};
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Namespace, Secret, Service, ServiceAccount};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::api::policy::v1::PodDisruptionBudget;
use k8s_openapi::api::rbac::v1::{ClusterRole, ClusterRoleBinding};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use kube::ResourceExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use union_webhook::manifests::{MANIFESTS, SERVICE_HOSTS, render, render_external};
use union_webhook::review::Webhook;
use union_webhook::tls;

use crate::support::{create_folder, package_folder};

const IMAGE: &str = "registry.example.com/union-webhook:1";

/// Creates the certificates of the service in a folder of the test.
fn create_certificates(name: &str) -> PathBuf {
    let folder = create_folder(name);
    tls::create_self_signed(&folder, &SERVICE_HOSTS.map(str::to_owned)).unwrap();
    folder
}

/// Returns the objects of all manifests, with the placeholders filled in.
fn manifest_objects(test_name: &str) -> Vec<Value> {
    let text = render(&create_certificates(test_name), IMAGE).unwrap();
    k8s_yaml::parse(&text).unwrap()
}

/// Returns the only object of a type, and asserts that the type has all fields of the object.
#[track_caller]
fn single_object<T: DeserializeOwned + Serialize + k8s_openapi::Resource>(objects: &[Value]) -> T {
    let has_type =
        |object: &&Value| object["kind"] == T::KIND && object["apiVersion"] == T::API_VERSION;
    let mut matching_objects = objects.iter().filter(has_type);
    let object = matching_objects
        .next()
        .unwrap_or_else(|| panic!("the manifests have a {}", T::KIND));
    assert!(
        matching_objects.next().is_none(),
        "the manifests have only one {}",
        T::KIND
    );
    let typed: T = serde_json::from_value(object.clone()).unwrap();
    assert_eq!(serde_json::to_value(&typed).unwrap(), *object);
    typed
}

#[test]
fn all_files_are_printed_and_filled() {
    let files = std::fs::read_dir(package_folder().join("manifests")).unwrap();
    let mut files: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut printed = MANIFESTS.map(|(name, _)| name);
    printed.sort_unstable();
    assert_eq!(files, printed);
    let objects = manifest_objects("manifests-filled");
    assert_eq!(objects.len(), 11);
    assert!(!Value::from(objects).to_string().contains("${"));
}

#[test]
fn a_webhook_outside_of_the_cluster_is_registered_by_its_url() {
    let certs = create_certificates("manifests-url");
    let text = render_external(&certs, "https://localhost:8443/").unwrap();
    let list: Value = serde_json::from_str(&text).unwrap();
    let items = list["items"].as_array().unwrap();
    let manifest_objects = manifest_objects("manifests-url-shipped");
    assert_eq!(items.len(), 2);
    for item in items {
        let mut expected = manifest_objects
            .iter()
            .find(|object| object["kind"] == item["kind"])
            .unwrap()
            .clone();
        let client = &mut expected["webhooks"][0]["clientConfig"];
        let path = client["service"]["path"].as_str().unwrap().to_owned();
        client.as_object_mut().unwrap().remove("service");
        client["url"] = format!("https://localhost:8443{path}").into();
        client["caBundle"] = item["webhooks"][0]["clientConfig"]["caBundle"].clone();
        assert_eq!(*item, expected);
    }
    let error = render_external(&certs, "http://localhost").unwrap_err();
    assert!(error.to_string().contains("over HTTPS"), "{error}");
}

#[test]
fn references_between_manifests_resolve() {
    let objects = manifest_objects("manifests-names");
    let namespace: Namespace = single_object(&objects);
    let deployment: Deployment = single_object(&objects);
    let service: Service = single_object(&objects);
    let account: ServiceAccount = single_object(&objects);
    let secret: Secret = single_object(&objects);
    let budget: PodDisruptionBudget = single_object(&objects);
    let policy: NetworkPolicy = single_object(&objects);
    let role: ClusterRole = single_object(&objects);
    let binding: ClusterRoleBinding = single_object(&objects);
    let namespace_name = Some(namespace.name_any());
    for object_namespace in [
        deployment.namespace(),
        service.namespace(),
        account.namespace(),
        secret.namespace(),
        budget.namespace(),
        policy.namespace(),
    ] {
        assert_eq!(object_namespace, namespace_name);
    }
    let host = format!("{}.{}.svc", service.name_any(), namespace.name_any());
    assert!(SERVICE_HOSTS.contains(&host.as_str()), "{host}");

    let spec = deployment.spec;
    let labels = spec.template.metadata.unwrap().labels.unwrap();
    let pod = spec.template.spec.unwrap();
    let affinity = pod.affinity.as_ref().unwrap().pod_anti_affinity.as_ref();
    let terms = affinity
        .unwrap()
        .preferred_during_scheduling_ignored_during_execution
        .as_ref();
    let term = &terms.unwrap()[0].pod_affinity_term;
    let spread = &pod.topology_spread_constraints.as_ref().unwrap()[0];
    let match_labels =
        |selector: &Option<LabelSelector>| selector.as_ref().unwrap().match_labels.clone().unwrap();
    let policy = policy.spec.unwrap();
    let selectors = [
        match_labels(&term.label_selector),
        match_labels(&spread.label_selector),
        match_labels(&policy.pod_selector),
        spec.selector.match_labels.unwrap(),
        service.spec.unwrap().selector.unwrap(),
        budget.spec.unwrap().selector.unwrap().match_labels.unwrap(),
    ];
    for selector in selectors {
        assert!(!selector.is_empty());
        assert!(
            selector
                .iter()
                .all(|(key, value)| labels.get(key) == Some(value))
        );
    }
    // The policy names the ports of the container.
    let container_ports = pod.containers[0].ports.as_ref().unwrap().iter();
    let container_ports: Vec<_> = container_ports.map(|port| port.name.clone()).collect();
    let rules = policy.ingress.unwrap();
    let open_ports = rules.iter().flat_map(|rule| rule.ports.as_ref().unwrap());
    let open_ports: Vec<_> = open_ports
        .map(|port| match port.port.clone().unwrap() {
            IntOrString::String(name) => Some(name),
            IntOrString::Int(_) => None,
        })
        .collect();
    assert_eq!(open_ports, container_ports);
    assert_eq!(pod.service_account_name, Some(account.name_any()));
    let volume = &pod.volumes.unwrap()[0];
    let mounted_secret = volume.secret.as_ref().unwrap().secret_name.clone();
    assert_eq!(mounted_secret, Some(secret.name_any()));

    // The webhook may only list CRDs.
    let role_rules = role.rules.clone().unwrap();
    let [crd_rule] = role_rules.as_slice() else {
        panic!("expected one rule")
    };
    assert_eq!(crd_rule.verbs, ["list"]);
    assert_eq!(
        crd_rule.api_groups.as_deref().unwrap(),
        ["apiextensions.k8s.io"]
    );
    assert_eq!(
        crd_rule.resources.as_deref().unwrap(),
        ["customresourcedefinitions"]
    );
    assert_eq!(binding.role_ref.name, role.name_any());
    let subject = &binding.subjects.unwrap()[0];
    assert_eq!(
        (&subject.name, &subject.namespace),
        (&account.name_any(), &namespace_name)
    );
}

#[test]
fn the_pod_has_few_privileges_and_valid_probes() {
    let objects = manifest_objects("manifests-pod");
    let deployment: Deployment = single_object(&objects);
    let service: Service = single_object(&objects);
    let pod = deployment.spec.template.spec.unwrap();
    let security = pod.security_context.unwrap();
    assert_eq!(security.run_as_non_root, Some(true));
    let container = &pod.containers[0];
    assert_eq!(container.image.as_deref(), Some(IMAGE));
    let security = container.security_context.as_ref().unwrap();
    assert_eq!(security.allow_privilege_escalation, Some(false));
    assert_eq!(security.read_only_root_filesystem, Some(true));
    let dropped = security.capabilities.as_ref().unwrap().drop.as_ref();
    assert_eq!(dropped.unwrap(), &["ALL"]);

    let [port, probe_port] = container.ports.as_ref().unwrap().as_slice() else {
        panic!("expected two ports")
    };
    let args = container.args.as_ref().unwrap();
    for (flag, port) in [("listen", port), ("probes", probe_port)] {
        let arg = format!("--{flag}=0.0.0.0:{}", port.container_port);
        assert!(args.contains(&arg), "{args:?}");
    }
    let mounts = container.volume_mounts.as_ref().unwrap();
    let mount = &mounts[0].mount_path;
    for (flag, file) in [
        ("cert", tls::CERTIFICATE_FILES[1]),
        ("key", tls::CERTIFICATE_FILES[2]),
    ] {
        assert!(
            args.contains(&format!("--tls-{flag}={mount}/{file}")),
            "{args:?}"
        );
    }
    let help = std::process::Command::new(env!("CARGO_BIN_EXE_union-webhook"))
        .args(["serve", "--help"])
        .output()
        .unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert_eq!(args[0], "serve");
    for flag in args[1..].iter().map(|arg| arg.split('=').next().unwrap()) {
        let is_built = cfg!(feature = "cluster") || flag != "--cluster";
        assert_eq!(
            help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}\n")),
            is_built,
            "{flag}"
        );
    }
    let seconds = |flag: &str| -> i64 {
        let mut values = args.iter().filter_map(|arg| arg.strip_prefix(flag));
        values.next().unwrap().parse().unwrap()
    };
    let shutdown_seconds = seconds("--drain=") + seconds("--grace=");
    assert!(pod.termination_grace_period_seconds.unwrap() > shutdown_seconds);

    let [port_name, probe_port_name] =
        [port, probe_port].map(|port| IntOrString::String(port.name.clone().unwrap()));
    let probes = [
        (&container.liveness_probe, "/healthz"),
        (&container.readiness_probe, "/readyz"),
    ];
    for (probe, path) in probes {
        let probe = probe.as_ref().unwrap().http_get.as_ref().unwrap();
        assert_eq!(probe.path.as_deref(), Some(path));
        assert_eq!(probe.scheme, None);
        assert_eq!(probe.port, probe_port_name);
    }
    let ports = service.spec.unwrap().ports.unwrap();
    assert_eq!(ports[0].target_port.as_ref(), Some(&port_name));
}

#[test]
fn the_registered_paths_are_served() {
    let objects = manifest_objects("manifests-webhooks");
    let service: Service = single_object(&objects);
    let namespace: Namespace = single_object(&objects);
    single_object::<MutatingWebhookConfiguration>(&objects);
    single_object::<ValidatingWebhookConfiguration>(&objects);
    let ca =
        std::fs::read(create_certificates("manifests-ca").join(tls::CERTIFICATE_FILES[0])).unwrap();
    assert!(ca.starts_with(b"-----BEGIN CERTIFICATE-----"));
    let crd = crate::support::crd();
    let kinds = [
        "MutatingWebhookConfiguration",
        "ValidatingWebhookConfiguration",
    ];
    for (kind, registered) in kinds.into_iter().zip(Webhook::ALL) {
        let config = objects
            .iter()
            .find(|object| object["kind"] == kind)
            .unwrap();
        let webhook = &config["webhooks"][0];
        let client = &webhook["clientConfig"];
        assert_eq!(client["service"]["path"], registered.path());
        assert_eq!(client["service"]["name"], service.name_any());
        assert_eq!(client["service"]["namespace"], namespace.name_any());
        let port = service.spec.as_ref().unwrap().ports.as_ref().unwrap()[0].port;
        assert_eq!(client["service"]["port"], port);
        let bundle = BASE64_STANDARD
            .decode(client["caBundle"].as_str().unwrap())
            .unwrap();
        assert!(bundle.starts_with(b"-----BEGIN CERTIFICATE-----"));

        assert!(
            webhook["name"]
                .as_str()
                .unwrap()
                .starts_with(registered.name())
        );
        assert_eq!(
            webhook["admissionReviewVersions"],
            serde_json::json!(["v1"])
        );
        assert_eq!(webhook["failurePolicy"], "Fail");
        assert_eq!(webhook["matchPolicy"], "Equivalent");
        assert_eq!(webhook["sideEffects"], "None");
        assert!(webhook["timeoutSeconds"].as_i64().unwrap() <= 10);
        let policy = match registered {
            Webhook::Mutate => Some("IfNeeded"),
            Webhook::Validate => None,
        };
        assert_eq!(
            webhook.get("reinvocationPolicy").and_then(Value::as_str),
            policy
        );
        // The webhook must not validate its own namespace. Otherwise, its deployment could not be
        // repaired while the webhook is down.
        let excluded = &webhook["namespaceSelector"]["matchExpressions"][0];
        assert_eq!(excluded["operator"], "NotIn");
        assert_eq!(
            excluded["values"],
            serde_json::json!([namespace.name_any()])
        );

        let rule = &webhook["rules"][0];
        assert_eq!(rule["apiGroups"][0], crd["spec"]["group"]);
        assert_eq!(rule["resources"][0], crd["spec"]["names"]["plural"]);
        assert_eq!(rule["operations"], serde_json::json!(["CREATE", "UPDATE"]));
    }
}
