//! The schema hook of a copied struct does not name the original, which has the same name.

mod v1 {
    use schemars::JsonSchema;
    use serde::Serialize;
    use union_runtime::{EnumType, Union};

    #[derive(EnumType, JsonSchema, Serialize)]
    #[schemars(transform = union_runtime::add_enum::<Kind>)]
    pub enum Kind {
        Alpha,
    }

    #[derive(JsonSchema, Union, Serialize)]
    #[schemars(transform = union_runtime::add_unions::<Target>)]
    pub struct Target {
        #[union(discriminator)]
        kind: Kind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
    }
}

mod v2 {
    use schemars::JsonSchema;
    use serde::Serialize;
    use union_runtime::{EnumType, Union};

    #[derive(EnumType, JsonSchema, Serialize)]
    #[schemars(transform = union_runtime::add_enum::<crate::v1::Kind>)]
    pub enum Kind {
        Alpha,
        Beta,
    }

    #[derive(JsonSchema, Union, Serialize)]
    #[schemars(transform = union_runtime::add_unions::<crate::v1::Target>)]
    pub struct Target {
        #[union(discriminator)]
        kind: Kind,
        #[union(member)]
        #[serde(skip_serializing_if = "Option::is_none")]
        alpha: Option<u8>,
    }
}

fn main() {}
