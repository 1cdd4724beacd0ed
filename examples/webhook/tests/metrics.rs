//! Tests of the metrics in the format of Prometheus.

use std::collections::BTreeMap;
use std::time::Duration;

use union_webhook::metrics::{Gauges, Metrics};
use union_webhook::review::{ReviewSummary, Webhook};

use crate::support::client::{get, post};
use crate::support::{TestServer, long_timeouts, sample_review};

/// Parses the text format of Prometheus, and returns the samples by their names and labels.
#[track_caller]
fn parse_samples(text: &str) -> BTreeMap<String, String> {
    let mut families = Vec::new();
    let mut samples = BTreeMap::new();
    for line in text.lines() {
        if let Some(name_and_kind) = line.strip_prefix("# TYPE ") {
            let (name, kind) = name_and_kind.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            families.push(name.to_owned());
        } else if !line.starts_with("# HELP ") {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let family = families.last().unwrap();
            assert!(name.starts_with(family.as_str()), "{line} in {family}");
            value.parse::<f64>().unwrap();
            let previous = samples.insert(name.to_owned(), value.to_owned());
            assert_eq!(previous, None, "{line} is there twice");
        }
    }
    assert!(text.ends_with('\n'));
    samples
}

#[tokio::test]
async fn requests_are_counted_by_their_result() {
    let webhook = TestServer::start(long_timeouts()).await;
    for name in [
        "create.json",
        "switch.json",
        "forgotten.json",
        "legacy.json",
    ] {
        for path in ["/mutate", "/validate"] {
            webhook.review(path, &sample_review(name)).await;
        }
    }
    let mut unknown = sample_review("create.json");
    unknown["request"]["kind"]["kind"] = "Restore".into();
    webhook.review("/validate", &unknown).await;
    unknown["request"]["operation"] = "EAT".into();
    webhook.review("/validate", &unknown).await;
    webhook.send_and_read(post("/mutate", "{")).await;
    webhook.send_and_read(get("/nowhere")).await;

    let reply = webhook.send_and_read(get("/metrics")).await;
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    assert_eq!(reply.header("content-type"), Some(kind));
    let samples = parse_samples(reply.text());
    let sample_of = |family: &str, webhook: &str, operation: &str, kind: &str| {
        let labels = format!("webhook=\"{webhook}\",operation=\"{operation}\",kind=\"{kind}\"");
        samples[&format!("union_webhook_{family}_total{{{labels}}}")].as_str()
    };
    let backup = "Backup.db.example.com";
    assert_eq!(sample_of("requests", "mutate", "CREATE", backup), "1");
    assert_eq!(sample_of("requests", "mutate", "UPDATE", backup), "3");
    assert_eq!(sample_of("normalized", "mutate", "UPDATE", backup), "1");
    assert_eq!(sample_of("refused", "mutate", "UPDATE", backup), "0");
    assert_eq!(sample_of("requests", "validate", "UPDATE", backup), "3");
    assert_eq!(sample_of("refused", "validate", "UPDATE", backup), "2");
    assert_eq!(sample_of("ratcheted", "validate", "UPDATE", backup), "1");
    assert_eq!(sample_of("normalized", "validate", "UPDATE", backup), "0");
    assert_eq!(sample_of("requests", "validate", "CREATE", "other"), "1");
    assert_eq!(sample_of("requests", "validate", "other", "other"), "1");
    assert_eq!(sample_of("refused", "validate", "other", "other"), "1");
    assert_eq!(
        samples["union_webhook_turned_away_total{code=\"400\"}"],
        "1"
    );
    assert_eq!(
        samples["union_webhook_turned_away_total{code=\"404\"}"],
        "1"
    );
    assert_eq!(samples["union_webhook_answering"], "0");
    let reviews_with_verdict = |webhook: &str, kind: &str, verdict: &str| {
        let labels = format!("webhook=\"{webhook}\",kind=\"{kind}\",verdict=\"{verdict}\"");
        let count = &samples[&format!("union_webhook_review_seconds_count{{{labels}}}")];
        let last_bucket = format!("union_webhook_review_seconds_bucket{{{labels},le=\"+Inf\"}}");
        assert_eq!(samples[&last_bucket], *count);
        count.parse::<u64>().unwrap()
    };
    assert_eq!(reviews_with_verdict("mutate", backup, "allowed"), 3);
    assert_eq!(reviews_with_verdict("mutate", backup, "normalized"), 1);
    assert_eq!(reviews_with_verdict("validate", backup, "allowed"), 1);
    assert_eq!(reviews_with_verdict("validate", backup, "tolerated"), 1);
    assert_eq!(reviews_with_verdict("validate", backup, "rejected"), 2);
    assert_eq!(reviews_with_verdict("validate", "other", "allowed"), 1);
    assert_eq!(reviews_with_verdict("validate", "other", "rejected"), 1);
}

#[test]
fn labels_are_bounded_and_escaped() {
    let metrics = Metrics::default();
    for number in 0..1_000 {
        let summary = ReviewSummary {
            operation: "CREATE",
            kind: Some(format!("A\"\\\n{number}")),
            ..ReviewSummary::default()
        };
        metrics.count_review(Webhook::Mutate, &summary, Duration::from_secs(20));
    }
    let text = metrics.to_prometheus(&Gauges::default());
    let samples = parse_samples(&text);
    let requests = "union_webhook_requests_total{";
    let requests = samples.keys().filter(|name| name.starts_with(requests));
    assert_eq!(requests.count(), 501);
    let other_kinds =
        "union_webhook_requests_total{webhook=\"mutate\",operation=\"CREATE\",kind=\"other\"}";
    assert_eq!(samples[other_kinds], "500");
    assert!(text.contains(r#"kind="A\"\\\n0""#));
    let labels = "webhook=\"mutate\",kind=\"other\",verdict=\"allowed\"";
    let last_bounded_bucket = format!("union_webhook_review_seconds_bucket{{{labels},le=\"10\"}}");
    assert_eq!(samples[&last_bounded_bucket], "0");
    let sum = format!("union_webhook_review_seconds_sum{{{labels}}}");
    assert_eq!(samples[&sum], "10000");
}

#[test]
fn a_bucket_counts_the_durations_up_to_its_bound() {
    let metrics = Metrics::default();
    for micros in [0, 50, 51, 1_000, 1_001] {
        let duration = Duration::from_micros(micros);
        metrics.count_review(Webhook::Validate, &ReviewSummary::default(), duration);
    }
    let samples = parse_samples(&metrics.to_prometheus(&Gauges::default()));
    let bucket = |bound: &str| {
        let labels =
            format!("webhook=\"validate\",kind=\"other\",verdict=\"allowed\",le=\"{bound}\"");
        samples[&format!("union_webhook_review_seconds_bucket{{{labels}}}")].as_str()
    };
    assert_eq!(
        ["0.00005", "0.0001", "0.0005", "0.001", "0.0025", "+Inf"].map(bucket),
        ["2", "3", "3", "4", "5", "5"]
    );
}
