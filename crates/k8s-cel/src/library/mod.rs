//! The functions that rules may call.

pub(super) mod access;
mod arithmetic;
mod conversions;
mod declare;
mod foreign;
mod lists;
mod operators;
mod optionals;
mod quantity;
mod regexes;
mod sets;
mod strings;
mod times;

use core::fmt;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::machine::Machine;
use super::types::Type;
use super::value::{Fault, Val};

/// A function: what it takes and returns, and how it is evaluated, which depends on the values it gets.
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) overloads: Box<[Overload]>,
    pub(super) call: Call,
}

pub(super) type Call = for<'v> fn(&mut Machine<'v>, &[Val<'v>]) -> Result<Val<'v>, Fault>;

/// One way to call a function.
#[derive(Clone, Debug)]
pub(super) struct Overload {
    /// Whether it is called on its first argument.
    pub(super) is_member: bool,
    pub(super) args: Box<[Type]>,
    pub(super) result: Type,
    /// How many type parameters there are, numbered from 0.
    pub(super) params: u32,
}

/// A function as its file writes it: its name, its signatures (see [`declare`]), its code.
type Entry = (&'static str, &'static [&'static str], Call);

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
    foreign::FUNCTIONS,
];

/// The function of that name, qualified where it has a namespace.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    static TABLE: LazyLock<HashMap<&'static str, Function>> = LazyLock::new(|| {
        let entries = GROUPS.iter().copied().flatten();
        let functions = entries.map(|(name, signatures, call)| {
            let overloads = signatures.iter().filter_map(|text| declare::overload(text));
            let function = Function {
                name,
                overloads: overloads.collect(),
                call: *call,
            };
            (*name, function)
        });
        functions.collect()
    });
    TABLE.get(name)
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
