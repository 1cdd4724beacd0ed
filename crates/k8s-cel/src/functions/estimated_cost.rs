//! Estimated costs of calls: the minimum and the maximum cost, and the size of the result.
//!
//! [`actual_cost`](super::actual_cost) computes the same costs from values.

use crate::cost::call_estimate::{Arguments, CallEstimate};
use crate::cost::estimate::EstimateRange;
use crate::types::types::Type;

/// The server's cost of an authorizer check.
pub(super) const AUTHORIZER_CHECK: u64 = 350_000;

/// The server's assumed maximum length of a format's name.
const MAX_FORMAT_LENGTH: u64 = 64;

/// Returns the cost of parsing a selector of the given length, with the cost of each requirement
/// that it may contain. The factors are the server's (`pkg/cel/library/cost.go`).
pub(super) const fn selector_cost(length: u64) -> u64 {
    let requirements = length.div_ceil(2);
    length
        .div_ceil(10)
        .saturating_add(requirements.saturating_mul(50))
        .saturating_add(10)
}

/// Estimates a call that always costs 1.
pub(super) const fn one(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(EstimateRange::ONE)
}

/// Estimates a call that reads a whole string.
pub(super) fn reading(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).tenths())
}

/// Estimates a call that reads a whole string, and creates a value of the same size.
pub(super) fn mapping(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(args.size(0).tenths(), args.size(0))
}

/// Estimates a call that reads a whole string, and writes another.
pub(super) fn rewriting(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).times_factor(0.2))
}

/// Estimates a test for a prefix or suffix.
pub(super) fn affix(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(1).tenths())
}

/// Estimates a search for a substring.
pub(super) fn search(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(args.size(0).tenths().times(args.size(1).tenths()))
}

/// Estimates a call that replaces substrings.
pub(super) fn replacing(args: &dyn Arguments) -> CallEstimate {
    let size = replaced_size(args.size(0), args.size(1), args.size(2));
    CallEstimate::sized(args.size(0).times_factor(0.2), size)
}

/// Estimates a call that splits a string. As on a server, a negative limit wraps around to a very
/// large limit.
pub(super) fn splitting(args: &dyn Arguments) -> CallEstimate {
    let limit = args.int_literal(2).map(i64::cast_unsigned);
    let max_parts = limit.unwrap_or(args.size(0).max);
    CallEstimate::sized(
        args.size(0).times_factor(0.2),
        EstimateRange::up_to(max_parts),
    )
}

/// Estimates a call that encodes a string as bytes, with up to four bytes for each code point.
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
    // As on a server, a large size wraps around.
    let max = size.max.wrapping_mul(2).wrapping_add(2);
    CallEstimate::sized(size.tenths(), EstimateRange { min, max })
}

/// Estimates matching against a regular expression, the second argument.
pub(super) fn matching(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(regex_cost(args))
}

/// Estimates a search for a regular expression that returns substrings.
pub(super) fn finding(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(regex_cost(args), EstimateRange::up_to(args.size(0).max))
}

fn regex_cost(args: &dyn Arguments) -> EstimateRange {
    let string_cost = args.size(0).plus(EstimateRange::ONE).tenths();
    string_cost.times(args.size(1).times_factor(0.25))
}

/// Estimates a check of a string against a format.
pub(super) fn validation(args: &dyn Arguments) -> CallEstimate {
    // The factor is a quarter of 128, the server's assumed length of a format's regular expression.
    CallEstimate::cost_only(args.size(1).tenths().times_factor(32.0))
}

/// Estimates a comparison of a network with an address.
pub(super) fn address(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(address_cost())
}

/// Estimates a comparison of a network with an address that the call parses from a string.
pub(super) fn address_string(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(address_cost().plus(args.size(1).tenths()))
}

/// Estimates a comparison of two networks.
pub(super) fn network(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(network_cost())
}

/// Estimates a comparison of a network with another network that the call parses from a string.
pub(super) fn network_string(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(network_cost().plus(args.size(1).tenths()))
}

/// The number of bytes of an address.
const ADDRESS_BYTES: EstimateRange = EstimateRange { min: 4, max: 16 };

fn address_cost() -> EstimateRange {
    ADDRESS_BYTES.plus(ADDRESS_BYTES).tenths()
}

fn network_cost() -> EstimateRange {
    address_cost()
        .plus(ADDRESS_BYTES.tenths())
        .plus(EstimateRange::ONE)
}

/// Estimates a call that parses a selector.
pub(super) fn selector(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(1);
    let (min, max) = (selector_cost(size.min), selector_cost(size.max));
    CallEstimate::cost_only(EstimateRange { min, max })
}

/// Estimates an authorizer check.
pub(super) const fn check(_: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(EstimateRange::exact(AUTHORIZER_CHECK))
}

/// Estimates a call that reads each element of a list, and each string completely.
pub(super) fn deep_reading(args: &dyn Arguments) -> CallEstimate {
    let size = args.size(0);
    let Some(elements) = args.elements(0) else {
        return CallEstimate::cost_only(size.tenths());
    };
    let mut element_cost = EstimateRange::ONE;
    if elements.are_strings {
        element_cost = element_cost.plus(elements.size.tenths());
    }
    CallEstimate::cost_only(size.times(element_cost))
}

/// Estimates a search for an element of a list, or of a value that may be a list.
pub(super) fn includes(args: &dyn Arguments) -> CallEstimate {
    if args.elements(0).is_some() {
        deep_reading(args)
    } else {
        CallEstimate::cost_only(args.size(0))
    }
}

/// Estimates a call that joins the strings of a list.
pub(super) fn join(args: &dyn Arguments) -> CallEstimate {
    let count = args.size(0);
    // As on a server, the elements of an argument that is not known to be a list cost nothing.
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

/// Estimates a slice of a list. As on a server, the size of a slice that ends before its start
/// wraps around.
pub(super) fn slice(args: &dyn Arguments) -> CallEstimate {
    let from = index_literal(args, 1).unwrap_or(0);
    let to = index_literal(args, 2).unwrap_or(args.size(0).max);
    list_creation(EstimateRange::exact(to.wrapping_sub(from)), 1.0)
}

/// Estimates a call that creates a list of integers.
pub(super) fn range(args: &dyn Arguments) -> CallEstimate {
    list_creation(
        EstimateRange::exact(index_literal(args, 0).unwrap_or(u64::MAX)),
        1.0,
    )
}

/// Estimates a copy of a list.
pub(super) fn copying(args: &dyn Arguments) -> CallEstimate {
    list_creation(args.size(0), 1.0)
}

/// Estimates a call that flattens a list, with the cost of one copy for each level of the depth.
#[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
pub(super) fn flatten(args: &dyn Arguments) -> CallEstimate {
    let depth = if args.count() > 1 {
        index_literal(args, 1).unwrap_or(u64::MAX) as f64
    } else {
        1.0
    };
    list_creation(args.size(0), depth)
}

/// Estimates a call that compares each element of a list with each other element, and creates a
/// list. The factor is 2, or 2.1 if the elements are strings or bytes, as in cel-go
/// (`estimateListSortCost`).
pub(super) fn comparing(args: &dyn Arguments) -> CallEstimate {
    list_creation(args.size(0).times(args.size(0)), 2.0)
}

/// Returns the estimate of [`comparing`] for elements that are strings or bytes.
pub(super) fn comparing_strings(args: &dyn Arguments) -> CallEstimate {
    list_creation(args.size(0).times(args.size(0)), 2.1)
}

/// Returns the estimate of [`comparing`] for a list of keys, the second argument.
pub(super) fn comparing_keys(args: &dyn Arguments) -> CallEstimate {
    list_creation(args.size(1).times(args.size(1)), 2.0)
}

/// Returns the estimate of [`comparing_keys`] for keys that are strings or bytes.
pub(super) fn comparing_string_keys(args: &dyn Arguments) -> CallEstimate {
    list_creation(args.size(1).times(args.size(1)), 2.1)
}

/// Estimates a call that creates a list of a size; `factor` is the cost for each element. The list
/// costs 10, and the call costs 1.
fn list_creation(size: EstimateRange, factor: f64) -> CallEstimate {
    CallEstimate::sized(
        size.times_factor(factor).plus(EstimateRange::exact(11)),
        size,
    )
}

/// Returns the value of an integer literal, or zero if the literal is negative.
fn index_literal(args: &dyn Arguments, position: usize) -> Option<u64> {
    let literal = args.int_literal(position);
    literal.map(|value| u64::try_from(value).unwrap_or_default())
}

/// Estimates a call that compares each element of a list with each element of another list.
pub(super) fn pairs(args: &dyn Arguments) -> CallEstimate {
    pair_cost(args, 1.0)
}

/// Returns the estimate of [`pairs`] in both directions.
pub(super) fn pairs_twice(args: &dyn Arguments) -> CallEstimate {
    pair_cost(args, 2.0)
}

/// Estimates the comparison of all pairs of elements of two lists; `factor` is the cost for each
/// pair.
fn pair_cost(args: &dyn Arguments, factor: f64) -> CallEstimate {
    let pairs = args.size(0).times(args.size(1));
    CallEstimate::cost_only(pairs.times_factor(factor).plus(EstimateRange::ONE))
}

/// Estimates a call that reads each element of the second argument.
pub(super) fn second_elements(args: &dyn Arguments) -> CallEstimate {
    // The server multiplies as floats, which rounds sizes above 2^53.
    CallEstimate::cost_only(args.size(1).times_factor(1.0))
}

/// Estimates a call like [`second_elements`] on a server without
/// [`UnknownListSizes`](crate::Feature::UnknownListSizes): its cast of a number above the maximum
/// returns half of the maximum.
pub(super) fn second_elements_or_half(args: &dyn Arguments) -> CallEstimate {
    let mut call = second_elements(args);
    if call.cost.max == u64::MAX {
        call.cost.max = 1 << 63;
    }
    call
}

/// Estimates a concatenation of two strings.
pub(super) fn string_concatenation(args: &dyn Arguments) -> CallEstimate {
    let sum = args.size(0).plus(args.size(1));
    CallEstimate::sized(sum.tenths(), sum)
}

/// Estimates a concatenation of two lists.
pub(super) fn list_concatenation(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::sized(EstimateRange::ONE, args.size(0).plus(args.size(1)))
}

/// Estimates a comparison of two values up to the end of the shorter value.
pub(super) fn comparison(args: &dyn Arguments) -> CallEstimate {
    CallEstimate::cost_only(shorter_size(args.size(0), args.size(1)))
}

/// Estimates a comparison like [`comparison`], except for two opaque values of the same Kubernetes
/// type.
pub(super) fn equality(args: &dyn Arguments) -> CallEstimate {
    let (left, right) = (args.ty(0), args.ty(1));
    CallEstimate::cost_only(match left {
        Some(Type::Opaque("kubernetes.NamedFormat")) if left == right => {
            EstimateRange::exact(MAX_FORMAT_LENGTH).tenths()
        }
        // As on a server, only the size of the second argument counts.
        Some(Type::Opaque("kubernetes.URL")) if left == right => args
            .computed_size(1)
            .map_or(EstimateRange::ONE, |size| shorter_size(size, size)),
        Some(Type::Opaque(_)) if left == right => EstimateRange::ONE,
        _ => shorter_size(args.size(0), args.size(1)),
    })
}

fn shorter_size(left: EstimateRange, right: EstimateRange) -> EstimateRange {
    // Nothing reads the minimum of a cost.
    EstimateRange::up_to(left.max.min(right.max)).tenths()
}

/// Returns the size of a string after all occurrences of a substring are replaced. The shortest
/// substring can occur most often, so it gives the largest result if the replacement is longer. The
/// longest substring gives the smallest result.
fn replaced_size(
    string: EstimateRange,
    substring: EstimateRange,
    replacement: EstimateRange,
) -> EstimateRange {
    let grows = substring.min == 0 || replacement.max > substring.min;
    let shrinks = substring.max == 0 || replacement.min < substring.max;
    EstimateRange {
        min: if shrinks {
            replaced_everywhere_size(string.min, substring.max, replacement.min)
        } else {
            string.min
        },
        max: if grows {
            replaced_everywhere_size(string.max, substring.min, replacement.max)
        } else {
            string.max
        },
    }
}

/// Returns the size of a string after replacement if the substring occurs as often as possible: the
/// string repeats the substring, and a last occurrence counts even if the end cuts it. An empty
/// substring occurs before and after each code point, and the code points remain.
const fn replaced_everywhere_size(string: u64, substring: u64, replacement: u64) -> u64 {
    if substring == 0 {
        let occurrences = string.saturating_add(1);
        occurrences
            .saturating_mul(replacement)
            .saturating_add(string)
    } else {
        string.div_ceil(substring).saturating_mul(replacement)
    }
}

#[cfg(test)]
mod tests {
    use super::{EstimateRange, replaced_everywhere_size, replaced_size};

    /// Returns all strings of the letters a and b up to a length.
    fn strings(max_length: usize) -> Vec<String> {
        let mut strings = vec![String::new()];
        let mut start = 0;
        for _ in 0..max_length {
            let end = strings.len();
            for index in start..end {
                for letter in ['a', 'b'] {
                    let string = format!("{}{letter}", strings[index]);
                    strings.push(string);
                }
            }
            start = end;
        }
        strings
    }

    const fn size(string: &str) -> u64 {
        string.len() as u64
    }

    #[test]
    fn replaced_strings_are_within_the_bounds() {
        let exactly = |string: &str| EstimateRange::exact(size(string));
        for string in strings(5) {
            for substring in strings(3) {
                for replacement in strings(4).into_iter().step_by(3) {
                    let bound =
                        replaced_size(exactly(&string), exactly(&substring), exactly(&replacement));
                    let size_after = size(&string.replace(&substring, &replacement));
                    assert!(
                        size_after <= bound.max,
                        "{string:?} {substring:?} {replacement:?}"
                    );
                    // The string may not contain the substring, so the minimum is the size of the
                    // unchanged string, or of replacements only.
                    let only_replacements = replaced_everywhere_size(
                        size(&string),
                        size(&substring),
                        size(&replacement),
                    );
                    let is_valid_minimum =
                        bound.min == size(&string) || bound.min == only_replacements;
                    assert!(is_valid_minimum, "{string:?} {substring:?} {replacement:?}");
                }
            }
        }
    }

    #[test]
    fn repeated_substrings_reach_the_bound() {
        for (count, substring) in [0, 1, 2, 3]
            .into_iter()
            .flat_map(|count| ["", "a", "ab", "aab"].map(|substring| (count, substring)))
        {
            let string = if substring.is_empty() { "x" } else { substring }.repeat(count);
            for replacement in ["", "c", "cd", "cdef"] {
                let size_after = size(&string.replace(substring, replacement));
                assert_eq!(
                    replaced_everywhere_size(size(&string), size(substring), size(replacement)),
                    size_after
                );
                let sizes = [&*string, substring, replacement]
                    .map(|string| EstimateRange::exact(size(string)));
                let bound = replaced_size(sizes[0], sizes[1], sizes[2]);
                let grows = substring.is_empty() || replacement.len() > substring.len();
                assert_eq!(size_after, if grows { bound.max } else { bound.min });
            }
        }
    }

    #[test]
    fn bounds_of_ranges_follow_from_their_ends() {
        let range = |min, max| EstimateRange { min, max };
        for (string, substring, replacement, expected) in [
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
            assert_eq!(
                replaced_size(string, substring, replacement),
                expected,
                "{string:?} {substring:?} {replacement:?}"
            );
        }
    }
}
