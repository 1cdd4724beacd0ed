//! The types of values in a field: the arguments of the containers that this derive knows by name.
//! Generated code probes these types, because only rustc knows if they have unions or values of an
//! enum type.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

use super::type_syntax::{last_name, without_groups};

/// The type of values in a field, such as `Target` in a field of type `Option<Vec<Target>>`.
#[derive(Clone, Copy)]
pub(crate) struct LeafType<'t> {
    pub(crate) ty: &'t Type,
    pub(crate) walk: Walk<'t>,
}

impl LeafType<'_> {
    /// Returns false if a walk never visits the values.
    pub(crate) const fn may_be_walked(&self) -> bool {
        !matches!(self.walk, Walk::Never)
    }
}

/// The condition under which a walk over the field visits the values.
#[derive(Clone, Copy)]
pub(crate) enum Walk<'t> {
    Always,
    /// If a walk visits the values of this map, which depends on the type of its keys.
    IfMap(&'t Type),
    /// A container around the values has no positions by which a walk could name the values, such
    /// as a set, or shares the values, such as an `Arc`.
    Never,
}

/// The containers whose values a walk visits. The values of a map are visited only if the keys are
/// strings.
const WALKED_CONTAINERS: [&str; 5] = ["BTreeMap", "Box", "HashMap", "Option", "Vec"];

/// The containers of serde and of well-known crates whose values a walk does not visit.
const OTHER_CONTAINERS: [&str; 14] = [
    "Arc",
    "BTreeSet",
    "BinaryHeap",
    "Cell",
    "Cow",
    "HashSet",
    "IndexMap",
    "IndexSet",
    "LinkedList",
    "Mutex",
    "Rc",
    "RefCell",
    "RwLock",
    "VecDeque",
];

/// The types without unions and without values of an enum type.
const PLAIN_TYPES: [&str; 18] = [
    "PhantomData",
    "String",
    "bool",
    "char",
    "f32",
    "f64",
    "i128",
    "i16",
    "i32",
    "i64",
    "i8",
    "isize",
    "str",
    "u128",
    "u16",
    "u32",
    "u64",
    "u8",
];

/// Returns the types of the values in a field, in source order, without the types that are known to
/// be plain. Containers are recognized by their names, so the leaf of an alias is the alias.
pub(crate) fn leaf_types(ty: &Type) -> Vec<LeafType<'_>> {
    let mut leaves = Vec::new();
    add_leaf_types(ty, Walk::Always, &mut leaves);
    leaves
}

/// Adds the leaves of a type. `walk` is the condition for visiting the values of the type.
fn add_leaf_types<'t>(ty: &'t Type, walk: Walk<'t>, leaves: &mut Vec<LeafType<'t>>) {
    let ty = without_groups(ty);
    match ty {
        Type::Array(array) => add_leaf_types(&array.elem, Walk::Never, leaves),
        Type::Slice(slice) => add_leaf_types(&slice.elem, Walk::Never, leaves),
        Type::Reference(reference) => add_leaf_types(&reference.elem, Walk::Never, leaves),
        Type::Tuple(tuple) => {
            for element in &tuple.elems {
                add_leaf_types(element, Walk::Never, leaves);
            }
        }
        Type::Path(path) => {
            if let Some(segment) = path.path.segments.last() {
                add_leaf_types_of_path(ty, segment, walk, leaves);
            }
        }
        Type::Macro(_) => leaves.push(LeafType { ty, walk }),
        _ => {}
    }
}

/// Adds the leaves of a type that is a path with this last segment.
fn add_leaf_types_of_path<'t>(
    ty: &'t Type,
    segment: &'t PathSegment,
    walk: Walk<'t>,
    leaves: &mut Vec<LeafType<'t>>,
) {
    // A comparison of an `Ident` creates a string, so the string is created once.
    let name = segment.ident.to_string();
    let is_any = |names: &[&str]| names.contains(&name.as_str());
    if is_any(&PLAIN_TYPES) {
        return;
    }
    let is_walked_container = is_any(&WALKED_CONTAINERS);
    let is_container = is_walked_container || is_any(&OTHER_CONTAINERS);
    let arguments = match &segment.arguments {
        PathArguments::AngleBracketed(arguments) if is_container => arguments,
        _ => return leaves.push(LeafType { ty, walk }),
    };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    // The third argument of a `HashMap` is its `BuildHasher`.
    let types: Vec<&Type> = types.take(2).collect();
    let inner_walk = if is_walked_container {
        walk
    } else {
        Walk::Never
    };
    if let [key, value] = types[..] {
        let has_string_keys = last_name(key).is_some_and(|name| name == "String");
        let value_walk = match inner_walk {
            Walk::Always if !has_string_keys => Walk::IfMap(ty),
            walk => walk,
        };
        add_leaf_types(key, Walk::Never, leaves);
        add_leaf_types(value, value_walk, leaves);
    } else {
        for ty in types {
            add_leaf_types(ty, inner_walk, leaves);
        }
    }
}

/// Returns the part of a type that decides if the type has a schema: `Target` for
/// `Option<Vec<Target>>`. Returns `None` for plain types, and for lists of plain types, because
/// they always have a schema.
pub(crate) fn type_with_schema(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = without_groups(ty) else {
        return Some(ty);
    };
    let Some(segment) = path.path.segments.last() else {
        return Some(ty);
    };
    let name = segment.ident.to_string();
    match &segment.arguments {
        PathArguments::None if name != "PhantomData" && PLAIN_TYPES.contains(&&*name) => None,
        PathArguments::AngleBracketed(arguments) if ["Box", "Option", "Vec"].contains(&&*name) => {
            match arguments.args.first() {
                Some(GenericArgument::Type(element)) if arguments.args.len() == 1 => {
                    type_with_schema(element)
                }
                _ => Some(ty),
            }
        }
        _ => Some(ty),
    }
}
