//! The tree of an expression.

use super::source_error::SourceError;

/// The maximum number of levels of a tree: every level takes stack in the checker and in the
/// machine.
const MAX_DEPTH: u16 = 200;

/// The maximum number of parts of a tree. Some macros repeat their target, so a tree may have many
/// more parts than tokens.
const MAX_PARTS: u32 = 200_000;

/// A part of an expression, and the byte of the source that its errors point at.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The byte of the source.
    pub offset: u32,
    /// The kind of the part.
    pub kind: AstKind,
    height: u16,
    /// The number of parts of the tree.
    parts: u32,
}

/// The kind of a part of an expression.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AstKind {
    /// A constant.
    Literal(Literal),
    /// A name: `self`, or a variable of a macro.
    Ident(String),
    /// A selection `operand.field`.
    Select {
        /// The operand of the selection.
        operand: Box<Ast>,
        /// The name as the source contains it; see Kubernetes' rules for names that CEL does not
        /// allow.
        field: String,
        /// True for `has(operand.field)`.
        test_only: bool,
    },
    /// A call, or an operator.
    Call {
        /// The name of the function.
        function: String,
        /// The target of a call `target.function()`.
        target: Option<Box<Ast>>,
        /// The arguments in the brackets, or the operands.
        args: Vec<Ast>,
    },
    /// A list `[a, b]`.
    List(Vec<Element>),
    /// A map `{k: v}`.
    Map(Vec<Entry>),
    /// A message `Message{}`, which no rule can have.
    Struct(String),
    /// The expansion of a macro over lists and maps.
    Comprehension(Box<Comprehension>),
}

/// An element of a list literal.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Element {
    /// The value.
    pub value: Ast,
    /// True for `[?a]`: the element is omitted if its value is an optional without a value.
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
    /// True for `{?k: v}`: the entry is omitted if its value is an optional without a value.
    pub optional: bool,
}

/// A comprehension, which is the expansion of a macro over lists and maps.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comprehension {
    /// The list or map that the comprehension iterates over.
    pub iter_range: Ast,
    /// The name of an element; with two variables, of its index or key.
    pub iter_var: String,
    /// The name of the value, if the comprehension has two variables.
    pub iter_var2: Option<String>,
    /// The name of the accumulator.
    pub accu_var: String,
    /// The initial value of the accumulator.
    pub accu_init: Ast,
    /// The condition for the next element.
    pub loop_condition: Ast,
    /// The value of the accumulator after an element.
    pub loop_step: Ast,
    /// The result.
    pub result: Ast,
}

/// A constant.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// The constant `null`.
    Null,
    /// A bool: `true` or `false`.
    Bool(bool),
    /// An integer such as `1`.
    Int(i64),
    /// An unsigned integer such as `1u`.
    Uint(u64),
    /// A float such as `1.0`.
    Double(f64),
    /// A string such as `'text'`.
    String(String),
    /// Bytes such as `b'bytes'`.
    Bytes(Vec<u8>),
}

impl Ast {
    /// Returns a tree, or a problem if the tree has too many levels or parts.
    pub(super) fn new(at: u32, kind: AstKind) -> Result<Self, SourceError> {
        let height = kind.height() + 1;
        if height > MAX_DEPTH {
            let text = format!("expression recursion limit exceeded: {MAX_DEPTH}");
            return Err(SourceError::new(at, text));
        }
        let parts = kind.parts().saturating_add(1);
        if parts > MAX_PARTS {
            let text = format!("expression has too many parts: more than {MAX_PARTS}");
            return Err(SourceError::new(at, text));
        }
        Ok(Self {
            offset: at,
            kind,
            height,
            parts,
        })
    }

    /// Returns a tree that replaces a wrong part.
    pub(super) const fn error_node(at: u32) -> Self {
        Self {
            offset: at,
            kind: AstKind::Literal(Literal::Null),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn ident(at: u32, name: &str) -> Self {
        Self {
            offset: at,
            kind: AstKind::Ident(name.to_owned()),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn literal(at: u32, literal: Literal) -> Self {
        Self {
            offset: at,
            kind: AstKind::Literal(literal),
            height: 1,
            parts: 1,
        }
    }

    pub(super) fn call(at: u32, function: &str, args: Vec<Self>) -> Result<Self, SourceError> {
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

    /// Returns the tree and all trees inside.
    pub fn descendants(&self) -> impl Iterator<Item = &Self> {
        let mut waiting = vec![self];
        core::iter::from_fn(move || {
            let ast = waiting.pop()?;
            waiting.extend(ast.kind.children());
            Some(ast)
        })
    }

    /// Returns true if the tree contains a variable of this name. The variables of macros count
    /// too.
    #[must_use]
    pub fn references_variable(&self, name: &str) -> bool {
        self.descendants()
            .any(|ast| matches!(&ast.kind, AstKind::Ident(other) if other == name))
    }

    /// Returns the name that an identifier or a chain of selections spells: `a.b.c`.
    #[must_use]
    pub fn qualified_name(&self) -> Option<String> {
        match &self.kind {
            AstKind::Ident(name) => Some(name.clone()),
            AstKind::Select {
                operand,
                field,
                test_only: false,
            } => Some(format!("{}.{field}", operand.qualified_name()?)),
            _ => None,
        }
    }
}

impl AstKind {
    fn height(&self) -> u16 {
        self.children()
            .map(|ast| ast.height)
            .max()
            .unwrap_or_default()
    }

    fn parts(&self) -> u32 {
        let parts = self.children().map(|ast| ast.parts);
        parts.fold(0, u32::saturating_add)
    }

    /// Returns the trees directly below, in the order of the source.
    pub fn children(&self) -> impl Iterator<Item = &Ast> {
        let (one, args, elements, entries, fold) = match self {
            Self::Literal(_) | Self::Ident(_) | Self::Struct(_) => {
                (None, &[][..], &[][..], &[][..], None)
            }
            Self::Select { operand, .. } => (Some(&**operand), &[][..], &[][..], &[][..], None),
            Self::Call { target, args, .. } => (target.as_deref(), &**args, &[][..], &[][..], None),
            Self::List(elements) => (None, &[][..], &**elements, &[][..], None),
            Self::Map(entries) => (None, &[][..], &[][..], &**entries, None),
            Self::Comprehension(fold) => (None, &[][..], &[][..], &[][..], Some(&**fold)),
        };
        let entries = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
        let fold = fold.into_iter().flat_map(|fold| {
            [
                &fold.iter_range,
                &fold.accu_init,
                &fold.loop_condition,
                &fold.loop_step,
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
