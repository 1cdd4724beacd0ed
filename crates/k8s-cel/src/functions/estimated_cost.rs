//! Estimates of calls: the least and the most that a call may cost, and the size of its result.
//!
//! The functions of [`cost`](super::cost) count the same for values.

use crate::cost::call_estimate::{Arguments, CallEstimate};
use crate::cost::estimate::EstimateRange;
use crate::types::types::Type;

/// The cost of a question to the authorizer.
pub(super) const AUTHORIZER_CHECK: u64 = 350_000;

/// The size of the name of a format, as the server guesses it.
const MAX_FORMAT_LENGTH: u64 = 64;

/// Returns the cost of a selector of a length: the server parses the selector, and counts each
/// requirement that may be inside.
pub(super) const fn selector_of(length: u64) -> u64 {
    let requirements = length.div_ceil(2);
    length
        .div_ceil(10)
        .saturating_add(requirements.saturating_mul(50))
        .saturating_add(10)
}

/// Estimates a call that costs one, for any arguments.
pub(super) const fn one(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(EstimateRange::ONE)
}

/// Estimates a call that reads all of a string.
pub(super) fn reading(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).tenths())
}

/// Estimates a call that reads all of a string, and creates a value of the same size.
pub(super) fn mapping(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(args.size(0).tenths(), args.size(0))
}

/// Estimates a call that reads all of a string, and prints it again.
pub(super) fn rewriting(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).factor(0.2))
}

/// Estimates a call that compares the start or the end of a string with another string.
pub(super) fn affix(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(1).tenths())
}

/// Estimates a search for a string in another string.
pub(super) fn search(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).tenths().times(args.size(1).tenths()))
}

/// Estimates a call that replaces parts of a string.
pub(super) fn replacing(args: &dyn Arguments) -> CallEstimate {
    let size = replaced(args.size(0), args.size(1), args.size(2));
    CallEstimate::sized(args.size(0).factor(0.2), size)
}

/// Estimates a call that splits a string. The server treats a negative limit as a very large limit.
pub(super) fn splitting(args: &dyn Arguments) -> CallEstimate {
    let limit = args.int_literal(2).map(i64::cast_unsigned);
    let most = limit.unwrap_or(args.size(0).max);
    CallEstimate::sized(args.size(0).factor(0.2), EstimateRange::up_to(most))
}

/// Estimates a call that encodes a string as bytes, up to four for each letter.
pub(super) fn encoding(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(0);
    let (min, max) = (size.min, size.max.saturating_mul(4));
    CallEstimate::sized(size.tenths(), EstimateRange { min, max })
}

/// Estimates a call that decodes bytes to a string.
pub(super) fn decoding(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(0);
    let (min, max) = (size.min / 4, size.max);
    CallEstimate::sized(size.tenths(), EstimateRange { min, max })
}

/// Estimates a call that quotes a string.
pub(super) fn quoting(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(0);
    let min = size.min.saturating_add(2);
    // The server does not see that this may be too much.
    let max = size.max.wrapping_mul(2).wrapping_add(2);
    CallEstimate::sized(size.tenths(), EstimateRange { min, max })
}

/// Estimates a search for a regular expression, the second argument.
pub(super) fn matching(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(by_pattern(args))
}

/// Estimates a search for a regular expression that returns parts of the string.
pub(super) fn finding(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(by_pattern(args), EstimateRange::up_to(args.size(0).max))
}

fn by_pattern(args: &dyn Arguments) -> EstimateRange {
    let letters = args.size(0).plus(EstimateRange::ONE).tenths();
    letters.times(args.size(1).factor(0.25))
}

/// Estimates a check of a string against a format.
pub(super) fn validation(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(1).tenths().factor(32.0))
}

/// Estimates a comparison of a network with an address.
pub(super) fn address(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(address_bytes())
}

/// Estimates a comparison of a network with an address, which is parsed.
pub(super) fn address_string(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(address_bytes().plus(args.size(1).tenths()))
}

/// Estimates a comparison of two networks.
pub(super) fn network(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(network_bytes())
}

/// Estimates a comparison of a network with another network, which is parsed.
pub(super) fn network_string(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(network_bytes().plus(args.size(1).tenths()))
}

/// The bytes of an address.
const ADDRESS: EstimateRange = EstimateRange { min: 4, max: 16 };

fn address_bytes() -> EstimateRange {
    ADDRESS.plus(ADDRESS).tenths()
}

fn network_bytes() -> EstimateRange {
    address_bytes()
        .plus(ADDRESS.tenths())
        .plus(EstimateRange::ONE)
}

/// Estimates a call that parses a selector.
pub(super) fn selector(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(1);
    let (min, max) = (selector_of(size.min), selector_of(size.max));
    CallEstimate::cost_only(EstimateRange { min, max })
}

/// Estimates a question to the authorizer.
pub(super) const fn check(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(EstimateRange::exact(AUTHORIZER_CHECK))
}

/// Estimates a call that reads each element of a list, and all of each string.
pub(super) fn walk(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(0);
    let Some(elements) = args.elements(0) else {
        return CallEstimate::cost_only(size.tenths());
    };
    let mut each = EstimateRange::ONE;
    if elements.are_strings {
        each = each.plus(elements.size.tenths());
    }
    CallEstimate::cost_only(size.times(each))
}

/// Estimates a call that joins the strings of a list.
pub(super) fn joined(args: &dyn Arguments) -> CallEstimate {
    let count = args.size(0);
    // The elements of an argument that is not known to be a list cost nothing.
    let elements = args.elements(0);
    let sum = elements.map_or(EstimateRange::ZERO, |elements| count.times(elements.size));
    let separators = EstimateRange {
        min: count.min.saturating_sub(1),
        max: count.max.saturating_sub(1),
    };
    let size = if args.count() > 1 {
        sum.plus(args.size(1).times(separators))
    } else {
        sum
    };
    CallEstimate::sized(size.tenths(), size)
}

/// Estimates a slice of a list.
pub(super) fn slice(args: &dyn Arguments) -> CallEstimate {
    let from = index(args, 1).unwrap_or(0);
    let to = index(args, 2).unwrap_or(args.size(0).max);
    making(EstimateRange::exact(to.wrapping_sub(from)), 1.0)
}

/// Estimates a call that creates a list of integers.
pub(super) fn range(args: &dyn Arguments) -> CallEstimate {
    making(
        EstimateRange::exact(index(args, 0).unwrap_or(u64::MAX)),
        1.0,
    )
}

/// Estimates a copy of a list.
pub(super) fn copying(args: &dyn Arguments) -> CallEstimate {
    making(args.size(0), 1.0)
}

/// Estimates a call that flattens a list, level by level.
#[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
pub(super) fn flatten(args: &dyn Arguments) -> CallEstimate {
    let levels = if args.count() > 1 {
        index(args, 1).unwrap_or(u64::MAX) as f64
    } else {
        1.0
    };
    making(args.size(0), levels)
}

/// Estimates a call that compares each element of a list with each other element, and creates a
/// list.
pub(super) fn comparing(args: &dyn Arguments) -> CallEstimate {
    making(args.size(0).times(args.size(0)), 2.0)
}

/// Estimates the call like [`comparing`], with strings or bytes as elements.
pub(super) fn comparing_strings(args: &dyn Arguments) -> CallEstimate {
    making(args.size(0).times(args.size(0)), 2.1)
}

/// Estimates the call like [`comparing`], with the keys in the second argument.
pub(super) fn comparing_keys(args: &dyn Arguments) -> CallEstimate {
    making(args.size(1).times(args.size(1)), 2.0)
}

/// Estimates the call like [`comparing_keys`], with strings or bytes as keys.
pub(super) fn comparing_string_keys(args: &dyn Arguments) -> CallEstimate {
    making(args.size(1).times(args.size(1)), 2.1)
}

/// Estimates a call that creates a list of a size, with the factor as the work for each element.
fn making(size: EstimateRange, factor: f64) -> CallEstimate {
    CallEstimate::sized(size.factor(factor).plus(EstimateRange::exact(11)), size)
}

/// Returns the value of an integer literal; zero for negative literals.
fn index(args: &dyn Arguments, at: usize) -> Option<u64> {
    let literal = args.int_literal(at);
    literal.map(|value| u64::try_from(value).unwrap_or_default())
}

/// Estimates a call that compares each element of a list with each element of another list.
pub(super) fn pairs(args: &dyn Arguments) -> CallEstimate {
    all_pairs(args, 1.0)
}

/// Estimates the call like [`pairs`], in both directions.
pub(super) fn pairs_twice(args: &dyn Arguments) -> CallEstimate {
    all_pairs(args, 2.0)
}

fn all_pairs(args: &dyn Arguments, factor: f64) -> CallEstimate {
    let pairs = args.size(0).times(args.size(1));
    CallEstimate::cost_only(pairs.factor(factor).plus(EstimateRange::ONE))
}

/// Estimates a call that reads each element of the second argument.
pub(super) fn second(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(1).factor(1.0))
}

/// Estimates a concatenation of two strings.
pub(super) fn joining(args: &dyn Arguments) -> CallEstimate {
    let sum = args.size(0).plus(args.size(1));
    CallEstimate::sized(sum.tenths(), sum)
}

/// Estimates a concatenation of two lists.
pub(super) fn concatenation(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(EstimateRange::ONE, args.size(0).plus(args.size(1)))
}

/// Estimates a comparison of two values up to the end of the shorter value.
pub(super) fn comparison(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(shorter(args.size(0), args.size(1)))
}

/// Estimates the call like [`comparison`]. Two values of a type of Kubernetes have another cost.
pub(super) fn equality(args: &dyn Arguments) -> CallEstimate {
    let (one, other) = (args.ty(0), args.ty(1));
    CallEstimate::cost_only(match one {
        Some(Type::Opaque("kubernetes.NamedFormat")) if one == other => {
            EstimateRange::exact(MAX_FORMAT_LENGTH).tenths()
        }
        // The server looks at the second argument only.
        Some(Type::Opaque("kubernetes.URL")) if one == other => args
            .known_size(1)
            .map_or(EstimateRange::ONE, |size| shorter(size, size)),
        Some(Type::Opaque(_)) if one == other => EstimateRange::ONE,
        _ => shorter(args.size(0), args.size(1)),
    })
}

fn shorter(one: EstimateRange, other: EstimateRange) -> EstimateRange {
    let max = one.max.min(other.max);
    let min = u64::from(max > 0);
    EstimateRange { min, max }.tenths()
}

/// Returns the size of a string with a part of it replaced wherever it is found. The largest string
/// results from the smallest part, which is found most often, and the smallest string from the
/// largest part.
fn replaced(text: EstimateRange, part: EstimateRange, by: EstimateRange) -> EstimateRange {
    let grows = part.min == 0 || by.max > part.min;
    let shrinks = part.max == 0 || by.min < part.max;
    EstimateRange {
        min: if shrinks {
            replaced_throughout(text.min, part.max, by.min)
        } else {
            text.min
        },
        max: if grows {
            replaced_throughout(text.max, part.min, by.max)
        } else {
            text.max
        },
    }
}

/// Returns the size of a string in which the part is found as often as possible: the string repeats
/// the part, and the last one counts even if the end cuts it. An empty part is found beside every
/// letter, and the letters stay.
const fn replaced_throughout(text: u64, part: u64, by: u64) -> u64 {
    if part == 0 {
        let found = text.saturating_add(1);
        found.saturating_mul(by).saturating_add(text)
    } else {
        text.div_ceil(part).saturating_mul(by)
    }
}

#[cfg(test)]
mod tests {
    use super::{EstimateRange, replaced, replaced_throughout};

    /// Returns all strings of the letters a and b, up to a length.
    fn texts(longest: usize) -> Vec<String> {
        let mut texts = vec![String::new()];
        let mut from = 0;
        for _ in 0..longest {
            let to = texts.len();
            for at in from..to {
                for letter in ['a', 'b'] {
                    let text = format!("{}{letter}", texts[at]);
                    texts.push(text);
                }
            }
            from = to;
        }
        texts
    }

    const fn size(text: &str) -> u64 {
        text.len() as u64
    }

    #[test]
    fn no_text_becomes_larger_than_its_bound() {
        let exactly = |text: &str| EstimateRange::exact(size(text));
        for text in texts(5) {
            for part in texts(3) {
                for by in texts(4).into_iter().step_by(3) {
                    let bound = replaced(exactly(&text), exactly(&part), exactly(&by));
                    let made = size(&text.replace(&part, &by));
                    assert!(made <= bound.max, "{text:?} {part:?} {by:?}");
                    // The part may not be found, so the minimum is the size of the string, or of
                    // parts alone.
                    let alone = replaced_throughout(size(&text), size(&part), size(&by));
                    let least = bound.min == size(&text) || bound.min == alone;
                    assert!(least, "{text:?} {part:?} {by:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_nothing_but_parts_reaches_its_bound() {
        for (count, part) in [0, 1, 2, 3]
            .into_iter()
            .flat_map(|n| ["", "a", "ab", "aab"].map(|p| (n, p)))
        {
            let text = if part.is_empty() { "x" } else { part }.repeat(count);
            for by in ["", "c", "cd", "cdef"] {
                let made = size(&text.replace(part, by));
                assert_eq!(replaced_throughout(size(&text), size(part), size(by)), made);
                let sizes = [&*text, part, by].map(|text| EstimateRange::exact(size(text)));
                let bound = replaced(sizes[0], sizes[1], sizes[2]);
                let grows = part.is_empty() || by.len() > part.len();
                assert_eq!(made, if grows { bound.max } else { bound.min });
            }
        }
    }

    #[test]
    fn wide_ranges_are_bounded_by_their_ends() {
        let range = |min, max| EstimateRange { min, max };
        for (text, part, by, wanted) in [
            (range(2, 10), range(1, 3), range(0, 4), range(0, 40)),
            (range(2, 10), range(0, 3), range(3, 4), range(2, 54)),
            (range(2, 10), range(0, 0), range(3, 4), range(11, 54)),
            (range(7, 10), range(3, 3), range(1, 1), range(3, 10)),
            (range(3, 3), range(2, 2), range(2, 2), range(3, 3)),
            (range(1, 10), range(2, 5), range(2, 5), range(2, 25)),
            (
                EstimateRange::UNKNOWN,
                EstimateRange::UNKNOWN,
                EstimateRange::ZERO,
                range(0, u64::MAX),
            ),
            (
                EstimateRange::UNKNOWN,
                EstimateRange::UNKNOWN,
                EstimateRange::UNKNOWN,
                range(0, u64::MAX),
            ),
        ] {
            assert_eq!(replaced(text, part, by), wanted, "{text:?} {part:?} {by:?}");
        }
    }
}
