//! Writes all mutants of a file into the file, each behind a switch, such as
//! `if on(7) { a < b } else { a <= b }`.

use std::error::Error;
use std::ops::Range;

use proc_macro2::LineColumn;
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use crate::mutant::{Mutant, Place};

/// A file with switches.
#[derive(Debug, Default)]
pub(crate) struct Switched {
    pub(crate) text: String,
    /// The parts of the text that exist because of mutants, with the numbers of these mutants. A
    /// compile error in a part rejects the mutants.
    pub(crate) parts: Vec<(Range<usize>, Vec<usize>)>,
}

/// An expression, an arm or a function that mutants change.
#[derive(Debug)]
struct Site {
    range: Range<usize>,
    kind: Kind,
    /// The numbers of the mutants.
    mutants: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The range is the expression, and a mutant replaces the operator.
    Operator,
    /// The range is empty, before the first statement.
    Body,
    /// The range is empty, behind the pattern.
    Arm,
    /// The range is the guard.
    Guard,
}

/// Returns the file with switches for the mutants, which are pairs of a number and a mutant. Adds
/// the numbers of the mutants that do not fit a switch to `rejected`.
pub(crate) fn switch(
    text: &str,
    mutants: &[(usize, &Mutant)],
    rejected: &mut Vec<usize>,
) -> Result<Switched, Box<dyn Error>> {
    let lines = Lines::new(text);
    let mut found = Found {
        lines: &lines,
        operators: Vec::new(),
        arms: Vec::new(),
    };
    found.visit_file(&syn::parse_file(text)?);
    let mut sites: Vec<Site> = Vec::new();
    for (number, mutant) in mutants {
        let start = lines.offset(mutant.start);
        let site = match mutant.genre.as_str() {
            // The mutant would have another type than the body.
            "FnValue" if mutant.return_type.starts_with("-> impl ") => None,
            "FnValue" => Some((start..start, Kind::Body)),
            "BinaryOperator" | "UnaryOperator" => found
                .operators
                .iter()
                .find(|(operator, _)| *operator == start)
                .map(|(_, range)| (range.clone(), Kind::Operator)),
            "MatchArm" => found
                .arms
                .iter()
                .find(|(arm, _)| *arm == start)
                .map(|(_, end)| (*end..*end, Kind::Arm)),
            "MatchArmGuard" if !text[start..].starts_with("let ") => {
                Some((start..lines.offset(mutant.end), Kind::Guard))
            }
            _ => None,
        };
        let Some((range, kind)) = site else {
            rejected.push(*number);
            continue;
        };
        match sites
            .iter_mut()
            .find(|site| (&site.range, site.kind) == (&range, kind))
        {
            Some(site) => site.mutants.push(*number),
            None => sites.push(Site {
                range,
                kind,
                mutants: vec![*number],
            }),
        }
    }
    let numbered = |number: usize| {
        let found = mutants.iter().find(|(other, _)| *other == number);
        found.map(|(_, mutant)| *mutant)
    };
    let mut edits = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        edits.extend(site_edits(text, &lines, site, index, &numbered));
    }
    Ok(apply(text, edits, &sites))
}

/// A text to insert at the start or the end of a site.
#[derive(Debug)]
struct Edit {
    /// The offset, and then the order of insertions at the same offset: the ends of expressions,
    /// inner expressions first, and then the starts of expressions, outer expressions first.
    order: (usize, bool, u8, usize),
    site: usize,
    is_start: bool,
    /// The pieces of the text, with the number of the mutant if a piece belongs to one mutant.
    pieces: Vec<(String, Option<usize>)>,
}

fn site_edits<'a>(
    text: &str,
    lines: &Lines<'_>,
    site: &Site,
    index: usize,
    mutant: &dyn Fn(usize) -> Option<&'a Mutant>,
) -> Vec<Edit> {
    const ON: &str = "crate::mutant_switch::on";
    let Range { start, end } = site.range.clone();
    let of_site: Vec<(usize, &Mutant)> = site
        .mutants
        .iter()
        .filter_map(|number| Some((*number, mutant(*number)?)))
        .collect();
    let mut before: Vec<(String, Option<usize>)> = Vec::new();
    let mut after = String::new();
    match site.kind {
        Kind::Body => {
            for (number, mutant) in of_site {
                let replacement = &mutant.replacement;
                let value = if replacement == "()" { "" } else { replacement };
                before.push((
                    format!("if {ON}({number}) {{ return {value}; }} "),
                    Some(number),
                ));
            }
        }
        Kind::Operator => {
            before.push(("(".to_owned(), None));
            for (number, mutant) in of_site {
                let operator = lines.offset(mutant.start)..lines.offset(mutant.end);
                let changed = format!(
                    "{}{}{}",
                    &text[start..operator.start],
                    mutant.replacement,
                    &text[operator.end..end]
                );
                before.push((
                    format!("if {ON}({number}) {{ {changed} }} else "),
                    Some(number),
                ));
            }
            before.push(("{ ".to_owned(), None));
            " })".clone_into(&mut after);
        }
        Kind::Arm => {
            for (number, _) in of_site {
                before.push((format!(" if !{ON}({number})"), Some(number)));
            }
        }
        Kind::Guard => {
            let mut close = 0;
            for (number, mutant) in of_site {
                let text = if mutant.replacement == "true" {
                    format!("{ON}({number}) || (")
                } else {
                    format!("!{ON}({number}) && (")
                };
                before.push((text, Some(number)));
                close += 1;
            }
            after = ")".repeat(close);
        }
    }
    let outer_first = match site.kind {
        Kind::Body => 0,
        Kind::Arm | Kind::Guard => 1,
        Kind::Operator => 2,
    };
    let mut edits = vec![Edit {
        order: (start, true, outer_first, usize::MAX - end),
        site: index,
        is_start: true,
        pieces: before,
    }];
    if !after.is_empty() {
        edits.push(Edit {
            order: (end, false, u8::MAX - outer_first, usize::MAX - start),
            site: index,
            is_start: false,
            pieces: vec![(after, None)],
        });
    }
    edits
}

fn apply(text: &str, mut edits: Vec<Edit>, sites: &[Site]) -> Switched {
    edits.sort_by_key(|edit| edit.order);
    let mut switched = Switched::default();
    let mut starts = vec![0; sites.len()];
    let mut copied = 0;
    for edit in edits {
        let offset = edit.order.0;
        switched.text.push_str(&text[copied..offset]);
        copied = offset;
        if edit.is_start {
            starts[edit.site] = switched.text.len();
        }
        for (piece, mutant) in edit.pieces {
            let start = switched.text.len();
            switched.text.push_str(&piece);
            if let Some(mutant) = mutant {
                switched
                    .parts
                    .push((start..switched.text.len(), vec![mutant]));
            }
        }
        if !edit.is_start {
            let whole = starts[edit.site]..switched.text.len();
            switched
                .parts
                .push((whole, sites[edit.site].mutants.clone()));
        }
    }
    switched.text.push_str(&text[copied..]);
    switched
}

/// Offsets of the lines of a text.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let newlines = text.match_indices('\n').map(|(offset, _)| offset + 1);
        Lines {
            text,
            starts: std::iter::once(0).chain(newlines).collect(),
        }
    }

    pub(crate) fn offset(&self, (line, column): Place) -> usize {
        let start = self.starts[line - 1];
        let characters = self.text[start..].char_indices().nth(column - 1);
        characters.map_or(self.text.len(), |(offset, _)| start + offset)
    }

    fn offset_of(&self, place: LineColumn) -> usize {
        self.offset((place.line, place.column + 1))
    }
}

/// The operators and the arms of a file.
struct Found<'a> {
    lines: &'a Lines<'a>,
    /// The start of each operator, and its whole expression.
    operators: Vec<(usize, Range<usize>)>,
    /// The start of each arm, and the end of its pattern.
    arms: Vec<(usize, usize)>,
}

impl Found<'_> {
    fn add(&mut self, operator: proc_macro2::Span, whole: proc_macro2::Span) {
        let range = self.lines.offset_of(whole.start())..self.lines.offset_of(whole.end());
        self.operators
            .push((self.lines.offset_of(operator.start()), range));
    }
}

impl<'ast> Visit<'ast> for Found<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        // `let` is not an expression, so that no other operator than `&&` compiles beside it.
        if !has_let(&binary.left) && !has_let(&binary.right) {
            self.add(binary.op.span(), binary.span());
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        self.add(unary.op.span(), unary.span());
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_match(&mut self, matched: &'ast syn::ExprMatch) {
        // rustc does not count an arm with a guard, such as a switch, among the cases that a match
        // covers. A match with a wildcard compiles nevertheless.
        let is_wildcard = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Wild(_));
        if matched.arms.iter().any(is_wildcard) {
            for arm in &matched.arms {
                let start = self.lines.offset_of(arm.span().start());
                self.arms
                    .push((start, self.lines.offset_of(arm.pat.span().end())));
            }
        }
        visit::visit_expr_match(self, matched);
    }
}

fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}
