//! Calls of `kube-cel`, with values as it takes and returns them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use kube_cel::KubeCelExt;
use kube_cel::cel::objects::OptionalValue;
use kube_cel::cel::{Context, ExecutionError, Program, Value};

use super::Result;
use crate::equal::{element, entry, keys};
use crate::meter::Meter;
use crate::opaque::{Foreign, Opaque};
use crate::types::OPAQUE;
use crate::value::{Fault, Val};

/// `string()` of an address.
pub(in crate::library) fn text<'v>(meter: &Meter<'v>, args: &[Val<'v>]) -> Result<'v> {
    call(meter, "string", false, args)
}

/// How many levels of lists and maps are handed over.
const DEEPEST: u32 = 16;

pub(super) fn call<'v>(
    meter: &Meter<'v>,
    name: &'static str,
    member: bool,
    args: &[Val<'v>],
) -> Result<'v> {
    thread_local! {
        static CONTEXT: Rc<Context<'static>> = Rc::new(Context::default().with_all());
        static CALLS: RefCell<HashMap<(&'static str, usize), Rc<Program>>> = RefCell::default();
    }
    let program = CALLS.with_borrow_mut(|calls| {
        if let Some(program) = calls.get(&(name, args.len())) {
            return Ok(Rc::clone(program));
        }
        let program = compile(name, member, args.len())?;
        calls.insert((name, args.len()), Rc::clone(&program));
        Ok(program)
    })?;
    let values: Result<'_, Vec<Value>> = args
        .iter()
        .map(|arg| outward(meter, arg, DEEPEST))
        .collect();
    let values = values?;
    CONTEXT.with(|context| {
        let mut scope = context.new_inner_scope();
        for (name, value) in ["a", "b", "c"].into_iter().zip(values) {
            scope.add_variable_from_value(name, value);
        }
        match program.execute(&scope) {
            Ok(value) => inward(value, DEEPEST),
            Err(ExecutionError::FunctionError { message, .. }) => Err(Fault::error(message)),
            Err(error) => Err(Fault::error(error.to_string())),
        }
    })
}

fn compile<'v>(name: &str, member: bool, count: usize) -> Result<'v, Rc<Program>> {
    let names = ["a", "b", "c"];
    let names = names.get(..count).unwrap_or(&names);
    let text = match names.split_first() {
        Some((first, rest)) if member => format!("{first}.{name}({})", rest.join(", ")),
        _ => format!("{name}({})", names.join(", ")),
    };
    let program = Program::compile(&text);
    program
        .map(Rc::new)
        .map_err(|error| Fault::Unsupported(error.to_string().into()))
}

/// A value as `kube-cel` takes it.
fn outward<'v>(meter: &Meter<'v>, value: &Val<'v>, levels: u32) -> Result<'v, Value> {
    let unsupported =
        || Fault::Unsupported(format!("a function takes no {} here", value.type_name()).into());
    let levels = levels.checked_sub(1).ok_or_else(unsupported)?;
    Ok(match value {
        Val::Null => Value::Null,
        Val::Bool(value) => Value::Bool(*value),
        Val::Int(value) => Value::Int(*value),
        Val::Uint(value) => Value::UInt(*value),
        Val::Double(value) => Value::Float(*value),
        Val::Text(text) => Value::String(Arc::new(text.as_str().to_owned())),
        Val::Bytes(bytes) => Value::Bytes(Arc::new(bytes.to_vec())),
        Val::Opaque(Opaque::Foreign(foreign)) => foreign.value.clone(),
        Val::List(_) | Val::Items(..) => {
            let mut values = Vec::new();
            while let Some(element) = element(meter.declared, value, values.len()) {
                values.push(outward(meter, &element?, levels)?);
            }
            Value::List(Arc::new(values))
        }
        Val::Map(_) | Val::Object(..) => {
            let mut map = HashMap::new();
            for key in keys(meter.declared, value) {
                let Val::Text(name) = &key else {
                    return Err(unsupported());
                };
                if let Some(found) = entry(meter.declared, value, &key) {
                    map.insert(name.as_str().to_owned(), outward(meter, &found?, levels)?);
                }
            }
            Value::from(map)
        }
        _ => return Err(unsupported()),
    })
}

/// A value that `kube-cel` returned.
fn inward<'v>(value: Value, levels: u32) -> Result<'v> {
    let unsupported = |what: &str| Fault::Unsupported(format!("a function returned {what}").into());
    let levels = levels
        .checked_sub(1)
        .ok_or_else(|| unsupported("too many levels"))?;
    Ok(match value {
        Value::Null => Val::Null,
        Value::Bool(value) => Val::Bool(value),
        Value::Int(value) => Val::Int(value),
        Value::UInt(value) => Val::Uint(value),
        Value::Float(value) => Val::Double(value),
        Value::String(text) => Val::text(text.as_str()),
        Value::Bytes(bytes) => Val::Bytes(bytes.as_slice().into()),
        Value::List(values) => {
            let values: Result<'v, Vec<_>> = values
                .iter()
                .map(|value| inward(value.clone(), levels))
                .collect();
            Val::list(values?)
        }
        Value::Map(map) => {
            let mut entries = Vec::new();
            for (key, value) in map.map.iter() {
                entries.push((Val::text(key.to_string()), inward(value.clone(), levels)?));
            }
            Val::Map(Rc::new(entries))
        }
        Value::Opaque(opaque) => {
            if let Some(optional) = opaque.downcast_ref::<OptionalValue>() {
                let value = optional.value().cloned().map(|value| inward(value, levels));
                return Ok(value.transpose()?.map_or(Val::Optional(None), Val::some));
            }
            let name = match opaque.runtime_type_name() {
                "kubernetes.Format" => "kubernetes.NamedFormat",
                name => name,
            };
            let type_name = OPAQUE.iter().find(|known| **known == name);
            Val::Opaque(Opaque::Foreign(Foreign {
                type_name: type_name.ok_or_else(|| unsupported("a type that is not known here"))?,
                value: Value::Opaque(opaque),
                size: 1,
            }))
        }
        _ => return Err(unsupported("a type that is not known here")),
    })
}
