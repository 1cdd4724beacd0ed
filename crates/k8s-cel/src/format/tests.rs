use super::Formats;
use crate::KubeVersion;

fn verdicts(format: &str, good: &[&str], bad: &[&str]) {
    let formats = Formats::default();
    for (texts, wanted) in [(good, true), (bad, false)] {
        for text in texts {
            assert_eq!(
                formats.check(format, text),
                Some(wanted),
                "{format} {text:?}"
            );
        }
    }
}

#[test]
fn dates_are_of_the_calendar() {
    verdicts(
        "date",
        &["2020-02-29", "0000-01-01"],
        &["2021-02-29", "2020-1-01", "2020-13-01", ""],
    );
    verdicts(
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
fn durations_are_of_go_or_name_a_unit() {
    verdicts(
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
fn addresses_of_the_net() {
    verdicts(
        "ipv4",
        &["1.2.3.4", "001.2.3.4", "::ffff:1.2.3.4"],
        &["1.2.3", "1.2.3.256", "::1"],
    );
    verdicts(
        "ipv6",
        &["::", "::1", "1::", "1:2:3:4:5:6:7:8"],
        &["fe80::1%eth0", "1.2.3.4", "::01.2.3.4", ":::"],
    );
    verdicts(
        "cidr",
        &["10.0.0.1/8", "010.0.0.0/08", "::/128"],
        &["10.0.0.0", "10.0.0.0/33", "::/129"],
    );
    verdicts(
        "mac",
        &["01:23:45:67:89:ab", "0123.4567.89ab", "0123456789ab"],
        &["01:23", "01:23-45:67:89:ab"],
    );
}

#[test]
fn names_of_the_net() {
    verdicts(
        "hostname",
        &["example.com", "a", "1a.com", "a-", "ä.de"],
        &["example.c", "a.b.c.d", "a_b", "", "-a"],
    );
    verdicts(
        "uri",
        &["http://a/b", "a:b", "/x", "*", "a:%"],
        &["", "rel/path", "http://[::1", ":a", "/%"],
    );
    verdicts(
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
fn numbers_of_things() {
    verdicts(
        "isbn",
        &["978-0321751041", "0321751043"],
        &["123", "0321751044"],
    );
    verdicts(
        "creditcard",
        &["4111111111111111", "4111-1111 1111.1111"],
        &["4111111111111112", ""],
    );
    verdicts(
        "ssn",
        &["111 11 1111", "111-11-1111"],
        &["111111111", "111-11-11111"],
    );
    verdicts(
        "uuid",
        &[
            "123e4567-e89b-12d3-a456-426614174000",
            "123E4567E89B12D3A456426614174000",
        ],
        &["x"],
    );
    verdicts(
        "uuid4",
        &["123e4567-e89b-42d3-a456-426614174000"],
        &["123e4567-e89b-12d3-a456-426614174000"],
    );
    verdicts(
        "bsonobjectid",
        &["507f1f77bcf86cd799439011"],
        &["507f1f77bcf86cd79943901"],
    );
}

#[test]
fn colors_bytes_and_names() {
    verdicts("hexcolor", &["#FFF", "abcdef"], &["#ffff", "##fff"]);
    verdicts(
        "rgbcolor",
        &["rgb(1,2,255)", "rgb( 0 ,\t1 , 2 )"],
        &["rgb(256,1,1)", "rgb(01,1,1)", "RGB(1,1,1)"],
    );
    verdicts(
        "byte",
        &["YWJj", "YQ==", "+/8="],
        &["", "asd", "YW=j", "-_8="],
    );
    verdicts("password", &["", "x"], &[]);
    verdicts(
        "k8s-short-name",
        &["abc", "1", "a-b"],
        &["Abc", "", "-a", "a.b", &"a".repeat(64)],
    );
    verdicts(
        "k8s-long-name",
        &["a.b.c", &"a".repeat(200)],
        &["a..b", "", &"a".repeat(254)],
    );
}

#[test]
fn a_table_may_be_changed() {
    let formats = Formats::for_version(KubeVersion::minor(33).unwrap());
    assert_eq!(formats.check("k8s-short-name", "Abc"), None);
    let formats = Formats::default()
        .with_format("da-te", |text| text == "today")
        .without_format("uri");
    assert_eq!(formats.check("date", "today"), Some(true));
    assert_eq!(formats.check("uri", ""), None);
    assert_eq!(
        format!("{formats:?}"),
        r#"Formats { version: "1.36", changed: {"date": "own", "uri": "none"} }"#
    );
}
