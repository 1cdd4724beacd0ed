//! Tests of the decisions of the webhook: patches, rejections and warnings.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use kube::core::DynamicObject;
use kube::core::admission::AdmissionReview;
use serde_json::{Value, json};
use union_runtime::{RestoreUnaware, Settings};
use union_webhook::files;
use union_webhook::review::ReviewSettings;
use union_webhook::schemas::{CheckScope, Schemas};

use crate::support::client::post;
use crate::support::{
    TestServer, crd, crd_path, create_folder, create_review, long_timeouts, review_response,
    sample_review, target_spec, update_review,
};

#[test]
fn yaml_and_json_are_recognized_by_content_and_duplicate_keys_are_rejected() {
    let folder = create_folder("files_read");
    let text = std::fs::read_to_string(crd_path()).unwrap();
    let write_file = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let json = crd().to_string();
    let json_with_escapes = json.replacen("\"kind\":", "\"x\": \"\\ud83d\\/\", \"kind\":", 1);
    for (name, text) in [
        ("yaml_1_1.yaml", text.replace("served: true", "served: on")),
        ("yaml.json", text.clone()),
        ("json.yaml", json),
        ("half.json", json_with_escapes),
    ] {
        let result = files::read_schemas(&[write_file(name, &text)], CheckScope::Unions);
        assert!(result.is_ok(), "{name}: {:?}", result.err());
    }
    let file_with_duplicate_key = write_file("twice.yaml", "kind: Pod\nkind: Pod\n");
    let errors = files::read_schemas(&[file_with_duplicate_key], CheckScope::Unions).unwrap_err();
    let error = errors[0].to_string();
    assert!(
        error.ends_with("twice.yaml:2:1: duplicate key \"kind\"; remove one"),
        "{error}"
    );
}

/// Returns the operations of the JSON patch in a response.
pub(crate) fn decode_patch(response: &Value) -> Vec<Value> {
    assert_eq!(response["patchType"], "JSONPatch");
    let bytes = BASE64_STANDARD.decode(response["patch"].as_str().unwrap());
    serde_json::from_slice(&bytes.unwrap()).unwrap()
}

/// Applies the patch of a response to an object.
pub(crate) fn apply_patch(object: &Value, response: &Value) -> Value {
    let mut object = object.clone();
    let patch: json_patch::Patch = serde_json::from_value(decode_patch(response).into()).unwrap();
    json_patch::patch(&mut object, &patch).unwrap();
    object
}

#[tokio::test]
async fn valid_objects_are_allowed_unchanged() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut dry_run = sample_review("create.json");
    dry_run["request"]["dryRun"] = true.into();
    for review in [sample_review("create.json"), dry_run] {
        for path in ["/mutate", "/validate", "/mutate?timeout=5s"] {
            let response = webhook.review(path, &review).await;
            let uid = &review["request"]["uid"];
            let expected = json!({"uid": uid, "allowed": true, "status": {}});
            assert_eq!(response, expected, "{path}");
        }
    }
}

#[tokio::test]
async fn a_switch_is_normalized_by_a_patch_and_then_valid() {
    let webhook = TestServer::start(long_timeouts()).await;
    let review = sample_review("switch.json");
    let rejection = webhook.review("/validate", &review).await;
    assert_eq!(rejection["allowed"], false);

    let response = webhook.review("/mutate", &review).await;
    assert_eq!(response["allowed"], true);
    let expected = [json!({"op": "remove", "path": "/spec/target/s3"})];
    assert_eq!(decode_patch(&response), expected);
    let annotations = json!({"normalized": "spec.target.s3: cleared"});
    assert_eq!(response["auditAnnotations"], annotations);

    let mut normalized_review = review.clone();
    normalized_review["request"]["object"] = apply_patch(&review["request"]["object"], &response);
    let target = &normalized_review["request"]["object"]["spec"]["target"];
    assert_eq!(
        *target,
        json!({"type": "Volume", "volume": {"claim": "disk-1"}})
    );
    assert_eq!(
        webhook.review("/validate", &normalized_review).await["allowed"],
        true
    );
    assert_eq!(
        webhook
            .review("/mutate", &normalized_review)
            .await
            .get("patch"),
        None
    );
}

#[tokio::test]
async fn unknown_fields_are_kept() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut review = sample_review("switch.json");
    let object = &mut review["request"]["object"];
    object["metadata"]["fromTheFuture"] = json!({"a": 1});
    object["metadata"]["labels"] = json!({"a~b/c": "d"});
    object["spec"]["fromTheFuture"] = json!([1, 2.5, null]);
    object["status"] = json!({"phase": "Ready"});
    // No number type of Rust represents this number exactly.
    let text = review
        .to_string()
        .replace("2.5", "2.50000000000000000000000001e400");
    let text = text.replace("e400", "e40");
    let reply = webhook.send_and_read(post("/mutate", &text)).await;
    let expected = [json!({"op": "remove", "path": "/spec/target/s3"})];
    assert_eq!(decode_patch(&review_response(&reply)), expected);

    let original_object = &review["request"]["object"];
    let mut patched_object = apply_patch(original_object, &review_response(&reply));
    // Only the cleared member is missing.
    patched_object["spec"]["target"]["s3"] = original_object["spec"]["target"]["s3"].clone();
    assert_eq!(patched_object, *original_object);
}

#[tokio::test]
async fn numbers_with_many_digits_are_restored_exactly() {
    let settings = ReviewSettings {
        unions: Settings::default().restore_unaware(RestoreUnaware::Required),
        ..ReviewSettings::default()
    };
    let schemas = files::read_schemas(&[crd_path()], CheckScope::Unions).unwrap();
    let webhook = TestServer::start_with(long_timeouts(), settings, Some(schemas)).await;
    // A JSON parser without exact rounding changes the last bit of these numbers.
    let member = r#"{"bucket":"b","ratios":[0.10000000000000002,1.7976931348623157e308,122.416294033786585,8.98846567431158e307]}"#;
    let old_target = json!({"type": "S3", "s3": "MEMBER"});
    let review = update_review(target_spec(json!({"type": "S3"})), target_spec(old_target));
    let text = review.to_string().replace("\"MEMBER\"", member);
    let reply = webhook.send_and_read(post("/mutate", text)).await;
    let bytes = BASE64_STANDARD.decode(review_response(&reply)["patch"].as_str().unwrap());
    let patch = String::from_utf8(bytes.unwrap()).unwrap();
    let ratios = [
        "0.10000000000000002",
        "1.7976931348623157e308",
        "8.98846567431158e307",
    ];
    for ratio in ratios {
        let ratio: f64 = ratio.parse().unwrap();
        let printed = serde_json::to_string(&ratio).unwrap();
        assert!(patch.contains(&printed), "{printed} in {patch}");
    }
    let ratio: f64 = "122.416294033786585".parse().unwrap();
    assert!(patch.contains(&ratio.to_string()), "{ratio} in {patch}");
}

#[tokio::test]
async fn numbers_of_all_sizes_are_restored_exactly() {
    let settings = ReviewSettings {
        unions: Settings::default().restore_unaware(RestoreUnaware::Required),
        ..ReviewSettings::default()
    };
    let schemas = files::read_schemas(&[crd_path()], CheckScope::Unions).unwrap();
    let webhook = TestServer::start_with(long_timeouts(), settings, Some(schemas)).await;
    // Doubles of all sizes, from Knuth's linear congruential generator.
    let mut bits = 1_u64;
    let doubles = std::iter::repeat_with(|| {
        bits = bits
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        f64::from_bits(bits)
    });
    let doubles: Vec<f64> = doubles
        .filter(|double| double.is_finite())
        .take(5_000)
        .collect();
    let numbers: Vec<String> = doubles.iter().map(|double| format!("{double:e}")).collect();
    let member = format!(r#"{{"bucket":"b","ratios":[{}]}}"#, numbers.join(","));
    let old_target = json!({"type": "S3", "s3": "MEMBER"});
    let review = update_review(target_spec(json!({"type": "S3"})), target_spec(old_target));
    let text = review.to_string().replace("\"MEMBER\"", &member);
    let reply = webhook.send_and_read(post("/mutate", text)).await;
    let bytes = BASE64_STANDARD.decode(review_response(&reply)["patch"].as_str().unwrap());
    let patch: Value = serde_json::from_slice(&bytes.unwrap()).unwrap();
    let ratios = patch[0]["value"]["ratios"].as_array().unwrap();
    assert_eq!(ratios.len(), doubles.len());
    for (ratio, double) in ratios.iter().zip(doubles) {
        assert!(
            ratio.as_f64().unwrap().total_cmp(&double).is_eq(),
            "{double:e}: {ratio}"
        );
    }
}

#[tokio::test]
async fn a_rejection_has_the_causes_of_kubernetes() {
    let webhook = TestServer::start(long_timeouts()).await;
    let response = webhook
        .review("/validate", &sample_review("forgotten.json"))
        .await;
    let cause = &response["status"]["details"]["causes"][0];
    let message = cause["message"].as_str().unwrap();
    let only = union_runtime::only_when("type", "Volume");
    let start = format!("Invalid value: \"\": {only}: ");
    assert!(message.starts_with(&start), "{message}");
    let expected = json!({
        "uid": "b0a5fc1e-4f0c-4d0a-a5a5-2c8f4f5b9b0e",
        "allowed": false,
        "status": {
            "status": "Failure",
            "metadata": {},
            "code": 422,
            "reason": "Invalid",
            "message": format!("Backup.db.example.com \"nightly\" is invalid: spec.target.volume: {message}"),
            "details": {
                "name": "nightly",
                "group": "db.example.com",
                "kind": "Backup",
                "causes": [{
                    "reason": "FieldValueInvalid",
                    "message": message,
                    "field": "spec.target.volume",
                }],
            },
        },
    });
    assert_eq!(response, expected);
    // Validation rejects the object; normalization allows it.
    let response = webhook
        .review("/mutate", &sample_review("forgotten.json"))
        .await;
    assert_eq!(response["allowed"], true);
}

#[tokio::test]
async fn tolerated_errors_are_warnings() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut review = sample_review("legacy.json");
    let response = webhook.review("/validate", &review).await;
    assert_eq!(response["allowed"], true);
    let warning = "tolerated, because the stored object has the same error: spec.target.type: Unsupported value: \"Tape\": supported values: \
                   \"None\", \"S3\", \"Volume\"";
    assert_eq!(response["warnings"], json!([warning]));

    review["request"]["object"]["spec"]["target"]["type"] = "Disk".into();
    let response = webhook.review("/validate", &review).await;
    assert_eq!(response["allowed"], false);
    assert_eq!(response.get("warnings"), None);
}

#[tokio::test]
async fn operations_that_store_nothing_are_allowed_without_parsing_objects() {
    let webhook = TestServer::start(long_timeouts()).await;
    for operation in ["DELETE", "CONNECT"] {
        let mut review = sample_review("legacy.json");
        review["request"]["operation"] = operation.into();
        review["request"]["object"] = Value::Null;
        for path in ["/mutate", "/validate"] {
            let response = webhook.review(path, &review).await;
            let uid = &review["request"]["uid"];
            let expected = json!({"uid": uid, "allowed": true, "status": {}});
            assert_eq!(response, expected);
        }
    }
}

#[tokio::test]
async fn unknown_kinds_and_versions_are_allowed_and_unknown_versions_get_a_warning() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut review = sample_review("forgotten.json");
    review["request"]["kind"]["version"] = "v2".into();
    let response = webhook.review("/validate", &review).await;
    assert_eq!(response["allowed"], true);
    let warning =
        "Backup.db.example.com/v2: not checked, because the webhook has no schema of this version";
    assert_eq!(response["warnings"], json!([warning]));

    review["request"]["kind"]["kind"] = "Restore".into();
    let response = webhook.review("/validate", &review).await;
    let uid = &review["request"]["uid"];
    assert_eq!(response, json!({"uid": uid, "allowed": true, "status": {}}));
}

#[tokio::test]
async fn an_invalid_crd_rejects_only_its_own_objects() {
    let mut crd = crd();
    crd["metadata"]["annotations"]["union-runtime.dev/unions"] = "{\"v1\": 1}".into();
    let mut schemas = Schemas::default();
    let errors = schemas.add("here", &crd, CheckScope::Unions).unwrap_err();
    let expected = "version \"v1\" must be an object that maps";
    assert!(errors[0].to_string().contains(expected), "{}", errors[0]);
    let webhook =
        TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await;
    let mut review = sample_review("create.json");
    let response = webhook.review("/validate", &review).await;
    assert_eq!(response["allowed"], false);
    assert_eq!(response["status"]["code"], 500);
    let message = response["status"]["message"].as_str().unwrap();
    assert!(
        message.starts_with(
            "Backup.db.example.com/v1: cannot check the object, because the CRD is invalid: "
        ),
        "{message}"
    );
    assert!(message.contains(expected), "{message}");

    review["request"]["kind"]["kind"] = "Restore".into();
    assert_eq!(webhook.review("/validate", &review).await["allowed"], true);
}

#[tokio::test]
async fn a_valid_schema_stays_in_use_if_the_new_schema_is_invalid() {
    let previous_schemas = files::read_schemas(&[crd_path()], CheckScope::Unions).unwrap();
    let mut crd = crd();
    crd["metadata"]["annotations"]["union-runtime.dev/unions"] = "{".into();
    let mut schemas = Schemas::default();
    schemas.add("here", &crd, CheckScope::Unions).unwrap_err();
    let replaced_versions = schemas.keep_valid_versions(&previous_schemas);
    assert_eq!(
        replaced_versions.into_iter().collect::<Vec<_>>(),
        ["Backup.db.example.com/v1"]
    );
    let webhook =
        TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await;
    let response = webhook
        .review("/mutate", &sample_review("switch.json"))
        .await;
    assert_eq!(decode_patch(&response).len(), 1);
}

#[tokio::test]
async fn deduced_discriminators_are_set() {
    let folder = create_folder("deduced");
    let text = std::fs::read_to_string(crd_path()).unwrap();
    let (start, annotation_and_end) = text.split_once("      {\"v1\": ").unwrap();
    let (_, end) = annotation_and_end.split_once("      }}}}\n").unwrap();
    let annotation = r#"{"v1": {"/properties/spec/properties/target":
        [{"discriminator": "type", "fields-to-discriminateBy": {"s3": "S3", "volume": "Volume"}}]}}"#;
    std::fs::write(
        folder.join("crd.yaml"),
        format!("{start}      {annotation}\n{end}"),
    )
    .unwrap();
    let schemas = files::read_schemas(&[folder], CheckScope::Unions).unwrap();
    let webhook =
        TestServer::start_with(long_timeouts(), ReviewSettings::default(), Some(schemas)).await;
    let review = create_review(target_spec(json!({"s3": {"bucket": "b"}})));
    let response = webhook.review("/mutate", &review).await;
    let expected = [json!({"op": "add", "path": "/spec/target/type", "value": "S3"})];
    assert_eq!(decode_patch(&response), expected);
}

#[tokio::test]
async fn kube_parses_requests_and_responses() {
    let webhook = TestServer::start(long_timeouts()).await;
    for name in [
        "create.json",
        "switch.json",
        "forgotten.json",
        "legacy.json",
    ] {
        let review = sample_review(name);
        let parsed: AdmissionReview<DynamicObject> =
            serde_json::from_value(review.clone()).unwrap();
        let uid = parsed.request.unwrap().uid;
        for path in ["/mutate", "/validate"] {
            let reply = webhook.send_and_read(post(path, review.to_string())).await;
            let mut reply: Value = serde_json::from_slice(&reply.body).unwrap();
            // The type of kube reads a list of numbers, but Kubernetes writes base64.
            if let Some(patch) = reply["response"].get_mut("patch") {
                let bytes = BASE64_STANDARD.decode(patch.as_str().unwrap()).unwrap();
                *patch = bytes.into();
            }
            let parsed: AdmissionReview<DynamicObject> = serde_json::from_value(reply).unwrap();
            assert_eq!(parsed.types.api_version, "admission.k8s.io/v1");
            assert_eq!(parsed.response.unwrap().uid, uid);
        }
    }
}
