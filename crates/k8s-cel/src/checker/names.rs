//! Names: variables, fields and types.

use std::sync::Arc;

use super::state::{Checked, Checker, Constant};
use crate::cost::estimate::{Place, Range, Step};
use crate::interpreter::machine::memo;
use crate::interpreter::program::{Code, How, Leads, OLD_SELF, Plain, Select};
use crate::syntax::{Ast, Literal};
use crate::types::declared::{DeclaredId, DeclaredKind, Field};
use crate::types::types::{PARAMETERS, Type};
use crate::types::version::Version;
use k8s_json_internals::cel_name::is_reserved;

impl Checker<'_> {
    pub(super) fn ident(&mut self, at: u32, name: &str) -> Checked {
        // Expressions do not have containers, so a leading dot does not change a name.
        let bare = name.trim_start_matches('.');
        let mut scope = self.scope.iter().enumerate().rev();
        if let Some((slot, variable)) = scope.find(|(_, variable)| variable.name == bare) {
            let slot = u16::try_from(slot).unwrap_or(u16::MAX);
            self.uses_old_self |= slot == OLD_SELF;
            let ty = variable.ty.clone();
            let mut checked = Checked::new(Code::Slot(slot), ty.clone(), Range::ONE);
            checked.place = variable.place;
            checked.fallback = variable.size;
            checked.entries = variable.entries;
            if let Type::Kind(_) | Type::Var(_) = ty {
                self.constants.push(Constant::Name(bare.to_owned(), ty));
            }
            return checked;
        }
        self.type_named(bare).unwrap_or_else(|| {
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
        let is_plain_container = matches!(ty, Type::Map(_) | Type::Object(_));
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
        let plain = declaration.and_then(|declaration| {
            let kind = &self.declared.get(declaration).kind;
            plain(&operand.code, &name, kind)
        });
        let code = Code::Select(Box::new(Select {
            pays_for_start: operand.code.pays_for_start(),
            plain,
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

    /// Returns the value under a name in a value of a type.
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
            // The server treats these types as messages, whose fields it does not know.
            Type::Opaque(name) if name.starts_with("kubernetes.") => {
                self.problem(at, format!("unexpected failed resolution of '{name}'"));
                plain(Type::Error)
            }
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

/// Returns the path that a name extends, if all names lead from a variable through objects.
fn plain(operand: &Code, name: &str, kind: &DeclaredKind) -> Option<Plain> {
    let before = match operand {
        Code::Slot(_) => 0,
        Code::Select(select) if select.how == How::Plain => {
            let plain = select.plain?;
            (plain.to == Leads::Object).then_some(plain.names)?
        }
        _ => return None,
    };
    Some(Plain {
        names: before + 1,
        to: match kind {
            DeclaredKind::Object(_) => Leads::Object,
            DeclaredKind::Text => Leads::Text,
            DeclaredKind::Int => Leads::Int,
            DeclaredKind::List { .. } => Leads::List,
            _ => Leads::Other,
        },
        place: memo::place_of(name),
    })
}

/// The value under a name.
struct Selected {
    ty: Type,
    /// The declaration of the value, if it is a field of an object.
    declaration: Option<DeclaredId>,
    /// The name of the field in the object.
    name: Arc<str>,
}

/// The types of Kubernetes that have a name in expressions.
const NAMED: [&str; 2] = ["net.IP", "net.CIDR"];

/// Returns the type that a name refers to, and the name of the type of its values.
fn named(name: &str, version: Version) -> Option<(&'static str, Type)> {
    let [key, value] = PARAMETERS;
    Some(match name {
        "bool" => ("bool", Type::Bool),
        "int" => ("int", Type::Int),
        "uint" => ("uint", Type::Uint),
        "double" => ("double", Type::Double),
        "string" => ("string", Type::Text),
        "bytes" => ("bytes", Type::Bytes),
        "list" => ("list", Type::list(key)),
        "map" => ("map", Type::map(key, value)),
        "null_type" => ("null_type", Type::Null),
        "type" => ("type", Type::Opaque("type")),
        "optional_type" if version.has_optionals() => {
            ("optional_type", Type::Opaque("optional_type"))
        }
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        _ => {
            let mut named = NAMED.iter().filter(|_| version.has_addresses());
            let name = named.find(|opaque| **opaque == name)?;
            (*name, Type::Opaque(name))
        }
    })
}

/// Returns a type that only the server's checker knows by its name.
fn named_for_nothing(name: &str) -> Option<Type> {
    Some(match name {
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "google.protobuf.Any" => Type::Opaque("any"),
        "google.protobuf.Value" => Type::Dyn,
        "google.protobuf.Struct" => Type::map(Type::Text, Type::Dyn),
        "google.protobuf.ListValue" => Type::list(Type::Dyn),
        "google.protobuf.BoolValue" => Type::Opaque("wrapper(bool)"),
        "google.protobuf.BytesValue" => Type::Opaque("wrapper(bytes)"),
        "google.protobuf.DoubleValue" | "google.protobuf.FloatValue" => {
            Type::Opaque("wrapper(double)")
        }
        "google.protobuf.Int32Value" | "google.protobuf.Int64Value" => Type::Opaque("wrapper(int)"),
        "google.protobuf.UInt32Value" | "google.protobuf.UInt64Value" => {
            Type::Opaque("wrapper(uint)")
        }
        "google.protobuf.StringValue" => Type::Opaque("wrapper(string)"),
        _ => return None,
    })
}

/// Returns true if a name refers to a type at the creation of a program. The server then looks up
/// each name whose type is the type of a type, even the name of a variable.
pub(super) fn is_defined(name: &str, version: Version) -> bool {
    named(name, version).is_some()
}

impl Checker<'_> {
    /// Returns the type that a name refers to, as a value.
    pub(super) fn type_named(&mut self, name: &str) -> Option<Checked> {
        let (code, ty) = match named(name, self.version) {
            Some((name, ty)) => (Code::Type(name), ty),
            None => (Code::Literal(Literal::Null), named_for_nothing(name)?),
        };
        let ty = Type::Kind(Box::new(ty));
        self.constants
            .push(Constant::Name(name.to_owned(), ty.clone()));
        Some(Checked {
            // As in the server, the place of a name is the place of `self`.
            place: Place::Declared(self.node),
            ..Checked::new(code, ty, Range::ONE)
        })
    }
}
