//! Tests of the URLs of conversion webhooks, and of the approval of CRDs in a group of Kubernetes.
//! Go parses these URLs.

use k8s_crd_validation::crd;
use serde_json::{Value, json};

const URL_PATH: &str = "spec.conversion.webhookClientConfig.url: ";
const DESIRED_FORMAT: &str = "; desired format: https://host[/path]";

fn crd_in_group(group: &str) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("docs.{group}")},
        "spec": {
            "group": group,
            "names": {"kind": "Doc", "plural": "docs"},
            "scope": "Namespaced",
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object"}},
            }],
        },
    })
}

fn create_errors(crd: &Value) -> Vec<String> {
    let report = crd::Review::new().create(crd);
    report.errors().iter().map(ToString::to_string).collect()
}

/// Returns the errors of a CRD whose conversion webhook has this URL.
fn webhook_errors(url: &str) -> Vec<String> {
    let mut crd = crd_in_group("example.com");
    crd["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": url}},
    });
    create_errors(&crd)
}

/// Strings that are not URLs, with the reason in the error of Go.
const INVALID_URLS: [(&str, &str); 21] = [
    (
        "https://[.]/",
        r#"invalid host: ParseAddr("."): IPv4 field must have at least one digit (at ".")"#,
    ),
    (
        "https://[:]/",
        r#"invalid host: ParseAddr(":"): each colon-separated field must have at least one digit (at ":")"#,
    ),
    (
        "https://[fe80::2%25]/",
        r#"invalid host: ParseAddr("fe80::2%"): zone must be a non-empty string"#,
    ),
    (
        "https://[::02.3.4.5]/",
        r#"invalid host: ParseAddr("::02.3.4.5"): IPv4 field has octet with leading zero"#,
    ),
    (
        "https://[::2::]:1/",
        r#"invalid host: ParseAddr("::2::"): multiple :: in address (at ":")"#,
    ),
    (
        "https://[a:b]/",
        r#"invalid host: ParseAddr("a:b"): address string too short"#,
    ),
    (
        "https://[1.2.300.4]/",
        r#"invalid host: ParseAddr("1.2.300.4"): IPv4 field has value >255"#,
    ),
    (
        "https://[::54321]/",
        r#"invalid host: ParseAddr("::54321"): each group must have 4 or less digits (at "54321")"#,
    ),
    (
        "https://[v2.a]/",
        r#"invalid host: ParseAddr("v2.a"): unexpected character (at "v2.a")"#,
    ),
    (
        "https://[2%25a]/",
        r#"invalid host: ParseAddr("2%a"): missing IPv6 address"#,
    ),
    (
        "https://[1.2.3.4%25y]/",
        r#"invalid host: ParseAddr("1.2.3.4%y"): unexpected character (at "%y")"#,
    ),
    ("https://[1.2.3.4]/", "invalid IP-literal"),
    ("https://[::1", "missing ']' in host"),
    (
        "https://u[@[a:b]/",
        r#"invalid host: ParseAddr("a:b"): address string too short"#,
    ),
    ("https://u[@h/", "net/url: invalid userinfo"),
    ("ftp://u[@h:1:2/", "net/url: invalid userinfo"),
    ("ftp://h`:1:2/", r#"invalid character "`" in host name"#),
    ("https://h:1:2/", r#"invalid port ":1:2" after host"#),
    ("ftp://h:1:a/", r#"invalid port ":a" after host"#),
    ("1h:1", "first path segment in URL cannot contain colon"),
    (":1", "missing protocol scheme"),
];

#[test]
fn an_invalid_url_is_rejected_with_the_message_of_go() {
    for (url, reason) in INVALID_URLS {
        let errors = webhook_errors(url);
        let expected = format!(
            "{URL_PATH}Required value: url must be a valid URL: parse {url:?}: {reason}{DESIRED_FORMAT}"
        );
        assert_eq!(errors, [expected], "{url}");
    }
}

#[test]
fn a_url_with_a_forbidden_part_is_rejected() {
    let scheme_error = |bad_value: &str| {
        format!(
            "{URL_PATH}Invalid value: {bad_value:?}: 'https' is the only allowed URL scheme{DESIRED_FORMAT}"
        )
    };
    let user_error = |bad_value: &str| {
        format!(
            "{URL_PATH}Invalid value: {bad_value:?}: user information is not permitted in the URL"
        )
    };
    for (url, expected) in [
        // A zone may have escapes, even of letters.
        ("https://[fe80::2%25%62]/", vec![]),
        ("https://[::1]:8443/path", vec![]),
        ("https://[ABCD::1.2.3.4]", vec![]),
        // If the scheme is neither `http` nor `https`, the port begins after the last colon.
        ("ftp://a\"b:1:3/", vec![scheme_error("ftp")]),
        ("//a>:1:3/", vec![scheme_error("")]),
        (
            "ftp://u:q@a:1:3/",
            vec![scheme_error("ftp"), user_error("u:q")],
        ),
        ("https://u%3A:%40@h", vec![user_error("u%3A:%40")]),
        ("https://@h", vec![user_error("")]),
        (
            "https://h/#a%20b",
            vec![format!(
                "{URL_PATH}Invalid value: \"a b\": fragments are not permitted in the URL"
            )],
        ),
        (
            "https://h/#a%fe%C3%BC",
            vec![format!(
                "{URL_PATH}Invalid value: \"a\\xfeü\": fragments are not permitted in the URL"
            )],
        ),
        ("https://h/#", vec![]),
        ("https://h/?", vec![]),
        (
            "https://h/??",
            vec![format!(
                "{URL_PATH}Invalid value: \"?\": query parameters are not permitted in the URL"
            )],
        ),
    ] {
        assert_eq!(webhook_errors(url), expected, "{url}");
    }
}

#[test]
fn an_approval_needs_an_absolute_url() {
    for (url, is_approved) in [
        ("https://h/1", true),
        ("https://[fe80::2%25%62]/", true),
        ("ftp://a\"b:1:3/", true),
        ("ftp://u:q@a:1:3/", true),
        ("https://[fe80::2%25]/", false),
        ("//a>:1:3/", false),
        ("https://h:1:3/", false),
        ("https:///1", false),
        ("mailto:h", false),
        ("/1", false),
        ("*", false),
    ] {
        let mut crd = crd_in_group("example.k8s.io");
        crd["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": url});
        assert_eq!(create_errors(&crd).is_empty(), is_approved, "{url}");
    }
}
