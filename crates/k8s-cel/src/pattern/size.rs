//! The size of a compiled pattern. It is computed before the compilation, so that patterns that are
//! too large are not compiled.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// Returns the weight of a parsed pattern: about the number of transitions. The parser bounds the
/// depth.
pub(super) fn pattern_size(hir: &Hir) -> u64 {
    let below = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Unicode(class)) => class_size(class),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len() as u64,
        HirKind::Repetition(of) => {
            let times = of.max.unwrap_or_else(|| of.min.saturating_add(1)).max(1);
            pattern_size(&of.sub).saturating_mul(times.into())
        }
        HirKind::Capture(of) => pattern_size(&of.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            let weights = parts.iter().map(pattern_size);
            weights.fold(0, u64::saturating_add)
        }
    };
    below.saturating_add(1)
}

/// Returns the weight of a class: each range of characters compiles to sequences of ranges of
/// bytes.
fn class_size(class: &ClassUnicode) -> u64 {
    let ranges = class.ranges().iter();
    let weights = ranges.map(|range| {
        if range.end().is_ascii() {
            return 1;
        }
        let sequences = Utf8Sequences::new(range.start(), range.end());
        sequences.map(|sequence| sequence.len() as u64).sum()
    });
    weights.sum()
}
