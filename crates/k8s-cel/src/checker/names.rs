//! Names: variables, fields and types.

use std::sync::Arc;

use super::state::{CheckedExpr, Checker, ConstantPart};
use crate::cost::estimate::{EstimateRange, OriginStep, ValueOrigin};
use crate::interpreter::interpreter::field_cache;
use crate::interpreter::program::{ChainEnd, FieldChain, OLD_SELF, PlanNode, Select, SelectMode};
use crate::syntax::{Ast, Literal};
use crate::types::declared::{DeclaredId, DeclaredKind, Field};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::{PARAMETERS, Type};
use k8s_json_internals::cel_name::is_reserved_word;

impl Checker<'_> {
    pub(super) fn ident(&mut self, at: u32, name: &str) -> CheckedExpr {
        // Expressions do not have containers, so a leading dot does not change a name.
        let bare = name.trim_start_matches('.');
        let mut scope = self.scope.iter().enumerate().rev();
        if let Some((slot, variable)) = scope.find(|(_, variable)| variable.name == bare) {
            let slot = u16::try_from(slot).unwrap_or(u16::MAX);
            self.uses_old_self |= slot == OLD_SELF;
            let ty = variable.ty.clone();
            let mut checked =
                CheckedExpr::new(PlanNode::Slot(slot), ty.clone(), EstimateRange::ONE);
            checked.origin = variable.origin;
            checked.fallback = variable.size;
            checked.entries = variable.entries;
            if let Type::Type(_) | Type::Var(_) = ty {
                self.constant_parts
                    .push(ConstantPart::TypeName(bare.to_owned(), ty));
            }
            return checked;
        }
        self.type_ident(bare).unwrap_or_else(|| {
            self.add_error(
                at,
                format!("undeclared reference to '{name}' (in container '')"),
            );
            CheckedExpr::error()
        })
    }

    pub(super) fn select(
        &mut self,
        at: u32,
        operand: &Ast,
        field: &str,
        how: SelectMode,
    ) -> CheckedExpr {
        let operand = self.check(operand);
        let ty = self.types.resolve(&operand.ty);
        let (target, is_optional) = match &ty {
            Type::Optional(of) => (&**of, true),
            ty => (ty, false),
        };
        let FieldRef {
            ty: result,
            declaration,
            name,
        } = self.resolve_field(at, target, field);
        let is_plain_container = matches!(ty, Type::Map(_) | Type::Object(_));
        let (own_cost, result) = match how {
            SelectMode::Has => (EstimateRange::ZERO, Type::Bool),
            SelectMode::Optional => (EstimateRange::ONE, Type::optional(result)),
            SelectMode::Select => (
                if is_plain_container {
                    EstimateRange::ONE
                } else {
                    EstimateRange::ZERO
                },
                if is_optional {
                    Type::optional(result)
                } else {
                    result
                },
            ),
        };
        let place = match how {
            SelectMode::Select => {
                operand
                    .origin
                    .step(self.declared, self.node, OriginStep::Field(field))
            }
            _ => ValueOrigin::Expression,
        };
        let cost = operand.cost.plus(own_cost);
        let plain = declaration.and_then(|declaration| {
            let kind = &self.declared.get(declaration).kind;
            field_chain(&operand.code, &name, kind)
        });
        let code = PlanNode::Select(Box::new(Select {
            pays_for_start: operand.code.pays_for_start(),
            chain: plain,
            operand: operand.code,
            name,
            source_name: field.into(),
            declaration,
            mode: how,
        }));
        CheckedExpr {
            origin: place,
            ..CheckedExpr::new(code, result, cost)
        }
    }

    /// Returns the value under a name in a value of a type.
    fn resolve_field(&mut self, at: u32, of: &Type, field: &str) -> FieldRef {
        let plain = |ty: Type| FieldRef {
            ty,
            declaration: None,
            name: field.into(),
        };
        match of {
            Type::Map(of) => plain(of.1.clone()),
            Type::Object(id) => {
                let declared = self.declared;
                let has_words =
                    self.version.has(Feature::ReservedFieldNames) && is_reserved_word(field);
                let is_it = |f: &&Field| {
                    let escaped = f.escaped.as_deref();
                    escaped == Some(field) || (*f.name == *field && has_words)
                };
                let found = declared.get(*id).fields().iter().find(is_it);
                let found = found.and_then(|f| Some((f, Type::from_declared(declared, f.ty)?)));
                let Some((field, ty)) = found else {
                    self.add_error(at, format!("undefined field '{field}'"));
                    return plain(Type::Error);
                };
                FieldRef {
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
                self.add_error(at, format!("unexpected failed resolution of '{name}'"));
                plain(Type::Error)
            }
            other => {
                let text = format!(
                    "type '{}' does not support field selection",
                    self.types.resolve(other)
                );
                self.add_error(at, text);
                plain(Type::Dyn)
            }
        }
    }
}

/// Returns the path that a name extends, if all names lead from a variable through objects.
fn field_chain(operand: &PlanNode, name: &str, kind: &DeclaredKind) -> Option<FieldChain> {
    let before = match operand {
        PlanNode::Slot(_) => 0,
        PlanNode::Select(select) if select.mode == SelectMode::Select => {
            let plain = select.chain?;
            (plain.end == ChainEnd::Object).then_some(plain.names)?
        }
        _ => return None,
    };
    Some(FieldChain {
        names: before + 1,
        end: match kind {
            DeclaredKind::Object(_) => ChainEnd::Object,
            DeclaredKind::String => ChainEnd::String,
            DeclaredKind::Int => ChainEnd::Int,
            DeclaredKind::List { .. } => ChainEnd::List,
            _ => ChainEnd::Other,
        },
        name_hash: field_cache::name_hash(name),
    })
}

/// The value under a name.
struct FieldRef {
    ty: Type,
    /// The declaration of the value, if it is a field of an object.
    declaration: Option<DeclaredId>,
    /// The name of the field in the object.
    name: Arc<str>,
}

/// The types of Kubernetes that have a name in expressions.
const NAMED_OPAQUE_TYPES: [&str; 2] = ["net.IP", "net.CIDR"];

/// Returns the type that a name refers to, and the name of the type of its values.
fn named_type(name: &str, version: RuleVersions) -> Option<(&'static str, Type)> {
    let [key, value] = PARAMETERS;
    Some(match name {
        "bool" => ("bool", Type::Bool),
        "int" => ("int", Type::Int),
        "uint" => ("uint", Type::Uint),
        "double" => ("double", Type::Double),
        "string" => ("string", Type::String),
        "bytes" => ("bytes", Type::Bytes),
        "list" => ("list", Type::list(key)),
        "map" => ("map", Type::map(key, value)),
        "null_type" => ("null_type", Type::Null),
        "type" => ("type", Type::Opaque("type")),
        "optional_type"
            if version.has(Feature::Optionals) && version.has(Feature::OptionalTypeName) =>
        {
            ("optional_type", Type::Opaque("optional_type"))
        }
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        _ => {
            let mut named = NAMED_OPAQUE_TYPES
                .iter()
                .filter(|_| version.has(Feature::IpAndCidr));
            let name = named.find(|opaque| **opaque == name)?;
            (*name, Type::Opaque(name))
        }
    })
}

/// Returns a type that only the server's checker knows by its name.
fn checker_only_type(name: &str) -> Option<Type> {
    Some(match name {
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "google.protobuf.Any" => Type::Opaque("any"),
        "google.protobuf.Value" => Type::Dyn,
        "google.protobuf.Struct" => Type::map(Type::String, Type::Dyn),
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
pub(super) fn is_defined_type(name: &str, version: RuleVersions) -> bool {
    named_type(name, version).is_some()
}

impl Checker<'_> {
    /// Returns the type that a name refers to, as a value.
    pub(super) fn type_ident(&mut self, name: &str) -> Option<CheckedExpr> {
        let (code, ty) = match named_type(name, self.version) {
            Some((name, ty)) => (PlanNode::Type(name), ty),
            None => (PlanNode::Literal(Literal::Null), checker_only_type(name)?),
        };
        let ty = Type::Type(Box::new(ty));
        self.constant_parts
            .push(ConstantPart::TypeName(name.to_owned(), ty.clone()));
        Some(CheckedExpr {
            // As in the server, the place of a name is the place of `self`.
            origin: ValueOrigin::Declared(self.node),
            ..CheckedExpr::new(code, ty, EstimateRange::ONE)
        })
    }
}
