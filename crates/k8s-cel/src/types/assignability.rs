//! Assignability of types with type variables, as in cel-go's checker.

use std::collections::HashMap;

use super::feature::{Feature, RuleVersions};
use super::types::Type;

/// The substitution of type variables by types.
#[derive(Clone, Debug)]
pub(crate) struct Unifier {
    /// True if a value whose type accepts null is assignable to null, too:
    /// [`Feature::SymmetricNull`].
    is_null_symmetric: bool,
    substitution: HashMap<u32, Type>,
    /// The changed variables with their previous types, so that changes can be undone.
    changes: Vec<(u32, Option<Type>)>,
    /// The number of type variables.
    var_count: u32,
    /// The number of missing types.
    missing_count: u32,
}

impl Unifier {
    /// Returns an empty substitution.
    pub(crate) fn new(version: RuleVersions) -> Self {
        Self {
            is_null_symmetric: version.has(Feature::SymmetricNull),
            substitution: HashMap::new(),
            changes: Vec::new(),
            var_count: 0,
            missing_count: 0,
        }
    }

    /// Returns a new missing type.
    pub(crate) const fn fresh_missing(&mut self) -> Type {
        self.missing_count += 1;
        Type::Missing(self.missing_count - 1)
    }

    /// Returns the type of a new value, with new missing types inside. A type that contains a
    /// missing type equals only itself: on a server, a missing type is a null pointer, and the type
    /// around it is compared by its address.
    pub(crate) fn of_new_value(&mut self, ty: Type) -> Type {
        if self.missing_count == 0 {
            return ty;
        }
        match ty {
            Type::Missing(_) => self.fresh_missing(),
            Type::List(inner) => Type::list(self.of_new_value(*inner)),
            Type::Optional(inner) => Type::optional(self.of_new_value(*inner)),
            Type::Type(inner) => Type::Type(Box::new(self.of_new_value(*inner))),
            Type::Map(entry) => {
                let (key, value) = *entry;
                Type::map(self.of_new_value(key), self.of_new_value(value))
            }
            other => other,
        }
    }

    /// Returns a new type variable.
    pub(crate) fn fresh_var(&mut self) -> Type {
        self.var_count += 1;
        Type::Var(self.var_count - 1)
    }

    /// Returns the number of type variables so far, which is the number of the next variable.
    pub(crate) const fn var_count(&self) -> u32 {
        self.var_count
    }

    /// Returns true if a value of type `from` is assignable to `to`, and binds type variables as
    /// needed. Otherwise, the substitution does not change.
    pub(crate) fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.assign_all(&[from], &[to])
    }

    /// Tests several assignments together like [`assign`](Self::assign).
    pub(crate) fn assign_all(&mut self, from: &[&Type], to: &[&Type]) -> bool {
        let change_count = self.changes.len();
        let is_assignable =
            from.len() == to.len() && from.iter().zip(to).all(|(from, to)| self.unify(from, to));
        if is_assignable {
            return true;
        }
        for (var, previous) in self.changes.split_off(change_count).into_iter().rev() {
            match previous {
                Some(previous) => self.substitution.insert(var, previous),
                None => self.substitution.remove(&var),
            };
        }
        false
    }

    /// Unifies two types, and binds type variables. If the types do not match, some variables may
    /// be bound already.
    fn unify(&mut self, from: &Type, to: &Type) -> bool {
        if let Type::Var(var) = to {
            match self.bind(from, *var) {
                BindOutcome::Bound => return true,
                BindOutcome::Conflict => return false,
                BindOutcome::Recursive => {}
            }
        }
        if let Type::Var(var) = from {
            return matches!(self.bind(to, *var), BindOutcome::Bound);
        }
        if from.is_dyn() || to.is_dyn() {
            return true;
        }
        match (from, to) {
            (Type::Null, to) => to.accepts_null(),
            (from, Type::Null) => self.is_null_symmetric && from.accepts_null(),
            (Type::Type(_), Type::Type(_)) => true,
            (Type::Missing(_), _) => false,
            (Type::List(from), Type::List(to)) | (Type::Optional(from), Type::Optional(to)) => {
                self.unify(from, to)
            }
            (Type::Map(from), Type::Map(to)) => {
                self.unify(&from.0, &to.0) && self.unify(&from.1, &to.1)
            }
            _ => from == to,
        }
    }

    /// Binds a type variable to a type, if an earlier binding allows it.
    fn bind(&mut self, ty: &Type, var: u32) -> BindOutcome {
        if *ty == Type::Var(var) {
            return BindOutcome::Bound;
        }
        if let Some(substitution) = self.substitution.get(&var).cloned() {
            if *ty == substitution && !matches!(ty, Type::Missing(_)) {
                return BindOutcome::Bound;
            }
            if !self.unify(ty, &substitution) {
                return BindOutcome::Conflict;
            }
            let general = if is_as_general(ty, &substitution) {
                ty.clone()
            } else {
                substitution
            };
            if !self.occurs(var, &general) {
                self.substitute(var, general);
            }
            return BindOutcome::Bound;
        }
        if self.occurs(var, ty) {
            return BindOutcome::Recursive;
        }
        self.substitute(var, ty.clone());
        BindOutcome::Bound
    }

    /// Binds a variable, and records the change.
    fn substitute(&mut self, var: u32, ty: Type) {
        let previous = self.substitution.insert(var, ty);
        self.changes.push((var, previous));
    }

    /// Returns true if a type contains a variable, after substitution.
    fn occurs(&self, var: u32, ty: &Type) -> bool {
        match ty {
            Type::Var(other) if *other == var => true,
            Type::Var(other) => self
                .substitution
                .get(other)
                .is_some_and(|substitution| self.occurs(var, substitution)),
            Type::List(inner) | Type::Optional(inner) | Type::Type(inner) => {
                self.occurs(var, inner)
            }
            Type::Map(entry) => self.occurs(var, &entry.0) || self.occurs(var, &entry.1),
            _ => false,
        }
    }

    /// Returns the type with all bound variables replaced.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        match ty {
            Type::Var(var) => match self.substitution.get(var) {
                Some(substitution) => self.resolve(substitution),
                None => ty.clone(),
            },
            Type::List(inner) => Type::list(self.resolve(inner)),
            Type::Optional(inner) => Type::optional(self.resolve(inner)),
            Type::Type(inner) => Type::Type(Box::new(self.resolve(inner))),
            Type::Map(entry) => Type::map(self.resolve(&entry.0), self.resolve(&entry.1)),
            _ => ty.clone(),
        }
    }

    /// Returns the type like [`resolve`](Self::resolve), with `dyn` for unbound variables.
    pub(crate) fn resolve_or_dyn(&self, ty: &Type) -> Type {
        match self.resolve(ty) {
            Type::Var(_) => Type::Dyn,
            Type::List(inner) => Type::list(self.resolve_or_dyn(&inner)),
            Type::Optional(inner) => Type::optional(self.resolve_or_dyn(&inner)),
            Type::Type(inner) => Type::Type(Box::new(self.resolve_or_dyn(&inner))),
            Type::Map(entry) => {
                Type::map(self.resolve_or_dyn(&entry.0), self.resolve_or_dyn(&entry.1))
            }
            other => other,
        }
    }
}

/// The outcome of binding a type variable.
enum BindOutcome {
    Bound,
    /// The variable is bound to a type that does not match.
    Conflict,
    /// The type contains the variable.
    Recursive,
}

/// Returns true if `a` is at least as general as `b`. The types must match.
pub(crate) fn is_as_general(a: &Type, b: &Type) -> bool {
    match (a, b) {
        // The server treats all types of types as equal.
        (Type::Dyn | Type::Var(_), _) | (Type::Type(_), Type::Type(_)) => true,
        (_, Type::Dyn | Type::Var(_)) => false,
        (Type::List(a), Type::List(b)) | (Type::Optional(a), Type::Optional(b)) => {
            is_as_general(a, b)
        }
        (Type::Map(a), Type::Map(b)) => is_as_general(&a.0, &b.0) && is_as_general(&a.1, &b.1),
        _ => a == b,
    }
}
