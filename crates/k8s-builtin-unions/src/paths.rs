//! The paths of the unions in a kind.

use union_json::document::SchemaPath;

use crate::table::data::{Shape, table};
use crate::table::kind::BuiltinKind;
use crate::table::union::BuiltinUnion;

/// A union, and its path in a kind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnionAtPath {
    /// The path of the object with the union. [`SchemaPath::to_field_notation`] formats it, such as
    /// `spec.volumes[*]`.
    pub path: SchemaPath,
    /// The union.
    pub union: BuiltinUnion,
}

impl BuiltinKind {
    /// Returns the unions of the kind with their paths. A type that several fields contain is
    /// returned for each of its paths; a type inside itself is returned once.
    ///
    /// ```
    /// let kind = k8s_builtin_unions::find_kind("networking.k8s.io/v1", "NetworkPolicy");
    /// let unions = kind.expect("a built-in kind").unions();
    /// let paths = unions.iter().map(|found| found.path.to_field_notation());
    /// assert_eq!(
    ///     paths.collect::<Vec<_>>(),
    ///     [
    ///         "spec.egress[*].to[*]", "spec.egress[*].to[*]",
    ///         "spec.ingress[*].from[*]", "spec.ingress[*].from[*]",
    ///     ],
    /// );
    /// ```
    #[must_use]
    pub fn unions(self) -> Vec<UnionAtPath> {
        let table = table();
        let mut found = Vec::new();
        let mut pending = vec![(SchemaPath::default(), vec![self.type_name()])];
        while let Some((path, types)) = pending.pop() {
            let Some(type_name) = types.last().copied() else {
                continue;
            };
            let unions = table.unions_of(type_name).iter();
            found.extend(unions.map(|row| UnionAtPath {
                path: path.clone(),
                union: BuiltinUnion(row),
            }));
            let fields = table.fields(type_name).filter_map(|(name, field)| {
                let path = path.clone().property(name);
                let path = match field.shape {
                    Shape::Object => path,
                    Shape::List => path.items(),
                    Shape::Map => path.additional_properties(),
                };
                let type_name = field.type_name.as_deref()?;
                // A template of pod groups may contain templates of pod groups.
                let is_inside_itself = types.contains(&type_name);
                let types = types.iter().copied().chain([type_name]).collect();
                (!is_inside_itself).then_some((path, types))
            });
            let mut fields: Vec<_> = fields.collect();
            // The last element is visited first.
            fields.reverse();
            pending.append(&mut fields);
        }
        found
    }
}
