//! The functions that rules may call.

pub(super) mod access;
mod arithmetic;
pub(super) mod authorizer;
pub(super) mod charge;
pub(super) mod conversions;
mod declare;
mod formats;
mod lists;
mod net;
mod operators;
mod optionals;
mod quantity;
pub(super) mod regexes;
mod semver;
mod sets;
mod strings;
pub(super) mod template;
mod times;

use core::cmp::Ordering;
use core::fmt;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::equal::element;
use super::meter::Meter;
use super::types::Type;
use super::value::{Fault, Val};
use super::version::Version;

/// A function: the ways to call it.
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) overloads: Box<[Overload]>,
}

impl Function {
    /// The first version that has an overload of that signature, be it another one now.
    fn since(&self, id: &str) -> Version {
        let all = self.overloads.iter().filter(|overload| overload.id == id);
        let since = all.map(|overload| overload.since).min();
        since.unwrap_or(Version::LATEST)
    }
}

/// What a function does. It gets what its signature says, or values of which that was not known when the expression was checked.
pub(super) type Call = for<'v> fn(&mut Meter<'v>, &[Val<'v>]) -> Result<Val<'v>, Fault>;

/// What a call costs. The arguments may be of any types, and errors too: a call that comes to nothing costs as well.
pub(super) type Price = for<'v> fn(&Meter<'v>, &[Val<'v>]) -> Result<u64, Fault>;

/// One way to call a function.
#[derive(Clone, Debug)]
pub(super) struct Overload {
    /// Its signature as it is written in the table, which no other overload of the function has.
    pub(super) id: &'static str,
    /// Whether it is called on its first argument.
    pub(super) is_member: bool,
    pub(super) args: Box<[Type]>,
    pub(super) result: Type,
    /// How many type parameters there are, numbered from 0.
    pub(super) params: u32,
    /// The first version that has it.
    pub(super) since: Version,
    /// The first version that has another one in its place, if there is one.
    pub(super) until: Option<Version>,
    pub(super) call: Call,
    /// Its price; none is one.
    pub(super) price: Option<Price>,
    /// The price of the function, where it is not known which overload is called; none is one.
    pub(super) open_price: Option<Price>,
    /// What it asks, where it is a question about two texts.
    pub(super) test: Option<Test>,
    /// What it asks, where it is a question about the order of two values.
    pub(super) wanted: Option<Wanted>,
}

/// A question about an order.
pub(super) type Wanted = fn(Ordering) -> bool;

/// A question about two texts, with its price: the same as that of the call, without values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub(super) price: fn(&str, &str) -> u64,
    pub(super) holds: fn(&str, &str) -> bool,
}

impl Overload {
    /// Whether a version has it.
    pub(super) fn is_of(&self, version: Version) -> bool {
        self.since <= version && self.until.is_none_or(|until| version < until)
    }

    /// Whether values are of its kinds of arguments, as far as the first element of each list tells.
    pub(super) fn takes<'v>(&self, meter: &Meter<'v>, values: &[Val<'v>]) -> bool {
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

/// Overloads of a function that share their code: signatures (see [`declare`]), the first version that has them, the code, the prices.
struct Row {
    signatures: &'static [&'static str],
    since: Version,
    until: Option<Version>,
    /// Whether the server declares them in versions that do not have their types yet: only what is `dyn` can call them there.
    is_early: bool,
    call: Call,
    price: Option<Price>,
    open_price: Option<Price>,
    test: Option<Test>,
    wanted: Option<Wanted>,
}

/// Overloads that all versions have which have their types.
const fn row(signatures: &'static [&'static str], call: Call) -> Row {
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
    const fn since(self, minor: u16) -> Self {
        Self {
            since: Version::minor(minor),
            ..self
        }
    }

    /// Overloads that have others in their place since the version `0.minor`.
    const fn until(self, minor: u16) -> Self {
        Self {
            until: Some(Version::minor(minor)),
            ..self
        }
    }

    /// Overloads that the server declares in all versions, also in those that do not have their types.
    const fn early(self) -> Self {
        Self {
            is_early: true,
            ..self
        }
    }

    /// Overloads that the server prices by the name of the function.
    const fn costs(self, price: Price) -> Self {
        Self {
            price: Some(price),
            open_price: Some(price),
            ..self
        }
    }

    /// Overloads that are questions about two texts.
    const fn asks(self, price: fn(&str, &str) -> u64, holds: fn(&str, &str) -> bool) -> Self {
        Self {
            test: Some(Test { price, holds }),
            ..self
        }
    }

    /// Overloads that are questions about the order of two values.
    const fn orders(self, wanted: Wanted) -> Self {
        Self {
            wanted: Some(wanted),
            ..self
        }
    }

    /// Overloads with a price of their own, which counts where it is known that no other one is called.
    const fn costs_if_known(self, price: Price) -> Self {
        Self {
            price: Some(price),
            ..self
        }
    }
}

/// A function as its file writes it: its name, its overloads.
type Entry = (&'static str, &'static [Row]);

const GROUPS: &[&[Entry]] = &[
    access::FUNCTIONS,
    arithmetic::FUNCTIONS,
    operators::FUNCTIONS,
    conversions::FUNCTIONS,
    strings::FUNCTIONS,
    lists::FUNCTIONS,
    sets::FUNCTIONS,
    optionals::FUNCTIONS,
    quantity::FUNCTIONS,
    regexes::FUNCTIONS,
    times::FUNCTIONS,
    formats::FUNCTIONS,
    net::FUNCTIONS,
    semver::FUNCTIONS,
    template::FUNCTIONS,
    authorizer::FUNCTIONS,
];

/// All functions by their names, qualified where they have a namespace.
fn table() -> &'static HashMap<&'static str, Function> {
    static TABLE: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
        let entries = GROUPS.iter().copied().flatten();
        let functions = entries.map(|(name, rows)| {
            let overloads = rows.iter().flat_map(|row| {
                let signatures = row.signatures.iter();
                signatures.filter_map(move |text| declare::overload(text, row))
            });
            let function = Function {
                name,
                overloads: overloads.collect(),
            };
            (*name, function)
        });
        functions.collect()
    });
    &TABLE
}

/// The function of that name, qualified where it has a namespace, where that version has it.
pub(super) fn find(name: &str, version: Version) -> Option<&'static Function> {
    let function = table().get(name)?;
    let mut overloads = function.overloads.iter();
    let is_there = overloads.any(|overload| overload.is_of(version));
    is_there.then_some(function)
}

/// Every way to call a function, by the names of the functions: for tables and for random expressions.
#[doc(hidden)]
#[must_use]
pub fn overloads() -> Vec<Signature> {
    let mut signatures: Vec<Signature> = table()
        .values()
        .flat_map(|function| {
            let signature = |overload: &Overload| Signature {
                name: function.name,
                id: overload.id,
                is_member: overload.is_member,
                args: overload.args.to_vec(),
                result: overload.result.clone(),
                since: function.since(overload.id),
            };
            let current = function.overloads.iter();
            current
                .filter(|overload| overload.until.is_none())
                .map(signature)
        })
        .collect();
    signatures.sort_by_key(|signature| (signature.name, signature.id));
    signatures
}

/// One way to call a function. Type variables are numbered from 0.
#[doc(hidden)]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Signature {
    /// The function, as [`Environment::compile`](crate::Environment::compile) reads it; operators as `_+_`.
    pub name: &'static str,
    /// The signature as it is written in the table.
    pub id: &'static str,
    /// Whether it is called on its first argument.
    pub is_member: bool,
    /// The types of the arguments, that of the target first.
    pub args: Vec<Type>,
    /// The type of the result.
    pub result: Type,
    /// The first version that has it.
    pub since: Version,
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// How long a text may become that a function makes.
const LONGEST: usize = 10 << 20;

/// Refuses what would take too much memory.
fn check_length(length: usize) -> Result<(), Fault> {
    if length > LONGEST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}

/// How many elements a list may have that a function makes at once.
const MOST: u64 = 1 << 20;

/// Refuses a list that would take too much memory.
fn check_count(count: u64) -> Result<(), Fault> {
    if count > MOST {
        Err(Fault::Cost)
    } else {
        Ok(())
    }
}
