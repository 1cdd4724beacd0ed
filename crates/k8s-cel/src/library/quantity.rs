//! Quantities such as `1.5Gi`, counted in billionths.

use std::rc::Rc;

use super::{Entry, row};
use crate::meter::Meter;
use crate::opaque::{Opaque, Quantity};
use crate::split::split_while;
use crate::value::{Fault, Val};

type Result<'v> = core::result::Result<Val<'v>, Fault>;

const TWO: &[&str] = &["Quantity.Quantity -> Quantity", "Quantity.int -> Quantity"];

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "quantity",
        &[row(&["string -> Quantity"], |m, args| {
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            m.charge_tenths(text.size())?;
            parse(text.as_str()).map(quantity)
        })],
    ),
    (
        "isQuantity",
        &[row(&["string -> bool"], |m, args| {
            let [Val::Text(text)] = args else {
                return Err(Fault::no_such_overload());
            };
            m.charge_tenths(text.size())?;
            match parse(text.as_str()) {
                Ok(_) => Ok(Val::Bool(true)),
                Err(Fault::Error(_)) => Ok(Val::Bool(false)),
                Err(fault) => Err(fault),
            }
        })],
    ),
    (
        "sign",
        &[row(&["Quantity -> int"], |m, args| {
            of(m, args, |q| {
                Ok(Val::Int(
                    i64::try_from(q.nanos.signum()).unwrap_or_default(),
                ))
            })
        })],
    ),
    (
        "isInteger",
        &[row(&["Quantity. -> bool"], |m, args| {
            of(m, args, |q| Ok(Val::Bool(whole(q).is_some())))
        })],
    ),
    (
        "asInteger",
        &[row(&["Quantity. -> int"], |m, args| {
            of(m, args, |q| {
                let whole = whole(q);
                whole
                    .map(Val::Int)
                    .ok_or_else(|| Fault::error("cannot convert value to integer"))
            })
        })],
    ),
    (
        "asApproximateFloat",
        &[row(&["Quantity. -> double"], |m, args| {
            of(m, args, |q| Ok(Val::Double(approximate(q.nanos))))
        })],
    ),
    (
        "add",
        &[row(TWO, |m, args| both(m, args, i128::checked_add))],
    ),
    (
        "sub",
        &[row(TWO, |m, args| both(m, args, i128::checked_sub))],
    ),
];

const NANOS: i128 = 1_000_000_000;

/// What the server says of a text that is none.
const FORMAT: &str =
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

fn quantity<'v>(quantity: Quantity) -> Val<'v> {
    Val::Opaque(Opaque::Quantity(Rc::new(quantity)))
}

fn too_large() -> Fault {
    Fault::Unsupported("the quantity is too large for this library".into())
}

/// Reads a quantity; what is finer than a billionth is rounded away from zero.
fn parse(text: &str) -> core::result::Result<Quantity, Fault> {
    let wrong = || Fault::error(FORMAT);
    let (negative, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (number, suffix) = split_while(rest, |c| c.is_ascii_digit() || c == '.');
    let (before, after) = number.split_once('.').unwrap_or((number, ""));
    if before.is_empty() && after.is_empty() || after.contains('.') {
        return Err(wrong());
    }
    let (multiplier, exponent) = scale(suffix).ok_or_else(|| {
        let is_suffix = suffix
            .bytes()
            .all(|b| b"eEinumkKMGTP+-0123456789".contains(&b));
        if is_suffix {
            Fault::error("unable to parse quantity's suffix")
        } else {
            wrong()
        }
    })?;
    let places = i64::try_from(after.len()).unwrap_or(i64::MAX);
    let is_long = before.len().saturating_add(after.len()) > 18;
    let is_fine = is_long
        || if multiplier == 1 {
            exponent < places
        } else {
            places > 0
        };
    let before = before.trim_start_matches('0');
    let after = after.trim_end_matches('0');
    let digits = format!("{before}{after}");
    let mantissa: i128 = match digits.trim_start_matches('0') {
        "" => return Ok(Quantity { nanos: 0, is_fine }),
        digits if digits.len() > 24 => return Err(too_large()),
        digits => digits.parse().map_err(|_| wrong())?,
    };
    let exponent = exponent + 9 - i64::try_from(after.len()).unwrap_or(i64::MAX);
    let mantissa = mantissa.checked_mul(multiplier).ok_or_else(too_large)?;
    let nanos = match u32::try_from(exponent.unsigned_abs())
        .ok()
        .and_then(|e| 10_i128.checked_pow(e))
    {
        Some(power) if exponent >= 0 => mantissa.checked_mul(power).ok_or_else(too_large)?,
        None if exponent >= 0 => return Err(too_large()),
        Some(power) => mantissa / power + i128::from(mantissa % power != 0),
        None => 1,
    };
    let nanos = if negative { -nanos } else { nanos };
    Ok(Quantity { nanos, is_fine })
}

/// The factor and the power of ten of a suffix.
fn scale(suffix: &str) -> Option<(i128, i64)> {
    Some(match suffix {
        "" => (1, 0),
        "n" => (1, -9),
        "u" => (1, -6),
        "m" => (1, -3),
        "k" => (1, 3),
        "M" => (1, 6),
        "G" => (1, 9),
        "T" => (1, 12),
        "P" => (1, 15),
        "E" => (1, 18),
        "Ki" => (1 << 10, 0),
        "Mi" => (1 << 20, 0),
        "Gi" => (1 << 30, 0),
        "Ti" => (1 << 40, 0),
        "Pi" => (1 << 50, 0),
        "Ei" => (1 << 60, 0),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E'])?;
            (1, i64::from(exponent.parse::<i32>().ok()?))
        }
    })
}

/// The value as a whole number, if it is one.
fn whole(q: Quantity) -> Option<i64> {
    if q.is_fine || q.nanos % NANOS != 0 {
        return None;
    }
    i64::try_from(q.nanos / NANOS).ok()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the function is called approximate"
)]
fn approximate(nanos: i128) -> f64 {
    if nanos % NANOS == 0 {
        return (nanos / NANOS) as f64;
    }
    nanos as f64 / NANOS as f64
}

fn of<'v>(
    meter: &mut Meter<'v>,
    args: &[Val<'v>],
    result: fn(Quantity) -> Result<'v>,
) -> Result<'v> {
    meter.charge(1)?;
    match args {
        [Val::Opaque(Opaque::Quantity(q))] => result(**q),
        _ => Err(Fault::no_such_overload()),
    }
}

fn both<'v>(
    meter: &mut Meter<'v>,
    args: &[Val<'v>],
    result: fn(i128, i128) -> Option<i128>,
) -> Result<'v> {
    meter.charge(1)?;
    let (a, b) = match args {
        [
            Val::Opaque(Opaque::Quantity(a)),
            Val::Opaque(Opaque::Quantity(b)),
        ] => (**a, **b),
        [Val::Opaque(Opaque::Quantity(a)), Val::Int(b)] => {
            let nanos = i128::from(*b) * NANOS;
            (
                **a,
                Quantity {
                    nanos,
                    is_fine: false,
                },
            )
        }
        _ => return Err(Fault::no_such_overload()),
    };
    let nanos = result(a.nanos, b.nanos).ok_or_else(too_large)?;
    let is_fine = a.is_fine || b.is_fine;
    Ok(quantity(Quantity { nanos, is_fine }))
}

#[cfg(test)]
mod tests {
    use super::{Fault, parse};

    #[test]
    fn quantities_are_read() {
        let cases = [
            ("1", 1_000_000_000),
            ("-1.5", -1_500_000_000),
            ("1k", 1_000_000_000_000),
            ("1Ki", 1_024_000_000_000),
            ("1.5Ki", 1_536_000_000_000),
            ("100m", 100_000_000),
            ("1e3", 1_000_000_000_000),
            ("1E-3", 1_000_000),
            ("0.0000000001", 1),
            ("1e-999999999", 1),
            (".5", 500_000_000),
            ("+0", 0),
        ];
        for (text, nanos) in cases {
            assert_eq!(parse(text).ok().map(|q| q.nanos), Some(nanos), "{text}");
        }
        for text in ["", "x", "1x", "1.2.3", "1 k", "--1", "1ee3", "1e", "k"] {
            assert!(matches!(parse(text), Err(Fault::Error(_))), "{text}");
        }
        assert!(matches!(parse("1e999999999"), Err(Fault::Unsupported(_))));
    }
}
