//! Dispatch: how a call finds its code, and the error if no overload takes the values.

/// The dispatch of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dispatch {
    /// The types of the values select the overload. The error is [`NoOverloadMessage::Typed`].
    ByOverload,
    /// All overloads share their code, which rejects other values.
    Singleton(NoOverloadMessage),
}

impl Dispatch {
    /// Returns the form of the error for values that no overload takes.
    pub(crate) const fn no_overload(self) -> NoOverloadMessage {
        match self {
            Self::ByOverload => NoOverloadMessage::Typed,
            Self::Singleton(text) => text,
        }
    }
}

/// The end of the error after "no such overload".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoOverloadMessage {
    /// The empty string.
    Unnamed,
    /// The name of the function.
    Named,
    /// The name of the function, or the empty string if the first argument is of a type with member
    /// functions: strings, timestamps and durations.
    NamedUnlessReceiver,
    /// The name of the operator, or the empty string if the type of the first operand has the
    /// trait.
    Operator(Trait),
    /// The type of the receiver, the name, and the types of the other arguments.
    Member,
    /// The name and the types of all arguments.
    Typed,
}

/// A trait of operands, as cel-go names them in `common/types/traits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    Adder,
    Comparer,
    Divider,
    /// The trait of all types: values of any two types are equal or not.
    Equality,
    Modder,
    Multiplier,
    Negater,
    Subtractor,
}
