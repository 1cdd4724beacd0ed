//! The syntax tree of an expression.

use super::source_error::SourceError;

/// The maximum height of a tree. The checker and the interpreter are recursive.
const MAX_DEPTH: u16 = 200;

/// The maximum number of nodes of a tree. Macros may repeat their target, so a tree may have many
/// more nodes than the source has tokens.
const MAX_NODES: u32 = 200_000;

/// A node of the syntax tree, with the position in the source at which its errors are reported.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The byte position in the source.
    pub offset: u32,
    /// The kind of the node.
    pub kind: AstKind,
    height: u16,
    /// The number of nodes of the tree.
    node_count: u32,
}

/// The kind of a node.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AstKind {
    /// A constant.
    Literal(Literal),
    /// An identifier: `self`, or a variable of a macro.
    Ident(String),
    /// A selection `operand.field`.
    Select {
        /// The operand of the selection.
        operand: Box<Ast>,
        /// The name in the source. A JSON name that is not a CEL identifier is escaped by the rules
        /// of Kubernetes: `a__dash__b`.
        field: String,
        /// True for `has(operand.field)`.
        test_only: bool,
    },
    /// A function call or an operator.
    Call {
        /// The name of the function.
        function: String,
        /// The target of a member call `target.function()`.
        target: Option<Box<Ast>>,
        /// The arguments in parentheses, or the operands.
        args: Vec<Ast>,
    },
    /// A list `[a, b]`.
    List(Vec<Element>),
    /// A map `{k: v}`.
    Map(Vec<Entry>),
    /// A message literal `Message{}`, which rules cannot use.
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
    /// True for `[?a]`: the element is omitted if its optional value is absent.
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
    /// True for `{?k: v}`: the entry is omitted if its optional value is absent.
    pub optional: bool,
}

/// A comprehension, the expansion of a macro over lists and maps.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comprehension {
    /// The list or map that the comprehension iterates over.
    pub iter_range: Ast,
    /// The variable of the element; with two variables, the variable of the index or key.
    pub iter_var: String,
    /// The second variable, for the value.
    pub iter_var2: Option<String>,
    /// The name of the accumulator.
    pub accu_var: String,
    /// The initial value of the accumulator.
    pub accu_init: Ast,
    /// The condition for the next iteration.
    pub loop_condition: Ast,
    /// The next value of the accumulator.
    pub loop_step: Ast,
    /// The result expression.
    pub result: Ast,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Literal {
    /// The literal `null`.
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
    /// Returns a tree, or an error if the tree is too high or has too many nodes.
    pub(super) fn new(offset: u32, kind: AstKind) -> Result<Self, SourceError> {
        let height = kind.max_child_height() + 1;
        if height > MAX_DEPTH {
            let message = format!("expression recursion limit exceeded: {MAX_DEPTH}");
            return Err(SourceError::new(offset, message));
        }
        let node_count = kind.descendant_count().saturating_add(1);
        if node_count > MAX_NODES {
            let message = format!("expression has too many parts: more than {MAX_NODES}");
            return Err(SourceError::new(offset, message));
        }
        Ok(Self {
            offset,
            kind,
            height,
            node_count,
        })
    }

    /// Returns a placeholder for an invalid part.
    pub(super) const fn error_node(offset: u32) -> Self {
        Self {
            offset,
            kind: AstKind::Literal(Literal::Null),
            height: 1,
            node_count: 1,
        }
    }

    pub(super) fn ident(offset: u32, name: &str) -> Self {
        Self {
            offset,
            kind: AstKind::Ident(name.to_owned()),
            height: 1,
            node_count: 1,
        }
    }

    pub(super) fn literal(offset: u32, literal: Literal) -> Self {
        Self {
            offset,
            kind: AstKind::Literal(literal),
            height: 1,
            node_count: 1,
        }
    }

    pub(super) fn call(offset: u32, function: &str, args: Vec<Self>) -> Result<Self, SourceError> {
        let function = function.to_owned();
        Self::new(
            offset,
            AstKind::Call {
                function,
                target: None,
                args,
            },
        )
    }

    /// Returns the tree and all trees inside, in no specified order.
    pub fn descendants(&self) -> impl Iterator<Item = &Self> {
        let mut pending = vec![self];
        core::iter::from_fn(move || {
            let ast = pending.pop()?;
            pending.extend(ast.kind.children());
            Some(ast)
        })
    }

    /// Returns true if the tree contains an identifier with the name, even if it is the variable of
    /// a macro.
    #[must_use]
    pub fn references_variable(&self, name: &str) -> bool {
        self.descendants()
            .any(|ast| matches!(&ast.kind, AstKind::Ident(other) if other == name))
    }

    /// Returns the qualified name that an identifier or a chain of selections denotes, such as
    /// `a.b.c`.
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
    fn max_child_height(&self) -> u16 {
        self.children()
            .map(|ast| ast.height)
            .max()
            .unwrap_or_default()
    }

    fn descendant_count(&self) -> u32 {
        let node_count = self.children().map(|ast| ast.node_count);
        node_count.fold(0, u32::saturating_add)
    }

    /// Returns the direct children in the order of the source.
    pub fn children(&self) -> impl Iterator<Item = &Ast> {
        let (operand, args, elements, entries, comprehension) = match self {
            Self::Literal(_) | Self::Ident(_) | Self::Struct(_) => {
                (None, &[][..], &[][..], &[][..], None)
            }
            Self::Select { operand, .. } => (Some(&**operand), &[][..], &[][..], &[][..], None),
            Self::Call { target, args, .. } => (target.as_deref(), &**args, &[][..], &[][..], None),
            Self::List(elements) => (None, &[][..], &**elements, &[][..], None),
            Self::Map(entries) => (None, &[][..], &[][..], &**entries, None),
            Self::Comprehension(comprehension) => {
                (None, &[][..], &[][..], &[][..], Some(&**comprehension))
            }
        };
        let entries = entries.iter().flat_map(|entry| [&entry.key, &entry.value]);
        let comprehension = comprehension.into_iter().flat_map(|comprehension| {
            [
                &comprehension.iter_range,
                &comprehension.accu_init,
                &comprehension.loop_condition,
                &comprehension.loop_step,
                &comprehension.result,
            ]
        });
        let elements = elements.iter().map(|element| &element.value);
        operand
            .into_iter()
            .chain(args)
            .chain(elements)
            .chain(entries)
            .chain(comprehension)
    }
}
