//! What a call may cost beyond its arguments, and how large its result may be.

use super::Checked;
use crate::code::Code;
use crate::estimate::{Place, Range, Step};
use crate::library::Overload;
use crate::shapes::Shapes;
use crate::syntax::Literal;
use crate::types::Type;

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

/// The price of an overload; where it is called on its first argument, that is the target.
pub(super) fn price(
    name: &str,
    overload: &Overload,
    is_member: bool,
    args: &[Checked],
    shapes: &Shapes,
) -> Price {
    let size = |at: usize| {
        args.get(at)
            .map_or(Range::UNKNOWN, |arg| arg.size_or_unknown(shapes))
    };
    let first = overload.args.first();
    let is_text = matches!(first, Some(Type::Text | Type::Bytes));
    match name {
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
            let Some(list) = args.first() else {
                return Price::of(Range::ONE);
            };
            Price::of(walk(list, shapes))
        }
        "url" | "lowerAscii" | "upperAscii" | "substring" | "trim" => {
            Price::sized(size(0).tenths(), size(0))
        }
        "replace" => Price::sized(size(0).factor(0.2), replaced(size(0), size(1), size(2))),
        "split" => Price::sized(size(0).factor(0.2), Range::up_to(size(0).max)),
        "join" => {
            let joined = joined(args, shapes);
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
        "sort" => making(size(0).times(size(0)), comparing(first)),
        "@sortByAssociatedKeys" => {
            let keys = args.get(1).map(|keys| &keys.ty);
            making(size(1).times(size(1)), comparing(keys))
        }
        "find" | "findAll" => {
            let cost = matching(size(0), size(1));
            Price::sized(cost, Range::up_to(size(0).max))
        }
        "matches" if is_member => Price::of(matching(size(0), size(1))),
        "cidr" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
            Price::of(size(0).tenths())
        }
        "ip" if is_text => Price::of(size(0).tenths()),
        "ip.isCanonical" => Price::of(size(0).factor(0.2)),
        "containsIP" | "containsCIDR" => Price::of(address(name, overload, size(1))),
        "validate" => Price::of(size(1).tenths().factor(32.0)),
        "format" => Price::of(size(0).tenths()),
        "bytes" if is_text && first == Some(&Type::Text) => {
            let size = size(0);
            let most = Range {
                min: size.min,
                max: size.max.saturating_mul(4),
            };
            Price::sized(size.tenths(), most)
        }
        "string" if first == Some(&Type::Bytes) => {
            let size = size(0);
            let least = Range {
                min: size.min / 4,
                max: size.max,
            };
            Price::sized(size.tenths(), least)
        }
        "strings.quote" => {
            let size = size(0);
            let quoted = Range {
                min: size.min.saturating_add(2),
                max: size.max.saturating_mul(2).saturating_add(2),
            };
            Price::sized(size.tenths(), quoted)
        }
        "startsWith" | "endsWith" => Price::of(size(1).tenths()),
        "contains" => Price::of(size(0).tenths().times(size(1).tenths())),
        "sets.contains" | "sets.intersects" => Price::of(size(0).times(size(1)).plus(Range::ONE)),
        "sets.equivalent" => Price::of(
            size(0)
                .times(size(1))
                .times(Range::exactly(2))
                .plus(Range::ONE),
        ),
        "@in" if matches!(overload.args.get(1), Some(Type::List(_))) => Price::of(size(1)),
        "_+_" => match first {
            Some(Type::Text | Type::Bytes) => {
                let sum = size(0).plus(size(1));
                Price::sized(sum.tenths(), sum)
            }
            Some(Type::List(_)) => Price::sized(Range::ONE, size(0).plus(size(1))),
            _ => Price::of(Range::ONE),
        },
        "_==_" | "_!=_" if !is_opaque(args) => Price::of(comparison(size(0), size(1))),
        "_<_" | "_<=_" | "_>_" | "_>=_" if is_text => Price::of(comparison(size(0), size(1))),
        _ => Price::of(Range::ONE),
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

/// A number that is written there; less than zero counts as zero.
fn number(arg: Option<&Checked>) -> Option<u64> {
    match arg.map(|arg| &arg.code) {
        Some(Code::Literal(Literal::Int(value))) => Some(u64::try_from(*value).unwrap_or_default()),
        _ => None,
    }
}

/// How many levels are flattened.
#[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
fn levels(arg: Option<&Checked>) -> f64 {
    match arg {
        None => 1.0,
        arg => number(arg).unwrap_or(u64::MAX) as f64,
    }
}

fn is_opaque(args: &[Checked]) -> bool {
    matches!(args.first().map(|arg| &arg.ty), Some(Type::Opaque(_)))
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
fn walk(list: &Checked, shapes: &Shapes) -> Range {
    let size = list.size_or_unknown(shapes);
    let Type::List(of) = &list.ty else {
        return size.tenths();
    };
    let mut each = Range::ONE;
    if matches!(**of, Type::Text | Type::Bytes) {
        each = each.plus(element_size(list, shapes).tenths());
    }
    size.times(each)
}

/// The size of a list's elements.
fn element_size(list: &Checked, shapes: &Shapes) -> Range {
    let place = match list.place {
        Place::Nowhere => Place::Unknown,
        place => place.step(shapes, 0, Step::Items),
    };
    place.size(shapes).unwrap_or(Range::UNKNOWN)
}

fn joined(args: &[Checked], shapes: &Shapes) -> Range {
    let Some(list) = args.first() else {
        return Range::UNKNOWN;
    };
    let count = list.size_or_unknown(shapes);
    let sum = count.times(element_size(list, shapes));
    match args.get(1) {
        None => sum,
        Some(by) => sum.plus(by.size_or_unknown(shapes).times(Range {
            min: count.min.saturating_sub(1),
            max: count.max.saturating_sub(1),
        })),
    }
}

fn replaced(text: Range, from: Range, to: Range) -> Range {
    let (most, kept_most) = if from.min == 0 {
        (text.max.saturating_add(1), text.max)
    } else if to.max <= from.min {
        (0, text.max)
    } else {
        (text.max.div_ceil(from.min), 0)
    };
    let (least, kept_least) = if from.max == 0 {
        (text.min.saturating_add(1), text.min)
    } else if from.max <= to.min {
        (0, text.min)
    } else {
        (text.min.div_ceil(from.max), 0)
    };
    let count = Range {
        min: least,
        max: most,
    };
    count.times(to).plus(Range {
        min: kept_least,
        max: kept_most,
    })
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
