//! The dispatch of a call to an overload, and the message if no overload accepts the arguments.

/// The dispatch of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dispatch {
    /// The types of the argument values select the overload. The message is
    /// [`NoOverloadMessage::Typed`].
    ByOverload,
    /// The dispatch of a conversion: by overload. On a server without
    /// [`ConversionOverloads`](crate::Feature::ConversionOverloads), all overloads share one
    /// function, which converts values of all types that have the conversion.
    Conversion,
    /// All overloads share one function, which rejects values of other types.
    Singleton(NoOverloadMessage),
}

impl Dispatch {
    /// Returns the form of the message for values that no overload accepts.
    pub(crate) const fn no_overload_message(self) -> NoOverloadMessage {
        match self {
            Self::ByOverload | Self::Conversion => NoOverloadMessage::Typed,
            Self::Singleton(message) => message,
        }
    }
}

/// The part of the message after "no such overload".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoOverloadMessage {
    /// The empty string.
    Unnamed,
    /// The name of the function.
    Named,
    /// The name of the function, or the empty string if the first argument has a type with member
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

/// A trait of operands, with the names of cel-go's `common/types/traits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trait {
    Adder,
    Comparer,
    Divider,
    /// The trait of all types.
    Equality,
    Modder,
    Multiplier,
    Negater,
    Subtractor,
}
