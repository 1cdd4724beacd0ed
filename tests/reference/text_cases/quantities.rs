//! Grammars and parsers of Kubernetes quantities, and comparisons of two quantities.

use k8s_go_text::quantity::Quantity;

use crate::floats::bits;
use crate::grammar::Grammar;
use crate::readers::Answer;

pub(crate) const QUANTITY: Grammar = &[
    (
        "quantity",
        // A repeated form is generated more often.
        &[
            "{sign}{number}{suffix}",
            "{sign}{number}{suffix}",
            "{sign}{number}{suffix}",
            "{sign}{number}",
            "{sign}{number}{exponent}",
            "{sign}{number}{exponent}",
            "{sign}{edge}",
            "{edge}",
            "{sign}",
            "",
            "{suffix}",
            "{sign}{number}{suffix}{suffix}",
            "{sign}{number} {suffix}",
            "{odd}",
            "{sign}{number}{suffix}{number}",
            "{sign}{whole}{suffix}",
            "{sign}0.{five}{five}{five}{two}{digit}{suffix}",
            "{sign}{digit}.{five}{five}{five}{two}{suffix}",
            "{sign}{five}{five}{two}{digit}{suffix}",
            "{sign}{digit}.{digit}00{suffix}",
            "{sign}{digit}.{two}{digit}{suffix}",
        ],
    ),
    ("sign", &["", "", "", "-", "+", "--", "-+"]),
    ("two", &["{digit}{digit}", "{digit}"]),
    ("five", &["{digit}{digit}{digit}{digit}{digit}", "00000"]),
    (
        "whole",
        &[
            "{digits}",
            "{digits}000",
            "{digits}000000",
            "1024",
            "{digits}",
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
            "{many digits}",
            "{many digits}.{many digits}",
            "0.{many digits}",
            "{digits}000",
            "{digits}{zeros}",
            "0.{zeros}{digits}",
            "1024",
            "{digits}.{digits}.{digits}",
            "1_000",
            "0{digits}.{digits}0",
            "{digits}.5",
            "{digits}.000",
            "000",
            "1,5",
        ],
    ),
    (
        "zeros",
        &["0", "000", "000000", "000000000", "000000000000"],
    ),
    (
        "suffix",
        &[
            "n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
            "K", "ki", "mi", "i", "Z", "Y", "Eip", "e", "KiB", "B", "g", "µ",
        ],
    ),
    (
        "exponent",
        &[
            "e{esign}{digit}",
            "E{esign}{digit}",
            "e{esign}{digit}{digit}",
            "e{esign}1{digit}",
            "e{esign}{digit}{suffix}",
            "e{digit}.{digit}",
            "ee{digit}",
            "e{esign}",
            "e{esign}0{digit}",
            "e{esign}2{digit}",
            "e{esign}1{digit}{digit}",
            "eé",
            "e{esign}{digit}e{digit}",
        ],
    ),
    ("esign", &["", "+", "-", "--"]),
    (
        "edge",
        &[
            "9223372036854775807",
            "9223372036854775808",
            "9223372036854775809",
            "9.223372036854775807E",
            "8Ei",
            "7Ei",
            "7.9999999999Ei",
            "8.5Ei",
            "9223372036854775807n",
            "9223372036854775808n",
            "9223372036854775807Ki",
            "999999999999999999",
            "1000000000000000000",
            "999999999999999999E",
            "99999999999999",
            "99999999999",
            "99999999999Ki",
            "999999999999Ki",
            "8192Pi",
            "8191Pi",
            "0.0000000001",
            "0.000000001",
            "1n",
            "0.1n",
            "0.5n",
            "0.9n",
            "1e-10",
            "1e-9",
            "1.5n",
            "0Ki",
            "0e5",
            "0.0",
            "1023",
            "1024",
            "1025",
            "1048576Ki",
            "0.5Ki",
            "1.5Ki",
            "1e18",
            "1e19",
            "9e18",
            "12345678901234567890e-20",
            "0e-999999999",
            "1e9223372036854775808",
            "1e2147483647",
            "1e999999999",
            "1e4294967296",
            "1e4294967297",
            "1000000000000000000n",
            "1000m",
            "1500m",
            "1e3",
            "1000k",
            "1000Mi",
            "1E",
            "1Ee3",
            "1e+3",
            "123456789012345678",
            "1234567890123456789",
        ],
    ),
];

pub(crate) const QUANTITIES: Grammar = &[
    (
        "quantity",
        // A repeated form is generated more often.
        &[
            "{sign}{number}{suffix}",
            "{sign}{number}{suffix}",
            "{sign}{number}{suffix}",
            "{sign}{number}",
            "{sign}{number}e{sign}{digit}",
            "{sign}{number}e{sign}{digit}{digit}",
            "{sign}{edge}",
            "0",
            "{number} {suffix}",
        ],
    ),
    ("sign", &["", "", "", "-", "+"]),
    (
        "number",
        &[
            "{digits}",
            "{digit}",
            "{digits}.{digits}",
            "{digit}.5",
            "{many digits}",
            "{many digits}.{many digits}",
            "0.{many digits}",
            "1024",
            "1000",
            "0",
            "0.0",
            "1",
            "0.001",
        ],
    ),
    (
        "suffix",
        &[
            "n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
        ],
    ),
    (
        "edge",
        &[
            "9223372036854775807",
            "9223372036854775808",
            "9223372036854775806",
            "4611686018427387904",
            "9E",
            "8Ei",
            "7Ei",
            "4Ei",
            "9223372036854775807n",
            "9223372036854775808n",
            "1n",
            "0.1n",
            "999999999999999999",
            "1000000000000000000",
            "999999999999999999n",
            "1024Ki",
            "1Mi",
            "0Ki",
            "0e5",
            "1e3",
            "1k",
            "1000",
            "1000m",
            "1e18",
            "1e19",
            "1e150",
        ],
    ),
];

/// Shortens the exponent of a quantity to three digits, unless the grammar lists the quantity. With
/// a larger exponent, Go's time grows with the number of zeros.
pub(crate) fn with_short_exponent(text: &str) -> String {
    let edges = QUANTITY.iter().flat_map(|(_, forms)| *forms);
    if edges.into_iter().any(|edge| *edge == text) {
        return text.to_owned();
    }
    let Some(at) = text.find(['e', 'E']) else {
        return text.to_owned();
    };
    let (number, exponent) = text.split_at(at);
    let mut digits = 0;
    let short_exponent = exponent.chars().filter(|c| {
        digits += usize::from(c.is_ascii_digit());
        digits <= 3 || !c.is_ascii_digit()
    });
    number.chars().chain(short_exponent).collect()
}

pub(crate) fn quantity(text: &str, _: &str) -> Answer {
    let read = Quantity::parse(text);
    Answer::of(read.map(|quantity| {
        let whole = quantity.as_int64();
        [
            quantity.canonical(),
            whole.map_or("none".to_owned(), |whole| whole.to_string()),
            quantity.sign().to_string(),
            bits(quantity.as_approximate_float64()),
        ]
    }))
}

pub(crate) fn quantities(text: &str, other: &str) -> Answer {
    let both = Quantity::parse(text).and_then(|one| Ok((one, Quantity::parse(other)?)));
    let (one, two) = match both {
        Ok(both) => both,
        Err(reason) => return Answer::Error(reason.to_owned()),
    };
    let order = one.cmp(&two) as i8;
    let computed = one
        .plus(&two)
        .and_then(|sum| Ok([sum.canonical(), one.minus(&two)?.canonical()]));
    match computed {
        Ok([sum, difference]) => Answer::Read(vec![order.to_string(), sum, difference]),
        Err(too_long) => Answer::Error(format!("{too_long:?}")),
    }
}
