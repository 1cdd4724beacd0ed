//! What a call may cost beyond its arguments, and how large its result may be.

use super::Checked;
use crate::cost::estimate::{Place, Range, Step};
use crate::functions::authorizer;
use crate::functions::row::Overload;
use crate::interpreter::program::Code;
use crate::syntax::Literal;
use crate::types::declared::DeclaredTypes;
use crate::types::types::Type;

/// How long the name of a format is, as the server guesses.
const LONGEST_FORMAT: u64 = 64;

pub(super) struct Price {
    pub(super) cost: Range,
    pub(super) size: Option<Range>,
}

impl Price {
    const fn of(cost: Range) -> Self {
        Self { cost, size: None }
    }

    const fn sized(cost: Range, size: Range) -> Self {
        Self {
            cost,
            size: Some(size),
        }
    }
}

/// A call whose price is asked.
struct Asked<'a> {
    name: &'a str,
    overload: &'a Overload,
    is_member: bool,
    args: &'a [Checked],
    declared: &'a DeclaredTypes,
}

/// The price of an overload; where it is called on its first argument, that is the target.
pub(super) fn price(
    name: &str,
    overload: &Overload,
    is_member: bool,
    args: &[Checked],
    declared: &DeclaredTypes,
) -> Price {
    let asked = Asked {
        name,
        overload,
        is_member,
        args,
        declared,
    };
    let known = asked.of_list().or_else(|| asked.of_text());
    let known = known.or_else(|| asked.of_conversion());
    let known = known.or_else(|| asked.of_operator());
    known.unwrap_or(Price::of(Range::ONE))
}

impl Asked<'_> {
    fn size(&self, at: usize) -> Range {
        let arg = self.args.get(at);
        arg.map_or(Range::UNKNOWN, |arg| arg.size_or_unknown(self.declared))
    }

    fn first(&self) -> Option<&Type> {
        self.overload.args.first()
    }

    fn is_text(&self) -> bool {
        matches!(self.first(), Some(Type::Text | Type::Bytes))
    }

    /// Functions that look at the elements of a list, or make one.
    fn of_list(&self) -> Option<Price> {
        let args = self.args;
        let size = |at| self.size(at);
        Some(match self.name {
            "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
                Price::of(walk(args.first()?, self.declared))
            }
            "join" => {
                let joined = joined(args, self.declared);
                Price::sized(joined.tenths(), joined)
            }
            "slice" => {
                let from = number(args.get(1)).unwrap_or(0);
                let to = number(args.get(2)).unwrap_or(size(0).max);
                making(Range::exactly(to.wrapping_sub(from)), 1.0)
            }
            "lists.range" => making(
                Range::exactly(number(args.first()).unwrap_or(u64::MAX)),
                1.0,
            ),
            "reverse" => making(size(0), 1.0),
            "flatten" => making(size(0), levels(args.get(1))),
            "distinct" => making(size(0).times(size(0)), 2.0),
            "sort" => making(size(0).times(size(0)), comparing(self.first())),
            "@sortByAssociatedKeys" => {
                let keys = self.overload.args.get(1);
                making(size(1).times(size(1)), comparing(keys))
            }
            "sets.contains" | "sets.intersects" => {
                Price::of(size(0).times(size(1)).factor(1.0).plus(Range::ONE))
            }
            "sets.equivalent" => Price::of(size(0).times(size(1)).factor(2.0).plus(Range::ONE)),
            "@in" if matches!(self.overload.args.get(1), Some(Type::List(_))) => {
                Price::of(size(1).factor(1.0))
            }
            _ => return None,
        })
    }

    /// Functions that look at the letters of a text, or make one.
    fn of_text(&self) -> Option<Price> {
        let size = |at| self.size(at);
        Some(match self.name {
            "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" => {
                Price::sized(size(0).tenths(), size(0))
            }
            "replace" => Price::sized(size(0).factor(0.2), replaced(size(0), size(1), size(2))),
            "split" => {
                // The server takes a limit that is less than nothing for a very large one.
                let limit = written_number(self.args.get(2)).map(i64::cast_unsigned);
                let most = limit.unwrap_or(size(0).max);
                Price::sized(size(0).factor(0.2), Range::up_to(most))
            }
            "find" | "findAll" => {
                let cost = matching(size(0), size(1));
                Price::sized(cost, Range::up_to(size(0).max))
            }
            "matches" if self.is_member => Price::of(matching(size(0), size(1))),
            "cidr" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver"
            | "format" => Price::of(size(0).tenths()),
            "ip" if self.is_text() => Price::of(size(0).tenths()),
            "ip.isCanonical" => Price::of(size(0).factor(0.2)),
            "containsIP" | "containsCIDR" => Price::of(address(self.name, self.overload, size(1))),
            "validate" => Price::of(size(1).tenths().factor(32.0)),
            "fieldSelector" | "labelSelector" => {
                let text = size(1);
                let (min, max) = (
                    authorizer::selector(text.min),
                    authorizer::selector(text.max),
                );
                Price::of(Range { min, max })
            }
            "check" => Price::of(Range::exactly(authorizer::CHECK)),
            "startsWith" | "endsWith" => Price::of(size(1).tenths()),
            "contains" => Price::of(size(0).tenths().times(size(1).tenths())),
            _ => return None,
        })
    }

    /// Functions that write a text in another way.
    fn of_conversion(&self) -> Option<Price> {
        let size = self.size(0);
        let (min, max) = match (self.name, self.first()) {
            ("bytes", Some(Type::Text)) => (size.min, size.max.saturating_mul(4)),
            ("string", Some(Type::Bytes)) => (size.min / 4, size.max),
            ("strings.quote", _) => (
                size.min.saturating_add(2),
                // The server does not see that this may be too much.
                size.max.wrapping_mul(2).wrapping_add(2),
            ),
            _ => return None,
        };
        Some(Price::sized(size.tenths(), Range { min, max }))
    }

    /// Operators.
    fn of_operator(&self) -> Option<Price> {
        let (a, b) = (self.size(0), self.size(1));
        Some(match (self.name, self.first()) {
            ("_+_", Some(Type::Text | Type::Bytes)) => {
                let sum = a.plus(b);
                Price::sized(sum.tenths(), sum)
            }
            ("_+_", Some(Type::List(_))) => Price::sized(Range::ONE, a.plus(b)),
            ("_==_", _) => Price::of(match self.args.first().map(|arg| &arg.ty) {
                of if of != self.args.get(1).map(|arg| &arg.ty) => comparison(a, b),
                Some(Type::Opaque("kubernetes.NamedFormat")) => {
                    Range::exactly(LONGEST_FORMAT).tenths()
                }
                // The server looks at the second one only.
                Some(Type::Opaque("kubernetes.URL")) => {
                    let size = self.args.get(1).and_then(|arg| arg.size(self.declared));
                    size.map_or(Range::ONE, |size| comparison(size, size))
                }
                Some(Type::Opaque(_)) => Range::ONE,
                _ => comparison(a, b),
            }),
            ("_!=_", _) => Price::of(comparison(a, b)),
            ("_<_" | "_<=_" | "_>_" | "_>=_", _) if self.is_text() => Price::of(comparison(a, b)),
            _ => return None,
        })
    }
}

/// The price of making a list.
fn making(size: Range, factor: f64) -> Price {
    Price::sized(size.factor(factor).plus(Range::exactly(11)), size)
}

/// What comparing two elements of a list costs.
fn comparing(list: Option<&Type>) -> f64 {
    match list {
        Some(Type::List(of)) if matches!(**of, Type::Text | Type::Bytes) => 2.1,
        _ => 2.0,
    }
}

/// A number that is written there.
fn written_number(arg: Option<&Checked>) -> Option<i64> {
    match arg.map(|arg| &arg.code) {
        Some(Code::Literal(Literal::Int(value))) => Some(*value),
        _ => None,
    }
}

/// As [`written_number`]; less than zero counts as zero.
fn number(arg: Option<&Checked>) -> Option<u64> {
    written_number(arg).map(|value| u64::try_from(value).unwrap_or_default())
}

/// How many levels are flattened.
#[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
fn levels(arg: Option<&Checked>) -> f64 {
    match arg {
        None => 1.0,
        arg => number(arg).unwrap_or(u64::MAX) as f64,
    }
}

fn comparison(a: Range, b: Range) -> Range {
    let max = a.max.min(b.max);
    let min = u64::from(max > 0);
    Range { min, max }.tenths()
}

fn matching(text: Range, regex: Range) -> Range {
    text.plus(Range::ONE).tenths().times(regex.factor(0.25))
}

/// One for each element of a list, and more for texts.
fn walk(list: &Checked, declared: &DeclaredTypes) -> Range {
    let size = list.size_or_unknown(declared);
    let Type::List(of) = list.seen() else {
        return size.tenths();
    };
    let mut each = Range::ONE;
    if matches!(**of, Type::Text | Type::Bytes) {
        each = each.plus(element_size(list, declared).tenths());
    }
    size.times(each)
}

/// The size of a list's elements.
fn element_size(list: &Checked, declared: &DeclaredTypes) -> Range {
    let place = match list.place {
        Place::Nowhere => Place::Unknown,
        place => place.step(declared, 0, Step::Items),
    };
    place.size(declared).unwrap_or(Range::UNKNOWN)
}

fn joined(args: &[Checked], declared: &DeclaredTypes) -> Range {
    let Some(list) = args.first() else {
        return Range::UNKNOWN;
    };
    let count = list.size_or_unknown(declared);
    // The elements of what is not known to be a list cost nothing.
    let sum = match list.seen() {
        Type::List(_) => count.times(element_size(list, declared)),
        _ => Range::ZERO,
    };
    match args.get(1) {
        None => sum,
        Some(by) => sum.plus(by.size_or_unknown(declared).times(Range {
            min: count.min.saturating_sub(1),
            max: count.max.saturating_sub(1),
        })),
    }
}

/// The size of a text with a part of it replaced wherever it is found. The largest text comes from the smallest part, as that is
/// found most often, and the smallest text from the largest part.
fn replaced(text: Range, part: Range, by: Range) -> Range {
    let grows = part.min == 0 || by.max > part.min;
    let shrinks = part.max == 0 || by.min < part.max;
    Range {
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

/// The size of a text where the part is found as often as it can be: it is all that there is, and counts even where the end cuts
/// it. A part without letters is found beside every letter, which stays.
const fn replaced_throughout(text: u64, part: u64, by: u64) -> u64 {
    if part == 0 {
        let found = text.saturating_add(1);
        found.saturating_mul(by).saturating_add(text)
    } else {
        text.div_ceil(part).saturating_mul(by)
    }
}

fn address(name: &str, overload: &Overload, other: Range) -> Range {
    let bytes = Range { min: 4, max: 16 };
    let mut cost = bytes.plus(bytes).tenths();
    if name == "containsCIDR" {
        cost = cost.plus(bytes.tenths()).plus(Range::ONE);
    }
    if overload.args.get(1) == Some(&Type::Text) {
        cost = cost.plus(other.tenths());
    }
    cost
}

#[cfg(test)]
mod tests {
    use super::{Range, replaced, replaced_throughout};

    /// All texts of two letters, of up to so many.
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
        let exactly = |text: &str| Range::exactly(size(text));
        for text in texts(5) {
            for part in texts(3) {
                for by in texts(4).into_iter().step_by(3) {
                    let bound = replaced(exactly(&text), exactly(&part), exactly(&by));
                    let made = size(&text.replace(&part, &by));
                    assert!(made <= bound.max, "{text:?} {part:?} {by:?}");
                    // Nothing may be found, so the least is that of the text, or of parts alone.
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
                let sizes = [&*text, part, by].map(|text| Range::exactly(size(text)));
                let bound = replaced(sizes[0], sizes[1], sizes[2]);
                let grows = part.is_empty() || by.len() > part.len();
                assert_eq!(made, if grows { bound.max } else { bound.min });
            }
        }
    }

    #[test]
    fn wide_ranges_are_bounded_by_their_ends() {
        let range = |min, max| Range { min, max };
        for (text, part, by, wanted) in [
            (range(2, 10), range(1, 3), range(0, 4), range(0, 40)),
            (range(2, 10), range(0, 3), range(3, 4), range(2, 54)),
            (range(2, 10), range(0, 0), range(3, 4), range(11, 54)),
            (range(7, 10), range(3, 3), range(1, 1), range(3, 10)),
            (range(3, 3), range(2, 2), range(2, 2), range(3, 3)),
            (range(1, 10), range(2, 5), range(2, 5), range(2, 25)),
            (
                Range::UNKNOWN,
                Range::UNKNOWN,
                Range::ZERO,
                range(0, u64::MAX),
            ),
            (
                Range::UNKNOWN,
                Range::UNKNOWN,
                Range::UNKNOWN,
                range(0, u64::MAX),
            ),
        ] {
            assert_eq!(replaced(text, part, by), wanted, "{text:?} {part:?} {by:?}");
        }
    }
}
