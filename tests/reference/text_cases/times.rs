//! Grammars and readers of times and durations.

use k8s_go_text::duration::{GoDuration, parse_duration, parse_format_duration};
use k8s_go_text::time::{self, CivilTime, Layout, OffsetDateTime};

use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const TIME: Grammar = &[
    (
        "time",
        &[
            "{date}T{clock}{zone}",
            "{good date}T{good clock}{good zone}",
            "{good date}T{good clock}{fraction}{good zone}",
            "{good date}T{good clock}.{many digits}{good zone}",
            "{good date}T{good clock},{digits}{good zone}",
            "{good date}T{good clock}.{digits}",
            "{good date}T{good clock}{zone}",
            "{good date}T{good clock}{fraction}{zone}",
            "{good date}T{good clock}{fraction}{zone}",
            "{good date}T{good clock}{fraction}",
            "{good date}T{good clock}",
            "{date}T{clock}{fraction}",
            "{date}",
            "{good date}",
            "{good date}",
            "{good date}{sep}{good clock}{zone}",
            "{good date}{zone}",
            "",
            "{odd}",
            "{good date}T{good clock}{zone}{zone}",
        ],
    ),
    (
        "good zone",
        &[
            "Z",
            "Z",
            "+01:30",
            "-08:00",
            "+23:59",
            "-23:59",
            "+24:60",
            "-24:00",
            "+00:00",
            "-00:00",
            "+1{digit}:0{digit}",
            "-0{digit}:{digit}0",
        ],
    ),
    ("sep", &["T", "t", " ", "", "TT", "_", "é"]),
    (
        "good date",
        &[
            "2024-02-29",
            "2023-02-28",
            "1970-01-01",
            "0001-01-01",
            "0000-02-29",
            "9999-12-31",
            "1900-02-28",
            "2000-02-29",
            "{digit}{digit}{digit}{digit}-0{digit}-1{digit}",
            "{digit}{digit}{digit}{digit}-1{digit}-0{digit}",
            "{digit}{digit}{digit}{digit}-03-31",
            "1969-12-31",
        ],
    ),
    (
        "date",
        &[
            "{year}-{month}-{day}",
            "{year}-{month}-{day}",
            "{year}{month}{day}",
            "{year}-{month}",
            "{year}",
            "-{year}-{month}-{day}",
        ],
    ),
    (
        "year",
        &[
            "2023",
            "0000",
            "9999",
            "1900",
            "2100",
            "{digits}",
            "{digit}{digit}{digit}{digit}",
            "",
            "+200",
            "-001",
            "10000",
            "２０２４",
            "202é",
        ],
    ),
    (
        "month",
        &[
            "01", "02", "04", "09", "12", "13", "00", "1", "{digits}", "", "-1", "99",
        ],
    ),
    (
        "day",
        &[
            "01", "28", "29", "30", "31", "32", "00", "1", "{digits}", "", "-1", "99",
        ],
    ),
    (
        "good clock",
        &[
            "00:00:00",
            "23:59:59",
            "1{digit}:0{digit}:5{digit}",
            "1:02:03",
            "9:59:00",
        ],
    ),
    (
        "clock",
        &[
            "{hour}:{minute}:{second}",
            "{hour}:{minute}:{second}",
            "{hour}:{minute}",
            "{hour}",
            "{hour}{minute}{second}",
            "{hour}:{minute}:{second}:{second}",
            "",
        ],
    ),
    (
        "hour",
        &[
            "00", "0", "9", "23", "24", "25", "99", "007", "", "{digits}", "-1", " 1", "a",
        ],
    ),
    (
        "minute",
        &["00", "59", "60", "99", "0", "", "{digits}", "-1", "5a"],
    ),
    (
        "second",
        &["00", "59", "60", "61", "0", "", "{digits}", "-1", "5é"],
    ),
    (
        "fraction",
        &[
            ".5",
            ",5",
            ".{digits}",
            ".{many digits}",
            ".000000001",
            ".999999999",
            ".9999999999",
            ".1234567891",
            ".",
            ",",
            ".a",
            "..5",
            ".5.5",
            ". 5",
            ".0",
            ",{many digits}",
            "é5",
        ],
    ),
    (
        "zone",
        &[
            "Z",
            "Z",
            "z",
            "+00:00",
            "-00:00",
            "+01:30",
            "-08:00",
            "+23:59",
            "+24:00",
            "-24:00",
            "+24:60",
            "+24:61",
            "+25:00",
            "+00:60",
            "+99:99",
            "-25:61",
            "+0100",
            "+01",
            "+1:00",
            "+01:0",
            "+01:0a",
            "+0a:00",
            "01:00",
            "−01:00",
            "+é1:00",
            "+01.00",
            "UTC",
            "ZZ",
            "+01:00:00",
            "",
            "*01:00",
            "+ab:cd",
            "+01:61",
            "+60:a0",
        ],
    ),
];

pub(crate) const SECONDS: Grammar = &[
    (
        "seconds",
        &[
            "{sign}{digits}",
            "{sign}{many digits}",
            "{sign}{many digits}",
            "{edge}",
            "{edge}",
        ],
    ),
    ("sign", &["", "-"]),
    (
        "edge",
        &[
            "0",
            "-1",
            "86399",
            "86400",
            "-86400",
            "-86401",
            "951782400",
            "951868800",
            "-62135596800",
            "-62135596801",
            "-62167219200",
            "-62167219201",
            "253402300799",
            "253402300800",
            "-2203977600",
            "4107456000",
            "4107542400",
            "1709164800",
            "-68569200000",
        ],
    ),
];

pub(crate) const DURATION: Grammar = &[
    (
        "duration",
        &[
            "{sign}{terms}",
            "{sign}{terms}",
            "{sign}{terms}",
            "{terms}",
            "{limit}",
            "{sign}{number}",
            "{sign}",
            "",
            "{words}",
            "{words}",
            "{words}",
            "{words}{words}",
            "0",
            "{sign}0",
        ],
    ),
    ("sign", &["", "", "+", "-", "--", "+-", " "]),
    (
        "terms",
        &[
            "{number}{unit}",
            "{number}{unit}",
            "{number}{unit}{terms}",
            "{number}{good unit}{number}{good unit}",
            "{digits}h{digits}m{digits}.{digits}s",
        ],
    ),
    (
        "number",
        &[
            "{digits}",
            "{digits}",
            "{digits}.{digits}",
            "{digits}.",
            ".{digits}",
            ".",
            "",
            "{digits}.{many digits}",
            "{many digits}",
            "{digits}.{digits}.{digits}",
            "1e3",
            "0x1",
            "1_000",
            "1,5",
            "0.{many digits}",
            "٣",
        ],
    ),
    ("good unit", &["ns", "us", "µs", "μs", "ms", "s", "m", "h"]),
    (
        "unit",
        &[
            "ns", "us", "µs", "μs", "ms", "s", "m", "h", "", "d", "w", "H", "S", "sec", "é", "M",
            "s ", "{odd}",
        ],
    ),
    (
        "limit",
        &[
            "9223372036854775807ns",
            "9223372036854775808ns",
            "-9223372036854775808ns",
            "-9223372036854775809ns",
            "9223372036854775.807us",
            "9223372036854775.808us",
            "2562047h47m16.854775807s",
            "2562047h47m16.854775808s",
            "-2562047h47m16.854775808s",
            "2562048h",
            "106751d",
            "106752d",
            "15250w",
            "15251w",
            "18446744073709551615ns",
            "18446744073709551616ns",
            "9223372036854775808ns9223372036854775808ns",
            "0.9223372036854775807h",
            "0.9223372036854775808h",
            "0.{many digits}h",
            "9223372036854775807 ns",
            "9223372036854775808 ns",
            "{many digits}h",
            "{many digits} weeks",
            "153722867m",
            "153722868m",
            "9223372036s",
            "9223372037s",
        ],
    ),
    (
        "words",
        &[
            "{digits} {word}",
            "{digits}{word}",
            "{digits}{word} ",
            "{digits} {word}, {digits} {word}",
            "in {digits} {word}",
            "{word}{digits}",
            "{word}",
            "-{digits} {word}",
            "{digits}.{digits} {word}",
            "{digits}\t{word}",
            "{digits}  {word}",
            "{digits}\n{word}",
            "{digits}\u{b}{word}",
            "{digits} {word} {word}",
            "{many digits} {word}",
            "{digits}-{word}",
            "{digits}\u{a0}{word}",
        ],
    ),
    (
        "word",
        &[
            "ns",
            "nano",
            "nanos",
            "nanosecond",
            "us",
            "µs",
            "μs",
            "micro",
            "microseconds",
            "ms",
            "milli",
            "millisecond",
            "s",
            "sec",
            "secs",
            "second",
            "seconds",
            "m",
            "min",
            "mins",
            "minute",
            "minutes",
            "h",
            "hr",
            "hrs",
            "hour",
            "hours",
            "d",
            "day",
            "days",
            "w",
            "wk",
            "wks",
            "week",
            "weeks",
            "DAYS",
            "Hours",
            "mon",
            "month",
            "year",
            "x",
            "se",
            "mi",
            "da",
            "we",
            "sµ",
            "{odd}",
            "secé",
            "S",
        ],
    ),
];

pub(crate) const NANOS: Grammar = &[
    (
        "nanos",
        &[
            "{sign}{digits}",
            "{sign}{many digits}",
            "{sign}{many digits}",
            "{sign}{many digits}{zeros}",
            "{sign}{digits}{zeros}",
            "{sign}{edge}",
        ],
    ),
    ("sign", &["", "-"]),
    (
        "zeros",
        &["0", "00", "000", "000000", "000000000", "0000000000"],
    ),
    (
        "edge",
        &[
            "0",
            "1",
            "999",
            "1000",
            "1001",
            "999999",
            "1000000",
            "999999999",
            "1000000000",
            "1000000001",
            "59999999999",
            "60000000000",
            "3600000000000",
            "3599999999999",
            "9223372036854775807",
            "9223372036854775808",
        ],
    ),
];

/// Returns a number of seconds with at most 12 digits, so that the year has at most five digits.
pub(crate) fn seconds(text: &str) -> String {
    let number: i64 = text.parse().unwrap_or(i64::MAX);
    (number % 1_000_000_000_000).to_string()
}

/// Returns the number if it has 64 bits, or else the smallest number of 64 bits.
pub(crate) fn nanos(text: &str) -> String {
    let number: i64 = text.parse().unwrap_or(i64::MIN);
    number.to_string()
}

fn parts(moment: OffsetDateTime) -> [String; 4] {
    [
        moment.seconds.to_string(),
        moment.nanos.to_string(),
        moment.offset.to_string(),
        CivilTime::from_unix_seconds(moment.seconds).to_string(),
    ]
}

pub(crate) fn zoned_time(text: &str, _: &str) -> Answer {
    Answer::of(time::parse_time(text, Layout::Zoned).map(parts))
}

pub(crate) fn local_time(text: &str, _: &str) -> Answer {
    Answer::of(time::parse_time(text, Layout::Local).map(parts))
}

pub(crate) fn date(text: &str, _: &str) -> Answer {
    Answer::of(time::parse_date(text).map(parts))
}

pub(crate) fn date_time(text: &str, _: &str) -> Answer {
    Answer::of(time::parse_date_time(text).map(parts))
}

pub(crate) fn civil(text: &str, _: &str) -> Answer {
    let civil = CivilTime::from_unix_seconds(text.parse().unwrap_or_default());
    Answer::Read(vec![
        civil.to_string(),
        civil.day_of_year.to_string(),
        civil.day_of_week.to_string(),
    ])
}

fn length(nanos: i64) -> [String; 2] {
    [nanos.to_string(), GoDuration(nanos).to_string()]
}

pub(crate) fn duration(text: &str, _: &str) -> Answer {
    Answer::without_error(parse_duration(text).map(length))
}

pub(crate) fn duration_format(text: &str, _: &str) -> Answer {
    Answer::of(parse_format_duration(text).map(length))
}

pub(crate) fn duration_printed(text: &str, _: &str) -> Answer {
    Answer::Read(length(text.parse().unwrap_or_default()).into())
}
