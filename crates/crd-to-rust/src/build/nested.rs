//! Marks of types that contain unions: the derive descends into them, so that all unions of a kind
//! are found from its root.

use crate::model::{Body, Field, Struct, Ty, Type, TypeId};

/// Marks fields that contain unions, and the fields that identify the elements of lists. In
/// `order`, children precede the types that use them.
pub(super) fn mark(types: &mut [Type], order: &[TypeId]) {
    let mut has_unions = vec![false; types.len()];
    for &id in order {
        let Some(of) = types.get_mut(id) else {
            continue;
        };
        let mut found = match &of.body {
            Body::Struct(body) => body.is_union,
            Body::Union(_) => true,
            Body::Enum { .. } | Body::Numbers { .. } => false,
        };
        for field in fields(&mut of.body) {
            let inner = field.ty.named().and_then(|inner| has_unions.get(inner));
            field.is_nested = inner == Some(&true);
            found |= field.is_nested;
        }
        if let Body::Struct(body) = &mut of.body {
            body.is_walked = found;
        }
        if let Some(has_unions) = has_unions.get_mut(id) {
            *has_unions = found;
        }
    }
    for &id in order {
        mark_keys(types, id);
    }
}

/// Returns the fields of a struct, or of the variants of a union.
fn fields(body: &mut Body) -> Vec<&mut Field> {
    match body {
        Body::Struct(body) => body.fields.iter_mut().collect(),
        Body::Union(body) => {
            let variants = body.variants.iter_mut();
            let fields = variants.filter_map(|variant| variant.field.as_mut());
            fields.map(|(field, _)| field).collect()
        }
        Body::Enum { .. } | Body::Numbers { .. } => Vec::new(),
    }
}

/// Marks the keys of lists. A list keeps its keys if each key is a suitable field; the elements of
/// other lists are not correlated.
fn mark_keys(types: &mut [Type], id: TypeId) {
    let Some(body) = structure(types, id) else {
        return;
    };
    let keyed = body.fields.iter().map(|field| elements(field, types));
    let keyed: Vec<Option<TypeId>> = keyed.collect();
    for (at, elements) in keyed.into_iter().enumerate() {
        let field = structure_mut(types, id).and_then(|body| body.fields.get_mut(at));
        let Some(field) = field else { continue };
        let Some(elements) = elements else {
            field.list_keys.clear();
            continue;
        };
        let keys = field.list_keys.clone();
        let body = structure_mut(types, elements);
        for field in body.into_iter().flat_map(|body| &mut body.fields) {
            field.is_key |= keys.contains(&field.json);
        }
    }
}

/// Returns the struct of a list's elements, if fields of the struct are the keys of the list.
fn elements(field: &Field, types: &[Type]) -> Option<TypeId> {
    let Ty::List(inner) = &field.ty else {
        return None;
    };
    let Ty::Named(id) = **inner else { return None };
    let elements = structure(types, id)?;
    let is_key = |key: &String| {
        let mut fields = elements.fields.iter();
        fields.any(|field| field.json == *key && can_be_key(&field.ty, types))
    };
    let has_keys = !field.list_keys.is_empty() && field.list_keys.iter().all(is_key);
    (field.is_nested && has_keys).then_some(id)
}

fn can_be_key(ty: &Ty, types: &[Type]) -> bool {
    match ty {
        Ty::Path(path) => matches!(*path, "String" | "bool" | "i32" | "i64"),
        Ty::Named(id) => {
            let of = types.get(*id).map(|of| &of.body);
            matches!(of, Some(Body::Enum { .. }))
        }
        Ty::List(_) | Ty::Map(_) | Ty::Option(_) => false,
    }
}

fn structure(types: &[Type], id: TypeId) -> Option<&Struct> {
    match &types.get(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}

fn structure_mut(types: &mut [Type], id: TypeId) -> Option<&mut Struct> {
    match &mut types.get_mut(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}
