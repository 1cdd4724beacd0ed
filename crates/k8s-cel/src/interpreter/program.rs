//! A checked expression, ready to be evaluated: names are resolved to slots, fields and functions.

use std::sync::Arc;

use crate::functions;
use crate::functions::call_form::CallForm;
use crate::functions::row::{FunctionRow, OrderTest, Overload, StringTest};
use crate::pattern::Matcher;
use crate::syntax::Literal;
use crate::types::declared::DeclaredId;
use crate::types::types::Type;

/// A checked expression, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) root: PlanNode,
    /// The maximum number of variables at once.
    pub(crate) slots: usize,
    pub(crate) uses_old_self: bool,
    /// True if the result is true, false or an error.
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

    /// Returns the maximum cost, by the estimate of an API server.
    #[must_use]
    pub const fn max_cost(&self) -> u64 {
        self.max_cost
    }

    /// Returns the weight of the regular expressions: see
    /// [`Environment::pattern_size_limit`](crate::Environment::pattern_size_limit).
    #[must_use]
    pub const fn pattern_size(&self) -> u64 {
        self.pattern_size
    }

    /// Returns true if the expression mentions `oldSelf`, so that it runs only on updates.
    #[must_use]
    pub const fn uses_old_self(&self) -> bool {
        self.uses_old_self
    }
}

/// The slot of `self`.
pub(crate) const SELF: u16 = 0;
/// The slot of `oldSelf`.
pub(crate) const OLD_SELF: u16 = 1;

// The tag has a byte of its own: the machine reads it at every step, and a tag inside the bytes of
// a literal is slow to read.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(crate) enum PlanNode {
    Literal(Literal),
    /// The name of a type.
    Type(&'static str),
    Slot(u16),
    Select(Box<Select>),
    And(Box<[PlanNode; 2]>),
    Or(Box<[PlanNode; 2]>),
    Conditional(Box<Conditional>),
    Index(Box<Index>),
    /// A list or map that is known in advance, and free.
    PrecomputedConstant(Box<PlanNode>),
    ConstantIn(Box<ConstantIn>),
    Call(Box<Call>),
    /// The call of `!`.
    Not(Box<PlanNode>),
    /// A test that is true for all values except `false`, and for errors.
    NotStrictlyFalse(Box<PlanNode>),
    OptionalOr(Box<OptionalOr>),
    List(Box<[(PlanNode, bool)]>),
    Map(Box<[(PlanNode, PlanNode, bool)]>),
    Comprehension(Box<ComprehensionPlan>),
}

/// A selection by a known name.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    pub(crate) operand: PlanNode,
    /// The name of the field in an object. A field has one name, for all programs.
    pub(crate) name: Arc<str>,
    /// The name in the expression.
    pub(crate) source_name: Box<str>,
    /// The declaration of the field, if the operand is an object of the schema.
    pub(crate) declaration: Option<DeclaredId>,
    pub(crate) chain: Option<FieldChain>,
    pub(crate) mode: SelectMode,
    /// True if the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// Names that lead from a variable through objects of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldChain {
    /// The number of names. Each name costs one.
    pub(crate) names: u64,
    pub(crate) end: ChainEnd,
    /// The part of the place in the cache that depends on the name.
    pub(crate) name_hash: usize,
}

/// The kind of the value that names lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChainEnd {
    Object,
    /// A string that is also a string in CEL.
    String,
    Int,
    List,
    Other,
}

/// An index into a list or map.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) operand: PlanNode,
    pub(crate) key: PlanNode,
    pub(crate) optional: bool,
    /// True if the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// A test for a value in a list of constants. Only the value has a cost.
#[derive(Clone, Debug)]
pub(crate) struct ConstantIn {
    pub(crate) value: PlanNode,
    pub(crate) list: PlanNode,
    /// The cost of reading the value, if the value may be a string that is read in place, and all
    /// constants are string literals.
    pub(crate) cost: Option<u64>,
}

/// A conditional `condition ? yes : no`. A side that is only a look-up does not pay for its start.
#[derive(Clone, Debug)]
pub(crate) struct Conditional {
    pub(crate) condition: PlanNode,
    pub(crate) yes: PlanNode,
    pub(crate) no: PlanNode,
}

impl PlanNode {
    /// Returns true if a look-up in this code costs one for its start. A look-up that starts with a
    /// choice does not.
    pub(crate) fn pays_for_start(&self) -> bool {
        match self {
            Self::Conditional(_) => false,
            Self::Select(select) if select.mode != SelectMode::Has => select.pays_for_start,
            Self::Index(index) => index.pays_for_start,
            _ => true,
        }
    }

    /// Returns true if the result is true, false or an error, for any results of the parts.
    pub(crate) fn is_bool(&self) -> bool {
        match self {
            Self::Literal(literal) => matches!(literal, Literal::Bool(_)),
            Self::And(_) | Self::Or(_) | Self::Not(_) | Self::ConstantIn(_) => true,
            Self::Select(select) => select.mode == SelectMode::Has,
            Self::Conditional(choice) => choice.yes.is_bool() && choice.no.is_bool(),
            Self::Call(call) => call.equality.is_some() || call.borrowed_test.is_some(),
            Self::Comprehension(fold) => {
                matches!(fold.quantifier, Some(Quantifier::All | Quantifier::Exists))
            }
            _ => false,
        }
    }

    /// Returns the cost of reading the value, if it may be a string that is read in place.
    pub(crate) fn string_cost(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::String(_)) => Some(0),
            Self::Slot(_) => Some(1),
            code => code.chain_cost(&[ChainEnd::String]),
        }
    }

    /// Returns the cost of reading the value, if it may be an integer, or a size, that is read in
    /// place.
    fn int_cost(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::Int(_)) => Some(0),
            Self::Call(call) if call.function.form == CallForm::Size => match &*call.args {
                [of] => Some(of.chain_cost(&[ChainEnd::String, ChainEnd::List])? + 1),
                _ => None,
            },
            code => code.chain_cost(&[ChainEnd::Int]),
        }
    }

    /// Returns the cost of plain names that lead to a value of one of these kinds.
    fn chain_cost(&self, to: &[ChainEnd]) -> Option<u64> {
        match self {
            Self::Select(select) if select.mode == SelectMode::Select => {
                let plain = select.chain.filter(|plain| to.contains(&plain.end))?;
                Some(plain.names + u64::from(select.pays_for_start))
            }
            _ => None,
        }
    }

    /// Returns true if the value is known in advance.
    pub(crate) const fn is_constant(&self) -> bool {
        matches!(
            self,
            Self::Literal(_) | Self::Type(_) | Self::PrecomputedConstant(_)
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectMode {
    Select,
    /// `has(a.b)`.
    Has,
    /// `a.?b`.
    Optional,
}

/// A call of `a.or(b)` or `a.orValue(b)`: the second argument runs only if it is needed.
#[derive(Clone, Debug)]
pub(crate) struct OptionalOr {
    pub(crate) optional: PlanNode,
    pub(crate) other: PlanNode,
    /// True if the result is the value inside the optional value.
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
    /// The question of the call, if its arguments may be read in place.
    pub(crate) borrowed_test: Option<BorrowedTest>,
    /// The price; `None` costs one.
    pub(crate) actual_cost: Option<functions::row::ActualCostFunction>,
    /// True if the first failed argument ends the call, so that the other arguments are not
    /// evaluated.
    pub(crate) stops_early: bool,
    /// The regular expression of the call, if the server compiles it in advance. Such a call stops
    /// early, and its error does not contain the name of the function.
    pub(crate) pattern: Option<Arc<Matcher>>,
}

/// A question about two values that are read in place.
#[derive(Clone, Debug)]
pub(crate) struct BorrowedTest {
    pub(crate) kind: BorrowedTestKind,
    /// The cost of reading the two values.
    pub(crate) cost: u64,
}

/// The kind of a question.
#[derive(Clone, Debug)]
pub(crate) enum BorrowedTestKind {
    /// The equality of two strings, with the answer for equal strings.
    Equal(bool),
    /// A test of two strings.
    String(StringTest),
    /// A search for a match of the second string, a literal, in the first string. The number is the
    /// size of the literal; `None` costs one.
    Match(Arc<Matcher>, Option<u64>),
    /// The order of two integers.
    Order(OrderTest),
}

impl BorrowedTest {
    /// Returns a question about arguments that may both be strings, unless both are variables.
    pub(crate) fn from_strings(asks: BorrowedTestKind, args: &[PlanNode]) -> Option<Self> {
        match args {
            [PlanNode::Slot(_), PlanNode::Slot(_)] => None,
            [one, two] => Some(Self {
                cost: one.string_cost()? + two.string_cost()?,
                kind: asks,
            }),
            _ => None,
        }
    }

    /// Returns a question about the order of arguments that may both be integers.
    pub(crate) fn from_ints(wanted: OrderTest, args: &[PlanNode]) -> Option<Self> {
        match args {
            [one, two] => Some(Self {
                cost: one.int_cost()? + two.int_cost()?,
                kind: BorrowedTestKind::Order(wanted),
            }),
            _ => None,
        }
    }
}

/// The code that a call runs.
#[derive(Clone, Debug)]
pub(crate) enum CallTarget {
    /// An overload that the types of the arguments select.
    Static(&'static Overload),
    /// The code that all overloads share. It rejects values that it does not take.
    Singleton(functions::row::Implementation),
    /// Overloads from which the values select.
    Dynamic(Box<[&'static Overload]>),
}

#[derive(Clone, Debug)]
pub(crate) struct ComprehensionPlan {
    pub(crate) iter_range: PlanNode,
    pub(crate) iter_var: u16,
    pub(crate) iter_var2: Option<u16>,
    pub(crate) accu_var: u16,
    pub(crate) accu_init: PlanNode,
    /// The condition of the next round; `None` continues to the end.
    pub(crate) loop_condition: Option<PlanNode>,
    pub(crate) loop_step: PlanNode,
    pub(crate) result: PlanNode,
    /// True if the step is `accu + [element]`, or `filter ? accu + [element] : accu`.
    pub(crate) appends: bool,
    /// The goal, if the comprehension computes only this result.
    pub(crate) quantifier: Option<Quantifier>,
    /// True if the range is empty and the variable is a name for `init`.
    pub(crate) is_bind: bool,
}

/// The result that a comprehension computes from the elements of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    /// The macro `all`: the step is `accu && predicate`, and the loop ends after a false result.
    All,
    /// The macro `exists`: the step is `accu || predicate`, and the loop ends after a true result.
    Exists,
    /// The macro `exists_one`: the step is `predicate ? accu + 1 : accu`, and a sum costs one.
    ExistsOne,
}

impl Quantifier {
    /// Returns the goal of a comprehension with this start, this condition, this step and this
    /// result.
    pub(crate) fn from_comprehension(
        accu: u16,
        init: &PlanNode,
        condition: Option<&PlanNode>,
        step: &PlanNode,
        result: &PlanNode,
    ) -> Option<Self> {
        let is_accu = |code: &PlanNode| matches!(code, PlanNode::Slot(slot) if *slot == accu);
        let has_one = |code: &PlanNode, form: CallForm| match code {
            PlanNode::Call(call) if call.function.form == form => match &*call.args {
                [of, PlanNode::Literal(Literal::Int(1))] => is_accu(of),
                _ => false,
            },
            _ => false,
        };
        let PlanNode::Literal(init) = init else {
            return None;
        };
        let goal = Self::from_steps(init, condition, step, is_accu, |code| {
            has_one(code, CallForm::Add)
        })?;
        let is_told = match goal {
            Self::All | Self::Exists => is_accu(result),
            Self::ExistsOne => has_one(result, CallForm::Equal),
        };
        is_told.then_some(goal)
    }

    /// Returns the goal like [`of`](Self::of), without a check of the result.
    fn from_steps(
        init: &Literal,
        condition: Option<&PlanNode>,
        step: &PlanNode,
        is_accu: impl Fn(&PlanNode) -> bool,
        is_sum: impl Fn(&PlanNode) -> bool,
    ) -> Option<Self> {
        match (init, condition, step) {
            (
                Literal::Bool(true),
                Some(PlanNode::NotStrictlyFalse(goes_on)),
                PlanNode::And(both),
            ) => {
                let [first, _] = &**both;
                (is_accu(goes_on) && is_accu(first)).then_some(Self::All)
            }
            (
                Literal::Bool(false),
                Some(PlanNode::NotStrictlyFalse(goes_on)),
                PlanNode::Or(both),
            ) => {
                let [first, _] = &**both;
                let PlanNode::Not(found) = &**goes_on else {
                    return None;
                };
                (is_accu(found) && is_accu(first)).then_some(Self::Exists)
            }
            (Literal::Int(0), None, PlanNode::Conditional(choice)) => {
                (is_sum(&choice.yes) && is_accu(&choice.no)).then_some(Self::ExistsOne)
            }
            _ => None,
        }
    }
}
