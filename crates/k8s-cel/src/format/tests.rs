use super::Formats;
use crate::KubeVersion;

fn assert_format(format: &str, valid: &[&str], invalid: &[&str]) {
    let formats = Formats::default();
    for (strings, is_valid) in [(valid, true), (invalid, false)] {
        for string in strings {
            assert_eq!(
                formats.check(format, string),
                Some(is_valid),
                "{format} {string:?}"
            );
        }
    }
}

#[test]
fn dates_are_of_the_calendar() {
    assert_format(
        "date",
        &["2020-02-29", "0000-01-01"],
        &["2021-02-29", "2020-1-01", "2020-13-01", ""],
    );
    assert_format(
        "date-time",
        &[
            "2018-11-13t20:20:39z",
            "2018-11-13T23:59:59,123Z",
            "2018-11-13T23:59:59+99:99",
            "2018-11-13T23:59:59Ztrailing",
            "2018-11-13T23:59:59é1Z",
        ],
        &[
            "2018-11-13T24:00:00Z",
            "2018-11-13",
            "2018-11-13T00:00:00",
            "2018-11-13T00:00:00.Z",
        ],
    );
}

#[test]
fn durations_are_go_durations_or_numbers_with_units() {
    assert_format(
        "duration",
        &[
            "1h30m",
            "-1s",
            "3 days",
            "xx 3d yy",
            "P1D",
            "0",
            "1.5h",
            "1.s",
            "1\u{3bc}s",
        ],
        &[
            "",
            "1",
            "1x",
            "s",
            "99999999999999999999 days",
            "9223372036854775808ns",
        ],
    );
}

#[test]
fn network_addresses() {
    assert_format(
        "ipv4",
        &["1.2.3.4", "001.2.3.4", "::ffff:1.2.3.4"],
        &["1.2.3", "1.2.3.256", "::1"],
    );
    assert_format(
        "ipv6",
        &["::", "::1", "1::", "1:2:3:4:5:6:7:8"],
        &["fe80::1%eth0", "1.2.3.4", "::01.2.3.4", ":::"],
    );
    assert_format(
        "cidr",
        &["10.0.0.1/8", "010.0.0.0/08", "::/128"],
        &["10.0.0.0", "10.0.0.0/33", "::/129"],
    );
    assert_format(
        "mac",
        &["01:23:45:67:89:ab", "0123.4567.89ab", "0123456789ab"],
        &["01:23", "01:23-45:67:89:ab"],
    );
}

#[test]
fn network_names() {
    assert_format(
        "hostname",
        &["example.com", "a", "1a.com", "a-", "ä.de"],
        &["example.c", "a.b.c.d", "a_b", "", "-a"],
    );
    assert_format(
        "uri",
        &["http://a/b", "a:b", "/x", "*", "a:%"],
        &["", "rel/path", "http://[::1", ":a", "/%"],
    );
    assert_format(
        "email",
        &[
            "a@b",
            "Name <a@b.c>",
            "\"q\"@b",
            "g: a@b;",
            "a@[1.2.3.4]",
            "a@b (c)",
        ],
        &[
            "a",
            "a@b@c",
            "",
            "g:;",
            "a@b <",
            "x \"y\u{1}<a@b>",
            "=?x?q?y?= <a@b>",
        ],
    );
}

#[test]
fn check_digits_and_identifiers() {
    assert_format(
        "isbn",
        &["978-0321751041", "0321751043"],
        &["123", "0321751044"],
    );
    assert_format(
        "creditcard",
        &["4111111111111111", "4111-1111 1111.1111"],
        &["4111111111111112", ""],
    );
    assert_format(
        "ssn",
        &["111 11 1111", "111-11-1111"],
        &["111111111", "111-11-11111"],
    );
    assert_format(
        "uuid",
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "123E4567E89B12D3A456426614174000",
        ],
        &["x"],
    );
    assert_format(
        "uuid4",
        &["123e4567-e89b-42d3-a456-426614174000"],
        &["123e4567-e89b-12d3-a456-426614174000"],
    );
    assert_format(
        "bsonobjectid",
        &["507f1f77bcf86cd799439011"],
        &["507f1f77bcf86cd79943901"],
    );
}

#[test]
fn colors_bytes_and_names() {
    assert_format("hexcolor", &["#FFF", "abcdef"], &["#ffff", "##fff"]);
    assert_format(
        "rgbcolor",
        &["rgb(1,2,255)", "rgb( 0 ,\t1 , 2 )"],
        &["rgb(256,1,1)", "rgb(01,1,1)", "RGB(1,1,1)"],
    );
    assert_format(
        "byte",
        &["YWJj", "YQ==", "+/8="],
        &["", "asd", "YW=j", "-_8="],
    );
    assert_format("password", &["", "x"], &[]);
    assert_format(
        "k8s-short-name",
        &["abc", "1", "a-b"],
        &["Abc", "", "-a", "a.b", &"a".repeat(64)],
    );
    assert_format(
        "k8s-long-name",
        &["a.b.c", &"a".repeat(200)],
        &["a..b", "", &"a".repeat(254)],
    );
}

#[test]
fn formats_can_be_replaced_and_removed() {
    let formats = Formats::for_version(KubeVersion::from_minor(33).unwrap());
    assert_eq!(formats.check("k8s-short-name", "Abc"), None);
    let formats = Formats::default()
        .with_format("da-te", |string| string == "today")
        .without_format("uri");
    assert_eq!(formats.check("date", "today"), Some(true));
    assert_eq!(formats.check("uri", ""), None);
    assert_eq!(
        format!("{formats:?}"),
        r#"Formats { version: "1.37", changed: {"date": "own", "uri": "none"} }"#
    );
}
