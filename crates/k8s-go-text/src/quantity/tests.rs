//! Tests of the order, the sums and the printed form of quantities.

use super::{Quantity, TooManyDigitsError};

fn quantity(string: &str) -> Quantity {
    Quantity::parse(string).expect(string)
}

#[test]
fn quantities_have_an_order() {
    let strings = [
        "-1e400",
        "-10E",
        "-9E",
        "-1.5",
        "-1m",
        "0",
        "1n",
        "1m",
        "0.5",
        "1",
        "1Ki",
        "1e30",
        "1e400",
        "1e401",
        "1e2147483647",
    ];
    assert!(strings.map(quantity).is_sorted_by(|a, b| a < b));
    for equal in [
        ["1000m", "1"],
        ["1Ki", "1024"],
        ["0", "0e400"],
        ["P", "-0"],
        ["1e30", "1000000000000000000000000000000"],
    ] {
        let [a, b] = equal.map(quantity);
        assert_eq!(a, b);
    }
}

#[test]
fn sums_are_exact() {
    for (a, b, sum, difference) in [
        ("1k", "1m", "1000.001", "999.999"),
        ("9E", "9E", "18E", "0"),
        ("1Ei", "1", "1152921504606846977", "1152921504606846975"),
        (
            "1e30",
            "-1",
            "999999999999999999999999999999",
            "1000000000000000000000000000001",
        ),
        (
            "-1.5",
            "1e25",
            "9999999999999999999999998.5",
            "-10000000000000000000000001.5",
        ),
    ] {
        let (a, b) = (quantity(a), quantity(b));
        assert_eq!(a.plus(&b), Ok(quantity(sum)));
        assert_eq!(a.minus(&b), Ok(quantity(difference)));
        assert_eq!(
            quantity(sum).to_string(),
            sum.replace("18E", "18000000000000000000")
        );
    }
    let large = quantity("1e2147483647");
    assert_eq!(large.plus(&quantity("1")), Err(TooManyDigitsError));
    assert_eq!(large.minus(&large), Ok(quantity("0")));
}

#[test]
fn approximate_floats_are_those_of_a_server() {
    for (string, float) in [
        ("1.1", 1.1),
        ("12e33", 1.200_000_000_000_000_2e34),
        ("12345678901234567890e-20", 0.123_456_790_000_000_01),
        ("1e308", 1e308),
        ("1e309", f64::INFINITY),
        ("-8Ei", -9_223_372_036_854_775_808.0),
    ] {
        assert_eq!(
            quantity(string).as_approximate_float64().to_bits(),
            f64::to_bits(float),
            "{string}"
        );
    }
    assert!(quantity("0e400").as_approximate_float64().is_nan());
}

#[test]
fn integers_are_those_of_a_server() {
    for (string, integer) in [
        ("1.50k", Some(1500)),
        ("1Ti", Some(1 << 40)),
        ("999999999999999999", Some(999_999_999_999_999_999)),
        ("9E", Some(9_000_000_000_000_000_000)),
        ("0.12345678901234567E", Some(123_456_789_012_345_670)),
        ("0.123456789012345678E", None),
        (".123456789012345678E", None),
        ("1.23456789012345678E", Some(1_234_567_890_123_456_780)),
        ("0e400", Some(0)),
        ("1.0", None),
        ("1000m", None),
        ("1Pi", None),
        ("1000000000000000000", None),
        ("10E", None),
    ] {
        assert_eq!(quantity(string).as_int64(), integer, "{string}");
    }
}
