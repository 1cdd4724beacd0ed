//! The size of a compiled pattern, computed before the compilation, so that too large patterns are
//! not compiled.

use regex_syntax::hir::{Class, ClassUnicode, Hir, HirKind};
use regex_syntax::utf8::Utf8Sequences;

/// Returns the compiled size of a parsed pattern: approximately the number of its transitions. The
/// parser limits the depth of the recursion.
pub(super) fn pattern_size(hir: &Hir) -> u64 {
    let content = match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(Class::Unicode(class)) => class_size(class),
        HirKind::Class(Class::Bytes(class)) => class.ranges().len() as u64,
        HirKind::Repetition(repetition) => {
            let times = repetition
                .max
                .unwrap_or_else(|| repetition.min.saturating_add(1))
                .max(1);
            pattern_size(&repetition.sub).saturating_mul(times.into())
        }
        HirKind::Capture(capture) => pattern_size(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            let sizes = parts.iter().map(pattern_size);
            sizes.fold(0, u64::saturating_add)
        }
    };
    content.saturating_add(1)
}

/// Returns the compiled size of a class. Each range of characters compiles to sequences of byte
/// ranges.
fn class_size(class: &ClassUnicode) -> u64 {
    let ranges = class.ranges().iter();
    let sizes = ranges.map(|range| {
        if range.end().is_ascii() {
            return 1;
        }
        let sequences = Utf8Sequences::new(range.start(), range.end());
        sequences.map(|sequence| sequence.len() as u64).sum()
    });
    sizes.sum()
}
