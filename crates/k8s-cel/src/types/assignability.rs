//! The assignability of types.

use std::collections::HashMap;

use super::types::Type;

/// The knowledge about types that are not known yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Unifier {
    known: HashMap<u32, Type>,
    /// The previous knowledge, in the order of the changes.
    changes: Vec<(u32, Option<Type>)>,
    count: u32,
}

impl Unifier {
    pub(crate) fn fresh(&mut self) -> Type {
        self.count += 1;
        Type::Var(self.count - 1)
    }

    /// Returns true if a value of `from` is assignable to `to`. If so, keeps the conclusions about
    /// unknown types.
    pub(crate) fn assign(&mut self, to: &Type, from: &Type) -> bool {
        self.assign_all(&[to], &[from])
    }

    pub(crate) fn assign_all(&mut self, to: &[&Type], from: &[&Type]) -> bool {
        let before = self.changes.len();
        let fits =
            to.len() == from.len() && to.iter().zip(from).all(|(to, from)| self.unify(to, from));
        if fits {
            return true;
        }
        for (var, known) in self.changes.split_off(before).into_iter().rev() {
            match known {
                Some(known) => self.known.insert(var, known),
                None => self.known.remove(&var),
            };
        }
        false
    }

    fn unify(&mut self, to: &Type, from: &Type) -> bool {
        if let Type::Var(var) = from {
            match self.bind(to, *var) {
                BindOutcome::Bound => return true,
                BindOutcome::Conflict => return false,
                BindOutcome::Recursive => {}
            }
        }
        if let Type::Var(var) = to {
            return matches!(self.bind(from, *var), BindOutcome::Bound);
        }
        if to.is_dyn() || from.is_dyn() {
            return true;
        }
        match (to, from) {
            (Type::Null, other) | (other, Type::Null) => other.accepts_null(),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::List(to), Type::List(from)) | (Type::Optional(to), Type::Optional(from)) => {
                self.unify(to, from)
            }
            (Type::Map(to), Type::Map(from)) => {
                self.unify(&to.0, &from.0) && self.unify(&to.1, &from.1)
            }
            _ => to == from,
        }
    }

    /// Sets an unknown type to a type, if the knowledge about the unknown type allows it.
    fn bind(&mut self, ty: &Type, var: u32) -> BindOutcome {
        if *ty == Type::Var(var) {
            return BindOutcome::Bound;
        }
        if let Some(known) = self.known.get(&var).cloned() {
            if *ty == known {
                return BindOutcome::Bound;
            }
            if !self.unify(ty, &known) {
                return BindOutcome::Conflict;
            }
            let general = if is_as_general(ty, &known) {
                ty.clone()
            } else {
                known
            };
            if !self.occurs(var, &general) {
                self.learn(var, general);
            }
            return BindOutcome::Bound;
        }
        if self.occurs(var, ty) {
            return BindOutcome::Recursive;
        }
        self.learn(var, ty.clone());
        BindOutcome::Bound
    }

    fn learn(&mut self, var: u32, ty: Type) {
        let before = self.known.insert(var, ty);
        self.changes.push((var, before));
    }

    fn occurs(&self, var: u32, within: &Type) -> bool {
        match within {
            Type::Var(other) if *other == var => true,
            Type::Var(other) => self
                .known
                .get(other)
                .is_some_and(|known| self.occurs(var, known)),
            Type::List(of) | Type::Optional(of) | Type::Type(of) => self.occurs(var, of),
            Type::Map(of) => self.occurs(var, &of.0) || self.occurs(var, &of.1),
            _ => false,
        }
    }

    /// Returns a type with all known types filled in.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        match ty {
            Type::Var(var) => match self.known.get(var) {
                Some(known) => self.resolve(known),
                None => ty.clone(),
            },
            Type::List(of) => Type::list(self.resolve(of)),
            Type::Optional(of) => Type::optional(self.resolve(of)),
            Type::Type(of) => Type::Type(Box::new(self.resolve(of))),
            Type::Map(of) => Type::map(self.resolve(&of.0), self.resolve(&of.1)),
            _ => ty.clone(),
        }
    }

    /// Returns a type like [`resolve`](Self::resolve), with `dyn` for unknown types.
    pub(crate) fn finish(&self, ty: &Type) -> Type {
        match self.resolve(ty) {
            Type::Var(_) => Type::Dyn,
            Type::List(of) => Type::list(self.finish(&of)),
            Type::Optional(of) => Type::optional(self.finish(&of)),
            Type::Type(of) => Type::Type(Box::new(self.finish(&of))),
            Type::Map(of) => Type::map(self.finish(&of.0), self.finish(&of.1)),
            other => other,
        }
    }
}

enum BindOutcome {
    Bound,
    /// The unknown type is known as another type.
    Conflict,
    Recursive,
}

/// Returns true if the first of two matching types is at most as specific as the second.
pub(crate) fn is_as_general(a: &Type, b: &Type) -> bool {
    match (a, b) {
        // To the server, all types of types are the same.
        (Type::Dyn | Type::Var(_), _) | (Type::Type(_), Type::Type(_)) => true,
        (_, Type::Dyn | Type::Var(_)) => false,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
            is_as_general(a, b)
        }
        (Type::Map(a), Type::Map(b)) => is_as_general(&a.0, &b.0) && is_as_general(&a.1, &b.1),
        _ => a == b,
    }
}
