//! Functions and their overloads, as the files of this folder write them, and the limits of all
//! functions.

use core::cmp::Ordering;

use super::dispatch::Dispatch;
use super::form::{Form, Regex, Validator};
use crate::cost::call::Estimate;
use crate::cost::meter::Meter;
use crate::cost::work::Work;
use crate::types::types::Type;
use crate::types::version::Version;
use crate::values::equal::element;
use crate::values::value::{Fault, Val};

/// The code of a function. It gets values of the types of its signature, or of any types if they
/// were not known when the expression was checked.
pub(crate) type Call = for<'v> fn(&mut Meter<'v>, &[Val<'v>]) -> Result<Val<'v>, Fault>;

/// The formula of a cost. The arguments may be of any types, and errors too: a call that fails has
/// a cost as well.
pub(crate) type Price = for<'v> fn(&Meter<'v>, &[Val<'v>]) -> Result<u64, Fault>;

/// An overload of a function.
#[derive(Clone, Debug)]
pub(crate) struct Overload {
    /// The signature as the table contains it. No other overload of the function has the same one.
    pub(crate) id: &'static str,
    /// True for a member function, which is called on its first argument.
    pub(crate) is_member: bool,
    pub(crate) args: Box<[Type]>,
    pub(crate) result: Type,
    /// The number of type parameters, which are numbered from 0.
    pub(crate) params: u32,
    /// The first version that has the overload.
    pub(crate) since: Version,
    /// The first version with another overload in its place.
    pub(crate) until: Option<Version>,
    pub(crate) call: Call,
    /// True if versions before `since` have the overload too, in loops and after them.
    pub(crate) is_early_in_loops: bool,
    /// The formula of the estimate.
    pub(crate) estimate: Estimate,
    /// The price; `None` costs one.
    pub(crate) price: Option<Price>,
    /// The price of the function if the overload is not known; `None` costs one.
    pub(crate) open_price: Option<Price>,
    /// The comparison of two strings, if the overload is one.
    pub(crate) test: Option<Test>,
    /// The ordering of two values that the overload tests for, if it compares them.
    pub(crate) wanted: Option<Wanted>,
}

/// A test of an order.
pub(crate) type Wanted = fn(Ordering) -> bool;

/// A test of two strings, with the price of the call for strings without their values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) price: fn(&str, &str) -> u64,
    pub(crate) holds: fn(&str, &str) -> bool,
}

impl Overload {
    /// Returns true if a version has the overload.
    pub(crate) fn is_of(&self, version: Version) -> bool {
        self.since <= version && self.until.is_none_or(|until| version < until)
    }

    /// Returns true if values have the types of the arguments. Of each list, only the first element
    /// is checked.
    pub(crate) fn takes<'v>(&self, meter: &Meter<'v>, values: &[Val<'v>]) -> bool {
        let takes = |(ty, value): (&Type, &Val<'v>)| is_of(meter, value, ty);
        self.args.len() == values.len() && self.args.iter().zip(values).all(takes)
    }
}

/// Returns true if a value has a type, as deep as a server checks it.
fn is_of<'v>(meter: &Meter<'v>, value: &Val<'v>, ty: &Type) -> bool {
    if !value.is_of(ty) {
        return false;
    }
    match ty {
        Type::List(of) => match element(meter.declared, value, 0) {
            None => true,
            Some(Ok(first)) => is_of(meter, &first, of),
            Some(Err(_)) => matches!(**of, Type::Dyn | Type::Var(_)),
        },
        _ => true,
    }
}

/// Overloads of a function that share their code.
#[derive(Debug)]
pub(super) struct Row {
    /// The types of the receiver, of the arguments and of the result, as
    /// [`signature`](super::signature) reads them.
    pub(super) signatures: &'static [&'static str],
    pub(super) since: Version,
    pub(super) until: Option<Version>,
    /// True if the server declares the overloads in versions that do not have their types yet: only
    /// arguments of the type `dyn` can call them there.
    pub(super) is_early: bool,
    pub(super) is_early_in_loops: bool,
    pub(super) call: Call,
    pub(super) cost: Cost,
    pub(super) estimate: Estimate,
    pub(super) test: Option<Test>,
    pub(super) wanted: Option<Wanted>,
}

/// The actual cost of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    /// The cost if the types of the arguments select an overload; `None` costs one.
    pub(super) known: Option<Price>,
    /// The cost if several overloads are possible; `None` costs one.
    pub(super) open: Option<Price>,
}

impl Cost {
    /// A cost of one.
    pub(super) const ONE: Self = Self {
        known: None,
        open: None,
    };

    /// Returns a cost that the server counts by the name of the function.
    pub(super) const fn of(price: Price) -> Self {
        Self::by_overload(price, price)
    }

    /// Returns a cost that the server counts by the overload. The cost is one if several overloads
    /// take the arguments.
    pub(super) const fn if_known(price: Price) -> Self {
        Self {
            known: Some(price),
            open: None,
        }
    }

    /// Returns a cost that the server counts by the overload, or else by the name of the function.
    pub(super) const fn by_overload(known: Price, open: Price) -> Self {
        Self {
            known: Some(known),
            open: Some(open),
        }
    }
}

/// The version of overloads that exist in each version with their types.
pub(super) const ALWAYS: Version = Version::minor(0);

/// Returns the version of overloads that Kubernetes `1.minor` added.
pub(super) const fn since(minor: u16) -> Version {
    Version::minor(minor)
}

/// Returns overloads with their types, the first version that has them, their code, their cost, and
/// the estimate of the cost.
pub(super) const fn row(
    signatures: &'static [&'static str],
    since: Version,
    call: Call,
    cost: Cost,
    estimate: Estimate,
) -> Row {
    Row {
        signatures,
        since,
        until: None,
        is_early: false,
        is_early_in_loops: false,
        call,
        cost,
        estimate,
        test: None,
        wanted: None,
    }
}

impl Row {
    /// Sets the version `1.minor` of Kubernetes that replaces the overloads.
    pub(super) const fn until(self, minor: u16) -> Self {
        Self {
            until: Some(Version::minor(minor)),
            ..self
        }
    }

    /// Marks overloads that the server declares in all versions, including versions without their
    /// types.
    pub(super) const fn early(self) -> Self {
        Self {
            is_early: true,
            ..self
        }
    }

    /// Marks overloads that older servers accept only in loops and after them: their checkers
    /// forget there that the overloads are missing.
    pub(super) const fn early_in_loops(self) -> Self {
        Self {
            is_early_in_loops: true,
            ..self
        }
    }

    /// Sets the test of two strings that the overloads compute.
    pub(super) const fn asks(
        self,
        price: fn(&str, &str) -> u64,
        holds: fn(&str, &str) -> bool,
    ) -> Self {
        Self {
            test: Some(Test { price, holds }),
            ..self
        }
    }

    /// Sets the test of the order of two values that the overloads compute.
    pub(super) const fn orders(self, wanted: Wanted) -> Self {
        Self {
            wanted: Some(wanted),
            ..self
        }
    }
}

/// A function as the file of its area writes it. The constructors [`function`] and [`row`] require
/// the properties that all functions have; methods set the others.
#[derive(Debug)]
pub(crate) struct FunctionRow {
    /// The name, qualified if it has a namespace.
    pub(crate) name: &'static str,
    /// The way from the values of a call to its code, and the form of its error.
    pub(crate) dispatch: Dispatch,
    /// The work of its calls beyond their costs.
    pub(crate) work: Work,
    /// True if the first failed argument ends a call, so that the other arguments are not
    /// evaluated.
    pub(crate) stops_early: bool,
    /// The plan of its calls.
    pub(crate) form: Form,
    /// True if the result is constant and free for a constant argument.
    pub(crate) folds: bool,
    /// The validator of its literal arguments.
    pub(crate) validator: Option<Validator>,
    /// The purpose of its regular expression, if it has one.
    pub(crate) regex: Option<Regex>,
    pub(super) overloads: &'static [Row],
}

/// Returns a function with its name, its dispatch, the work of its calls, and its overloads.
pub(super) const fn function(
    name: &'static str,
    dispatch: Dispatch,
    work: Work,
    overloads: &'static [Row],
) -> FunctionRow {
    FunctionRow {
        name,
        dispatch,
        work,
        stops_early: false,
        form: Form::Call,
        folds: false,
        validator: None,
        regex: None,
        overloads,
    }
}

impl FunctionRow {
    /// Sets the form of the calls, which the checker plans.
    pub(super) const fn form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// Marks a conversion, whose result for a constant is constant and free.
    pub(super) const fn folding(self) -> Self {
        Self {
            folds: true,
            ..self
        }
    }

    /// Sets the validator of literal arguments.
    pub(super) const fn validated(self, by: Validator) -> Self {
        Self {
            validator: Some(by),
            ..self
        }
    }

    /// Marks the second argument as a regular expression.
    pub(super) const fn regex(self, regex: Regex) -> Self {
        Self {
            regex: Some(regex),
            ..self
        }
    }

    /// Marks a function whose calls end with the first failed argument.
    pub(super) const fn stopping_early(self) -> Self {
        Self {
            stops_early: true,
            ..self
        }
    }
}

/// The maximum length of a string that a function creates.
const LONGEST: usize = 10 << 20;

/// Rejects a string that would take too much memory.
pub(super) fn check_length(length: usize) -> Result<(), Fault> {
    if length > LONGEST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}

/// The maximum number of elements of a list that a function creates at once.
const MOST: u64 = 1 << 20;

/// Rejects a list that would take too much memory.
pub(super) fn check_count(count: u64) -> Result<(), Fault> {
    if count > MOST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}
