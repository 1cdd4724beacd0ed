//! Actual costs of calls, as cel-go's `CostTracker` computes them. A failed call has a cost too, so
//! each function here accepts any arguments.

#![expect(
    clippy::unnecessary_wraps,
    reason = "all cost functions have one type, and some of them fail"
)]

use super::estimated_cost::{AUTHORIZER_CHECK, selector_cost};
use super::row::MAX_RANGE;
use crate::cost::tracker::CostTracker;
use crate::types::feature::Feature;
use crate::values::equal::{element, entry_by_key, keys};
use crate::values::go_print::{declared_go_type, to_go_string};
use crate::values::value::{EvalError, Val, code_point_count};

type CostResult = Result<u64, EvalError>;

/// Returns the size of an argument of a function of cel-go.
fn size(tracker: &CostTracker<'_>, args: &[Val<'_>], index: usize) -> u64 {
    match args.get(index) {
        Some(Val::Optional(_)) if !tracker.declared_types.has(Feature::OptionalSizes) => 1,
        argument => argument.map_or(1, Val::size),
    }
}

/// Returns the size of an argument of a Kubernetes library function. Unlike [`size`], it does not
/// unwrap optional values.
fn library_size(args: &[Val<'_>], index: usize) -> u64 {
    match args.get(index) {
        Some(Val::Optional(_)) => 1,
        argument => argument.map_or(1, Val::size),
    }
}

const fn tenths(size: u64) -> u64 {
    size.div_ceil(10)
}

/// Returns the cost of reading a string, for functions of the Kubernetes libraries.
pub(super) fn reading<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(library_size(args, 0)))
}

/// Returns the cost of [`reading`], for functions of cel-go.
pub(super) fn traversal<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(tracker, args, 0)))
}

/// Returns the cost of [`traversal`] for a borrowed string.
pub(super) fn borrowed_traversal(string: &str, _: &str) -> u64 {
    borrowed_tenths(string)
}

/// Returns the cost of a test for a prefix or suffix.
pub(super) fn affix<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(tracker, args, 1)))
}

/// Returns the cost of [`affix`] for borrowed strings.
pub(super) fn borrowed_affix(_: &str, affix: &str) -> u64 {
    borrowed_tenths(affix)
}

/// Returns a tenth of the number of code points of a string, rounded up. Strings of up to ten bytes
/// need no counting.
#[inline]
fn borrowed_tenths(string: &str) -> u64 {
    match string.len() {
        0 => 0,
        1..=10 => 1,
        _ => tenths(code_point_count(string)),
    }
}

/// Returns the cost of reading a string and writing another.
pub(super) fn rewriting<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(library_size(args, 0).saturating_mul(2)))
}

/// Returns the cost of a search for a substring.
pub(super) fn search<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(tracker, args, 0)).saturating_mul(tenths(size(tracker, args, 1))))
}

/// Returns the cost of [`search`] for borrowed strings.
pub(super) fn borrowed_search(string: &str, substring: &str) -> u64 {
    borrowed_tenths(string).saturating_mul(borrowed_tenths(substring))
}

/// Returns the cost of concatenating two strings.
pub(super) fn string_concatenation<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(
        size(tracker, args, 0).saturating_add(size(tracker, args, 1)),
    ))
}

/// Returns the cost of comparing two values up to the end of the shorter value.
pub(super) fn comparison<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(size(tracker, args, 0).min(size(tracker, args, 1))))
}

/// Returns the cost of [`comparison`] for borrowed strings.
#[inline]
pub(crate) fn borrowed_comparison(left: &str, right: &str) -> u64 {
    borrowed_tenths(left).min(borrowed_tenths(right))
}

/// Returns the cost of [`comparison`], which is 1 for opaque types of Kubernetes.
pub(super) fn equality<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    match args.first() {
        Some(Val::Opaque(_)) => Ok(1),
        _ => comparison(tracker, args),
    }
}

/// Returns the cost of matching a string against a regular expression, the second argument.
pub(super) fn matching<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(regex_cost(size(tracker, args, 0), size(tracker, args, 1)))
}

/// Returns the cost of [`matching`], for functions of the Kubernetes libraries.
pub(super) fn finding<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(regex_cost(library_size(args, 0), library_size(args, 1)))
}

/// Returns the cost of matching a borrowed string against a regular expression of the given size.
pub(crate) fn borrowed_matching(string: &str, pattern: u64) -> u64 {
    regex_cost(code_point_count(string), pattern)
}

/// Returns the cost of a match. As in cel-go, 1 is added to the size of the string, so that
/// matching the empty string is not free.
const fn regex_cost(string: u64, pattern: u64) -> u64 {
    tenths(string.saturating_add(1)).saturating_mul(pattern.div_ceil(4))
}

/// Returns the cost of checking a string against a format.
pub(super) fn validation<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let format = match args {
        [Val::Opaque(value), _] => value.as_format(),
        _ => None,
    };
    Ok(format.map_or(1, |format| regex_cost(library_size(args, 1), format.size)))
}

/// Returns the cost of comparing a network with an address, from the bytes of the network's prefix.
pub(super) fn address<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(tenths(library_size(args, 0).saturating_mul(2)))
}

/// Returns the cost of [`address`] for an address that the call parses from a string.
pub(super) fn address_string<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(address(tracker, args)?.saturating_add(tenths(library_size(args, 1))))
}

/// Returns the cost of comparing two networks.
pub(super) fn network<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let masking_cost = tenths(library_size(args, 0)).saturating_add(1);
    Ok(address(tracker, args)?.saturating_add(masking_cost))
}

/// Returns the cost of [`network`] for a second network that the call parses from a string.
pub(super) fn network_string<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(network(tracker, args)?.saturating_add(tenths(library_size(args, 1))))
}

/// Returns the cost of reading each element of the second argument.
pub(super) fn second_elements<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(size(tracker, args, 1))
}

/// Returns the cost of comparing each element of a list with each element of another list.
pub(super) fn pairs<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(library_size(args, 0)
        .saturating_mul(library_size(args, 1))
        .saturating_add(1))
}

/// Returns the cost of [`pairs`] in both directions.
pub(super) fn pairs_twice<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let pairs = library_size(args, 0).saturating_mul(library_size(args, 1));
    Ok(pairs.saturating_mul(2).saturating_add(1))
}

/// Returns the cost of an authorizer check.
pub(super) const fn check<'v>(_: &CostTracker<'v>, _: &[Val<'v>]) -> CostResult {
    Ok(AUTHORIZER_CHECK)
}

/// Returns the cost of parsing a selector.
pub(super) fn selector<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(selector_cost(library_size(args, 1)))
}

/// Returns the cost of reading a value and all values inside. Fails if there are more values than
/// any request has: values may share the values inside, so their number may be exponential in the
/// size of the expression.
pub(super) fn deep_reading<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let mut reading = DeepReading {
        tracker,
        remaining_values: MAX_READ_VALUES,
    };
    args.first().map_or(Ok(0), |value| reading.cost_of(value))
}

/// The maximum number of values whose costs are added. A request has at most 3 MiB.
const MAX_READ_VALUES: u64 = 4 << 20;

/// A sum of the costs of the values inside a value.
struct DeepReading<'t, 'v> {
    tracker: &'t CostTracker<'v>,
    remaining_values: u64,
}

impl<'v> DeepReading<'_, 'v> {
    /// Returns the sum of the costs of all values inside a value. A string or a sequence of bytes
    /// costs a tenth of its bytes; another scalar costs 1.
    fn cost_of(&mut self, value: &Val<'v>) -> CostResult {
        let remaining = self.remaining_values.checked_sub(1);
        self.remaining_values = remaining.ok_or(EvalError::CostLimit)?;
        let types = self.tracker.declared_types;
        let mut sum: u64 = 0;
        match value {
            Val::String(string) => return Ok(string.as_str().len() as u64 / 10),
            Val::Bytes(bytes) => return Ok(bytes.len() as u64 / 10),
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => {
                let mut index = 0;
                while let Some(element) = element(types, value, index) {
                    sum = sum.saturating_add(self.cost_of_lookup(Some(element))?);
                    index += 1;
                }
            }
            Val::Map(_) | Val::JsonObject(..) => {
                for (index, key) in keys(types, value).iter().enumerate() {
                    let entry = entry_by_key(types, value, index, key);
                    let entry_cost = self.cost_of_lookup(entry)?;
                    sum = sum
                        .saturating_add(self.cost_of(key)?)
                        .saturating_add(entry_cost);
                }
            }
            _ => return Ok(1),
        }
        Ok(sum)
    }

    /// Returns the cost of a value inside. An invalid value counts as one value.
    fn cost_of_lookup(&mut self, value: Option<Result<Val<'v>, EvalError>>) -> CostResult {
        match value {
            Some(Ok(value)) => self.cost_of(&value),
            _ => Ok(1),
        }
    }
}

/// Returns the cost of a call that creates a list: 1 for each element, 10 for the list, and 1 for
/// the call.
const fn list_creation(size: u64) -> u64 {
    size.wrapping_add(11)
}

/// Returns the cost of copying a list. A failed call costs as much as one element.
pub(super) fn copying<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(list_creation(match args {
        [list @ (Val::List(_) | Val::JsonList(..) | Val::AppendedList(_))] => list.size(),
        _ => 1,
    }))
}

/// Returns the cost of a slice of a list. A failed call costs as much as one element.
pub(super) fn slice<'v>(_: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let length = match args {
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
    Ok(list_creation(length.unwrap_or(1)))
}

/// Returns the cost of a list of numbers. A failed call costs as much as one number.
pub(super) fn range<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    Ok(list_creation(match args {
        [Val::Int(end)]
            if tracker
                .declared_types
                .has(Feature::NonNegativeListArguments) =>
        {
            let size = u64::try_from(*end).ok().filter(|size| *size <= MAX_RANGE);
            size.unwrap_or(1)
        }
        [Val::Int(end)] => u64::try_from(*end).unwrap_or_default(),
        _ => 1,
    }))
}

/// Returns the cost of flattening lists. The server multiplies as floats, and on an older server a
/// negative depth has a negative cost.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the server casts the product in the same way"
)]
pub(super) fn flatten<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    let depth = match args {
        [_] => 1,
        [_, Val::Int(depth)] => *depth,
        [_, other] => {
            let message = format!(
                "internal error: interface conversion: ref.Val is {}, not types.Int",
                declared_go_type(tracker.declared_types, other)
            );
            return Err(EvalError::ServerPanic(message.into()));
        }
        _ => return Ok(1),
    };
    let has_minimum = tracker
        .declared_types
        .has(Feature::NonNegativeListArguments);
    let factor = if depth < 0 && has_minimum {
        1.0
    } else {
        depth as f64
    };
    let cost = factor * library_size(args, 0) as f64;
    Ok(list_creation(if cost < 0.0 {
        (cost as i64).cast_unsigned()
    } else if cost < 2.0_f64.powi(64) {
        cost as u64
    } else {
        // The result of the cast on a server.
        1 << 63
    }))
}

/// Returns the cost of joining the strings of a list, which are read and written. A failed call
/// costs as much as one code point.
pub(super) fn join<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    join_cost(tracker, args, |value| match value {
        Val::String(string) => Some(string.size()),
        _ => None,
    })
}

/// Returns the cost of [`join`] for elements that the call converts to Go strings.
pub(super) fn join_converted<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    // The server accepts a list as a list of strings only if its first element is a string.
    let first = args
        .first()
        .and_then(|list| element(tracker.declared_types, list, 0));
    let is_string_list = matches!(first, None | Some(Ok(Val::String(_))));
    join_cost(tracker, args, |value| {
        let string = to_go_string(value).ok().filter(|_| is_string_list)?;
        Some(string.size())
    })
}

/// Returns the cost of joining a list. `size_of` returns the size of an element as a string, or
/// `None` for an element that cannot be joined.
fn join_cost<'v>(
    tracker: &CostTracker<'v>,
    args: &[Val<'v>],
    size_of: impl Fn(&Val<'v>) -> Option<u64>,
) -> CostResult {
    let separator = match args {
        [_] => Some(0),
        [_, Val::String(separator)] => Some(separator.size()),
        _ => None,
    };
    let length = separator.zip(args.first()).and_then(|(separator, list)| {
        let is_list = matches!(
            list,
            Val::List(_) | Val::JsonList(..) | Val::AppendedList(_)
        );
        let lengths = (0_usize..).map_while(|index| element(tracker.declared_types, list, index));
        let lengths: Option<u64> = lengths.map(|element| size_of(&element.ok()?)).sum();
        let separators = list.size().saturating_sub(1).saturating_mul(separator);
        lengths.filter(|_| is_list)?.checked_add(separators)
    });
    Ok(tenths(length.unwrap_or(1).saturating_mul(2)))
}

/// Returns the cost of `distinct` and `sort`: the cost of comparing each element with each element,
/// and of creating a list.
pub(super) fn comparing<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    args.first().map_or(Ok(1), |list| sort_cost(tracker, list))
}

/// Returns the cost of [`comparing`] for a list whose elements are compared by their keys, which
/// are the second argument.
pub(super) fn comparing_keys<'v>(tracker: &CostTracker<'v>, args: &[Val<'v>]) -> CostResult {
    args.get(1).map_or(Ok(1), |keys| sort_cost(tracker, keys))
}

/// Returns the cost of comparing each element of a list with each element, and of creating a list.
fn sort_cost<'v>(tracker: &CostTracker<'v>, list: &Val<'v>) -> CostResult {
    check_countable(list)?;
    let pairs = list.size().saturating_mul(list.size());
    let are_strings = matches!(
        element(tracker.declared_types, list, 0),
        Some(Ok(Val::String(_) | Val::Bytes(_)))
    );
    let string_cost = if are_strings { pairs / 10 } else { 0 };
    Ok(list_creation(
        pairs.saturating_mul(2).saturating_add(string_cost),
    ))
}

/// Returns the error of a server that panics because the call counts the elements of a value that
/// is not a list.
fn check_countable(list: &Val<'_>) -> Result<(), EvalError> {
    let missing = match list {
        Val::List(_) | Val::JsonList(..) | Val::AppendedList(_) => return Ok(()),
        // In Go, these types implement `Add` but not `Contains`.
        Val::Int(_)
        | Val::Uint(_)
        | Val::Double(_)
        | Val::String(_)
        | Val::Bytes(_)
        | Val::Timestamp(_)
        | Val::Duration(_) => "Contains",
        _ => "Add",
    };
    let message = format!(
        "internal error: interface conversion: {} is not traits.Lister: missing method {missing}",
        list.go_type()
    );
    Err(EvalError::ServerPanic(message.into()))
}
