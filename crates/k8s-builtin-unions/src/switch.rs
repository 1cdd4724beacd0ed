//! Switches a union of an object to another member.

use k8s_strategic_merge_patch::{MemberChoice, MemberSwitchError, PatchSchema, Switch};
use serde_json::Value;
use union_json::SchemaError;

use crate::compile::schema;
use crate::table::kind::BuiltinKind;
use crate::unions::KindUnions;

impl BuiltinKind {
    /// Returns the schema for strategic merge patches of the fields that lead to unions, with the
    /// strategies that API servers use.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`PatchSchema::compile`]. The built-in kinds cause none.
    pub fn patch_schema(self) -> Result<PatchSchema, SchemaError> {
        let types = schema::reachable_types(self.type_name());
        PatchSchema::compiler().openapi(&schema::document(&types), self.type_name())
    }
}

impl KindUnions {
    /// Returns the patches that switch a union of an object to another member, as
    /// [`PatchSchema::switch_member`] does. The schema is that of
    /// [`patch_schema`](BuiltinKind::patch_schema).
    ///
    /// ```
    /// use k8s_builtin_unions::find_kind;
    /// use k8s_strategic_merge_patch::MemberChoice;
    /// use serde_json::json;
    /// use union_runtime::path::FieldPath;
    ///
    /// let kind = find_kind("apps/v1", "Deployment").expect("a built-in kind");
    /// let (unions, schema) = (kind.compiler().compile()?, kind.patch_schema()?);
    /// let live = json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {}}}});
    /// let path = FieldPath::from(["spec", "strategy"]);
    /// let switch = unions.switch(&schema, &live, &MemberChoice::new(path, "Recreate"))?;
    /// assert_eq!(
    ///     switch.strategic_patch(),
    ///     &json!({"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}),
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the errors of [`PatchSchema::switch_member`].
    pub fn switch(
        &self,
        schema: &PatchSchema,
        live: &Value,
        choice: &MemberChoice,
    ) -> Result<Switch, MemberSwitchError> {
        let validate = |object: &Value| self.validate(object);
        schema.switch_member(&self.layers, live, choice, validate)
    }
}
