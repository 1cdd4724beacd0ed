//! The tree of an expression.

use super::problem::Problem;

/// How many levels a tree may have: every level takes stack when it is checked and evaluated.
const DEEPEST: u16 = 200;

/// How many parts a tree may have. Some macros repeat their target, so that there may be many more than tokens.
const LARGEST: u32 = 200_000;

/// A part of an expression, and the byte of the text that errors about it point at.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The byte of the text.
    pub at: u32,
    /// What it is.
    pub kind: AstKind,
    height: u16,
    /// How many parts it has.
    parts: u32,
}

/// What a part of an expression is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AstKind {
    /// A constant.
    Literal(Literal),
    /// A name: `self`, or a variable of a macro.
    Ident(String),
    /// `operand.field`.
    Select {
        /// What is selected from.
        operand: Box<Ast>,
        /// The name as it is written; see Kubernetes' rules for names that CEL cannot write.
        field: String,
        /// It is `has(operand.field)`.
        test: bool,
    },
    /// A call, or an operator.
    Call {
        /// The name of the function.
        function: String,
        /// What stands before the point: `target.function()`.
        target: Option<Box<Ast>>,
        /// What stands in the brackets; the operands.
        args: Vec<Ast>,
    },
    /// `[a, b]`.
    List(Vec<Element>),
    /// `{k: v}`.
    Map(Vec<Entry>),
    /// `Message{}`, which no rule can have.
    Struct(String),
    /// What the macros over lists and maps expand to.
    Fold(Box<Fold>),
}

/// An element of a list literal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Element {
    /// The value.
    pub value: Ast,
    /// It is left out where it is an optional without a value: `[?a]`.
    pub optional: bool,
}

/// An entry of a map literal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The key.
    pub key: Ast,
    /// The value.
    pub value: Ast,
    /// It is left out where the value is an optional without one: `{?k: v}`.
    pub optional: bool,
}

/// A comprehension, which is what the macros over lists and maps expand to.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fold {
    /// What it goes through.
    pub range: Ast,
    /// The name of an element, or of its index or key where there are two.
    pub var: String,
    /// The name of the value, where there are two.
    pub second: Option<String>,
    /// The name of what is gathered.
    pub accu: String,
    /// What is gathered at first.
    pub init: Ast,
    /// Whether to go on.
    pub condition: Ast,
    /// What is gathered after an element.
    pub step: Ast,
    /// What it comes to.
    pub result: Ast,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `1`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`.
    Double(f64),
    /// `'text'`.
    Text(String),
    /// `b'bytes'`.
    Bytes(Vec<u8>),
}

impl Ast {
    /// A tree; a problem where it has too many levels.
    pub(super) fn new(at: u32, kind: AstKind) -> Result<Self, Problem> {
        let height = kind.height() + 1;
        if height > DEEPEST {
            let text = format!("expression recursion limit exceeded: {DEEPEST}");
            return Err(Problem::new(at, text));
        }
        let parts = kind.parts().saturating_add(1);
        if parts > LARGEST {
            let text = format!("expression has too many parts: more than {LARGEST}");
            return Err(Problem::new(at, text));
        }
        Ok(Self {
            at,
            kind,
            height,
            parts,
        })
    }

    /// What stands for a part that is wrong.
    pub(super) const fn broken(at: u32) -> Self {
        Self {
            at,
            kind: AstKind::Literal(Literal::Null),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn ident(at: u32, name: &str) -> Self {
        Self {
            at,
            kind: AstKind::Ident(name.to_owned()),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn literal(at: u32, literal: Literal) -> Self {
        Self {
            at,
            kind: AstKind::Literal(literal),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn call(at: u32, function: &str, args: Vec<Self>) -> Result<Self, Problem> {
        let function = function.to_owned();
        Self::new(
            at,
            AstKind::Call {
                function,
                target: None,
                args,
            },
        )
    }

    /// The tree and all trees in it.
    pub fn walk(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        core::iter::from_fn(move || {
            let ast = waiting.pop()?;
            waiting.extend(ast.kind.below());
            Some(ast)
        })
    }

    /// Whether a variable is named anywhere in the tree, one of a macro that is called so included.
    #[must_use]
    pub fn mentions(&self, name: &str) -> bool {
        self.walk()
            .any(|ast| matches!(&ast.kind, AstKind::Ident(other) if other == name))
    }

    /// What an identifier or a chain of selections spells: `a.b.c`.
    #[must_use]
    pub fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            AstKind::Ident(name) => Some(name.clone()),
            AstKind::Select {
                operand,
                field,
                test: false,
            } => Some(format!("{}.{field}", operand.qualified_name()?)),
            _ => None,
        }
    }
}

impl AstKind {
    fn height(&self) -> u16 {
        self.below().map(|ast| ast.height).max().unwrap_or_default()
    }

    fn parts(&self) -> u32 {
        let parts = self.below().map(|ast| ast.parts);
        parts.fold(0, u32::saturating_add)
    }

    /// The trees right below, in the order of the text.
    pub fn below(&self) -> impl Iterator<Item = &Ast> {
        let (one, args, elements, entries, fold) = match self {
            Self::Literal(_) | Self::Ident(_) | Self::Struct(_) => {
                (None, &[][..], &[][..], &[][..], None)
            }
            Self::Select { operand, .. } => (Some(&**operand), &[][..], &[][..], &[][..], None),
            Self::Call { target, args, .. } => (target.as_deref(), &**args, &[][..], &[][..], None),
            Self::List(elements) => (None, &[][..], &**elements, &[][..], None),
            Self::Map(entries) => (None, &[][..], &[][..], &**entries, None),
            Self::Fold(fold) => (None, &[][..], &[][..], &[][..], Some(&**fold)),
        };
        let entries = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
        let fold = fold.into_iter().flat_map(|fold| {
            [
                &fold.range,
                &fold.init,
                &fold.condition,
                &fold.step,
                &fold.result,
            ]
        });
        let elements = elements.iter().map(|element| &element.value);
        one.into_iter()
            .chain(args)
            .chain(elements)
            .chain(entries)
            .chain(fold)
    }
}
