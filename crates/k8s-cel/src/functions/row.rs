//! Overloads of functions, as the files of this folder write them, and what all functions heed.

use core::cmp::Ordering;

use crate::cost::meter::Meter;
use crate::types::types::Type;
use crate::types::version::Version;
use crate::values::equal::element;
use crate::values::value::{Fault, Val};

/// What a function does. It gets what its signature says, or values of which that was not known when the expression was checked.
pub(crate) type Call = for<'v> fn(&mut Meter<'v>, &[Val<'v>]) -> Result<Val<'v>, Fault>;

/// What a call costs. The arguments may be of any types, and errors too: a call that comes to nothing costs as well.
pub(crate) type Price = for<'v> fn(&Meter<'v>, &[Val<'v>]) -> Result<u64, Fault>;

/// One way to call a function.
#[derive(Clone, Debug)]
pub(crate) struct Overload {
    /// Its signature as it is written in the table, which no other overload of the function has.
    pub(crate) id: &'static str,
    /// Whether it is called on its first argument.
    pub(crate) is_member: bool,
    pub(crate) args: Box<[Type]>,
    pub(crate) result: Type,
    /// How many type parameters there are, numbered from 0.
    pub(crate) params: u32,
    /// The first version that has it.
    pub(crate) since: Version,
    /// The first version that has another one in its place, if there is one.
    pub(crate) until: Option<Version>,
    pub(crate) call: Call,
    /// Its price; none is one.
    pub(crate) price: Option<Price>,
    /// The price of the function, where it is not known which overload is called; none is one.
    pub(crate) open_price: Option<Price>,
    /// What it asks, where it is a question about two texts.
    pub(crate) test: Option<Test>,
    /// What it asks, where it is a question about the order of two values.
    pub(crate) wanted: Option<Wanted>,
}

/// A question about an order.
pub(crate) type Wanted = fn(Ordering) -> bool;

/// A question about two texts, with its price: the same as that of the call, without values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Test {
    pub(crate) price: fn(&str, &str) -> u64,
    pub(crate) holds: fn(&str, &str) -> bool,
}

impl Overload {
    /// Whether a version has it.
    pub(crate) fn is_of(&self, version: Version) -> bool {
        self.since <= version && self.until.is_none_or(|until| version < until)
    }

    /// Whether values are of its kinds of arguments, as far as the first element of each list tells.
    pub(crate) fn takes<'v>(&self, meter: &Meter<'v>, values: &[Val<'v>]) -> bool {
        let takes = |(ty, value): (&Type, &Val<'v>)| is_of(meter, value, ty);
        self.args.len() == values.len() && self.args.iter().zip(values).all(takes)
    }
}

/// Whether a value is of a type, as far as a server looks into it.
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

/// Overloads of a function that share their code: signatures (see
/// [`signature`](super::signature)), the first version that has them, the code, the prices.
pub(super) struct Row {
    pub(super) signatures: &'static [&'static str],
    pub(super) since: Version,
    pub(super) until: Option<Version>,
    /// Whether the server declares them in versions that do not have their types yet: only what is `dyn` can call them there.
    pub(super) is_early: bool,
    pub(super) call: Call,
    pub(super) price: Option<Price>,
    pub(super) open_price: Option<Price>,
    pub(super) test: Option<Test>,
    pub(super) wanted: Option<Wanted>,
}

/// Overloads that all versions have which have their types.
pub(super) const fn row(signatures: &'static [&'static str], call: Call) -> Row {
    Row {
        signatures,
        since: Version::minor(0),
        until: None,
        is_early: false,
        call,
        price: None,
        open_price: None,
        test: None,
        wanted: None,
    }
}

impl Row {
    /// Overloads that came with the version `0.minor`.
    pub(super) const fn since(self, minor: u16) -> Self {
        Self {
            since: Version::minor(minor),
            ..self
        }
    }

    /// Overloads that have others in their place since the version `0.minor`.
    pub(super) const fn until(self, minor: u16) -> Self {
        Self {
            until: Some(Version::minor(minor)),
            ..self
        }
    }

    /// Overloads that the server declares in all versions, also in those that do not have their types.
    pub(super) const fn early(self) -> Self {
        Self {
            is_early: true,
            ..self
        }
    }

    /// Overloads that the server prices by the name of the function.
    pub(super) const fn costs(self, price: Price) -> Self {
        Self {
            price: Some(price),
            open_price: Some(price),
            ..self
        }
    }

    /// Overloads that are questions about two texts.
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

    /// Overloads that are questions about the order of two values.
    pub(super) const fn orders(self, wanted: Wanted) -> Self {
        Self {
            wanted: Some(wanted),
            ..self
        }
    }

    /// Overloads with a price of their own, which counts where it is known that no other one is called.
    pub(super) const fn costs_if_known(self, price: Price) -> Self {
        Self {
            price: Some(price),
            ..self
        }
    }
}

/// A function as its file writes it: its name, its overloads.
pub(super) type Entry = (&'static str, &'static [Row]);

/// How long a text may become that a function makes.
const LONGEST: usize = 10 << 20;

/// Refuses what would take too much memory.
pub(super) fn check_length(length: usize) -> Result<(), Fault> {
    if length > LONGEST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}

/// How many elements a list may have that a function makes at once.
const MOST: u64 = 1 << 20;

/// Refuses a list that would take too much memory.
pub(super) fn check_count(count: u64) -> Result<(), Fault> {
    if count > MOST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}
