//! Resolves names: variables, fields and types.

use std::sync::Arc;

use super::state::{CheckedExpr, Checker, ConstantPart};
use crate::cost::estimate::{EstimateRange, OriginStep, ValueOrigin};
use crate::interpreter::interpreter::field_cache;
use crate::interpreter::program::{
    ChainEnd, FieldChain, OLD_SELF, PlanNode, ROOT_VARIABLES, Select, SelectMode,
};
use crate::syntax::{Ast, Literal};
use crate::types::declared::{DeclaredId, DeclaredKind, Field};
use crate::types::feature::{Feature, RuleVersions};
use crate::types::types::{Type, UNBOUND_TYPE_PARAMS};
use k8s_json_internals::cel_name::is_reserved_word;

impl Checker<'_> {
    /// Checks an identifier: a variable or a type.
    pub(super) fn check_ident(&mut self, offset: u32, name: &str) -> CheckedExpr {
        // Expressions do not have containers, so a leading dot at most skips the variables of
        // macros.
        let bare = name.trim_start_matches('.');
        let skips_macros = bare != name && self.version.has(Feature::RootScope);
        let scope = if skips_macros {
            self.scope.get(..ROOT_VARIABLES).unwrap_or_default()
        } else {
            &self.scope
        };
        let mut scope = scope.iter().enumerate().rev();
        if let Some((slot, variable)) = scope.find(|(_, variable)| variable.name == bare) {
            let slot = u16::try_from(slot).unwrap_or(u16::MAX);
            self.uses_old_self |= slot == OLD_SELF;
            let ty = variable.ty.clone();
            let mut checked =
                CheckedExpr::new(PlanNode::Slot(slot), ty.clone(), EstimateRange::ONE);
            checked.origin = variable.origin;
            checked.fallback_size = variable.size;
            checked.entry_sizes = variable.entry_sizes;
            if let Type::Type(_) | Type::Var(_) = ty {
                self.constant_parts
                    .push(ConstantPart::TypeName(bare.to_owned(), ty));
            }
            return checked;
        }
        self.type_ident(bare).unwrap_or_else(|| {
            self.add_error(
                offset,
                format!("undeclared reference to '{name}' (in container '')"),
            );
            CheckedExpr::error()
        })
    }

    /// Returns the type that a chain of selections names, such as `net.IP`, as an expression.
    pub(super) fn check_qualified_type(&mut self, ast: &Ast) -> Option<CheckedExpr> {
        let name = ast.qualified_name()?;
        let is_variable = self.version.has(Feature::RootScope)
            && name.split('.').next().is_some_and(|first| {
                let mut macro_variables = self.scope.iter().skip(ROOT_VARIABLES);
                macro_variables.any(|variable| variable.name == first)
            });
        if is_variable {
            return None;
        }
        self.type_ident(name.trim_start_matches('.'))
    }

    /// Checks a field selection.
    pub(super) fn check_select(
        &mut self,
        offset: u32,
        operand: &Ast,
        field: &str,
        mode: SelectMode,
    ) -> CheckedExpr {
        let operand = self.check(operand);
        let ty = self.types.resolve(&operand.ty);
        let (target, is_optional) = match &ty {
            Type::Optional(inner) => (&**inner, true),
            ty => (ty, false),
        };
        let FieldRef {
            ty: result,
            declaration,
            name,
        } = self.resolve_field(offset, target, field);
        let has_presence_costs = self.version.has(Feature::PresenceCosts);
        let is_plain_container = matches!(ty, Type::Map(_) | Type::Object(_));
        let (own_cost, result) = match mode {
            SelectMode::Has if !has_presence_costs => (EstimateRange::ONE, Type::Bool),
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
        let origin = match mode {
            SelectMode::Select => operand.origin.step(
                self.declared_types,
                self.self_declaration,
                OriginStep::Field(field),
            ),
            _ => ValueOrigin::Expression,
        };
        let cost = if mode == SelectMode::Optional && !has_presence_costs {
            EstimateRange::ZERO
        } else {
            operand.cost.plus(own_cost)
        };
        let chain = declaration.and_then(|declaration| {
            let kind = &self.declared_types.get(declaration).kind;
            field_chain(&operand.node, &name, kind)
        });
        let node = PlanNode::Select(Box::new(Select {
            has_start_cost: operand.node.has_start_cost(),
            chain,
            operand: operand.node,
            name,
            source_name: field.into(),
            declaration,
            mode,
        }));
        CheckedExpr {
            origin,
            ..CheckedExpr::new(node, result, cost)
        }
    }

    /// Returns the field that the name `field` selects from a value of `operand_type`, or reports
    /// an unknown field.
    fn resolve_field(&mut self, offset: u32, operand_type: &Type, field: &str) -> FieldRef {
        let untyped_field = |ty: Type| FieldRef {
            ty,
            declaration: None,
            name: field.into(),
        };
        match operand_type {
            Type::Map(entry) => untyped_field(entry.1.clone()),
            Type::Object(id) => {
                let declared_types = self.declared_types;
                let allows_reserved_words =
                    self.version.has(Feature::ReservedFieldNames) && is_reserved_word(field);
                let is_selected = |f: &&Field| {
                    let escaped = f.escaped.as_deref();
                    escaped == Some(field) || (*f.name == *field && allows_reserved_words)
                };
                let field_and_type = declared_types.get(*id).fields().iter().find(is_selected);
                let field_and_type = field_and_type
                    .and_then(|f| Some((f, Type::from_declared(declared_types, f.ty)?)));
                let Some((field, ty)) = field_and_type else {
                    self.add_error(offset, format!("undefined field '{field}'"));
                    return untyped_field(Type::Error);
                };
                FieldRef {
                    ty,
                    declaration: Some(field.ty),
                    name: field.name.clone(),
                }
            }
            Type::Var(_) => {
                self.types.assign(&Type::Dyn, operand_type);
                untyped_field(Type::Dyn)
            }
            Type::Dyn | Type::Error => untyped_field(Type::Dyn),
            // The server treats these types as protobuf messages with unknown fields.
            Type::Opaque(name) if name.starts_with("kubernetes.") => {
                self.add_error(offset, format!("unexpected failed resolution of '{name}'"));
                untyped_field(Type::Error)
            }
            other => {
                let message = format!(
                    "type '{}' does not support field selection",
                    self.types.resolve(other)
                );
                self.add_error(offset, message);
                untyped_field(Type::Dyn)
            }
        }
    }
}

/// Returns the field chain that selects `name` from the operand, if the operand is a variable, or a
/// field chain to an object.
fn field_chain(operand: &PlanNode, name: &str, kind: &DeclaredKind) -> Option<FieldChain> {
    let operand_length = match operand {
        PlanNode::Slot(_) => 0,
        PlanNode::Select(select) if select.mode == SelectMode::Select => {
            let chain = select.chain?;
            (chain.end == ChainEnd::Object).then_some(chain.length)?
        }
        _ => return None,
    };
    Some(FieldChain {
        length: operand_length + 1,
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

/// A field that a name selects.
struct FieldRef {
    ty: Type,
    /// The declared type of the field, if the operand is an object.
    declaration: Option<DeclaredId>,
    /// The JSON name of the field.
    name: Arc<str>,
}

/// The opaque types of Kubernetes that expressions can name.
const NAMED_OPAQUE_TYPES: [&str; 2] = ["net.IP", "net.CIDR"];

/// Returns the static name and the type, if `name` denotes a type at run time.
fn named_type(name: &str, version: RuleVersions) -> Option<(&'static str, Type)> {
    let ([key, value], optional) = if version.has(Feature::DynTypeParameters) {
        ([Type::Dyn, Type::Dyn], Type::optional(Type::Dyn))
    } else {
        (UNBOUND_TYPE_PARAMS, Type::Opaque("optional_type"))
    };
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
            ("optional_type", optional)
        }
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        _ => {
            let mut names = NAMED_OPAQUE_TYPES
                .iter()
                .filter(|_| version.has(Feature::IpAndCidr));
            let name = names.find(|opaque| **opaque == name)?;
            (*name, Type::Opaque(name))
        }
    })
}

/// Returns a type whose name only the server's checker accepts: programs that use it fail to
/// instantiate.
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

/// Returns true if `name` denotes a type when a server creates a program. The server then looks up
/// each name whose type is the type of a type, even a variable's name.
pub(super) fn is_defined_type(name: &str, version: RuleVersions) -> bool {
    named_type(name, version).is_some()
}

impl Checker<'_> {
    /// Returns the type that a name denotes, as an expression.
    pub(super) fn type_ident(&mut self, name: &str) -> Option<CheckedExpr> {
        let (node, ty) = match (name, named_type(name, self.version)) {
            ("timestamp", _) if !self.version.has(Feature::TypeNamesOfFormats) => {
                (PlanNode::MissingAttribute("timestamp"), Type::Timestamp)
            }
            ("duration", _) if !self.version.has(Feature::TypeNamesOfFormats) => {
                (PlanNode::MissingAttribute("duration"), Type::Duration)
            }
            (_, Some((name, ty))) => (PlanNode::Type(name), Type::Type(Box::new(ty))),
            (_, None) => {
                let ty = checker_only_type(name)?;
                (PlanNode::Literal(Literal::Null), Type::Type(Box::new(ty)))
            }
        };
        self.constant_parts
            .push(ConstantPart::TypeName(name.to_owned(), ty.clone()));
        Some(CheckedExpr {
            // As on a server, a type name has the origin of `self`.
            origin: ValueOrigin::Declared(self.self_declaration),
            ..CheckedExpr::new(node, ty, EstimateRange::ONE)
        })
    }
}
