//! Functions of Kubernetes that the crate `kube-cel` has: URLs, addresses, quantities, versions, formats.

mod bridge;

use super::{Entry, row};
use crate::meter::Meter;
use crate::opaque::{Foreign, Opaque};
use crate::value::{Fault, Val};
use bridge::call;
pub(super) use bridge::text;

type Result<'v, T = Val<'v>> = core::result::Result<T, Fault>;

/// What a call costs.
enum Price {
    One,
    /// A tenth of the first argument's size.
    Text,
    /// Twice that.
    TextTwice,
    /// That of comparing addresses; that of networks is more.
    Address(bool),
    /// That of the longest expression of a format.
    Format,
}

/// An entry whose code calls the function of the same name.
macro_rules! foreign {
    ($name:literal, $price:expr, $member:literal, [$($signature:literal),+]) => {
        ($name, &[row(&[$($signature),+], |meter, args| {
            pay(meter, args, &$price)?;
            call(meter, $name, $member, args)
        })])
    };
}

/// A format, with the length of its expression.
macro_rules! format_of {
    ($name:literal, $size:expr) => {
        (
            $name,
            &[row(&[" -> NamedFormat"], |meter, args| {
                meter.charge(1)?;
                Ok(sized(call(meter, $name, false, args)?, $size))
            })],
        )
    };
}

pub(super) const FUNCTIONS: &[Entry] = &[
    (
        "isLessThan",
        &[row(ORDER, |m, args| match args {
            [
                Val::Opaque(Opaque::Quantity(a)),
                Val::Opaque(Opaque::Quantity(b)),
            ] => compared(m, Val::Bool(a.nanos < b.nanos)),
            _ => compared_versions(m, "isLessThan", args),
        })],
    ),
    (
        "isGreaterThan",
        &[row(ORDER, |m, args| match args {
            [
                Val::Opaque(Opaque::Quantity(a)),
                Val::Opaque(Opaque::Quantity(b)),
            ] => compared(m, Val::Bool(a.nanos > b.nanos)),
            _ => compared_versions(m, "isGreaterThan", args),
        })],
    ),
    (
        "compareTo",
        &[row(
            &["Quantity.Quantity -> int", "Semver.Semver -> int"],
            |m, args| match args {
                [
                    Val::Opaque(Opaque::Quantity(a)),
                    Val::Opaque(Opaque::Quantity(b)),
                ] => compared(m, Val::Int(a.nanos.cmp(&b.nanos) as i64)),
                _ => compared_versions(m, "compareTo", args),
            },
        )],
    ),
    foreign!("url", Price::Text, false, ["string -> URL"]),
    foreign!("isURL", Price::One, false, ["string -> bool"]),
    foreign!("getScheme", Price::One, true, ["URL. -> string"]),
    foreign!("getHost", Price::One, true, ["URL. -> string"]),
    foreign!("getHostname", Price::One, true, ["URL. -> string"]),
    foreign!("getPort", Price::One, true, ["URL. -> string"]),
    foreign!("getEscapedPath", Price::One, true, ["URL. -> string"]),
    foreign!(
        "getQuery",
        Price::One,
        true,
        ["URL. -> map(string, list(string))"]
    ),
    (
        "ip",
        &[row(&["string -> IP", "CIDR. -> IP"], |meter, args| {
            let is_text = matches!(args, [Val::Text(_)]);
            pay(
                meter,
                args,
                if is_text { &Price::Text } else { &Price::One },
            )?;
            call(meter, "ip", !is_text, args)
        })],
    ),
    foreign!("isIP", Price::Text, false, ["string -> bool"]),
    foreign!(
        "ip.isCanonical",
        Price::TextTwice,
        false,
        ["string -> bool"]
    ),
    foreign!("family", Price::One, true, ["IP. -> int"]),
    foreign!("isUnspecified", Price::One, true, ["IP. -> bool"]),
    foreign!("isLoopback", Price::One, true, ["IP. -> bool"]),
    foreign!("isLinkLocalMulticast", Price::One, true, ["IP. -> bool"]),
    foreign!("isLinkLocalUnicast", Price::One, true, ["IP. -> bool"]),
    foreign!("isGlobalUnicast", Price::One, true, ["IP. -> bool"]),
    (
        "cidr",
        &[row(&["string -> CIDR"], |meter, args| {
            pay(meter, args, &Price::Text)?;
            let bits = match args {
                [Val::Text(text)] => text
                    .as_str()
                    .rsplit_once('/')
                    .and_then(|(_, bits)| bits.parse::<u64>().ok()),
                _ => None,
            };
            Ok(sized(
                call(meter, "cidr", false, args)?,
                bits.unwrap_or_default().div_ceil(8),
            ))
        })],
    ),
    foreign!("isCIDR", Price::Text, false, ["string -> bool"]),
    foreign!(
        "containsIP",
        Price::Address(false),
        true,
        ["CIDR.string -> bool", "CIDR.IP -> bool"]
    ),
    foreign!(
        "containsCIDR",
        Price::Address(true),
        true,
        ["CIDR.string -> bool", "CIDR.CIDR -> bool"]
    ),
    foreign!("masked", Price::One, true, ["CIDR. -> CIDR"]),
    foreign!("prefixLength", Price::One, true, ["CIDR. -> int"]),
    foreign!(
        "semver",
        Price::Text,
        false,
        ["string -> Semver", "string, bool -> Semver"]
    ),
    foreign!(
        "isSemver",
        Price::Text,
        false,
        ["string -> bool", "string, bool -> bool"]
    ),
    foreign!("major", Price::One, true, ["Semver. -> int"]),
    foreign!("minor", Price::One, true, ["Semver. -> int"]),
    foreign!("patch", Price::One, true, ["Semver. -> int"]),
    (
        "format.named",
        &[row(&["string -> optional(NamedFormat)"], |meter, args| {
            meter.charge(1)?;
            Ok(match call(meter, "format.named", false, args)? {
                Val::Null => Val::Optional(None),
                format => Val::some(format),
            })
        })],
    ),
    format_of!("format.dns1123Label", 30),
    format_of!("format.dns1123Subdomain", 60),
    format_of!("format.dns1035Label", 30),
    format_of!("format.dns1035LabelPrefix", 30),
    format_of!("format.dns1123LabelPrefix", 30),
    format_of!("format.dns1123SubdomainPrefix", 60),
    format_of!("format.qualifiedName", 60),
    format_of!("format.labelValue", 40),
    format_of!("format.uri", 1103),
    format_of!("format.uuid", 72),
    format_of!("format.byte", 84),
    format_of!("format.date", 71),
    format_of!("format.datetime", 71),
    foreign!(
        "validate",
        Price::Format,
        true,
        ["NamedFormat.string -> optional(list(string))"]
    ),
    (
        "format",
        &[row(&["string.list(dyn) -> string"], |meter, args| {
            pay(meter, args, &Price::Text)?;
            if let Some(Val::Text(text)) = args.first() {
                check_precision(text.as_str())?;
            }
            call(meter, "format", true, args)
        })],
    ),
];

const ORDER: &[&str] = &["Quantity.Quantity -> bool", "Semver.Semver -> bool"];

fn compared<'v>(meter: &mut Meter<'v>, value: Val<'v>) -> Result<'v> {
    meter.charge(1)?;
    Ok(value)
}

fn compared_versions<'v>(
    meter: &mut Meter<'v>,
    name: &'static str,
    args: &[Val<'v>],
) -> Result<'v> {
    meter.charge(1)?;
    call(meter, name, true, args)
}

fn pay<'v>(meter: &mut Meter<'v>, args: &[Val<'v>], price: &Price) -> Result<'v, ()> {
    let size = |at: usize| args.get(at).map_or(1, Val::size);
    match price {
        Price::One => meter.charge(1),
        Price::Text => meter.charge_tenths(size(0)),
        Price::TextTwice => meter.charge_tenths(size(0) * 2),
        Price::Address(more) => {
            let text = match args.get(1) {
                Some(Val::Text(text)) => text.size().div_ceil(10),
                _ => 0,
            };
            let own = if *more { size(0).div_ceil(10) + 1 } else { 0 };
            meter.charge((size(0) * 2).div_ceil(10) + own + text)
        }
        Price::Format => {
            let cost = (size(1) + 1)
                .div_ceil(10)
                .saturating_mul(size(0).div_ceil(4));
            meter.charge(cost)
        }
    }
}

/// A precision of millions of digits is refused: they would all be written.
fn check_precision(text: &str) -> Result<'static, ()> {
    for clause in text.split('%').skip(1) {
        let digits = clause.strip_prefix('.').unwrap_or_default();
        if digits.bytes().take_while(u8::is_ascii_digit).count() > 3 {
            return Err(Fault::Unsupported(
                "it formats with thousands of digits".into(),
            ));
        }
    }
    Ok(())
}

/// The value with what costs depend on.
fn sized(value: Val<'_>, size: u64) -> Val<'_> {
    match value {
        Val::Opaque(Opaque::Foreign(foreign)) => {
            Val::Opaque(Opaque::Foreign(Foreign { size, ..foreign }))
        }
        value => value,
    }
}
