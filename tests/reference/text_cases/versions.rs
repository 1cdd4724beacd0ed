//! Grammars and parsers of semantic versions, and comparisons of two versions.

use k8s_go_text::semver::Semver;

use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const SEMVERS: Grammar = &[
    (
        "version",
        &[
            "{small}.{small}.{small}",
            "{small}.{small}.{small}-{stage}",
            "1.2.3-{stage}",
            "1.2.3-{stage}",
            "1.2.3-{stage}+{part}",
            "1.2.3+{part}",
            "1.2.3",
            "1.2.{large}",
            "{large}.0.0",
            "1.2",
        ],
    ),
    ("small", &["0", "1", "2", "9", "10"]),
    (
        "large",
        &[
            "18446744073709551615",
            "18446744073709551614",
            "9223372036854775808",
            "9223372036854775807",
            "{digit}",
        ],
    ),
    (
        "stage",
        &[
            "{part}",
            "{part}.{part}",
            "{part}.{part}.{part}",
            "a.{part}",
            "a.b.{part}",
            "1.{part}",
        ],
    ),
    (
        "part",
        &[
            "alpha",
            "beta",
            "a",
            "b",
            "A",
            "a1",
            "1a",
            "a-b",
            "-",
            "--",
            "0",
            "1",
            "2",
            "9",
            "10",
            "18446744073709551615",
            "0a",
            "a0",
        ],
    ),
];

pub(crate) const SEMVER: Grammar = &[
    (
        "version",
        &[
            "{number}.{number}.{number}",
            "{small}.{small}.{small}",
            "{small}.{small}.{digit}",
            "{small}.{small}.{small}-{good}",
            "{small}.{small}.{small}-{good}.{good}+{good}",
            "v{small}.{small}.{small}-{good}.{good}",
            "v0{small}.00{small}",
            "{small}.{small}.{small}+{good}.{good}",
            "{small}.{small}.{small}{stage}",
            "{small}.{small}.{small}{stage}{build}",
            "{small}.{small}.{small}{stage}{build}",
            "{small}.{small}.{small}{build}",
            "{number}.{number}",
            "{number}",
            "v{number}.{number}.{number}{stage}",
            "v{small}.{small}",
            "v{small}",
            "",
            "v",
            "{number}.{number}.{number}.{number}",
            "{small}.{small}{stage}",
            "{small}{build}",
            "vv{small}.{small}.{small}",
            "V{small}",
            "{number}.{number}.{number}{stage}{build}",
            "..",
            ".",
            "{small}..{small}",
        ],
    ),
    ("small", &["0", "1", "2", "10"]),
    (
        "number",
        &[
            "0",
            "1",
            "{digits}",
            "0{digits}",
            "00",
            "18446744073709551615",
            "18446744073709551616",
            "9223372036854775808",
            "",
            "-1",
            "+1",
            "a",
            "1a",
            "٣",
            "{many digits}",
            "0a",
            "0x1",
            " 1",
            "00000000000000000000001",
        ],
    ),
    (
        "good",
        &["alpha", "rc-1", "0", "1", "10", "a0", "-", "{digit}", "x"],
    ),
    (
        "stage",
        &[
            "-{part}",
            "-{part}.{part}",
            "-{part}.{part}.{part}",
            "-",
            "--",
            "-{part}-{part}",
            "-.{part}",
            "-{part}.",
            "{part}",
        ],
    ),
    (
        "part",
        &[
            "alpha",
            "beta",
            "rc",
            "0",
            "1",
            "9",
            "10",
            "01",
            "00",
            "a1",
            "1a",
            "0a",
            "A",
            "a-b",
            "-",
            "",
            "a_b",
            "é",
            "18446744073709551615",
            "18446744073709551616",
            "{digits}",
            "a{digits}",
            "{odd}",
            "-1",
        ],
    ),
    (
        "build",
        &[
            "+{part}",
            "+{part}.{part}",
            "+",
            "+{part}+{part}",
            "+.",
            "+{part}-{part}",
            "+001",
        ],
    ),
];

fn numbers(read: Result<Semver, String>) -> Answer {
    Answer::of(read.map(|version| {
        [
            version.major.to_string(),
            version.minor.to_string(),
            version.patch.to_string(),
            version.to_string(),
        ]
    }))
}

pub(crate) fn semver(text: &str, _: &str) -> Answer {
    numbers(Semver::parse(text, false))
}

pub(crate) fn semver_normalized(text: &str, _: &str) -> Answer {
    numbers(Semver::parse(text, true))
}

pub(crate) fn semvers(text: &str, other: &str) -> Answer {
    let order =
        Semver::parse(text, false).and_then(|one| Ok(one.cmp(&Semver::parse(other, false)?)));
    Answer::of(order.map(|order| [(order as i8).to_string()]))
}
