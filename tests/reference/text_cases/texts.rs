//! Grammars, parsers and printers of base64, DNS names, and quoted strings.

use std::fmt::Write as _;

use k8s_go_text::base64::{self as go_base64, Alphabet};
use k8s_go_text::name::{is_dns1123_label, is_dns1123_subdomain};
use k8s_go_text::print::JsonString;
use k8s_go_text::quote::GoQuoted;

use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const BASE64: Grammar = &[
    (
        "base64",
        &[
            "{groups}",
            "{groups}{end}",
            "{groups}{end}",
            "{groups}{end}",
            "{end}",
            "{groups}{end}{break}",
            "{groups}{break}{groups}{end}",
            "{groups}{end}{groups}",
            "",
            "{break}",
            "{groups}{cut}",
            "{groups}{odd}{end}",
        ],
    ),
    (
        "groups",
        &[
            "{letter}{letter}{letter}{letter}",
            "{groups}{groups}",
            "{letter}{break}{letter}{letter}{letter}",
            "AAAA",
            "",
        ],
    ),
    (
        "letter",
        &[
            "A", "Z", "a", "z", "0", "9", "Q", "w", "+", "/", "B", "q", "-", "_", "5",
        ],
    ),
    (
        "end",
        &[
            "YQ==",
            "YWI=",
            "{plain}{plain}==",
            "{plain}{plain}{plain}=",
            "YR==",
            "YWJ=",
            "Y===",
            "====",
            "=",
            "==",
            "YQ=",
            "YQ=Q",
            "YQ={break}=",
            "YQ{break}==",
            "Y{break}Q=={break}",
            "YQ==x",
            "YWI=x",
            "YQ===",
            "YWI==",
            "Y=Q=",
            "YQ= =",
            "YQ",
            "YWI",
            "Y",
            "YWI=\n\nx",
            "YQ=\r",
        ],
    ),
    ("plain", &["A", "Q", "g", "w", "8", "x", "0", "z"]),
    (
        "cut",
        &[
            "{plain}",
            "{plain}{plain}",
            "{plain}{plain}{plain}",
            "{plain}{break}",
            "{plain}{plain}{break}{break}",
        ],
    ),
    ("break", &["\n", "\r", "\r\n", "\n\n", " ", "\t"]),
];

pub(crate) const NAME: Grammar = &[
    (
        "name",
        &[
            "{label}",
            "{label}",
            "{label}.{label}",
            "{label}.{label}.{label}",
            "{label}.{name}",
            "",
            ".",
            ".{label}",
            "{label}.",
            "{label}..{label}",
            "{label}-",
            "-{label}",
            "{long}",
            "{long}.{long}",
        ],
    ),
    (
        "label",
        &[
            "a",
            "z",
            "a-b",
            "a--b",
            "{digits}",
            "0",
            "a1",
            "1a",
            "A",
            "aB",
            "a_b",
            "-",
            "é",
            "a b",
            "a{odd}",
            "{label}{label}",
            "ｶ",
            "a/b",
            "a:b",
        ],
    ),
    (
        "long",
        &[
            "abcdefghijklmnopqrstuvwxyz0123456789",
            "{label}-{label}-{label}-{label}",
        ],
    ),
];

pub(crate) const ANY: Grammar = &[
    (
        "text",
        &[
            "{char}",
            "{char}{char}",
            "{char}{text}",
            "",
            "{char}{char}{char}{char}",
        ],
    ),
    (
        "char",
        &[
            "{odd}",
            "{odd}",
            "a",
            "Z",
            "0",
            "~",
            " ",
            "\u{7}",
            "\u{8}",
            "\u{b}",
            "\u{c}",
            "\u{1b}",
            "\u{1f}",
            "\u{9f}",
            "\u{ff}",
            "\u{100}",
            "\u{300}",
            "\u{378}",
            "\u{600}",
            "\u{61c}",
            "\u{e01}",
            "\u{1160}",
            "\u{1680}",
            "\u{180e}",
            "\u{2000}",
            "\u{200d}",
            "\u{202e}",
            "\u{205f}",
            "\u{2060}",
            "\u{3000}",
            "\u{3164}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{f8ff}",
            "\u{fe0f}",
            "\u{fdd0}",
            "\u{fff9}",
            "\u{fffc}",
            "\u{10000}",
            "\u{1f468}",
            "\u{1d173}",
            "\u{e0001}",
            "\u{e0100}",
            "\u{f0000}",
            "\u{2fa1d}",
            "\u{20000}",
            "\u{115f}",
            "\u{ad}",
            "\u{94d}",
            "\u{93f}",
            "\u{1bc9d}",
        ],
    ),
];

fn bytes(text: &str, alphabet: Alphabet) -> Answer {
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    let read = go_base64::decode(text, alphabet);
    Answer::of(read.map(|bytes| [hex(&bytes), go_base64::encode(&bytes)]))
}

pub(crate) fn base64(text: &str, _: &str) -> Answer {
    bytes(text, Alphabet::Standard)
}

pub(crate) fn base64_url(text: &str, _: &str) -> Answer {
    bytes(text, Alphabet::Url)
}

pub(crate) fn quoted(text: &str, _: &str) -> Answer {
    Answer::Read(vec![
        GoQuoted(text).to_string(),
        JsonString(text).to_string(),
    ])
}

fn named(is_name: bool) -> Answer {
    Answer::without_error(is_name.then(|| ["name".to_owned()]))
}

pub(crate) fn dns_label(text: &str, _: &str) -> Answer {
    named(text.len() <= 63 && is_dns1123_label(text.as_bytes()))
}

pub(crate) fn dns_subdomain(text: &str, _: &str) -> Answer {
    named(text.len() <= 253 && is_dns1123_subdomain(text))
}
