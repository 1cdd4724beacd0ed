//! A checked expression, ready to be evaluated: names are resolved to slots, fields and functions.

use std::sync::Arc;

use crate::functions;
use crate::functions::form::Form;
use crate::functions::row::{FunctionRow, Overload, Test, Wanted};
use crate::pattern::Finder;
use crate::syntax::Literal;
use crate::types::declared::DeclaredId;
use crate::types::types::Type;

/// An expression that was checked, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) code: Code,
    /// How many variables there are at once.
    pub(crate) slots: usize,
    pub(crate) uses_old_self: bool,
    /// Whether it comes to true, false or an error.
    pub(crate) is_truth: bool,
    pub(crate) ty: Type,
    pub(crate) max_cost: u64,
    pub(crate) pattern_weight: u64,
}

impl Program {
    /// The type of what it comes to.
    #[must_use]
    pub const fn ty(&self) -> &Type {
        &self.ty
    }

    /// What it may cost at worst, by the estimate of an API server.
    #[must_use]
    pub const fn max_cost(&self) -> u64 {
        self.max_cost
    }

    /// What its regular expressions weigh: see [`Environment::pattern_room`](crate::Environment::pattern_room).
    #[must_use]
    pub const fn pattern_weight(&self) -> u64 {
        self.pattern_weight
    }

    /// Whether it mentions `oldSelf`, so that it runs on updates alone.
    #[must_use]
    pub const fn uses_old_self(&self) -> bool {
        self.uses_old_self
    }
}

/// The slot of `self`.
pub(crate) const SELF: u16 = 0;
/// The slot of `oldSelf`.
pub(crate) const OLD_SELF: u16 = 1;

// Which one it is stands by itself: it is asked at every step, and is hard to tell where it stands in a literal.
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
    /// A list or map that is known in advance, and costs nothing.
    Free(Box<Code>),
    Member(Box<Member>),
    Call(Box<Call>),
    /// The call of `!`.
    Not(Box<Code>),
    /// Whether a value is anything but `false`, an error included.
    NotStrictlyFalse(Box<Code>),
    Alternative(Box<Alternative>),
    List(Box<[(Code, bool)]>),
    Map(Box<[(Code, Code, bool)]>),
    Fold(Box<Fold>),
}

/// A selection by a name that is known.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    pub(crate) operand: Code,
    /// As it is in an object. A field has one name, for all programs.
    pub(crate) name: Arc<str>,
    /// As it is in the expression.
    pub(crate) written: Box<str>,
    /// What is there, where the operand is an object of the schema.
    pub(crate) declaration: Option<DeclaredId>,
    pub(crate) plain: Option<Plain>,
    pub(crate) how: How,
    /// Whether the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// Names that lead from a variable through objects of the schema.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    /// How many there are. Each of them costs one.
    pub(crate) names: u64,
    pub(crate) to: Leads,
    /// Where what is found is remembered, beside the place of its object.
    pub(crate) place: usize,
}

/// What names lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leads {
    Object,
    /// A text that stands for itself.
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
    /// Whether the look-up that ends here costs one for its start.
    pub(crate) pays_for_start: bool,
}

/// Whether a value is one of constants, which costs nothing beyond the value.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) value: Code,
    pub(crate) list: Code,
    /// What looking at the value costs, where it may be a text that is looked at where it is, and all constants are texts that are
    /// written there.
    pub(crate) cost: Option<u64>,
}

/// `condition ? yes : no`. A side that is only looked up does not pay for its start.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) condition: Code,
    pub(crate) yes: Code,
    pub(crate) no: Code,
}

impl Code {
    /// Whether a look-up in this costs one for its start: not where it starts with a choice.
    pub(crate) fn pays_for_start(&self) -> bool {
        match self {
            Self::Choice(_) => false,
            Self::Select(select) if select.how != How::Test => select.pays_for_start,
            Self::Index(index) => index.pays_for_start,
            _ => true,
        }
    }

    /// Whether it comes to true, false or an error, whatever its parts come to.
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

    /// What looking at it costs, where it may be a text that is looked at where it is.
    pub(crate) fn cost_of_text(&self) -> Option<u64> {
        match self {
            Self::Literal(Literal::Text(_)) => Some(0),
            Self::Slot(_) => Some(1),
            code => code.cost_of_plain(&[Leads::Text]),
        }
    }

    /// What looking at it costs, where it may be an integer that is looked at where it is, or counted there.
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

    /// What plain names cost that lead to one of these.
    fn cost_of_plain(&self, to: &[Leads]) -> Option<u64> {
        match self {
            Self::Select(select) if select.how == How::Plain => {
                let plain = select.plain.filter(|plain| to.contains(&plain.to))?;
                Some(plain.names + u64::from(select.pays_for_start))
            }
            _ => None,
        }
    }

    /// Whether the value is known in advance.
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

/// `a.or(b)` and `a.orValue(b)`: the second one runs only where it is needed.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) optional: Code,
    pub(crate) other: Code,
    /// Whether the value is asked for, and not an optional value.
    pub(crate) unwraps: bool,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: &'static FunctionRow,
    pub(crate) target: Target,
    pub(crate) args: Box<[Code]>,
    /// What equal values come to, where it is `==` or `!=`.
    pub(crate) equality: Option<bool>,
    /// What it asks, where its arguments may be looked at where they are.
    pub(crate) question: Option<Question>,
    /// What it costs; none is one.
    pub(crate) price: Option<functions::row::Price>,
    /// Whether an argument that fails ends it, so that those after it are not evaluated.
    pub(crate) stops_early: bool,
    /// The regular expression that it asks for, where the server compiles it in advance. Such a call stops early, and does not say
    /// its name.
    pub(crate) pattern: Option<Arc<Finder>>,
}

/// A question about two values that are looked at where they are.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) asks: Asks,
    /// What looking at them costs.
    pub(crate) cost: u64,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(crate) enum Asks {
    /// Whether two texts are equal, and what that comes to.
    Equal(bool),
    /// Something of two texts.
    Test(Test),
    /// Whether a text has a match of the second one, which is a literal of that size. None costs one.
    Match(Arc<Finder>, Option<u64>),
    /// The order of two integers.
    Order(Wanted),
}

impl Question {
    /// What is asked of these arguments, where both may be texts, and one of them is more than a variable.
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

    /// The question for an order of these arguments, where both may be integers.
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

/// What a call runs.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    /// The types of the arguments say which overload it is.
    Known(&'static Overload),
    /// All overloads have the same code, which says itself what it does not take.
    Shared(functions::row::Call),
    /// The values say which overload it is.
    Open(Box<[&'static Overload]>),
}

#[derive(Clone, Debug)]
pub(crate) struct Fold {
    pub(crate) range: Code,
    pub(crate) var: u16,
    pub(crate) second: Option<u16>,
    pub(crate) accu: u16,
    pub(crate) init: Code,
    /// None: go on to the end.
    pub(crate) condition: Option<Code>,
    pub(crate) step: Code,
    pub(crate) result: Code,
    /// Whether the step is `accu + [element]`, or `filter ? accu + [element] : accu`.
    pub(crate) appends: bool,
    /// What it asks of the elements, where it does no more than that.
    pub(crate) goal: Option<Goal>,
    /// Whether the range is empty and the variable a name for `init`.
    pub(crate) is_bind: bool,
}

/// What a comprehension asks of the elements of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// `all`: the step is `accu && predicate`, and it goes on as long as that is not false.
    All,
    /// `exists`: the step is `accu || predicate`, and it goes on as long as that is not true.
    Any,
    /// `exists_one`: the step is `predicate ? accu + 1 : accu`, and a sum costs one.
    One,
}

impl Goal {
    /// That of a comprehension with this start, this condition, this step and this result.
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

    /// As [`of`](Self::of), without the result.
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
