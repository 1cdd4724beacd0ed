//! Tests of the dashboard and the alerts: the metrics and labels that they name exist.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use union_webhook::metrics::{ClosedConnection, FailedHandshake};

use crate::support::client::{get, post};
use crate::support::{TestServer, long_timeouts, package_folder, sample_review};

/// The beginning of the names of all metrics.
const PREFIX: &str = "union_webhook_";

fn read(name: &str) -> String {
    std::fs::read_to_string(package_folder().join("monitoring").join(name)).unwrap()
}

/// Returns the expressions of the dashboard and of the alerts.
fn expressions() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&read("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .flat_map(|panel| panel["targets"].as_array().unwrap());
    let alerts = k8s_yaml::parse(&read("alerts.yaml")).unwrap().remove(0);
    let groups = alerts["groups"].as_array().unwrap();
    let rules = groups
        .iter()
        .flat_map(|group| group["rules"].as_array().unwrap());
    let expressions = targets
        .chain(rules)
        .map(|object| object["expr"].as_str().unwrap());
    let expressions: Vec<String> = expressions.map(str::to_owned).collect();
    assert!(expressions.len() > 20);
    expressions
}

/// Returns the metrics of a webhook that has used each of them, with their labels.
async fn metrics_with_labels() -> BTreeMap<String, BTreeSet<String>> {
    let webhook = TestServer::start(long_timeouts()).await;
    let app = webhook.server.app();
    app.metrics
        .count_closed_connection(ClosedConnection::TimedOut);
    app.metrics
        .count_failed_handshake(FailedHandshake::CertificateRejected);
    let review = sample_review("switch.json").to_string();
    webhook.send_and_read(post("/mutate", review)).await;
    webhook.send_and_read(get("/nowhere")).await;
    let mut metrics: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in app.prometheus().lines() {
        if let Some(family) = line.strip_prefix("# TYPE ") {
            let (name, _) = family.split_once(' ').unwrap();
            metrics.entry(name.to_owned()).or_default();
        } else if !line.starts_with('#') {
            let (name, _) = line.split_once(['{', ' ']).unwrap();
            let labels = metrics.entry(name.to_owned()).or_default();
            labels.extend(words_before(line, "=\""));
        }
    }
    // A gauge that has samples only after an accident.
    metrics
        .get_mut("union_webhook_missing_crd")
        .unwrap()
        .insert("kind".to_owned());
    metrics
}

fn is_name_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Returns the words that stand directly before a separator.
fn words_before(text: &str, separator: &str) -> Vec<String> {
    let parts: Vec<&str> = text.split(separator).collect();
    let before = parts[..parts.len() - 1].iter();
    let words = before.map(|part| {
        part.rsplit(|character| !is_name_character(character))
            .next()
    });
    words.map(|word| word.unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_dashboard_and_the_alerts_name_metrics_that_exist() {
    let metrics = metrics_with_labels().await;
    let mut used_metrics = BTreeSet::new();
    for expression in expressions() {
        let words = expression.split(|character| !is_name_character(character));
        let names: BTreeSet<&str> = words.filter(|word| word.starts_with(PREFIX)).collect();
        let [name] = names.iter().copied().collect::<Vec<_>>()[..1] else {
            panic!("{expression} names no metric")
        };
        for name in &names {
            assert!(metrics.contains_key(*name), "{name} in {expression}");
            used_metrics.insert((*name).to_owned());
        }
        // The labels of `sum by (...)`, and of matchers in braces.
        let mut labels: Vec<String> = Vec::new();
        for part in expression.split(" by (").skip(1) {
            let (list, _) = part.split_once(')').unwrap();
            labels.extend(list.split(", ").map(str::to_owned));
        }
        labels.extend(words_before(&expression, "=\""));
        labels.extend(words_before(&expression, "=~\""));
        for label in labels {
            assert!(metrics[name].contains(&label), "{label} in {expression}");
        }
    }
    // Each metric is on the dashboard or has an alert.
    let is_histogram = |name: &String| name == "union_webhook_review_seconds";
    let unused: Vec<&String> = metrics
        .keys()
        .filter(|name| !used_metrics.contains(*name) && !is_histogram(name))
        .collect();
    assert_eq!(unused, [""; 0]);
}

#[test]
fn each_alert_has_a_name_of_its_own_and_texts() {
    let alerts = k8s_yaml::parse(&read("alerts.yaml")).unwrap().remove(0);
    let mut names = BTreeSet::new();
    for rule in alerts["groups"][0]["rules"].as_array().unwrap() {
        let name = rule["alert"].as_str().unwrap();
        assert!(names.insert(name), "{name}");
        let severity = rule["labels"]["severity"].as_str();
        assert!(matches!(severity, Some("critical" | "warning")), "{name}");
        for text in ["summary", "description"] {
            assert!(rule["annotations"][text].is_string(), "{name}");
        }
    }
    assert!(names.len() >= 8);
}
