//! Marks the types that contain unions, so that the derive visits all unions of a kind from its
//! root.

use crate::model::{Body, Field, Item, ItemId, RustType, Struct};

/// Marks the fields that contain unions, and the fields that are keys of lists. In `order`, a type
/// follows the types inside it.
pub(super) fn mark_union_fields(types: &mut [Item], order: &[ItemId]) {
    let mut has_unions = vec![false; types.len()];
    for &id in order {
        let Some(item) = types.get_mut(id) else {
            continue;
        };
        let mut contains_union = match &item.body {
            Body::Struct(body) => body.is_union,
            Body::Union(_) => true,
            Body::StringEnum { .. } | Body::IntegerEnum { .. } => false,
        };
        for field in fields(&mut item.body) {
            let inner = field.ty.item_id().and_then(|inner| has_unions.get(inner));
            field.is_nested = inner == Some(&true);
            contains_union |= field.is_nested;
        }
        if let Body::Struct(body) = &mut item.body {
            body.has_unions_inside = contains_union;
        }
        if let Some(has_unions) = has_unions.get_mut(id) {
            *has_unions = contains_union;
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
        Body::StringEnum { .. } | Body::IntegerEnum { .. } => Vec::new(),
    }
}

/// Marks the keys of lists. A list keeps its keys only if each key is a field of a suitable type;
/// elements of other lists are not correlated.
fn mark_keys(types: &mut [Item], id: ItemId) {
    let Some(body) = struct_body(types, id) else {
        return;
    };
    let element_types = body.fields.iter().map(|field| elements(field, types));
    let element_types: Vec<Option<ItemId>> = element_types.collect();
    for (index, elements) in element_types.into_iter().enumerate() {
        let field = struct_body_mut(types, id).and_then(|body| body.fields.get_mut(index));
        let Some(field) = field else { continue };
        let Some(elements) = elements else {
            field.list_keys.clear();
            continue;
        };
        let keys = field.list_keys.clone();
        let body = struct_body_mut(types, elements);
        for field in body.into_iter().flat_map(|body| &mut body.fields) {
            field.is_key |= keys.contains(&field.json);
        }
    }
}

/// Returns the struct of a list's elements, if the keys of the list are fields of the struct.
fn elements(field: &Field, types: &[Item]) -> Option<ItemId> {
    let RustType::List(inner) = &field.ty else {
        return None;
    };
    let RustType::Named(id) = **inner else {
        return None;
    };
    let elements = struct_body(types, id)?;
    let is_key = |key: &String| {
        let mut fields = elements.fields.iter();
        fields.any(|field| field.json == *key && can_be_key(&field.ty, types))
    };
    let has_keys = !field.list_keys.is_empty() && field.list_keys.iter().all(is_key);
    (field.is_nested && has_keys).then_some(id)
}

fn can_be_key(ty: &RustType, types: &[Item]) -> bool {
    match ty {
        RustType::Path(path) => matches!(*path, "String" | "bool" | "i32" | "i64"),
        RustType::Named(id) => {
            let body = types.get(*id).map(|item| &item.body);
            matches!(body, Some(Body::StringEnum { .. }))
        }
        RustType::List(_) | RustType::Map(_) | RustType::Option(_) => false,
    }
}

fn struct_body(types: &[Item], id: ItemId) -> Option<&Struct> {
    match &types.get(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}

fn struct_body_mut(types: &mut [Item], id: ItemId) -> Option<&mut Struct> {
    match &mut types.get_mut(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}
