//! Conversion of inferred unions to unions that validate objects.

use union_json::{Compiler, DeclaredUnion};

use crate::reader::analyze::AnalyzedObject;
use crate::report::analysis::{NamingHint, Union};
use union_runtime::UnionModel;
use union_runtime::spec::MAX_VALUES;

/// Adds the unions that may validate objects to a compiler: the unions that are
/// [trusted](Union::is_trusted).
///
/// ```
/// use serde_json::json;
/// use union_json::{SchemaSource, Unions};
///
/// let schema = json!({"type": "object", "properties": {"source": {
///     "type": "object",
///     "properties": {"git": {"type": "string"}, "bucket": {"type": "string"}},
///     "oneOf": [{"required": ["git"]}, {"required": ["bucket"]}],
/// }}});
/// let objects = crd_unions::analyze_schema(&schema);
/// let compiler = crd_unions::add_unions_to(Unions::compiler(), &objects);
/// let unions = compiler.compile(SchemaSource::Schema(&schema))?;
/// let report = unions.validate(&json!({"source": {}}));
/// assert!(report.to_string().starts_with("source: Invalid value"));
/// # Ok::<(), union_json::SchemaError>(())
/// ```
#[must_use]
pub fn add_unions_to(compiler: Compiler, objects: &[AnalyzedObject]) -> Compiler {
    let unions = objects.iter().flat_map(|object| {
        let trusted_unions = object
            .analysis
            .unions
            .iter()
            .filter(|union| union.is_trusted());
        trusted_unions.map(|union| (&*object.pointer, union.to_declared_union()))
    });
    unions.fold(compiler, |compiler, (pointer, union)| {
        compiler.declared_union_at(pointer, &union)
    })
}

impl Union {
    /// Returns true if the union is used by default: if it is sound and not weak, and has at most
    /// [`MAX_VALUES`] members.
    #[must_use]
    pub const fn is_trusted(&self) -> bool {
        self.is_sound() && !self.weak && self.members.len() <= MAX_VALUES
    }

    /// Returns the union for
    /// [`Compiler::declared_union_at`](union_json::Compiler::declared_union_at). The default of the
    /// discriminator is not included, because the schema contains it. Check
    /// [`is_sound`](Self::is_sound) before the union validates an object.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::{SchemaSource, Unions};
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"git": {"type": "string"}, "bucket": {"type": "string"}},
    ///     "x-kubernetes-validations": [{"rule": "has(self.git) != has(self.bucket)"}],
    /// });
    /// let analysis = crd_unions::analyze_object(&schema);
    /// let union = analysis.unions[0].to_declared_union();
    /// let compiler = Unions::compiler().declared_union_at("", &union);
    /// let unions = compiler.compile(SchemaSource::Schema(&schema))?;
    /// assert!(!unions.validate(&json!({})).is_accepted());
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    #[must_use]
    pub fn to_declared_union(&self) -> DeclaredUnion {
        let mut declared = match (&self.discriminator, self.arity) {
            (Some(discriminator), UnionModel::Discriminated) => {
                let declared = DeclaredUnion::discriminated(&*discriminator.name);
                let declared = if discriminator.open {
                    declared.open()
                } else {
                    declared
                };
                if discriminator.required {
                    declared
                } else {
                    declared.optional()
                }
            }
            (Some(discriminator), _) => DeclaredUnion::deduced(&*discriminator.name),
            (None, UnionModel::ExactlyOne) => DeclaredUnion::exactly_one(),
            (None, _) => DeclaredUnion::at_most_one(),
        };
        for member in &self.members {
            let (value, name) = (&*member.value, &*member.name);
            declared = if member.optional {
                declared.optional_member(value, name)
            } else {
                declared.member(value, name)
            };
        }
        let discriminator = self.discriminator.iter();
        discriminator
            .flat_map(|discriminator| &discriminator.empty_members)
            .fold(declared, |declared, value| declared.empty_member(&**value))
    }
}

impl NamingHint {
    /// Returns the union for
    /// [`Compiler::declared_union_at`](union_json::Compiler::declared_union_at), as if a rule
    /// declared the union: every member may be unset. Call this function only if the names are
    /// known to mean a union.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_json::{SchemaSource, Unions};
    ///
    /// let schema = json!({"type": "object", "properties": {
    ///     "type": {"type": "string", "enum": ["Git", "S3", "None"]},
    ///     "git": {"type": "object"},
    ///     "s3": {"type": "object"},
    /// }});
    /// let analysis = crd_unions::analyze_object(&schema);
    /// let union = analysis.naming_hints[0].to_declared_union();
    /// let compiler = Unions::compiler().declared_union_at("", &union);
    /// let unions = compiler.compile(SchemaSource::Schema(&schema))?;
    /// assert!(!unions.validate(&json!({"type": "None", "s3": {}})).is_accepted());
    /// assert!(unions.validate(&json!({"type": "S3"})).is_accepted());
    /// # Ok::<(), union_json::SchemaError>(())
    /// ```
    #[must_use]
    pub fn to_declared_union(&self) -> DeclaredUnion {
        let declared = DeclaredUnion::discriminated(&*self.discriminator).optional();
        let members = self.members.iter();
        let declared = members.fold(declared, |declared, member| {
            declared.optional_member(&*member.value, &*member.name)
        });
        let other_values = self.other_values.iter();
        other_values.fold(declared, |declared, value| declared.empty_member(&**value))
    }
}
