//! Marks the types that contain unions, so that the derive visits all unions of a kind from its
//! root.

use crate::model::{Body, Field, Item, ItemId, RustType, Struct};

/// Marks the fields that contain unions, and the fields that are keys of lists. In `order`, a type
/// follows the types inside it.
pub(super) fn mark_union_fields(items: &mut [Item], order: &[ItemId]) {
    let mut has_unions = vec![false; items.len()];
    for &id in order {
        let Some(item) = items.get_mut(id) else {
            continue;
        };
        let mut contains_union = match &item.body {
            Body::Struct(body) => body.has_unions,
            Body::Union(_) => true,
            Body::StringEnum { .. } | Body::IntegerEnum { .. } | Body::Newtype(_) => false,
        };
        for field in fields_mut(&mut item.body) {
            let item_id = field.ty.item_id();
            field.is_nested = item_id.is_some_and(|id| has_unions.get(id) == Some(&true));
            contains_union |= field.is_nested;
        }
        if let Body::Struct(body) = &mut item.body {
            body.contains_unions = contains_union;
        }
        if let Some(has_unions) = has_unions.get_mut(id) {
            *has_unions = contains_union;
        }
    }
    for &id in order {
        mark_keys(items, id);
    }
}

/// Returns the fields of a struct, or of the variants of a union.
fn fields_mut(body: &mut Body) -> Vec<&mut Field> {
    match body {
        Body::Struct(body) => body.fields.iter_mut().collect(),
        Body::Union(body) => {
            let variants = body.variants.iter_mut();
            let members = variants.filter_map(|variant| variant.member.as_mut());
            members.map(|member| &mut member.field).collect()
        }
        Body::StringEnum { .. } | Body::IntegerEnum { .. } | Body::Newtype(_) => Vec::new(),
    }
}

/// Marks the fields that are keys of the lists in a struct. Clears the keys of a list unless each
/// key is a field of a suitable type.
fn mark_keys(items: &mut [Item], id: ItemId) {
    let Some(body) = struct_body(items, id) else {
        return;
    };
    let element_ids = body
        .fields
        .iter()
        .map(|field| keyed_element_id(field, items));
    let element_ids: Vec<Option<ItemId>> = element_ids.collect();
    for (index, element_id) in element_ids.into_iter().enumerate() {
        let field = struct_body_mut(items, id).and_then(|body| body.fields.get_mut(index));
        let Some(field) = field else { continue };
        let Some(element_id) = element_id else {
            field.list_keys.clear();
            continue;
        };
        let keys = field.list_keys.clone();
        let body = struct_body_mut(items, element_id);
        for field in body.into_iter().flat_map(|body| &mut body.fields) {
            field.is_key |= keys.contains(&field.json_name);
        }
    }
}

/// Returns the struct of a list's elements, if the keys of the list are fields of the struct.
fn keyed_element_id(field: &Field, items: &[Item]) -> Option<ItemId> {
    let RustType::List(element_type) = &field.ty else {
        return None;
    };
    let RustType::Named(id) = **element_type else {
        return None;
    };
    let element_struct = struct_body(items, id)?;
    let is_key = |key: &String| {
        let mut fields = element_struct.fields.iter();
        fields.any(|field| field.json_name == *key && can_be_key(&field.ty, items))
    };
    let has_keys = !field.list_keys.is_empty() && field.list_keys.iter().all(is_key);
    (field.is_nested && has_keys).then_some(id)
}

fn can_be_key(ty: &RustType, items: &[Item]) -> bool {
    match ty {
        RustType::Path(path) => matches!(*path, "String" | "bool" | "i32" | "i64"),
        RustType::Named(id) => {
            let body = items.get(*id).map(|item| &item.body);
            matches!(body, Some(Body::StringEnum { .. }))
        }
        RustType::List(_) | RustType::Map(_) | RustType::Option(_) => false,
    }
}

fn struct_body(items: &[Item], id: ItemId) -> Option<&Struct> {
    match &items.get(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}

fn struct_body_mut(items: &mut [Item], id: ItemId) -> Option<&mut Struct> {
    match &mut items.get_mut(id)?.body {
        Body::Struct(body) => Some(body),
        _ => None,
    }
}
