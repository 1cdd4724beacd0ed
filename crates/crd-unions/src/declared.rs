//! A union that was read, as the runtime takes it.

use union_runtime::engine::DeclaredUnion;

use crate::reading::{Arity, Union};

impl Union {
    /// The union for [`Compiler::declared_at`](union_runtime::engine::Compiler::declared_at): what the discriminator's
    /// default is, the schema says there. Ask [`is_sound`](Self::is_sound) before it judges an object.
    ///
    /// ```
    /// use serde_json::json;
    /// use union_runtime::Settings;
    /// use union_runtime::engine::Unions;
    ///
    /// let schema = json!({
    ///     "type": "object",
    ///     "properties": {"git": {"type": "string"}, "bucket": {"type": "string"}},
    ///     "x-kubernetes-validations": [{"rule": "has(self.git) != has(self.bucket)"}],
    /// });
    /// let reading = crd_unions::read(&schema);
    /// let union = reading.unions[0].declared();
    /// let unions = Unions::compiler().declared_at("", &union).schema(&schema)?;
    /// assert!(unions.validate(&json!({}), &Settings::default()).is_err());
    /// # Ok::<(), union_runtime::engine::SchemaError>(())
    /// ```
    #[must_use]
    pub fn declared(&self) -> DeclaredUnion {
        let mut declared = match (&self.discriminator, self.arity) {
            (Some(discriminator), Arity::Selected) => {
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
            (None, Arity::ExactlyOne) => DeclaredUnion::exactly_one(),
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
