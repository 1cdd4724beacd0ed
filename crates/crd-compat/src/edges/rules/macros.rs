//! Reads the macros over lists and maps, whose expansions the syntax tree has.

use k8s_cel::syntax::{Ast, AstKind, Comprehension, Literal};

/// The part of a macro that is evaluated for each element.
pub(super) enum Body<'r> {
    All(&'r Ast),
    Exists(&'r Ast),
    ExistsOne(&'r Ast),
    /// The condition of a filter or of a map, and the value that a map has for an element.
    Transform(Option<&'r Ast>, Option<&'r Ast>),
}

/// A macro over a list or a map.
pub(super) struct Macro<'r> {
    pub(super) variables: (&'r str, Option<&'r str>),
    pub(super) range: &'r Ast,
    pub(super) body: Body<'r>,
}

impl<'r> Macro<'r> {
    /// Returns the macro that was expanded to a comprehension; `None` for other comprehensions.
    pub(super) fn read(comprehension: &'r Comprehension) -> Option<Self> {
        let AstKind::Call { function, args, .. } = &comprehension.loop_step.kind else {
            return None;
        };
        let body = match (function.as_str(), args.as_slice()) {
            ("_&&_", [_, condition]) => Body::All(condition),
            ("_||_", [_, condition]) => Body::Exists(condition),
            ("_?_:_", [condition, added, _]) => match added_term(added)? {
                Added::One => Body::ExistsOne(condition),
                Added::Element(element)
                    if comprehension.iter_var2.is_none() && is_variable(element, comprehension) =>
                {
                    Body::Transform(Some(condition), None)
                }
                Added::Element(value) => Body::Transform(Some(condition), Some(value)),
            },
            ("_+_", _) => match added_term(&comprehension.loop_step)? {
                Added::Element(value) => Body::Transform(None, Some(value)),
                Added::One => return None,
            },
            _ => return None,
        };
        Some(Self {
            variables: (&comprehension.iter_var, comprehension.iter_var2.as_deref()),
            range: &comprehension.iter_range,
            body,
        })
    }

    /// Returns the condition of a filter or a map.
    pub(super) const fn filtered(&self) -> Option<&'r Ast> {
        match self.body {
            Body::Transform(condition, _) => condition,
            _ => None,
        }
    }

    /// Returns the value that a map has for each element.
    pub(super) const fn mapped(&self) -> Option<&'r Ast> {
        match self.body {
            Body::Transform(_, value) => value,
            _ => None,
        }
    }
}

fn is_variable(ast: &Ast, comprehension: &Comprehension) -> bool {
    matches!(&ast.kind, AstKind::Ident(name) if *name == comprehension.iter_var)
}

/// The operand that a step of a macro adds to its result.
enum Added<'r> {
    /// The number 1.
    One,
    /// A list with an element.
    Element(&'r Ast),
}

fn added_term(sum: &Ast) -> Option<Added<'_>> {
    let AstKind::Call { function, args, .. } = &sum.kind else {
        return None;
    };
    match (function.as_str(), args.as_slice()) {
        ("_+_", [_, added]) => match &added.kind {
            AstKind::Literal(Literal::Int(_)) => Some(Added::One),
            AstKind::List(elements) => Some(Added::Element(&elements.first()?.value)),
            _ => None,
        },
        _ => None,
    }
}
