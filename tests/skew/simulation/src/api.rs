//! The API of the simulation: a backup is written to S3, a volume or, in the newer version, a tape.

use serde_json::{Map, Value, json};
use union_json::{SchemaSource, Unions, union_spec};
use union_runtime::spec::UnionSpec;

/// A version of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The version with the members `s3` and `volume`.
    Older,
    /// The version that also has the member `tape`.
    Newer,
}

/// A member of the union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// The member `s3` of both versions.
    S3,
    /// The member `volume` of both versions.
    Volume,
    /// The member `tape` of the newer version.
    Tape,
}

/// A requirement of a union or a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// The member, or one member of the union, must be set.
    Required,
    /// The member, or every member of the union, may be unset.
    Optional,
}

/// The declaration of the union, which both versions share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Union {
    /// The requirement to select a member. An optional union with a discriminator has the value
    /// `""`.
    pub need: Need,
    /// The rule by which the union selects a member.
    pub form: Form,
}

/// A rule by which a union selects a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The field `type` selects the member: the 2022 model.
    Discriminator {
        /// The requirement to set `tape` when it is selected. The other members are always
        /// required.
        tape: Need,
    },
    /// The union has no discriminator, so the set member is selected.
    Undiscriminated,
}

impl Member {
    /// Returns the field of the member.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::S3 => "s3",
            Self::Volume => "volume",
            Self::Tape => "tape",
        }
    }

    /// Returns the discriminator value of the member.
    #[must_use]
    pub const fn value(self) -> &'static str {
        match self {
            Self::S3 => "S3",
            Self::Volume => "Volume",
            Self::Tape => "Tape",
        }
    }
}

impl Union {
    /// Returns true if the union has a discriminator.
    #[must_use]
    pub const fn is_discriminated(self) -> bool {
        matches!(self.form, Form::Discriminator { .. })
    }
}

impl Version {
    /// Returns the members of the union in this version.
    #[must_use]
    pub const fn members(self) -> &'static [Member] {
        match self {
            Self::Older => &[Member::S3, Member::Volume],
            Self::Newer => &[Member::S3, Member::Volume, Member::Tape],
        }
    }

    /// Returns true if this version has the member.
    #[must_use]
    pub fn has_member(self, member: Member) -> bool {
        self.members().contains(&member)
    }

    /// Returns the schema of an object in this version.
    #[must_use]
    pub fn schema(self, union: Union) -> Value {
        let members = self.members().iter();
        let mut properties: Map<String, Value> = members
            .map(|member| {
                let content = json!({"type": "object", "properties": {"name": {"type": "string"}}});
                (member.name().to_owned(), content)
            })
            .collect();
        let mut target = json!({"type": "object"});
        if let Form::Discriminator { tape } = union.form {
            properties.insert(
                "type".to_owned(),
                self.discriminator_schema(union.need, tape),
            );
            if union.need == Need::Required {
                target["required"] = json!(["type"]);
            }
        }
        target["properties"] = properties.into();
        json!({
            "type": "object",
            "properties": {"keep": {"type": "integer"}, "target": target},
        })
    }

    /// Returns the schema of the discriminator.
    fn discriminator_schema(self, union: Need, tape: Need) -> Value {
        let mut values: Vec<&str> = Vec::new();
        let mut fields = Map::new();
        for member in self.members() {
            let optional = *member == Member::Tape && tape == Need::Optional;
            let field = json!({"name": member.name(), "optional": optional});
            values.push(member.value());
            fields.insert(member.value().to_owned(), field);
        }
        if union == Need::Optional {
            values.push("");
            fields.insert(String::new(), Value::Null);
        }
        json!({
            "type": "string",
            "enum": values,
            "x-kubernetes-unions": {"fieldMembers": fields},
        })
    }

    /// Returns the engine for the union in this version.
    ///
    /// # Panics
    ///
    /// Never: the schemas are well-formed.
    #[must_use]
    pub fn unions(self, union: Union) -> Unions {
        let mut compiler = Unions::compiler();
        if !union.is_discriminated() {
            compiler =
                compiler.union_at("/properties/target", self.undiscriminated_union(union.need));
        }
        let unions = compiler.compile(SchemaSource::Schema(&self.schema(union)));
        unions.expect("the schema is well-formed")
    }

    /// Returns the union without a discriminator, because a schema cannot express "exactly one" for
    /// such a union.
    const fn undiscriminated_union(self, need: Need) -> UnionSpec<'static> {
        const EXACTLY_ONE_OF_TWO: UnionSpec<'static> =
            union_spec! { exactly_one, "S3" => "s3", "Volume" => "volume" };
        const EXACTLY_ONE_OF_THREE: UnionSpec<'static> =
            union_spec! { exactly_one, "S3" => "s3", "Volume" => "volume", "Tape" => "tape" };
        const AT_MOST_ONE_OF_TWO: UnionSpec<'static> =
            union_spec! { at_most_one, "S3" => "s3", "Volume" => "volume" };
        const AT_MOST_ONE_OF_THREE: UnionSpec<'static> =
            union_spec! { at_most_one, "S3" => "s3", "Volume" => "volume", "Tape" => "tape" };
        match (need, self) {
            (Need::Required, Self::Older) => EXACTLY_ONE_OF_TWO,
            (Need::Required, Self::Newer) => EXACTLY_ONE_OF_THREE,
            (Need::Optional, Self::Older) => AT_MOST_ONE_OF_TWO,
            (Need::Optional, Self::Newer) => AT_MOST_ONE_OF_THREE,
        }
    }
}

/// Returns a valid object with `keep` backups, and the set member with its name.
pub(crate) fn object(keep: u32, set_member: Option<(Member, &str)>, union: Union) -> Value {
    let mut target = Map::new();
    if union.is_discriminated() {
        let value = set_member.map_or("", |(member, _)| member.value());
        target.insert("type".to_owned(), value.into());
    }
    if let Some((member, name)) = set_member {
        target.insert(member.name().to_owned(), json!({"name": name}));
    }
    json!({"keep": keep, "target": target})
}
