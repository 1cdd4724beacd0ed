//! URLs of conversion webhooks, and of the approval of a CRD in a group of Kubernetes: as Go reads
//! them.

use k8s_crd_validation::crd;
use serde_json::{Value, json};

const AT: &str = "spec.conversion.webhookClientConfig.url: ";
const FORM: &str = "; desired format: https://host[/path]";

fn crd_of(group: &str) -> Value {
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

fn created(crd: &Value) -> Vec<String> {
    let report = crd::Review::new().create(crd);
    report.errors().iter().map(ToString::to_string).collect()
}

/// The errors of a CRD whose webhook has this URL.
fn of_webhook(url: &str) -> Vec<String> {
    let mut crd = crd_of("example.com");
    crd["spec"]["conversion"] = json!({
        "strategy": "Webhook",
        "webhook": {"conversionReviewVersions": ["v1"], "clientConfig": {"url": url}},
    });
    created(&crd)
}

/// Texts that are not URLs, and why not.
const UNREAD: [(&str, &str); 21] = [
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
fn texts_that_are_no_urls_are_refused_with_the_words_of_go() {
    for (url, why) in UNREAD {
        let said = of_webhook(url);
        let wanted =
            format!("{AT}Required value: url must be a valid URL: parse {url:?}: {why}{FORM}");
        assert_eq!(said, [wanted], "{url}");
    }
}

#[test]
fn parts_of_urls_are_refused() {
    let scheme = |found: &str| {
        format!("{AT}Invalid value: {found:?}: 'https' is the only allowed URL scheme{FORM}")
    };
    let user = |found: &str| {
        format!("{AT}Invalid value: {found:?}: user information is not permitted in the URL")
    };
    for (url, wanted) in [
        // A zone may have escapes, even of letters.
        ("https://[fe80::2%25%62]/", vec![]),
        ("https://[::1]:8443/path", vec![]),
        ("https://[ABCD::1.2.3.4]", vec![]),
        // If the scheme is neither `http` nor `https`, the port begins after the last colon.
        ("ftp://a\"b:1:3/", vec![scheme("ftp")]),
        ("//a>:1:3/", vec![scheme("")]),
        ("ftp://u:q@a:1:3/", vec![scheme("ftp"), user("u:q")]),
        ("https://u%3A:%40@h", vec![user("u%3A:%40")]),
        ("https://@h", vec![user("")]),
        (
            "https://h/#a%20b",
            vec![format!(
                "{AT}Invalid value: \"a b\": fragments are not permitted in the URL"
            )],
        ),
        (
            "https://h/#a%fe%C3%BC",
            vec![format!(
                "{AT}Invalid value: \"a\\xfeü\": fragments are not permitted in the URL"
            )],
        ),
        ("https://h/#", vec![]),
        ("https://h/?", vec![]),
        (
            "https://h/??",
            vec![format!(
                "{AT}Invalid value: \"?\": query parameters are not permitted in the URL"
            )],
        ),
    ] {
        assert_eq!(of_webhook(url), wanted, "{url}");
    }
}

#[test]
fn the_url_of_an_approval_is_absolute() {
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
        let mut crd = crd_of("example.k8s.io");
        crd["metadata"]["annotations"] = json!({"api-approved.kubernetes.io": url});
        assert_eq!(created(&crd).is_empty(), is_approved, "{url}");
    }
}
