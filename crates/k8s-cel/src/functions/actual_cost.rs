//! Actual costs of calls. The server computes them from the arguments even if the call fails, so
//! each price accepts any values.

#![expect(
    clippy::unnecessary_wraps,
    reason = "all prices are functions of one type, and some of them fail"
)]

use super::estimated_cost::{AUTHORIZER_CHECK, selector_of};
use crate::cost::tracker::CostTracker;
use crate::values::equal::{element, entry_by_key, keys};
use crate::values::go_print::{declared_go_type, to_go_string};
use crate::values::opaque::Opaque;
use crate::values::value::{EvalError, Val, code_point_count};

type CostResult = Result<u64, EvalError>;

fn size(args: &[Val<'_>], at: usize) -> u64 {
    args.get(at).map_or(1, Val::size)
}

/// Returns the size of an argument of a Kubernetes library function. Unlike [`size`], it does not
/// look inside optional values.
fn own_size(args: &[Val<'_>], at: usize) -> u64 {
    match args.get(at) {
        Some(Val::Optional(_)) => 1,
        _ => size(args, at),
    }
}

const fn tenths(size: u64) -> u64 {
    size.div_ceil(10)
}

/// Returns the price of reading a string.
pub(super) fn reading<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(own_size(args, 0)))
}

/// Returns the price of reading a string, for functions of cel-go: see [`reading`].
pub(super) fn traversal<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(args, 0)))
}

/// Returns the price of [`traversal`], for a string alone.
pub(super) fn traversal_of(text: &str, _: &str) -> u64 {
    tenths_of(text)
}

/// Returns a tenth of the number of code points of a string. A string of up to ten bytes need not
/// be counted.
#[inline]
fn tenths_of(text: &str) -> u64 {
    match text.len() {
        0 => 0,
        1..=10 => 1,
        _ => tenths(code_point_count(text)),
    }
}

/// Returns the price of reading a string and writing it again.
pub(super) fn rewriting<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(own_size(args, 0).saturating_mul(2)))
}

/// Returns the price of a search for a string in another string.
pub(super) fn search<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(args, 0)).saturating_mul(tenths(size(args, 1))))
}

/// Returns the price of [`search`], for strings alone.
pub(super) fn search_of(text: &str, part: &str) -> u64 {
    tenths_of(text).saturating_mul(tenths_of(part))
}

/// Returns the price of concatenating two strings.
pub(super) fn joining<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(args, 0).saturating_add(size(args, 1))))
}

/// Returns the price of comparing two values up to the end of the shorter one.
pub(super) fn comparison<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(args, 0).min(size(args, 1))))
}

/// Returns the price of [`comparison`], for strings alone.
#[inline]
pub(crate) fn comparison_of(one: &str, two: &str) -> u64 {
    tenths_of(one).min(tenths_of(two))
}

/// Returns the price of [`comparison`], or one for values of a type of Kubernetes.
pub(super) fn equality<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    match args.first() {
        Some(Val::Opaque(_)) => Ok(1),
        _ => comparison(meter, args),
    }
}

/// Returns the price of a search for a regular expression, the second argument, in a string.
pub(super) fn matching<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(by_pattern(size(args, 0), size(args, 1)))
}

/// Returns the price of [`matching`], for functions of the Kubernetes library.
pub(super) fn finding<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(by_pattern(own_size(args, 0), own_size(args, 1)))
}

/// Returns the price of a search for a regular expression of a size in a string.
pub(crate) fn matching_of(text: &str, pattern: u64) -> u64 {
    by_pattern(code_point_count(text), pattern)
}

const fn by_pattern(text: u64, pattern: u64) -> u64 {
    tenths(text.saturating_add(1)).saturating_mul(pattern.div_ceil(4))
}

/// Returns the price of checking a string against a format.
pub(super) fn validation<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(match args {
        [Val::Opaque(Opaque::Format(format)), _] => by_pattern(own_size(args, 1), format.size),
        _ => 1,
    })
}

/// Returns the price of comparing a network with an address, by the bytes of its prefix.
pub(super) fn address<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(own_size(args, 0).saturating_mul(2)))
}

/// Returns the price of [`address`], for an address that is parsed.
pub(super) fn address_text<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(address(meter, args)?.saturating_add(tenths(size(args, 1))))
}

/// Returns the price of comparing two networks.
pub(super) fn network<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let masked = tenths(own_size(args, 0)).saturating_add(1);
    Ok(address(meter, args)?.saturating_add(masked))
}

/// Returns the price of [`network`], if the second network is parsed.
pub(super) fn network_text<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(network(meter, args)?.saturating_add(tenths(size(args, 1))))
}

/// Returns the price of reading each element of the second argument.
pub(super) fn second<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(size(args, 1))
}

/// Returns the price of comparing each element of a list with each element of another list.
pub(super) fn pairs<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(own_size(args, 0)
        .saturating_mul(own_size(args, 1))
        .saturating_add(1))
}

/// Returns the price of [`pairs`], in both directions.
pub(super) fn pairs_twice<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let pairs = own_size(args, 0).saturating_mul(own_size(args, 1));
    Ok(pairs.saturating_mul(2).saturating_add(1))
}

/// Returns the price of a question to the authorizer.
pub(super) const fn check<'v>(_: &CostTracker<'v>, _: &[Val<'v>]) -> CostResult {
    Ok(AUTHORIZER_CHECK)
}

/// Returns the price of parsing a selector.
pub(super) fn selector<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(selector_of(own_size(args, 1)))
}

/// Returns the price of reading a value and all values inside.
pub(super) fn walk<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(args.first().map_or(0, |value| all_of(meter, value)))
}

fn all_of<'v>(meter: &CostTracker<'v>, value: &Val<'v>) -> u64 {
    // An invalid value counts as one value.
    let of = |found: Option<Result<Val<'v>, EvalError>>| match found {
        Some(Ok(value)) => all_of(meter, &value),
        _ => 1,
    };
    match value {
        Val::String(text) => text.as_str().len() as u64 / 10,
        Val::Bytes(bytes) => bytes.len() as u64 / 10,
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => (0_usize..)
            .map_while(|at| element(meter.declared, value, at))
            .map(|found| of(Some(found)))
            .fold(0, u64::saturating_add),
        Val::Map(_) | Val::JsonObject(..) => keys(meter.declared, value)
            .iter()
            .enumerate()
            .map(|(at, key)| {
                let found = entry_by_key(meter.declared, value, at, key);
                all_of(meter, key).saturating_add(of(found))
            })
            .fold(0, u64::saturating_add),
        _ => 1,
    }
}

/// Returns the price of creating a list of a size, including the price of the call.
const fn making(size: u64) -> u64 {
    size.wrapping_add(11)
}

/// Returns the price of copying a list. A failed call costs as much as one element.
pub(super) fn copying<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(making(match args {
        [list @ (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_))] => list.size(),
        _ => 1,
    }))
}

/// Returns the price of a slice of a list. A failed call costs as much as one element.
pub(super) fn slice<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let found = match args {
        [
            list @ (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)),
            Val::Int(from),
            Val::Int(to),
        ] => {
            let (from, to) = (u64::try_from(*from).ok(), u64::try_from(*to).ok());
            let to = to.filter(|to| *to <= list.size());
            from.zip(to).and_then(|(from, to)| to.checked_sub(from))
        }
        _ => None,
    };
    Ok(making(found.unwrap_or(1)))
}

/// Returns the price of a list of numbers. A failed call costs as much as one number.
pub(super) fn range<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(making(match args {
        [Val::Int(end)] => u64::try_from(*end).unwrap_or_default(),
        _ => 1,
    }))
}

/// Returns the price of flattening lists. The server multiplies with floats, so a negative number
/// of levels has a negative cost.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server casts it like this"
)]
pub(super) fn flatten<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let levels = match args {
        [_] => 1,
        [_, Val::Int(levels)] => *levels,
        [_, other] => {
            let text = format!(
                "internal error: interface conversion: ref.Val is {}, not types.Int",
                declared_go_type(meter.declared, other)
            );
            return Err(EvalError::ServerPanic(text.into()));
        }
        _ => return Ok(1),
    };
    let cost = levels as f64 * own_size(args, 0) as f64;
    Ok(making(if cost < 0.0 {
        (cost as i64).cast_unsigned()
    } else if cost < 2.0_f64.powi(64) {
        cost as u64
    } else {
        1 << 63
    }))
}

/// Returns the price of joining the strings of a list: they are read and written. A failed call
/// costs as much as one code point.
pub(super) fn joined<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    joined_by(meter, args, |value| match value {
        Val::String(text) => Some(text.size()),
        _ => None,
    })
}

/// Returns the price of [`joined`], if the elements are converted to Go strings.
pub(super) fn joined_converted<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    // The server takes a list for a list of strings only if its first element is a string.
    let first = args
        .first()
        .and_then(|list| element(meter.declared, list, 0));
    let is_taken = matches!(first, None | Some(Ok(Val::String(_))));
    joined_by(meter, args, |value| {
        let text = to_go_string(value).ok().filter(|_| is_taken)?;
        Some(text.size())
    })
}

fn joined_by<'v>(
    meter: &CostTracker<'v>,
    args: &[Val<'v>],
    size_of: impl Fn(&Val<'v>) -> Option<u64>,
) -> CostResult {
    let by = match args {
        [_] => Some(0),
        [_, Val::String(by)] => Some(by.size()),
        _ => None,
    };
    let length = by.zip(args.first()).and_then(|(by, list)| {
        let is_list = matches!(
            list,
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
        );
        let texts = (0_usize..).map_while(|at| element(meter.declared, list, at));
        let texts: Option<u64> = texts.map(|text| size_of(&text.ok()?)).sum();
        let between = list.size().saturating_sub(1).saturating_mul(by);
        texts.filter(|_| is_list)?.checked_add(between)
    });
    Ok(tenths(length.unwrap_or(1).saturating_mul(2)))
}

/// Returns the price of comparing each element with each element, and of creating a list.
pub(super) fn sorting<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    args.first().map_or(Ok(1), |list| comparing(meter, list))
}

/// Returns the price of [`sorting`], by the keys in the second argument.
pub(super) fn sorting_by<'v>(meter: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    args.get(1).map_or(Ok(1), |keys| comparing(meter, keys))
}

fn comparing<'v>(meter: &CostTracker<'v>, list: &Val<'v>) -> CostResult {
    check_countable(list)?;
    let pairs = list.size().saturating_mul(list.size());
    let is_text = matches!(
        element(meter.declared, list, 0),
        Some(Ok(Val::String(_) | Val::Bytes(_)))
    );
    let more = if is_text { pairs / 10 } else { 0 };
    Ok(making(pairs.saturating_mul(2).saturating_add(more)))
}

/// Returns the error of an API server that panics because it counts the elements of a value that is
/// not a list.
fn check_countable(list: &Val<'_>) -> Result<(), EvalError> {
    let missing = match list {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => return Ok(()),
        // These types have `Add` but not `Contains`.
        Val::Int(_)
        | Val::Uint(_)
        | Val::Double(_)
        | Val::String(_)
        | Val::Bytes(_)
        | Val::Timestamp(_)
        | Val::Duration(_) => "Contains",
        _ => "Add",
    };
    let text = format!(
        "internal error: interface conversion: {} is not traits.Lister: missing method {missing}",
        list.go_type()
    );
    Err(EvalError::ServerPanic(text.into()))
}
