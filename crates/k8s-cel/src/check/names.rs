//! Names: variables, fields, types.

use super::{Checked, Checker};
use crate::code::{Code, How, OLD_SELF, Select};
use crate::declared::{DeclaredId, Field};
use crate::estimate::{Place, Range, Step};
use crate::syntax::Ast;
use crate::types::Type;
use crate::version::Version;
use k8s_json_internals::cel_name::is_reserved;

impl Checker<'_> {
    pub(super) fn ident(&mut self, at: u32, name: &str) -> Checked {
        // A dot before a name changes nothing, as there are no containers.
        let bare = name.trim_start_matches('.');
        let mut scope = self.scope.iter().enumerate().rev();
        if let Some((slot, variable)) = scope.find(|(_, variable)| variable.name == bare) {
            let slot = u16::try_from(slot).unwrap_or(u16::MAX);
            self.uses_old_self |= slot == OLD_SELF;
            let mut checked = Checked::new(Code::Slot(slot), variable.ty.clone(), Range::ONE);
            checked.place = variable.place;
            checked.fallback = variable.size;
            checked.entries = variable.entries;
            return checked;
        }
        type_named(bare, self.node, self.version).unwrap_or_else(|| {
            self.problem(
                at,
                format!("undeclared reference to '{name}' (in container '')"),
            );
            Checked::error()
        })
    }

    pub(super) fn select(&mut self, at: u32, operand: &Ast, field: &str, how: How) -> Checked {
        let operand = self.check(operand);
        let ty = self.types.resolve(&operand.ty);
        let (target, is_optional) = match &ty {
            Type::Optional(of) => (&**of, true),
            ty => (ty, false),
        };
        let Selected {
            ty: result,
            declaration,
            name,
        } = self.selected(at, target, field);
        let is_plain_container = matches!(ty, Type::Map(_) | Type::Object(_) | Type::Var(_));
        let (own_cost, result) = match how {
            How::Test => (Range::ZERO, Type::Bool),
            How::Optional => (Range::ONE, Type::optional(result)),
            How::Plain => (
                if is_plain_container {
                    Range::ONE
                } else {
                    Range::ZERO
                },
                if is_optional {
                    Type::optional(result)
                } else {
                    result
                },
            ),
        };
        let place = match how {
            How::Plain => operand
                .place
                .step(self.declared, self.node, Step::Field(field)),
            _ => Place::Nowhere,
        };
        let cost = operand.cost.plus(own_cost);
        let code = Code::Select(Box::new(Select {
            pays_for_start: operand.code.pays_for_start(),
            operand: operand.code,
            name,
            written: field.into(),
            declaration,
            how,
        }));
        Checked {
            place,
            ..Checked::new(code, result, cost)
        }
    }

    /// What a value of a type has under a name.
    fn selected(&mut self, at: u32, of: &Type, field: &str) -> Selected {
        let plain = |ty: Type| Selected {
            ty,
            declaration: None,
            name: field.into(),
        };
        match of {
            Type::Map(of) => plain(of.1.clone()),
            Type::Object(id) => {
                let declared = self.declared;
                let is_it = |f: &&Field| {
                    let escaped = f.escaped.as_deref();
                    escaped == Some(field) || (*f.name == *field && is_reserved(field))
                };
                let found = declared.get(*id).fields().iter().find(is_it);
                let found = found.and_then(|f| Some((f, Type::of_declared(declared, f.ty)?)));
                let Some((field, ty)) = found else {
                    self.problem(at, format!("undefined field '{field}'"));
                    return plain(Type::Error);
                };
                Selected {
                    ty,
                    declaration: Some(field.ty),
                    name: field.name.clone(),
                }
            }
            Type::Var(_) => {
                self.types.assign(&Type::Dyn, of);
                plain(Type::Dyn)
            }
            Type::Dyn | Type::Error => plain(Type::Dyn),
            other => {
                let text = format!(
                    "type '{}' does not support field selection",
                    self.types.resolve(other)
                );
                self.problem(at, text);
                plain(Type::Dyn)
            }
        }
    }
}

/// What is under a name.
struct Selected {
    ty: Type,
    /// Where the value is an object with that field.
    declaration: Option<DeclaredId>,
    /// As it is in the object.
    name: Box<str>,
}

/// The types of Kubernetes that have a name in expressions.
const NAMED: [&str; 2] = ["net.IP", "net.CIDR"];

/// The type that a name stands for, as a value.
pub(super) fn type_named(name: &str, node: DeclaredId, version: Version) -> Option<Checked> {
    let (name, ty) = match name {
        "bool" => ("bool", Type::Bool),
        "int" => ("int", Type::Int),
        "uint" => ("uint", Type::Uint),
        "double" => ("double", Type::Double),
        "string" => ("string", Type::Text),
        "bytes" => ("bytes", Type::Bytes),
        "list" => ("list", Type::list(Type::Dyn)),
        "map" => ("map", Type::map(Type::Dyn, Type::Dyn)),
        "null_type" => ("null_type", Type::Null),
        "type" => ("type", Type::Kind(Box::new(Type::Dyn))),
        "optional_type" if version.has_optionals() => ("optional_type", Type::optional(Type::Dyn)),
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        _ => {
            let mut named = NAMED.iter().filter(|_| version.has_addresses());
            let name = named.find(|opaque| **opaque == name)?;
            (*name, Type::Opaque(name))
        }
    };
    let ty = Type::Kind(Box::new(ty));
    Some(Checked {
        // As upstream has it, names count as the node itself.
        place: Place::Declared(node),
        ..Checked::new(Code::Type(name), ty, Range::ONE)
    })
}
