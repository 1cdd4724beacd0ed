//! Tests of requests that an API server never sends: each request is rejected with a message, and
//! the webhook serves the next request.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use union_webhook::app::Limits;

use crate::support::client::{HttpResponse, get, post, request};
use crate::support::{
    TestServer, create_review, long_timeouts, review_response, sample_review, target_spec,
};

/// Asserts that the response is an HTTP error with one line of plain text, which API servers pass
/// on.
#[track_caller]
fn assert_http_error(reply: &HttpResponse, code: u16, message: &str) {
    assert_eq!(reply.code, code, "{}", reply.text());
    assert_eq!(
        reply.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    let body = reply.text();
    assert!(body.contains(message), "{message:?} in {body:?}");
    assert_eq!(body.matches('\n').count(), 1, "{body}");
    assert!(body.ends_with('\n'), "{body}");
}

/// Asserts that the response is a review for `uid` that rejects the request with code 400.
#[track_caller]
fn assert_bad_request(reply: &HttpResponse, uid: &str, expected_message: &str) {
    let response = review_response(reply);
    assert_eq!(response["uid"], uid);
    assert_eq!(response["allowed"], false);
    assert_eq!(response["status"]["code"], 400);
    assert_eq!(response["status"]["reason"], "BadRequest");
    let message = response["status"]["message"].as_str().unwrap();
    assert!(
        message.contains(expected_message),
        "{expected_message:?} in {message:?}"
    );
}

#[tokio::test]
async fn bodies_without_a_review_get_http_errors() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut client = webhook.client().await;
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], &str); 14] = [
        (b"", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: EOF while parsing a value"),
        (b"{", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: EOF"),
        (b"null", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: invalid type: null"),
        (b"[]", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: invalid type: sequence, expected an object"),
        // serde can read a struct from a list with the values in order.
        (
            br#"["admission.k8s.io/v1", "AdmissionReview", {"uid": "a"}]"#,
            "the body must be a JSON object",
        ),
        (
            br#"{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": ["a"]}"#,
            "cannot parse the request: invalid type: sequence, expected an object",
        ),
        (b"\xff\xfe", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: expected value"),
        (b"{\"kind\": \"\xff\"}", "the body must be a JSON object"),
        (deep.as_bytes(), "the body must be a JSON object"),
        (b"{} {}", "the body must be a JSON object with an AdmissionReview of admission.k8s.io/v1: trailing characters"),
        (b"{}", "kind must be \"AdmissionReview\", not \"\""),
        (br#"{"apiVersion": "v1", "kind": "Pod"}"#, "kind must be \"AdmissionReview\", not \"Pod\""),
        (
            br#"{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}"#,
            "the AdmissionReview has no request",
        ),
        (
            br#"{"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {"uid": 1}}"#,
            "cannot parse the request: invalid type: integer `1`, expected a string",
        ),
    ];
    for (body, message) in cases {
        for path in ["/mutate", "/validate"] {
            assert_http_error(&client.send_and_read(post(path, body)).await, 400, message);
        }
    }
    let reply = client
        .send_and_read(post("/validate", sample_review("create.json").to_string()))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

#[tokio::test]
async fn invalid_reviews_with_a_uid_get_a_response_for_the_uid() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut client = webhook.client().await;
    let review_without = |field: &str| {
        let mut review = sample_review("switch.json");
        review["request"]
            .as_object_mut()
            .unwrap()
            .remove(field)
            .unwrap();
        review
    };
    let review_with = |pointer: &str, value: Value| {
        let mut review = sample_review("switch.json");
        *review.pointer_mut(pointer).unwrap() = value;
        review
    };
    let cases = [
        (
            review_without("operation"),
            "cannot parse the request: missing field `operation`",
        ),
        (
            review_without("kind"),
            "cannot parse the request: missing field `kind`",
        ),
        (
            review_with("/request/kind", json!(["db.example.com", "v1", "Backup"])),
            "cannot parse the request: invalid type: sequence, expected an object",
        ),
        (review_without("object"), "request.object is missing"),
        (review_without("oldObject"), "request.oldObject is missing"),
        (
            review_with("/request/operation", "PATCH".into()),
            "unknown variant `PATCH`",
        ),
        (
            review_with("/request/object", Value::Null),
            "request.object is missing",
        ),
        (
            review_with("/request/object", json!([])),
            "request.object must be an object",
        ),
        (
            review_with("/request/oldObject", 1.into()),
            "request.oldObject must be an object",
        ),
        (
            review_with("/request/dryRun", "yes".into()),
            "cannot parse the request: invalid type: string \"yes\"",
        ),
        (
            review_with("/apiVersion", "admission.k8s.io/v1beta1".into()),
            "apiVersion must be \"admission.k8s.io/v1\", not \"admission.k8s.io/v1beta1\"",
        ),
    ];
    for (review, message) in cases {
        for path in ["/mutate", "/validate"] {
            let reply = client.send_and_read(post(path, review.to_string())).await;
            assert_bad_request(&reply, "705ab4f5-6393-11e8-b7cc-42010a800002", message);
            let body: Value = serde_json::from_slice(&reply.body).unwrap();
            assert_eq!(body["apiVersion"], review["apiVersion"]);
        }
    }
}

#[tokio::test]
async fn invalid_objects_are_rejected() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut client = webhook.client().await;
    let review = create_review(target_spec(json!({"type": "S3", "s3": "HERE"}))).to_string();
    let uid = "0df28fbd-5f5f-11e8-bc74-36e6bb280816";
    // The value is three levels below the root: the object, its spec and its target.
    let nested_lists = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for path in ["/mutate", "/validate"] {
        let mut send = async |value: &str| {
            let body = review.replace("\"HERE\"", value);
            client.send_and_read(post(path, body)).await
        };
        assert_eq!(
            review_response(&send(&nested_lists(124)).await)["allowed"],
            true
        );
        let message = "request.object: nesting exceeds the limit of 127 levels";
        assert_bad_request(&send(&nested_lists(125)).await, uid, message);
        assert_bad_request(&send(&nested_lists(500_000)).await, uid, message);
        let nested_objects = format!("{}1{}", "{\"a\":".repeat(200_000), "}".repeat(200_000));
        assert_bad_request(&send(&nested_objects).await, uid, message);
        let message = "cannot parse request.object: number out of range";
        assert_bad_request(&send("1e999").await, uid, message);
        let message = "cannot parse request.object: lone leading surrogate";
        assert_bad_request(&send(r#""\ud800\u0041""#).await, uid, message);
    }
}

#[tokio::test]
async fn unknown_fields_of_a_review_may_be_deep() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut review = sample_review("create.json");
    review["request"]["options"] = "HERE".into();
    let deep = format!("{}{}", "[".repeat(500_000), "]".repeat(500_000));
    let body = review.to_string().replace("\"HERE\"", &deep);
    let reply = webhook.send_and_read(post("/validate", body)).await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

#[tokio::test]
async fn a_long_uid_is_returned_unchanged() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut review = sample_review("create.json");
    let uid = "u".repeat(1_000_000);
    review["request"]["uid"] = uid.clone().into();
    let reply = webhook
        .send_and_read(post("/validate", review.to_string()))
        .await;
    assert_eq!(review_response(&reply)["uid"], uid);
}

#[tokio::test]
async fn unknown_paths_methods_and_content_types_are_rejected() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut client = webhook.client().await;
    let review = sample_review("create.json").to_string();

    assert_http_error(
        &client.send_and_read(get("/")).await,
        404,
        "unknown path /; expected /mutate, /validate",
    );
    assert_http_error(
        &client.send_and_read(post("/mutate/", &review)).await,
        404,
        "unknown path /mutate/",
    );
    let reply = client.send_and_read(get("/mutate")).await;
    assert_http_error(&reply, 405, "/mutate does not support GET");
    assert_eq!(reply.header("allow"), Some("post"));
    assert_http_error(
        &client.send_and_read(post("/healthz", &review)).await,
        405,
        "/healthz does not support POST",
    );

    for headers in [
        &[][..],
        &[("content-type", "application/yaml")],
        &[("content-type", "\u{e9}")],
    ] {
        let reply = client
            .send_and_read(request("POST", "/mutate", headers, &review))
            .await;
        assert_http_error(&reply, 415, "content-type must be application/json");
    }
    let headers = [("content-type", "Application/JSON; charset=utf-8")];
    let reply = client
        .send_and_read(request("POST", "/mutate", &headers, &review))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
}

#[tokio::test]
async fn bodies_above_the_limit_are_rejected() {
    let limits = Limits {
        max_body_bytes: 10_000,
        ..long_timeouts()
    };
    let webhook = TestServer::start(limits).await;
    let message = "the body is larger than 10000 bytes";
    let review = sample_review("create.json").to_string();
    let max_body = format!("{review}{}", " ".repeat(10_000 - review.len()));

    let reply = webhook.send_and_read(post("/mutate", &max_body)).await;
    assert_eq!(review_response(&reply)["allowed"], true);
    let reply = webhook
        .send_and_read(post("/mutate", max_body.clone() + " "))
        .await;
    assert_http_error(&reply, 413, message);
    assert_eq!(reply.header("connection"), Some("close"));
    assert_http_error(
        &webhook
            .send_and_read(post("/mutate", " ".repeat(40_000)))
            .await,
        413,
        message,
    );

    // A chunked body does not declare its length, so it is measured while it is read.
    let head = "POST /mutate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
                transfer-encoding: chunked\r\n\r\n";
    let chunk = format!("{:x}\r\n{max_body}\r\n", max_body.len());
    let reply = webhook
        .send_and_read(format!("{head}{chunk}0\r\n\r\n"))
        .await;
    assert_eq!(review_response(&reply)["allowed"], true);
    let reply = webhook
        .send_and_read(format!("{head}{chunk}1\r\n \r\n0\r\n\r\n"))
        .await;
    assert_http_error(&reply, 413, message);

    // The declared length is larger than any memory, so no memory is reserved for it.
    let mut client = webhook.client().await;
    let head = "POST /mutate HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let head_with_length = format!("{head}content-length: 9000000000000000000\r\n\r\n");
    assert_http_error(
        &client
            .send_and_read(head_with_length + &" ".repeat(10_001))
            .await,
        413,
        message,
    );
    assert!(client.read_response().await.is_none());
}

#[tokio::test]
async fn invalid_and_large_headers_are_rejected() {
    let webhook = TestServer::start(long_timeouts()).await;
    let large_request = format!(
        "GET /healthz HTTP/1.1\r\nhost: localhost\r\na: {}\r\n\r\n",
        "a".repeat(100_000)
    );
    let mut client = webhook.client().await;
    assert_eq!(client.send_and_read(large_request).await.code, 431);
    assert!(client.read_response().await.is_none());
    let mut client = webhook.client().await;
    assert_eq!(client.send_and_read("what is this\r\n\r\n").await.code, 400);
    assert!(client.read_response().await.is_none());
    // A proxy and the webhook could disagree about the end of a request with two lengths.
    let request_with_two_lengths = "POST /mutate HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n  ";
    assert_eq!(
        webhook
            .client()
            .await
            .send_and_read(request_with_two_lengths)
            .await
            .code,
        400
    );
    assert_eq!(webhook.send_and_read(get("/healthz")).await.text(), "ok\n");
}

#[tokio::test]
async fn connections_without_tls_are_closed() {
    let webhook = TestServer::start(long_timeouts()).await;
    let mut stream = TcpStream::connect(webhook.address).await.unwrap();
    stream.write_all(&get("/healthz")).await.unwrap();
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply).await;
    assert!(!reply.starts_with(b"HTTP"), "{reply:?}");
    assert_eq!(webhook.send_and_read(get("/healthz")).await.text(), "ok\n");
}
