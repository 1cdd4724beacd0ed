//! Random strings for each format, generated from whole strings and from parts of strings.

use crate::random::Random;

pub(crate) struct Source {
    pub(crate) format: &'static str,
    /// Strings that are used as they are, or with a few changed characters.
    whole: &'static [&'static str],
    /// Strings that are joined to new strings, or inserted into whole strings.
    parts: &'static [&'static str],
}

impl Source {
    /// Returns a random string, which may be valid in the format or not.
    pub(crate) fn text(&self, random: &mut Random) -> String {
        match random.below(8) {
            0 => (*random.pick(self.whole)).to_owned(),
            1..=4 => {
                let whole = *random.pick(self.whole);
                random.mutated(whole, self.parts)
            }
            5 | 6 => (0..=random.below(14))
                .map(|_| *random.pick(self.parts))
                .collect(),
            _ => (0..random.below(12)).map(|_| random.char()).collect(),
        }
    }
}

#[rustfmt::skip]
const HEX: &[&str] = &[
    "0", "1", "8", "9", "a", "b", "A", "B", "f", "F", "3", "4", "5", "-", "0123", "12345678", "89ab",
    "456789abcdef",
];
#[rustfmt::skip]
const UUIDS: &[&str] = &[
    "123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-32d3-a456-426614174000",
    "123E4567-E89B-42D3-8456-426614174000", "123e4567e89b52d3b456426614174000",
    "123e4567-e89b-52d3-c456-426614174000",
];
#[rustfmt::skip]
const NAMES: &[&str] = &[
    "a", "abc", "a-b", "my.name.example.com", "0", "a.b.c", "x--y",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];
#[rustfmt::skip]
const NAME_PARTS: &[&str] = &[
    "a", "b", "0", "9", "-", ".", "A", "_", "aaaaaaaaaaaaaaaaaaaa", "z9-",
];
#[rustfmt::skip]
const ISBNS: &[&str] = &[
    "0321751043", "978-0321751041", "978 3 16 148410 0", "0-306-40615-2", "080442957X", "9780306406157", "X",
    "155404295X", "1-55404-294-X",
];
#[rustfmt::skip]
const ISBN_PARTS: &[&str] = &[
    "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "X", "x", "-", " ", "\t", "978", "\u{b}", "\u{c}",
];
#[rustfmt::skip]
const V6: &[&str] = &[
    "::", "::1", "1::", "fe80::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "::ffff:1.2.3.4", "2001:db8::68",
    "1:2:3::5:6:7:8", "1::3:4:5:6:7:8", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "1:2:3:4:5:6::8",
    "64:ff9b::192.0.2.33", "1.2.3.4", "192.168.0.1", "0.0.0.0", "255.255.255.255", "001.02.3.4", "::ffff:001.2.3.4",
    "00001::", "0001::", "fe80::1%eth0",
];
#[rustfmt::skip]
const V6_PARTS: &[&str] = &[
    "0", "1", "ffff", "FFFF", "10000", "00001", ":", ":", "::", ".", ".", "1.2.3.4", "255", "256", "01", "%", "%25",
    "a", "g", "/", "000000000000255", "99999999999999999999",
];

#[rustfmt::skip]
pub(crate) const SOURCES: &[Source] = &[
    Source {
        format: "bsonobjectid",
        whole: &[
            "507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011", "507f1f77bcf86cd79943901",
        ],
        parts: HEX,
    },
    Source {
        format: "byte",
        whole: &[
            "YWJj", "YQ==", "YWI=", "+/8=", "YWJjZGVm", "YWJjZGVmZw==", "-_8=",
        ],
        parts: &[
            "Y", "W", "J", "j", "=", "==", "+", "/", "YWJj", "\n", "-", "_", "9",
        ],
    },
    Source {
        format: "cidr",
        whole: &[
            "10.0.0.0/8", "010.1.2.3/08", "::/0", "2001:db8::/32", "1.2.3.4/32", "1.2.3.4/33", "::1/128", "::1/129",
            "::ffff:1.2.3.4/100",
        ],
        parts: &[
            "/", "/", "8", "32", "33", "128", "129", "0", "1.2.3.4", "::", ":", ".", "1", "255", "ffff", "008",
            "-1", "+1", "99999999999999999999",
        ],
    },
    Source {
        format: "creditcard",
        whole: &[
            "4111111111111111", "4111-1111-1111-1111", "4222222222222", "5555555555554444", "378282246310005",
            "30569309025904", "38520000023237", "6011111111111117", "3530111333300000", "6500000000000002",
            "213100000000008", "180000000000002", "5105105105105100",
        ],
        parts: &[
            "4", "5", "51", "6011", "65", "34", "37", "300", "305", "36", "38", "2131", "1800", "35", "0", "1",
            "11111", "000", "-", " ", "x", "٣",
        ],
    },
    Source {
        format: "date",
        whole: &[
            "2020-02-29", "2021-02-28", "1999-12-31", "0000-01-01", "2000-02-29", "1900-02-29", "9999-12-31",
            "2020-04-30", "2020-4-30",
        ],
        parts: &[
            "2020", "19", "00", "-", "-", "02", "29", "30", "31", "12", "13", "1", "0", "+",
        ],
    },
    Source {
        format: "date-time",
        whole: &[
            "2018-11-13T20:20:39Z", "2018-11-13t20:20:39z", "2018-11-13T20:20:39+00:00",
            "2018-11-13T23:59:59.123-07:30", "2018-11-13T23:59:59,5Z", "2018-11-13T00:00:00Ztrailing",
            "2020-02-29T01:02:03\u{e9}1Z", "2020-02-29T01:02:0345Z", "2020-02-29T01:02:03+99:99",
            "2020-02-29T01:02:03-12+01:00",
        ],
        parts: &[
            "T", "t", "Z", "z", "2018-11-13", "23:59:59", "20:20:39", "24:00:00", ":", "+", "-", "01:00", "99:99",
            ".", ".5", "1", "0", "60", "\n", "é",
        ],
    },
    Source {
        format: "duration",
        whole: &[
            "1h30m", "-1s", "3 days", "xx 3d yy", "P1D", "1.5h", "1.s", ".5s", "0", "+0", "-0", "1us", "1µs", "1μs",
            "22 ns", "1week", "2 wk", "9223372036854775807ns", "9223372036854775808ns", "-9223372036854775808ns",
            "2562047h47m16.854775807s", "2562047h47m16.854775808s", "1.99999999999999999999999s",
            "-9223372036854775808ns9223372036854775808ns", "3 micros", "5 MILLI", "0.9223372036854775807h",
            "0.9223372036854775808h",
        ],
        parts: &[
            "1", "2", "9", "0", "00", ".", "-", "+", "h", "m", "s", "ms", "us", "µs", "μs", "µ", "ns", "d", "day",
            "DAY", "hour", "hr", "wk", "w", "week", "min", "sec", "nano", "micro", "milli", "x", " ", "\t", "\n",
            "\u{b}", "99999999999999999999", "9223372036854775807", "922337203685477580", "106751", "2562047",
            "\u{212a}", "ſ",
        ],
    },
    Source {
        format: "email",
        whole: &[
            "a@b", "a.b@c.d", "Name <a@b.c>", "\"q u\"@b", "\"\"@b", "\"a\\\"b\"@c", "a@[1.2.3.4]", "a@[::1]",
            "a@[1.2.3]", "g: a@b;", "g: a@b, c@d;", "g:;", "a@b (c)", "a@b (=?x?q?y?=)", "a@b (=?utf-8?q?y?= d)",
            "=?utf-8?q?J=C3=B6rg?= <a@b>", "=?utf-8?b?YQ==?= =?utf-8?q?x?= <a@b>", "=?x?q?y?= <a@b>",
            "a =?x?q?y?= <a@b>", "=?utf-8?q??= <a@b>", "=?us-ascii?Q?a_b?= (c) x <a@b>", "\"A B\" <a@b>",
            "A B. <a@b>", "jörg@müller.de", "(c) a@b", "a@b (c (d) \\( e)", "x: \"y\" <a@b> ( c ) ; ( d )", "<a@b>",
            " a@b ", "a @b", "a@ b", "A (c) B <a@b>", "\"x\u{1}\" <a@b>", "a \"x\u{1}<a@b>",
        ],
        parts: &[
            "a", "b.c", ".", "..", "@", "@", "<", ">", "(", ")", "[", "]", "\"", "\\", " ", "\t", ":", ";", ",",
            "=?utf-8?q?x?=", "=?iso-8859-1?B?YQ==?=", "=?x?q?y?=", "=?utf-8?q??=", "=?u\u{17f}-ascii?q?a?=",
            "=?utf-8?b?YQ?=", "1.2.3.4", "::1", "a@b", "<a@b>", "é", "\u{1}", "\"q\"", "(c)", "g:",
        ],
    },
    Source {
        format: "hexcolor",
        whole: &[
            "#FFF", "fff", "#a1b2c3", "ABCDEF",
        ],
        parts: &[
            "#", "f", "0", "9", "A", "abc", "g",
        ],
    },
    Source {
        format: "hostname",
        whole: &[
            "example.com", "a", "a-", "1a.com", "example.c", "a.b.c.d", "ä.de", "a-b.example.org", "☃.net", "日本.jp",
            "xn--x.com", "a.b-c.com", "$.com", "a^b",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
        parts: &[
            "a", "b", "1", "-", "-", ".", ".", "com", "de", "ä", "☃", "日", "_", "aaaaaaaaaaaaaaaaaaaa", "ⅷ", "٣",
            "\u{345}", "$", "+",
        ],
    },
    Source {
        format: "ipv4",
        whole: V6,
        parts: V6_PARTS,
    },
    Source {
        format: "ipv6",
        whole: V6,
        parts: V6_PARTS,
    },
    Source {
        format: "isbn",
        whole: ISBNS,
        parts: ISBN_PARTS,
    },
    Source {
        format: "isbn10",
        whole: ISBNS,
        parts: ISBN_PARTS,
    },
    Source {
        format: "isbn13",
        whole: ISBNS,
        parts: ISBN_PARTS,
    },
    Source {
        format: "k8s-short-name",
        whole: NAMES,
        parts: NAME_PARTS,
    },
    Source {
        format: "k8s-long-name",
        whole: NAMES,
        parts: NAME_PARTS,
    },
    Source {
        format: "mac",
        whole: &[
            "01:23:45:67:89:ab", "01-23-45-67-89-AB", "0123.4567.89ab", "01:23:45:67:89:ab:cd:ef",
            "0123.4567.89ab.cdef", "0123456789ab", "0123456789abcdef",
            "00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01",
            "0123456789abcdef0123456789abcdef01234567", "0000.0000.fe80.0000.0000.0000.0200.5e10.0000.0001",
        ],
        parts: &[
            "01", "ab", "F", "0", ":", ":", "-", ".", "0123", "g", "01:23:45",
        ],
    },
    Source {
        format: "password",
        whole: &[
            "", "x",
        ],
        parts: &[
            "a",
        ],
    },
    Source {
        format: "rgbcolor",
        whole: &[
            "rgb(1,2,3)", "rgb( 255 , 255 , 255 )", "rgb(0,0,0)", "rgb(249,250,99)", "rgb(256,1,1)",
        ],
        parts: &[
            "rgb(", "rgb", "(", ")", ",", ",", "0", "1", "25", "255", "256", "199", "99", " ", "\t", "\u{b}",
            "\u{a0}",
        ],
    },
    Source {
        format: "ssn",
        whole: &[
            "111-11-1111", "111 11 1111", "111111111", "111-111111",
        ],
        parts: &[
            "1", "11", "111", "-", " ", "1111",
        ],
    },
    Source {
        format: "uri",
        whole: &[
            "http://a/b", "https://a:80/b?c#d", "http://a:1:2/", "x://a:1:2/", "x://a:b:2/", "a:b", "mailto:x@y",
            "/x", "*", "rel/path", "//a/b", "http://[::1]:80/", "http://[::1", "http://[::1%25en0]/",
            "http://[::1%25%20]/", "http://u:p@h/", "http://u%zz@h/", "http://%e2%82%ac/", "http://%25/",
            "http://%41/", "http://a b/", "/a b", "/%", "/%41", "?", "/?%", "x:?", "http://[1.2.3.4]/",
            "http://[::ffff:1.2.3.4]/", "http://a@b@c/", "http://é/", "http://a[::1]/", "http://[::1]]/",
        ],
        parts: &[
            "http", "https", "HTTP", "x", "1", "+", "-", ".", ":", ":", "/", "/", "//", "?", "#", "@", "[", "]",
            "::1", "%25", "%41", "%e2", "%", "%zz", "a", "80", " ", "\"", "<", "\\", "^", "é", "1.2.3.4", "\u{1}",
            "*", "%20", "~", "|",
        ],
    },
    Source {
        format: "uuid",
        whole: UUIDS,
        parts: HEX,
    },
    Source {
        format: "uuid3",
        whole: UUIDS,
        parts: HEX,
    },
    Source {
        format: "uuid4",
        whole: UUIDS,
        parts: HEX,
    },
    Source {
        format: "uuid5",
        whole: UUIDS,
        parts: HEX,
    },
];
