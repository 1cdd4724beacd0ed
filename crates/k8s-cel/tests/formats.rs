//! Tests of formats and patterns with random strings: no string causes a panic, and the time is
//! proportional to the length.

use k8s_cel::format::Formats;
use k8s_cel::pattern;
use proptest::prelude::*;

const FORMATS: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "date-time",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8s-long-name",
    "k8s-short-name",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

proptest! {
    #[test]
    fn any_string_can_be_checked(string in "(?s).{0,40}") {
        let formats = Formats::default();
        for format in FORMATS {
            prop_assert!(formats.check(format, &string).is_some());
        }
    }

    #[test]
    fn any_string_of_symbols_can_be_checked(string in "[-0-9a-fA-FTtZz:.@<>()\\[\\]\"\\\\/%?#=,; é\u{1}]{0,30}") {
        let formats = Formats::default();
        for format in FORMATS {
            prop_assert!(formats.check(format, &string).is_some());
        }
    }

    #[test]
    fn any_string_compiles_or_is_rejected_as_a_pattern(string in r"(?s)([a-c\[\](){}*+?|^$.\\,:PpQExX<>&~\-0-9i]|.){0,24}") {
        match pattern::compile(&string) {
            Ok(pattern) => { pattern.is_match(&string); }
            Err(error) => prop_assert!(error.to_string().starts_with("must be a valid regular expression, but isn't: ")),
        }
    }
}

/// The parts that long strings repeat.
const PARTS: [&str; 24] = [
    "a",
    "1",
    ".",
    "-",
    ":",
    "(",
    "\\(",
    "(a) ",
    "\"",
    "\"a\" ",
    "a ",
    "1 ",
    "1a",
    "=?utf-8?q?a?= ",
    "%41",
    "é",
    "a.",
    "0:",
    "[",
    "@",
    "x:a@b,",
    "t",
    " ",
    "\u{b5}",
];

/// The beginnings of long strings.
const STARTS: [&str; 8] = [
    "",
    "a@b ",
    "http://",
    "x:",
    "\"",
    "2020-01-01T00:00:00.",
    "rgb(",
    "::",
];

/// A check with a quadratic cost would take hours for these strings.
#[test]
fn long_strings_take_linear_time() {
    const LENGTH: usize = 1 << 16;
    let formats = Formats::default();
    for part in PARTS {
        for start in STARTS {
            let string = start.to_owned() + &part.repeat(LENGTH / part.len());
            for format in FORMATS {
                assert!(formats.check(format, &string).is_some());
            }
        }
    }
    for part in [
        "(",
        "a|",
        "[a",
        "a*",
        "(?i)",
        "\\Q",
        "\\Qa\\E*",
        "{",
        "a{1}",
        "[[:alpha:]]",
        "\\pL",
        "(?i:é)",
        "a?",
        "(a)",
    ] {
        let _ = pattern::compile(&part.repeat(LENGTH / 8));
    }
}

#[test]
fn checks_of_valid_strings_do_not_allocate() {
    let formats = Formats::default();
    for (format, string) in [
        ("bsonobjectid", "507f1f77bcf86cd799439011"),
        ("byte", "YWJj"),
        ("cidr", "10.0.0.0/8"),
        ("creditcard", "4111-1111-1111-1111"),
        ("date", "2020-02-29"),
        ("datetime", "2020-02-29T01:02:03.5+01:00"),
        ("duration", "1h30m or so"),
        ("email", "\"A\" B <a@[1.2.3.4]>"),
        ("hexcolor", "#ffffff"),
        ("hostname", "www.example.com"),
        ("ipv4", "::ffff:1.2.3.4"),
        ("ipv6", "2001:db8::68"),
        ("isbn", "978-0321751041"),
        ("k8slongname", "a.b"),
        ("k8sshortname", "a-b"),
        ("mac", "01:23:45:67:89:ab"),
        ("rgbcolor", "rgb(1,2,3)"),
        ("ssn", "111-11-1111"),
        ("uri", "https://u:p@[::1%25e]:80/a%20b?c"),
        ("uuid4", "123e4567-e89b-42d3-a456-426614174000"),
    ] {
        let used = allocation_counter::measure(|| {
            assert_eq!(formats.check(format, string), Some(true), "{format}");
        });
        assert_eq!(used.count_total, 0, "{format}");
    }
}
