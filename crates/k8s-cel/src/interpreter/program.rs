//! A checked expression, ready to be evaluated: names are resolved to slots, fields and functions.

use std::sync::Arc;

use crate::functions;
use crate::functions::form::Form;
use crate::functions::row::{FunctionRow, Overload, Test, Wanted};
use crate::pattern::Finder;
use crate::syntax::Literal;
use crate::types::declared::DeclaredId;
use crate::types::types::Type;

/// A checked expression, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Code,
    /// The maximum number of variables at once.
    pub(crate) slots: usize,
    pub(crate) uses_old_self: bool,
    /// True if the result is true, false or an error.
    pub(crate) is_truth: bool,
    pub(crate) ty: Type,
    pub(crate) max_cost: u64,
    pub(crate) pattern_weight: u64,
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
    /// [`Environment::pattern_room`](crate::Environment::pattern_room).
    #[must_use]
    pub const fn pattern_weight(&self) -> u64 {
        self.pattern_weight
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
pub(crate) enum Code {
    Literal(Literal),
    /// The name of a type.
    Type(&'static str),
    Slot(u16),
    Select(Box<Select>),
    And(Box<[Code; 2]>),
    Or(Box<[Code; 2]>),
    Choice(Box<Choice>),
    Index(Box<Index>),
    /// A list or map that is known in advance, and free.
    Free(Box<Code>),
    Member(Box<Member>),
    Call(Box<Call>),
    /// The call of `!`.
    Not(Box<Code>),
    /// A test that is true for all values except `false`, and for errors.
    NotStrictlyFalse(Box<Code>),
    Alternative(Box<Alternative>),
    List(Box<[(Code, bool)]>),
    Map(Box<[(Code, Code, bool)]>),
    Fold(Box<Fold>),
}

/// A selection by a known name.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    pub(crate) operand: Code,
    /// The name of the field in an object. A field has one name, for all programs.
    pub(crate) name: Arc<str>,
    /// The name in the expression.
    pub(crate) written: Box<str>,
    /// The declaration of the field, if the operand is an object of the schema.
    pub(crate) declaration: Option<DeclaredId>,
    pub(crate) plain: Option<Plain>,
    pub(crate) how: How,
    /// True if the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// Names that lead from a variable through objects of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    /// The number of names. Each name costs one.
    pub(crate) names: u64,
    pub(crate) to: Leads,
    /// The part of the place in the cache that depends on the name.
    pub(crate) place: usize,
}

/// The kind of the value that names lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    Object,
    /// A string that is also a string in CEL.
    Text,
    Int,
    List,
    Other,
}

/// An index into a list or map.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) operand: Code,
    pub(crate) key: Code,
    pub(crate) optional: bool,
    /// True if the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// A test for a value in a list of constants. Only the value has a cost.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) value: Code,
    pub(crate) list: Code,
    /// The cost of reading the value, if the value may be a string that is read in place, and all
    /// constants are string literals.
    pub(crate) cost: Option<u64>,
}

/// A conditional `condition ? yes : no`. A side that is only a look-up does not pay for its start.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) condition: Code,
    pub(crate) yes: Code,
    pub(crate) no: Code,
}

impl Code {
    /// Returns true if a look-up in this code costs one for its start. A look-up that starts with a
    /// choice does not.
    pub(crate) fn pays_for_start(&self) -> bool {
        match self {
            Self::Choice(_) => false,
            Self::Select(select) if select.how != How::Test => select.pays_for_start,
            Self::Index(index) => index.pays_for_start,
            _ => true,
        }
    }

    /// Returns true if the result is true, false or an error, for any results of the parts.
    pub(crate) fn is_truth(&self) -> bool {
        match self {
            Self::Literal(literal) => matches!(literal, Literal::Bool(_)),
            Self::And(_) | Self::Or(_) | Self::Not(_) | Self::Member(_) => true,
            Self::Select(select) => select.how == How::Test,
            Self::Choice(choice) => choice.yes.is_truth() && choice.no.is_truth(),
            Self::Call(call) => call.equality.is_some() || call.question.is_some(),
            Self::Fold(fold) => matches!(fold.goal, Some(Goal::All | Goal::Any)),
            _ => false,
        }
    }

    /// Returns the cost of reading the value, if it may be a string that is read in place.
    pub(crate) fn cost_of_text(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::Text(_)) => Some(0),
            Self::Slot(_) => Some(1),
            code => code.cost_of_plain(&[Leads::Text]),
        }
    }

    /// Returns the cost of reading the value, if it may be an integer, or a size, that is read in
    /// place.
    fn cost_of_int(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::Int(_)) => Some(0),
            Self::Call(call) if call.function.form == Form::Size => match &*call.args {
                [of] => Some(of.cost_of_plain(&[Leads::Text, Leads::List])? + 1),
                _ => None,
            },
            code => code.cost_of_plain(&[Leads::Int]),
        }
    }

    /// Returns the cost of plain names that lead to a value of one of these kinds.
    fn cost_of_plain(&self, to: &[Leads]) -> Option<u64> {
        match self {
            Self::Select(select) if select.how == How::Plain => {
                let plain = select.plain.filter(|plain| to.contains(&plain.to))?;
                Some(plain.names + u64::from(select.pays_for_start))
            }
            _ => None,
        }
    }

    /// Returns true if the value is known in advance.
    pub(crate) const fn is_constant(&self) -> bool {
        matches!(self, Self::Literal(_) | Self::Type(_) | Self::Free(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    Plain,
    /// `has(a.b)`.
    Test,
    /// `a.?b`.
    Optional,
}

/// A call of `a.or(b)` or `a.orValue(b)`: the second argument runs only if it is needed.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) optional: Code,
    pub(crate) other: Code,
    /// True if the result is the value inside the optional value.
    pub(crate) unwraps: bool,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: &'static FunctionRow,
    pub(crate) target: Target,
    pub(crate) args: Box<[Code]>,
    /// The result for equal values, if the function is `==` or `!=`.
    pub(crate) equality: Option<bool>,
    /// The question of the call, if its arguments may be read in place.
    pub(crate) question: Option<Question>,
    /// The price; `None` costs one.
    pub(crate) price: Option<functions::row::Price>,
    /// True if the first failed argument ends the call, so that the other arguments are not
    /// evaluated.
    pub(crate) stops_early: bool,
    /// The regular expression of the call, if the server compiles it in advance. Such a call stops
    /// early, and its error does not contain the name of the function.
    pub(crate) pattern: Option<Arc<Finder>>,
}

/// A question about two values that are read in place.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) asks: Asks,
    /// The cost of reading the two values.
    pub(crate) cost: u64,
}

/// The kind of a question.
#[derive(Clone, Debug)]
pub(crate) enum Asks {
    /// The equality of two strings, with the answer for equal strings.
    Equal(bool),
    /// A test of two strings.
    Test(Test),
    /// A search for a match of the second string, a literal, in the first string. The number is the
    /// size of the literal; `None` costs one.
    Match(Arc<Finder>, Option<u64>),
    /// The order of two integers.
    Order(Wanted),
}

impl Question {
    /// Returns a question about arguments that may both be strings, unless both are variables.
    pub(crate) fn of_texts(asks: Asks, args: &[Code]) -> Option<Self> {
        match args {
            [Code::Slot(_), Code::Slot(_)] => None,
            [one, two] => Some(Self {
                cost: one.cost_of_text()? + two.cost_of_text()?,
                asks,
            }),
            _ => None,
        }
    }

    /// Returns a question about the order of arguments that may both be integers.
    pub(crate) fn of_ints(wanted: Wanted, args: &[Code]) -> Option<Self> {
        match args {
            [one, two] => Some(Self {
                cost: one.cost_of_int()? + two.cost_of_int()?,
                asks: Asks::Order(wanted),
            }),
            _ => None,
        }
    }
}

/// The code that a call runs.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// An overload that the types of the arguments select.
    Known(&'static Overload),
    /// The code that all overloads share. It rejects values that it does not take.
    Shared(functions::row::Call),
    /// Overloads from which the values select.
    Open(Box<[&'static Overload]>),
}

#[derive(Clone, Debug)]
pub(crate) struct Fold {
    pub(crate) range: Code,
    pub(crate) var: u16,
    pub(crate) second: Option<u16>,
    pub(crate) accu: u16,
    pub(crate) init: Code,
    /// The condition of the next round; `None` continues to the end.
    pub(crate) condition: Option<Code>,
    pub(crate) step: Code,
    pub(crate) result: Code,
    /// True if the step is `accu + [element]`, or `filter ? accu + [element] : accu`.
    pub(crate) appends: bool,
    /// The goal, if the comprehension computes only this result.
    pub(crate) goal: Option<Goal>,
    /// True if the range is empty and the variable is a name for `init`.
    pub(crate) is_bind: bool,
}

/// The result that a comprehension computes from the elements of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The macro `all`: the step is `accu && predicate`, and the loop ends after a false result.
    All,
    /// The macro `exists`: the step is `accu || predicate`, and the loop ends after a true result.
    Any,
    /// The macro `exists_one`: the step is `predicate ? accu + 1 : accu`, and a sum costs one.
    One,
}

impl Goal {
    /// Returns the goal of a comprehension with this start, this condition, this step and this
    /// result.
    pub(crate) fn of(
        accu: u16,
        init: &Code,
        condition: Option<&Code>,
        step: &Code,
        result: &Code,
    ) -> Option<Self> {
        let is_accu = |code: &Code| matches!(code, Code::Slot(slot) if *slot == accu);
        let has_one = |code: &Code, form: Form| match code {
            Code::Call(call) if call.function.form == form => match &*call.args {
                [of, Code::Literal(Literal::Int(1))] => is_accu(of),
                _ => false,
            },
            _ => false,
        };
        let Code::Literal(init) = init else {
            return None;
        };
        let goal = Self::before(init, condition, step, is_accu, |code| {
            has_one(code, Form::Add)
        })?;
        let is_told = match goal {
            Self::All | Self::Any => is_accu(result),
            Self::One => has_one(result, Form::Equal),
        };
        is_told.then_some(goal)
    }

    /// Returns the goal like [`of`](Self::of), without a check of the result.
    fn before(
        init: &Literal,
        condition: Option<&Code>,
        step: &Code,
        is_accu: impl Fn(&Code) -> bool,
        is_sum: impl Fn(&Code) -> bool,
    ) -> Option<Self> {
        match (init, condition, step) {
            (Literal::Bool(true), Some(Code::NotStrictlyFalse(goes_on)), Code::And(both)) => {
                let [first, _] = &**both;
                (is_accu(goes_on) && is_accu(first)).then_some(Self::All)
            }
            (Literal::Bool(false), Some(Code::NotStrictlyFalse(goes_on)), Code::Or(both)) => {
                let [first, _] = &**both;
                let Code::Not(found) = &**goes_on else {
                    return None;
                };
                (is_accu(found) && is_accu(first)).then_some(Self::Any)
            }
            (Literal::Int(0), None, Code::Choice(choice)) => {
                (is_sum(&choice.yes) && is_accu(&choice.no)).then_some(Self::One)
            }
            _ => None,
        }
    }
}
