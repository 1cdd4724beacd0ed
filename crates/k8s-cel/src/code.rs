//! A checked expression, ready to be evaluated: names are resolved to slots, fields and functions.

use std::sync::Arc;

use super::declared::DeclaredId;
use super::library::{self, Overload, Test, Wanted};
use super::pattern::Finder;
use super::syntax::Literal;
use super::types::Type;
use super::work::Work;

/// An expression that was checked, ready to be evaluated.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) code: Code,
    /// How many variables there are at once.
    pub(super) slots: usize,
    pub(super) uses_old_self: bool,
    /// Whether it comes to true, false or an error.
    pub(super) is_truth: bool,
    pub(super) ty: Type,
    pub(super) max_cost: u64,
    pub(super) pattern_weight: u64,
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
pub(super) const SELF: u16 = 0;
/// The slot of `oldSelf`.
pub(super) const OLD_SELF: u16 = 1;

// Which one it is stands by itself: it is asked at every step, and is hard to tell where it stands in a literal.
#[derive(Clone, Debug)]
#[repr(u8)]
pub(super) enum Code {
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
pub(super) struct Select {
    pub(super) operand: Code,
    /// As it is in an object. A field has one name, for all programs.
    pub(super) name: Arc<str>,
    /// As it is in the expression.
    pub(super) written: Box<str>,
    /// What is there, where the operand is an object of the schema.
    pub(super) declaration: Option<DeclaredId>,
    pub(super) plain: Option<Plain>,
    pub(super) how: How,
    /// Whether the look-up that ends here costs one for its start.
    pub(super) pays_for_start: bool,
}

/// Names that lead from a variable through objects of the schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    /// How many there are. Each of them costs one.
    pub(super) names: u64,
    pub(super) to: Leads,
    /// Where what is found is remembered, beside the place of its object.
    pub(super) place: usize,
}

/// What names lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leads {
    Object,
    /// A text that stands for itself.
    Text,
    Int,
    List,
    Other,
}

/// An index into a list or map.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) operand: Code,
    pub(super) key: Code,
    pub(super) optional: bool,
    /// Whether the look-up that ends here costs one for its start.
    pub(super) pays_for_start: bool,
}

/// Whether a value is one of constants, which costs nothing beyond the value.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) value: Code,
    pub(super) list: Code,
    /// What looking at the value costs, where it may be a text that is looked at where it is, and all constants are texts that are
    /// written there.
    pub(super) cost: Option<u64>,
}

/// `condition ? yes : no`. A side that is only looked up does not pay for its start.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) condition: Code,
    pub(super) yes: Code,
    pub(super) no: Code,
}

impl Code {
    /// Whether a look-up in this costs one for its start: not where it starts with a choice.
    pub(super) fn pays_for_start(&self) -> bool {
        match self {
            Self::Choice(_) => false,
            Self::Select(select) if select.how != How::Test => select.pays_for_start,
            Self::Index(index) => index.pays_for_start,
            _ => true,
        }
    }

    /// Whether it comes to true, false or an error, whatever its parts come to.
    pub(super) fn is_truth(&self) -> bool {
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
    pub(super) fn cost_of_text(&self) -> Option<u64> {
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
            Self::Call(call) if call.name == "size" => match &*call.args {
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
    pub(super) const fn is_constant(&self) -> bool {
        matches!(self, Self::Literal(_) | Self::Type(_) | Self::Free(_))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    Plain,
    /// `has(a.b)`.
    Test,
    /// `a.?b`.
    Optional,
}

/// `a.or(b)` and `a.orValue(b)`: the second one runs only where it is needed.
#[derive(Clone, Debug)]
pub(super) struct Alternative {
    pub(super) optional: Code,
    pub(super) other: Code,
    /// Whether the value is asked for, and not an optional value.
    pub(super) unwraps: bool,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: &'static str,
    pub(super) target: Target,
    pub(super) args: Box<[Code]>,
    /// What equal values come to, where it is `==` or `!=`.
    pub(super) equality: Option<bool>,
    /// What it asks, where its arguments may be looked at where they are.
    pub(super) question: Option<Question>,
    /// How much it does beyond what it costs.
    pub(super) work: Work,
    /// What it costs; none is one.
    pub(super) price: Option<library::Price>,
    /// Whether an argument that fails ends it, so that those after it are not evaluated.
    pub(super) stops_early: bool,
    /// The regular expression that it asks for, where the server compiles it in advance. Such a call stops early, and does not say
    /// its name.
    pub(super) pattern: Option<Arc<Finder>>,
}

/// A question about two values that are looked at where they are.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) asks: Asks,
    /// What looking at them costs.
    pub(super) cost: u64,
}

/// What is asked.
#[derive(Clone, Debug)]
pub(super) enum Asks {
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
    pub(super) fn of_texts(asks: Asks, args: &[Code]) -> Option<Self> {
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
    pub(super) fn of_ints(wanted: Wanted, args: &[Code]) -> Option<Self> {
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
pub(super) enum Target {
    /// The types of the arguments say which overload it is.
    Known(&'static Overload),
    /// All overloads have the same code, which says itself what it does not take.
    Shared(library::Call),
    /// The values say which overload it is.
    Open(Box<[&'static Overload]>),
}

#[derive(Clone, Debug)]
pub(super) struct Fold {
    pub(super) range: Code,
    pub(super) var: u16,
    pub(super) second: Option<u16>,
    pub(super) accu: u16,
    pub(super) init: Code,
    /// None: go on to the end.
    pub(super) condition: Option<Code>,
    pub(super) step: Code,
    pub(super) result: Code,
    /// Whether the step is `accu + [element]`, or `filter ? accu + [element] : accu`.
    pub(super) appends: bool,
    /// What it asks of the elements, where it does no more than that.
    pub(super) goal: Option<Goal>,
    /// Whether the range is empty and the variable a name for `init`.
    pub(super) is_bind: bool,
}

/// What a comprehension asks of the elements of its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// `all`: the step is `accu && predicate`, and it goes on as long as that is not false.
    All,
    /// `exists`: the step is `accu || predicate`, and it goes on as long as that is not true.
    Any,
    /// `exists_one`: the step is `predicate ? accu + 1 : accu`, and a sum costs one.
    One,
}

impl Goal {
    /// That of a comprehension with this start, this condition, this step and this result.
    pub(super) fn of(
        accu: u16,
        init: &Code,
        condition: Option<&Code>,
        step: &Code,
        result: &Code,
    ) -> Option<Self> {
        let is_accu = |code: &Code| matches!(code, Code::Slot(slot) if *slot == accu);
        let has_one = |code: &Code, name: &str| match code {
            Code::Call(call) if call.name == name => match &*call.args {
                [of, Code::Literal(Literal::Int(1))] => is_accu(of),
                _ => false,
            },
            _ => false,
        };
        let Code::Literal(init) = init else {
            return None;
        };
        let goal = Self::before(init, condition, step, is_accu, |code| has_one(code, "_+_"))?;
        let is_told = match goal {
            Self::All | Self::Any => is_accu(result),
            Self::One => has_one(result, "_==_"),
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
