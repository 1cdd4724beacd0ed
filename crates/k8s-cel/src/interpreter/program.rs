//! The program of a checked expression. Names are resolved to slots, fields and functions.

use std::sync::Arc;

use crate::functions;
use crate::functions::call_form::CallForm;
use crate::functions::row::{FunctionRow, OrderTest, Overload, StringTest};
use crate::pattern::Matcher;
use crate::syntax::Literal;
use crate::types::declared::DeclaredId;
use crate::types::types::Type;

/// A checked expression that an [`Evaluator`](crate::Evaluator) can run.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) root: PlanNode,
    /// The maximum number of variables that are in scope at the same time.
    pub(crate) slots: usize,
    pub(crate) uses_old_self: bool,
    /// True if the result is always a bool or an error.
    pub(crate) is_bool: bool,
    pub(crate) ty: Type,
    pub(crate) max_cost: u64,
    pub(crate) pattern_size: u64,
}

impl Program {
    /// Returns the type of the result.
    #[must_use]
    pub const fn ty(&self) -> &Type {
        &self.ty
    }

    /// Returns the maximum cost, as an API server estimates it.
    #[must_use]
    pub const fn max_cost(&self) -> u64 {
        self.max_cost
    }

    /// Returns the total compiled size of the regular expressions; see
    /// [`Environment::pattern_size_limit`](crate::Environment::pattern_size_limit).
    #[must_use]
    pub const fn pattern_size(&self) -> u64 {
        self.pattern_size
    }

    /// Returns true if the expression reads `oldSelf`. Such a rule runs only on updates.
    #[must_use]
    pub const fn uses_old_self(&self) -> bool {
        self.uses_old_self
    }
}

/// The slot of `self`.
pub(crate) const SELF: u16 = 0;
/// The slot of `oldSelf`.
pub(crate) const OLD_SELF: u16 = 1;
/// The number of variables outside of all macros: `self` and `oldSelf`.
pub(crate) const ROOT_VARIABLES: usize = 2;

/// A node of a program.
// `repr(u8)` gives the tag a byte of its own. The interpreter reads the tag of every node, and a
// niche inside a literal would be slower to decode.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(crate) enum PlanNode {
    Literal(Literal),
    /// A type as a value, with its name.
    Type(&'static str),
    /// A name that the checker accepts, but whose value is always missing.
    MissingAttribute(&'static str),
    /// A variable, with its slot.
    Slot(u16),
    Select(Box<Select>),
    And(Box<[PlanNode; 2]>),
    Or(Box<[PlanNode; 2]>),
    Conditional(Box<Conditional>),
    Index(Box<Index>),
    /// A constant list or map, or a call that the compiler evaluates, without cost.
    PrecomputedConstant(Box<PlanNode>),
    ConstantIn(Box<ConstantIn>),
    Call(Box<Call>),
    /// The call of `!`.
    Not(Box<PlanNode>),
    /// A test that is false only for `false`: errors and all other values satisfy it.
    NotStrictlyFalse(Box<PlanNode>),
    OptionalOr(Box<OptionalOr>),
    /// A list literal: each element, and true if the element is optional (`?element`).
    List(Box<[(PlanNode, bool)]>),
    /// A map literal: each key and value, and true if the entry is optional (`?key: value`).
    Map(Box<[(PlanNode, PlanNode, bool)]>),
    Comprehension(Box<ComprehensionPlan>),
}

/// A field selection.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    pub(crate) operand: PlanNode,
    /// The JSON name of the field. All programs share its allocation.
    pub(crate) name: Arc<str>,
    /// The name in the source of the expression.
    pub(crate) source_name: Box<str>,
    /// The declared type of the field, if the operand is an object of the schema.
    pub(crate) declaration: Option<DeclaredId>,
    pub(crate) chain: Option<FieldChain>,
    pub(crate) mode: SelectMode,
    /// True if the start value of the attribute that ends here costs 1.
    pub(crate) has_start_cost: bool,
}

/// A chain of fields from a variable through objects of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldChain {
    /// The number of fields. Each field costs 1.
    pub(crate) length: u64,
    pub(crate) end: ChainEnd,
    /// The hash of the last name for the field cache.
    pub(crate) name_hash: usize,
}

/// The declared kind of the value that a field chain selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainEnd {
    Object,
    /// A string whose CEL type is string too.
    String,
    Int,
    List,
    Other,
}

/// An index expression of a list or map.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) operand: PlanNode,
    pub(crate) key: PlanNode,
    pub(crate) optional: bool,
    /// True if the start value of the attribute that ends here costs 1.
    pub(crate) has_start_cost: bool,
}

/// The operator `in` with a list of constants. Only the value has a cost.
#[derive(Clone, Debug)]
pub(crate) struct ConstantIn {
    pub(crate) value: PlanNode,
    pub(crate) list: PlanNode,
    /// The cost of reading the value, if the value may be a string that can be borrowed.
    pub(crate) cost: Option<u64>,
}

/// A conditional `condition ? yes : no`. If a branch is an attribute, its start value is free.
#[derive(Clone, Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: PlanNode,
    pub(crate) yes: PlanNode,
    pub(crate) no: PlanNode,
}

impl PlanNode {
    /// Returns true if the start value costs 1 in an attribute that starts with this node or
    /// extends this node. A conditional is free as the start value.
    pub(crate) fn has_start_cost(&self) -> bool {
        match self {
            Self::Conditional(_) => false,
            Self::Select(select) if select.mode != SelectMode::Has => select.has_start_cost,
            Self::Index(index) => index.has_start_cost,
            _ => true,
        }
    }

    /// Returns true if the result is always a bool or an error.
    pub(crate) fn is_bool(&self) -> bool {
        match self {
            Self::Literal(literal) => matches!(literal, Literal::Bool(_)),
            Self::And(_) | Self::Or(_) | Self::Not(_) | Self::ConstantIn(_) => true,
            Self::Select(select) => select.mode == SelectMode::Has,
            Self::Conditional(conditional) => conditional.yes.is_bool() && conditional.no.is_bool(),
            Self::Call(call) => call.equality.is_some() || call.borrowed_test.is_some(),
            Self::Comprehension(plan) => {
                matches!(plan.quantifier, Some(Quantifier::All | Quantifier::Exists))
            }
            _ => false,
        }
    }

    /// Returns the cost of reading the value, if the value may be a string that can be borrowed.
    pub(crate) fn string_cost(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::String(_)) => Some(0),
            Self::Slot(_) => Some(1),
            node => node.chain_cost(&[ChainEnd::String]),
        }
    }

    /// Returns the cost of reading the value, if the value may be an integer or a size that can be
    /// read without creating a CEL value.
    fn int_cost(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::Int(_)) => Some(0),
            Self::Call(call) if call.function.form == CallForm::Size => match &*call.args {
                [arg] => Some(arg.chain_cost(&[ChainEnd::String, ChainEnd::List])? + 1),
                _ => None,
            },
            node => node.chain_cost(&[ChainEnd::Int]),
        }
    }

    /// Returns the cost of a field chain that ends with one of these kinds.
    fn chain_cost(&self, ends: &[ChainEnd]) -> Option<u64> {
        match self {
            Self::Select(select) if select.mode == SelectMode::Select => {
                let chain = select.chain.filter(|chain| ends.contains(&chain.end))?;
                Some(chain.length + u64::from(select.has_start_cost))
            }
            _ => None,
        }
    }

    /// Returns true if the value is a constant.
    pub(crate) const fn is_constant(&self) -> bool {
        matches!(
            self,
            Self::Literal(_) | Self::Type(_) | Self::PrecomputedConstant(_)
        )
    }
}

/// The kind of a field selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectMode {
    /// `a.b`.
    Select,
    /// `has(a.b)`.
    Has,
    /// `a.?b`.
    Optional,
}

/// The function `a.or(b)` or `a.orValue(b)`, whose second argument is evaluated only if it is
/// needed.
#[derive(Clone, Debug)]
pub(crate) struct OptionalOr {
    pub(crate) optional: PlanNode,
    pub(crate) other: PlanNode,
    /// True for `orValue`, whose result is the content of the optional value.
    pub(crate) unwraps: bool,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: &'static FunctionRow,
    pub(crate) target: CallTarget,
    pub(crate) args: Box<[PlanNode]>,
    /// The result for equal values, if the function is `==` or `!=`.
    pub(crate) equality: Option<bool>,
    /// The test of borrowed operands that replaces the call, if the operands can be borrowed.
    pub(crate) borrowed_test: Option<BorrowedTest>,
    /// The actual cost; `None` costs 1.
    pub(crate) actual_cost: Option<functions::row::ActualCostFunction>,
    /// True if a failed argument ends the call, so that later arguments are not evaluated.
    pub(crate) stops_early: bool,
    /// The regular expression of the call, if the server compiles it with the program. Such a call
    /// stops early, and its error does not contain the name of the function.
    pub(crate) pattern: Option<Arc<Matcher>>,
}

/// A test of two operands that are borrowed from JSON or the program.
#[derive(Clone, Debug)]
pub(crate) struct BorrowedTest {
    pub(crate) kind: BorrowedTestKind,
    /// The cost of reading the two operands.
    pub(crate) cost: u64,
}

/// The kind of a borrowed test.
#[derive(Clone, Debug)]
pub(crate) enum BorrowedTestKind {
    /// A comparison of two strings, with the result for equal strings.
    Equal(bool),
    /// A string test, such as `startsWith`.
    String(StringTest),
    /// A search for a match of a literal regular expression in the first string. The number is the
    /// size of the literal; `None` costs 1.
    Match(Arc<Matcher>, Option<u64>),
    /// A test of the order of two integers.
    Order(OrderTest),
}

impl BorrowedTest {
    /// Returns a test of two arguments that may be strings. At most one argument may be a variable.
    pub(crate) fn from_strings(kind: BorrowedTestKind, args: &[PlanNode]) -> Option<Self> {
        match args {
            [PlanNode::Slot(_), PlanNode::Slot(_)] => None,
            [left, right] => Some(Self {
                cost: left.string_cost()? + right.string_cost()?,
                kind,
            }),
            _ => None,
        }
    }

    /// Returns a test of the order of two arguments that may be integers.
    pub(crate) fn from_ints(test: OrderTest, args: &[PlanNode]) -> Option<Self> {
        match args {
            [left, right] => Some(Self {
                cost: left.int_cost()? + right.int_cost()?,
                kind: BorrowedTestKind::Order(test),
            }),
            _ => None,
        }
    }
}

/// The implementation that a call runs.
#[derive(Clone, Debug)]
pub(crate) enum CallTarget {
    /// The only overload that accepts the argument types.
    Static(&'static Overload),
    /// The function that all overloads share, which rejects values of other types.
    Singleton(functions::row::Implementation),
    /// The overloads, one of which the argument values select.
    Dynamic(Box<[&'static Overload]>),
}

/// A comprehension.
#[derive(Clone, Debug)]
pub(crate) struct ComprehensionPlan {
    pub(crate) iter_range: PlanNode,
    pub(crate) iter_var: u16,
    pub(crate) iter_var2: Option<u16>,
    pub(crate) accu_var: u16,
    pub(crate) accu_init: PlanNode,
    /// The condition for the next iteration; `None` continues to the end of the range.
    pub(crate) loop_condition: Option<PlanNode>,
    pub(crate) loop_step: PlanNode,
    pub(crate) result: PlanNode,
    /// True if the loop step is `accu + [element]`, or `filter ? accu + [element] : accu`.
    pub(crate) appends: bool,
    /// The quantifier, if the comprehension is the expansion of a quantifier macro.
    pub(crate) quantifier: Option<Quantifier>,
    /// True for `cel.bind`: the range is empty, and the accumulator is a variable with the value of
    /// `accu_init`.
    pub(crate) is_bind: bool,
}

/// A quantifier, which tests a predicate for the elements of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    /// The macro `all`: the loop step is `accu && predicate`, and `false` ends the loop.
    All,
    /// The macro `exists`: the loop step is `accu || predicate`, and `true` ends the loop.
    Exists,
    /// The macro `exists_one`: the loop step is `predicate ? accu + 1 : accu`, and the addition
    /// costs 1.
    ExistsOne,
}

impl Quantifier {
    /// Returns the quantifier that a comprehension with these parts computes, if any.
    pub(crate) fn from_comprehension(
        accu: u16,
        init: &PlanNode,
        condition: Option<&PlanNode>,
        step: &PlanNode,
        result: &PlanNode,
    ) -> Option<Self> {
        let is_accu = |node: &PlanNode| matches!(node, PlanNode::Slot(slot) if *slot == accu);
        let is_accu_and_one = |node: &PlanNode, form: CallForm| match node {
            PlanNode::Call(call) if call.function.form == form => match &*call.args {
                [operand, PlanNode::Literal(Literal::Int(1))] => is_accu(operand),
                _ => false,
            },
            _ => false,
        };
        let PlanNode::Literal(init) = init else {
            return None;
        };
        let quantifier = Self::from_loop(init, condition, step, is_accu, |node| {
            is_accu_and_one(node, CallForm::Add)
        })?;
        let is_result = match quantifier {
            Self::All | Self::Exists => is_accu(result),
            Self::ExistsOne => is_accu_and_one(result, CallForm::Equal),
        };
        is_result.then_some(quantifier)
    }

    /// Returns the quantifier like [`from_comprehension`](Self::from_comprehension), without
    /// checking the result expression.
    fn from_loop(
        init: &Literal,
        condition: Option<&PlanNode>,
        step: &PlanNode,
        is_accu: impl Fn(&PlanNode) -> bool,
        is_increment: impl Fn(&PlanNode) -> bool,
    ) -> Option<Self> {
        match (init, condition, step) {
            (
                Literal::Bool(true),
                Some(PlanNode::NotStrictlyFalse(condition)),
                PlanNode::And(operands),
            ) => {
                let [left, _] = &**operands;
                (is_accu(condition) && is_accu(left)).then_some(Self::All)
            }
            (
                Literal::Bool(false),
                Some(PlanNode::NotStrictlyFalse(condition)),
                PlanNode::Or(operands),
            ) => {
                let [left, _] = &**operands;
                let PlanNode::Not(negated) = &**condition else {
                    return None;
                };
                (is_accu(negated) && is_accu(left)).then_some(Self::Exists)
            }
            (Literal::Int(0), None, PlanNode::Conditional(conditional)) => {
                (is_increment(&conditional.yes) && is_accu(&conditional.no))
                    .then_some(Self::ExistsOne)
            }
            _ => None,
        }
    }
}
