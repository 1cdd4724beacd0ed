//! Grammars and parsers of URLs, IP addresses and CIDR ranges.

use k8s_go_text::net::cidr::Cidr;
use k8s_go_text::net::ip;
use k8s_go_text::net::url::Url;

use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const URL: Grammar = &[
    (
        "url",
        &[
            "{scheme}:{after}",
            "{scheme}://{authority}{path}{query}{fragment}",
            "{scheme}://{authority}{path}{query}{fragment}",
            "https://{authority}/",
            "https://{authority}{path}",
            "//{authority}{path}{query}",
            "{path}{query}{fragment}",
            "{relative}{query}{fragment}",
            "*",
            "*{fragment}",
            "",
            "#",
        ],
    ),
    (
        "scheme",
        &[
            "https", "http", "HTTPS", "Http", "mailto", "a", "a+b-c.1", "1a", "", "a_b", "é", "+a",
            "urn", "file", "%41",
        ],
    ),
    (
        "after",
        &[
            "{path}{query}{fragment}",
            "{relative}{query}",
            "//",
            "///{path}",
            "/{path}",
            "",
            "{segment}:{segment}",
            "//{authority}",
            "?",
            "#{segment}",
        ],
    ),
    (
        "authority",
        &[
            "{host}",
            "{host}",
            "{host}{port}",
            "{host}{port}",
            "{user}@{host}{port}",
            "{user}@{user}@{host}",
            "",
            "@",
            "{port}",
        ],
    ),
    (
        "user",
        &[
            "{user text}",
            "{user text}:{user text}",
            "{user text}:",
            ":{user text}",
            "",
            "{user text}:{user text}:{user text}",
        ],
    ),
    (
        "user text",
        &[
            "me",
            "{escape}",
            "me{escape}",
            "a!b",
            "a$b&c",
            "'",
            "()",
            "*+,;=",
            "~-._",
            "é",
            "[",
            "/",
            "?",
            "<",
            "%40%3a%2F",
            "|",
            "%00%ff",
        ],
    ),
    (
        "host",
        &[
            "example.com",
            "h",
            "EXAMPLE.com.",
            "{octet}.{octet}.{octet}.{octet}",
            "{literal}",
            "{literal}",
            "{literal}",
            "é.com",
            "h{escape}",
            "a b",
            "a<b>\"",
            "a!$&'()*+,;=b",
            "a_b~",
            "",
            "a:b:c",
            "a[b",
            "h%",
            "%e4%BD%a0",
            "{segment}",
            "h\\",
            "h^",
            "{host}{host}",
        ],
    ),
    ("octet", &["1", "0", "255", "256", "01", "{digits}"]),
    (
        "literal",
        &[
            "[{address}]",
            "[{address}]",
            "[{address}]",
            "[{address}%25{zone}]",
            "[{address}%{zone}]",
            "[{address}",
            "{address}]",
            "[]",
            "[{address}]x",
            "x[{address}]",
            "[[{address}]]",
            "[{address}]]",
            "[{segment}]",
        ],
    ),
    (
        "address",
        &[
            "::1",
            "fe80::1",
            "::",
            "1:2:3:4:5:6:7:8",
            "::ffff:1.2.3.4",
            "1.2.3.4",
            "::01.2.3.4",
            ".",
            ":",
            "{group}:{group}::{group}",
            "::{octet}.{octet}.{octet}.{octet}",
            "v1.x",
            "12345::",
            "{group}:{group}",
            "",
            "%3a%3a1",
            "::%31",
        ],
    ),
    ("group", &["0", "1", "ff", "FFFF", "12345", "g", "", "00a"]),
    (
        "zone",
        &[
            "eth0", "", "a b", "{escape}", "%25", "en%250", "[", "é", "%20x", "<", "%3A", "1",
            "a/b", "%5d",
        ],
    ),
    (
        "port",
        &[
            ":443",
            ":",
            ":{digits}",
            ":0",
            ":-1",
            ":a",
            ":80a",
            "::",
            ":80:80",
            ":{many digits}",
            ":é",
        ],
    ),
    (
        "path",
        &[
            "",
            "/",
            "/{segment}",
            "/{segment}/{segment}",
            "/{segment}{path}",
            "//{segment}",
            "/.",
            "/../{segment}",
            "///{segment}",
        ],
    ),
    (
        "relative",
        &[
            "{segment}",
            "{segment}/{segment}",
            "{segment}:{segment}",
            "./{segment}:{segment}",
            "{segment}/{segment}:{segment}",
            "../{segment}",
        ],
    ),
    (
        "segment",
        &[
            "a",
            "a.b",
            "{escape}",
            "a{escape}b",
            "a b",
            "a!b",
            "a;b=c,d",
            "a:b",
            "a@b",
            "[a]",
            "(a)'*",
            "é",
            "日",
            "a\"b",
            "<a>",
            "{odd}",
            "~_-$&+",
            "%2F%2f",
            "a\\b",
            "{segment}{segment}",
            "%",
            "%4",
            "|^`",
        ],
    ),
    (
        "escape",
        &[
            "%20",
            "%41",
            "%2F",
            "%2f",
            "%25",
            "%C3%A9",
            "%ff",
            "%00",
            "%zz",
            "%4",
            "%",
            "%é",
            "%c3",
            "%3A",
            "%7F",
            "%0a",
            "%5B",
            "%{odd}{odd}",
        ],
    ),
    (
        "query",
        &[
            "",
            "",
            "?",
            "?{pairs}",
            "?{pairs}",
            "??",
            "?{segment}?{segment}",
            "?/",
            "?é",
        ],
    ),
    (
        "pairs",
        &[
            "{name}={name}",
            "{name}",
            "{name}={name}&{pairs}",
            "{name}={name}&{name}={name}",
            "&",
            "=",
            "{name}=",
            "={name}",
            "{name};{name}={name}",
            "{name}={name}=b",
        ],
    ),
    (
        "name",
        &[
            "a", "b", "a+b", "{escape}", "a%20b", "é", "", "%", "a[]", "{odd}",
        ],
    ),
    (
        "fragment",
        &[
            "",
            "",
            "#",
            "#a",
            "#{segment}",
            "##",
            "#{escape}",
            "#a#b",
            "#?/",
            "#a!(*)'",
            "#é",
        ],
    ),
];

pub(crate) const IP: Grammar = &[
    (
        "address",
        &[
            "{four}",
            "{four}",
            "{six}",
            "{six}",
            "{six}",
            "{special}",
            "{six}%{zone}",
            "{four}%{zone}",
            "{odd}",
            "",
            "{network}",
        ],
    ),
    (
        "four",
        &[
            "{octet}.{octet}.{octet}.{octet}",
            "{octet}.{octet}.{octet}.{octet}",
            "{small}.{small}.{small}.{small}",
            "{small}.{small}.{small}.{small}",
            "{small}.{small}.{small}",
            "{small}.{small}.{small}.{small}.{small}",
            "{octet}.{octet}.{octet}",
            "{octet}.",
            ".{octet}",
            "{octet}..{octet}.{octet}",
            "{small}.{small}.{small}.",
        ],
    ),
    (
        "small",
        &["0", "1", "9", "10", "99", "100", "199", "249", "250", "255"],
    ),
    (
        "octet",
        &[
            "0", "255", "256", "260", "300", "999", "1000", "00", "01", "010", "", "{digits}",
            "1a", "-1", "+1", "0x1",
        ],
    ),
    (
        "six",
        &[
            "{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}",
            "::{groups}",
            "{groups}::",
            "{groups}::{groups}",
            "{groups}::{groups}",
            "{groups}",
            "::",
            "{groups}::{groups}::{groups}",
            "{groups}:{four}",
            "::{four}",
            "::ffff:{small}.{small}.{small}.{small}",
            "::{groups}:{small}.{small}.{small}.{small}",
            "{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{small}.{small}.{small}.{small}",
            "{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{small}.{small}.{small}.{small}",
            "{hex}::{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}",
            "{hex}:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}::",
            ":{groups}",
            "{groups}:",
            ":::",
            "{groups}:::{groups}",
            ":",
            "{group}",
            "::{group}",
            "{hex}:0:0:{hex}:0:0:0:{hex}",
            "0:{hex}:0:0:{hex}:{hex}:0:0",
            "{hex}:0:{hex}:{hex}:{hex}:{hex}:{hex}:{hex}",
        ],
    ),
    (
        "groups",
        &[
            "{hex}",
            "{hex}:{groups}",
            "{hex}:{hex}",
            "{hex}:{hex}:{hex}",
            "{group}:{groups}",
        ],
    ),
    (
        "hex",
        &[
            "0", "1", "f", "A", "ff", "10", "0a", "fff", "ffff", "0000", "FE80", "dead", "00", "e",
        ],
    ),
    (
        "group",
        &[
            "{hex}", "12345", "g", "", "-1", "0x1", "fffff", "{odd}", "00000",
        ],
    ),
    ("zone", &["eth0", "", "1", "a%b", "é", "{odd}", ":", "a/8"]),
    (
        "special",
        &[
            "224.0.0.{small}",
            "224.0.1.1",
            "239.1.1.1",
            "169.254.{small}.{small}",
            "169.255.0.1",
            "255.255.255.255",
            "0.0.0.0",
            "127.0.0.1",
            "127.{small}.0.1",
            "10.0.0.1",
            "ff02::{hex}",
            "ff12::1",
            "ff01::1",
            "ff05::1",
            "fe80::{hex}",
            "febf::1",
            "fec0::1",
            "::1",
            "::",
            "::ffff:127.0.0.1",
            "fc00::1",
            "2001:db8::1",
        ],
    ),
    // These addresses are in the ranges that the grammar of CIDR ranges generates.
    (
        "network",
        &[
            "10.{small}.{small}.{small}",
            "10.1.{small}.{small}",
            "fe80::{hex}:{hex}",
            "fe80:{hex}::",
            "10.1.2.{small}",
        ],
    ),
];

pub(crate) const CIDR: Grammar = &[
    (
        "cidr",
        &[
            "{v4}/{bits}",
            "{v4}/{bits}",
            "{v6}/{bits}",
            "{v6}/{bits}",
            "{near}",
            "{near}",
            "{v4}",
            "{v6}",
            "/{bits}",
            "{v4}/{bits}/{bits}",
            "{v6}%{zone}/{bits}",
            "{odd}/{bits}",
            "{v4}/{v4}",
            "",
        ],
    ),
    (
        "near",
        &[
            "10.0.0.0/8",
            "10.1.0.0/16",
            "10.1.2.3/{bits}",
            "fe80::/10",
            "fe80::/64",
            "fe80::1/{bits}",
            "::/0",
            "0.0.0.0/0",
        ],
    ),
    (
        "v4",
        &[
            "1.2.3.4",
            "255.255.255.255",
            "0.0.0.0",
            "10.1.2.3",
            "1.2.3",
            "01.2.3.4",
            "1.2.3.256",
            "192.168.{small}.{small}",
        ],
    ),
    ("small", &["0", "1", "127", "128", "255"]),
    (
        "v6",
        &[
            "::1",
            "fe80::1",
            "::",
            "1:2:3:4:5:6:7:8",
            "::ffff:1.2.3.4",
            "::1.2.3.4",
            "FFFF::",
            "12345::",
            ":",
            "1:2",
        ],
    ),
    (
        "bits",
        &[
            "0",
            "1",
            "8",
            "16",
            "24",
            "30",
            "31",
            "32",
            "33",
            "64",
            "96",
            "127",
            "128",
            "129",
            "255",
            "256",
            "08",
            "00",
            "",
            "+8",
            "-1",
            "8 ",
            "{digits}",
            "{many digits}",
            "8a",
            "é",
        ],
    ),
    ("zone", &["eth0", "", "é"]),
];

/// Returns the bytes as a string, as Go writes them in JSON: with a replacement character for each
/// byte that is not UTF-8.
fn text_of(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks().map(|chunk| {
        let bad = "\u{fffd}".repeat(chunk.invalid().len());
        [chunk.valid(), &bad].concat()
    });
    chunks.collect()
}

fn parts(url: &Url) -> [String; 10] {
    let user = match &url.user {
        Some(user) => format!("user {user}"),
        None => "none".to_owned(),
    };
    let pairs = url.query();
    let mut pairs: Vec<String> = pairs
        .iter()
        .map(|(name, values)| format!("{name}={}", values.join(",")))
        .collect();
    pairs.sort_unstable();
    let pairs = match pairs.join("&") {
        pairs if pairs.contains('\u{fffd}') => "not UTF-8".to_owned(),
        pairs => pairs,
    };
    [
        url.scheme.clone(),
        user,
        url.host.clone(),
        url.escaped_path.clone(),
        url.raw_query.clone(),
        text_of(&url.fragment),
        url.hostname().to_owned(),
        url.port().to_owned(),
        pairs,
        url.to_string(),
    ]
}

pub(crate) fn url(text: &str, _: &str) -> Answer {
    Answer::of(Url::parse(text).map(|url| parts(&url)))
}

pub(crate) fn url_request(text: &str, _: &str) -> Answer {
    Answer::of(Url::parse_request_uri(text).map(|url| parts(&url)))
}

pub(crate) fn url_in_rule(text: &str, _: &str) -> Answer {
    Answer::of(Url::parse_in_rule(text).map(|url| parts(&url)))
}

pub(crate) fn ip(text: &str, _: &str) -> Answer {
    let read = match ip::parse_addr(text.as_bytes()) {
        Ok(read) => read,
        Err(reason) => return Answer::Error(reason.to_string()),
    };
    let address = read.address;
    let is_mapped = ip::is_ipv4_mapped(address);
    let mut parts = vec![
        address.to_string(),
        read.has_zone.to_string(),
        is_mapped.to_string(),
    ];
    if !is_mapped {
        parts.extend([
            ip::is_link_local_multicast(address).to_string(),
            ip::is_link_local_unicast(address).to_string(),
            ip::is_global_unicast(address).to_string(),
        ]);
    }
    Answer::Read(parts)
}

/// Parses a CIDR range. Our error message is the message of a CEL rule, which has a prefix before
/// Go's message.
pub(crate) fn cidr(text: &str, other: &str) -> Answer {
    const CANNOT: &str = "network address parse error during conversion from string: ";
    let cidr = match Cidr::parse(text) {
        Ok(cidr) => cidr,
        Err(reason) => {
            let inner = reason.strip_prefix(CANNOT).unwrap_or(&reason);
            return match inner.strip_prefix(CANNOT) {
                Some(inner) => Answer::Error(inner.to_owned()),
                None if inner.starts_with("IPv4-mapped IPv6 address ") => {
                    Answer::Read(vec!["mapped".to_owned()])
                }
                None => Answer::Error(reason),
            };
        }
    };
    let mut parts = vec![cidr.to_string(), cidr.masked().to_string()];
    if let Ok(read) = ip::parse_addr(other.as_bytes())
        && !read.has_zone
        && !ip::is_ipv4_mapped(read.address)
    {
        parts.push(cidr.contains_ip(read.address).to_string());
    }
    Answer::Read(parts)
}
