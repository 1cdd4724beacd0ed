//! Grammars and readers of floats.

use k8s_go_text::float;
use k8s_go_text::number::{JsonFloat, JsonNumber, format_shortest, truncate};

use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const FLOAT: Grammar = &[
    (
        "float",
        &[
            "{sign}{decimal}",
            "{sign}{decimal}",
            "{sign}{decimal}{exponent}",
            "{sign}{decimal}{exponent}",
            "{sign}{hex}",
            "{sign}{hex}",
            "{sign}{word}",
            "{sign}0x1.{mantissa}p{esign}{small}",
            "{sign}0x1.{mantissa}p{esign}{digit}",
            "{sign}0x1.{mantissa}p{esign}{digit}{digit}{digit}",
            "{sign}{edge}",
            "{sign}{edge}",
            "{sign}",
            "",
            "{sign}{decimal}{odd}",
            " {decimal}",
            "{decimal} ",
            "{sign}{bits}p{small}",
        ],
    ),
    ("sign", &["", "", "+", "-", "--", "+-"]),
    (
        "decimal",
        &[
            "{digits}",
            "{digits}.{digits}",
            "{digits}.",
            ".{digits}",
            ".",
            "{many digits}",
            "{many digits}.{many digits}",
            "0.{many digits}",
            "{digits}_{digits}",
            "_{digits}",
            "{digits}_",
            "{digits}__{digits}",
            "{digits}_.{digits}",
            "{digits}._{digits}",
            "{digits}.{digits}.{digits}",
            "{digits}.{digits}_{digits}",
            "1{zeros}",
            "0.{zeros}{digits}",
        ],
    ),
    (
        "zeros",
        &[
            "0",
            "000",
            "0000000000",
            "00000000000000000000",
            "{zeros}{zeros}",
        ],
    ),
    (
        "exponent",
        &[
            "e{esign}{small}",
            "E{esign}{small}",
            "e{esign}{digits}",
            "e",
            "e+",
            "e{esign}{digits}_{digits}",
            "e_{digits}",
            "_e{digits}",
            "e{esign}30{digit}",
            "e{esign}32{digit}",
            "e{esign}{many digits}",
            "e1.5",
            "p{small}",
        ],
    ),
    ("esign", &["", "+", "-", "--"]),
    (
        "small",
        &[
            "0", "1", "-1", "5", "-5", "20", "21", "-7", "22", "308", "-308", "-324", "100",
            "-100", "6", "-4",
        ],
    ),
    (
        "hex",
        &[
            "0x{hexdigits}p{esign}{small}",
            "0X{hexdigits}P{esign}{digits}",
            "0x{hexdigits}.{hexdigits}p{esign}{small}",
            "0x.{hexdigits}p{small}",
            "0x{hexdigits}",
            "0xp1",
            "0x{hexdigits}.p0",
            "0x_{hexdigits}p{digits}",
            "0x{hexdigits}_{hexdigits}p1",
            "0x{bits}p-10{digit}{digit}",
            "0x1.{bits}p-10{digit}{digit}",
            "0x{hexdigits}p",
            "0x1.{bits}p102{digit}",
            "0x{bits}{bits}p-{digits}",
            "0x{hexdigits}p_1",
            "0_x1p0",
            "0x.p1",
            "0x1.{bits}{bits}p{small}",
            "0x{hexdigits}p{many digits}",
            "0x{hexdigits}p-{many digits}",
            "0x{hexdigits}p1_0",
            "0x{zeros}{bits}p3",
        ],
    ),
    (
        "mantissa",
        &[
            "{hexdigits}",
            "{hexdigit}{hexdigits}{hexdigits}{hexdigit}",
            "{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}",
        ],
    ),
    (
        "hexdigit",
        &["0", "1", "7", "8", "9", "a", "B", "f", "F", "c"],
    ),
    (
        "hexdigits",
        &[
            "{hexdigit}",
            "{hexdigit}{hexdigit}",
            "{hexdigit}{hexdigits}",
            "{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}{hexdigit}",
        ],
    ),
    (
        "bits",
        &[
            "fffffffffffff",
            "fffffffffffff8",
            "fffffffffffff7",
            "fffffffffffff9",
            "10000000000000",
            "100000000000008",
            "20000000000001",
            "1fffffffffffff",
            "{hexdigits}{hexdigits}{hexdigits}{hexdigits}",
            "ffffffffffffffff",
            "80000000000004000000001",
            "8",
            "00000000000008",
        ],
    ),
    (
        "word",
        &[
            "inf", "Inf", "INF", "infinity", "Infinity", "iNfInItY", "nan", "NaN", "NAN",
            "infinit", "infi", "na", "in", "nane", "infx", "i",
        ],
    ),
    (
        "edge",
        &[
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "1.797693134862315807e308",
            "4.9e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072014e-308",
            "2.2250738585072011e-308",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.00000000000000000001",
            "0.1",
            "0.3",
            "1e21",
            "999999999999999999999",
            "1e20",
            "1e-6",
            "0.000001",
            "0.0000009999999",
            "0.0001",
            "0.00001",
            "123456",
            "999999.5",
            "1000000",
            "1234567",
            "123456789",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "1e23",
            "8.41e21",
            "5e-324",
            "2e-44",
            "9.5367431640625e-7",
            "4503599627370496.5",
            "1125899906842624.125",
            "0",
            "4294967296.5",
            "562949953421312.{digits}",
            "140737488355328.{digits}",
            "100000",
            "99999.99",
            "2251799813685248.25",
            "2251799813685248.75",
            "{digits}25",
            "1e400",
            "1e-400",
        ],
    ),
];

/// Returns the bits of the float in a string. If the string is not a float, or the float is not
/// finite, returns the bits of 0.5.
pub(crate) fn float_bits(text: &str) -> String {
    let float = float::parse(text).filter(|float| float.is_finite());
    format!("{:016x}", float.unwrap_or(0.5).to_bits())
}

pub(crate) fn bits(float: f64) -> String {
    if float.is_nan() {
        "NaN".to_owned()
    } else {
        format!("{:016x}", float.to_bits())
    }
}

pub(crate) fn float(text: &str, _: &str) -> Answer {
    Answer::without_error(float::parse(text).map(|float| [bits(float)]))
}

pub(crate) fn float_printed(text: &str, _: &str) -> Answer {
    let bits = u64::from_str_radix(text, 16).unwrap_or_default();
    let float = f64::from_bits(bits);
    Answer::Read(vec![
        JsonFloat(float).to_string(),
        JsonNumber::Float(float).to_string(),
        format_shortest(float),
        truncate(float).to_string(),
    ])
}
