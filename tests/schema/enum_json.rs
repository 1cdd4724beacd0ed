//! Tests that the schema of an enum type is rejected if serde does not read and write the values
//! that it lists.

use std::fmt;
use std::panic::catch_unwind;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_with::{DeserializeFromStr, SerializeDisplay};
use union_runtime::{EnumType, Union, add_enum, add_unions, schema_for};

/// An enum type with the values `Info` and `Debug`, whose `Display` and `FromStr` have the two
/// given spellings.
macro_rules! level {
    ($name:ident($($derive:ident),*) $(#[$attribute:meta])* $written:literal, $read:literal) => {
        #[derive(EnumType, JsonSchema, Clone, Debug, $($derive),*)]
        #[schemars(transform = add_enum::<$name>)]
        $(#[$attribute])*
        enum $name {
            Info,
            Debug,
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    Self::Info => $written,
                    Self::Debug => "Debug",
                })
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(string: &str) -> Result<Self, String> {
                match string {
                    $read => Ok(Self::Info),
                    "Debug" => Ok(Self::Debug),
                    _ => Err(format!("no level: {string}")),
                }
            }
        }
    };
}

level!(Lower(DeserializeFromStr, SerializeDisplay) "info", "info");
level!(LowerWritten(Deserialize, SerializeDisplay) "info", "Info");
level!(LowerRead(DeserializeFromStr, Serialize) "Info", "info");
level!(Derived(Serialize, Deserialize) "info", "info");
level!(Renamed(Serialize, Deserialize) #[serde(rename_all = "lowercase")] "x", "y");
level!(SameNames(DeserializeFromStr, SerializeDisplay) "Info", "Info");
level!(OnlyWritten(SerializeDisplay) "info", "info");

/// Numbers instead of strings.
#[derive(EnumType, JsonSchema, Clone, Debug)]
#[schemars(transform = add_enum::<Number>)]
enum Number {
    Zero,
    One,
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(matches!(self, Self::One).into())
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Ok(if number == 0 { Self::Zero } else { Self::One })
    }
}

/// An enum type whose `Deserialize` reads each string as the first value.
#[derive(EnumType, JsonSchema, Serialize, Clone, Debug)]
#[schemars(transform = add_enum::<FirstOnly>)]
enum FirstOnly {
    A,
    B,
}

impl<'de> Deserialize<'de> for FirstOnly {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|_| Self::A)
    }
}

/// An enum type with the value `""`, which also keeps unknown values.
#[derive(EnumType, JsonSchema, Serialize, Deserialize, Clone, Debug)]
#[schemars(transform = add_enum::<WithOther>)]
enum WithOther {
    #[serde(rename = "")]
    Empty,
    A,
    #[enum_type(other)]
    #[serde(untagged)]
    Other(String),
}

/// Returns the error of the schema of `T`, if the schema is rejected.
fn schema_error<T: JsonSchema>() -> Option<String> {
    let panic = catch_unwind(|| drop(schema_for::<T>())).err()?;
    Some(panic.downcast_ref::<String>().expect("a message").clone())
}

const REMEDY: &str = "; derive serde's `Serialize` and `Deserialize`, with \
    `#[serde(rename = \"...\")]` for other names, or implement `EnumType` by hand";

#[test]
fn the_schema_of_an_enum_type_is_rejected_if_serde_has_other_values() {
    let rows = [
        (
            schema_error::<Lower>(),
            "Lower",
            "Info",
            "serde writes \"info\"",
        ),
        (
            schema_error::<LowerWritten>(),
            "LowerWritten",
            "Info",
            "serde writes \"info\"",
        ),
        (
            schema_error::<LowerRead>(),
            "LowerRead",
            "Info",
            "serde does not read it: no level: Info",
        ),
        (schema_error::<Number>(), "Number", "Zero", "serde writes 0"),
        (
            schema_error::<FirstOnly>(),
            "FirstOnly",
            "B",
            "serde reads it as another value",
        ),
        (
            schema_error::<Vec<Lower>>(),
            "Lower",
            "Info",
            "serde writes \"info\"",
        ),
        (
            schema_error::<Option<Lower>>(),
            "Lower",
            "Info",
            "serde writes \"info\"",
        ),
    ];
    for (error, name, value, mistake) in rows {
        let path = format!("schema::enum_json::{name}");
        let expected =
            format!("the enum type `{path}` lists the value {value:?}, but {mistake}{REMEDY}");
        assert_eq!(error, Some(expected));
    }
    assert_eq!(schema_error::<Derived>(), None);
    assert_eq!(schema_error::<Renamed>(), None);
    assert_eq!(schema_error::<SameNames>(), None);
    assert_eq!(schema_error::<WithOther>(), None);
    // The values of a type that is only written are never read.
    assert_eq!(schema_error::<OnlyWritten>(), None);
}

macro_rules! union_of {
    ($name:ident $($kind:tt)*) => {
        #[derive(Union, Serialize, Deserialize, JsonSchema)]
        #[schemars(transform = add_unions::<$name>)]
        struct $name {
            #[union(discriminator)]
            #[serde(skip_serializing_if = "Option::is_none")]
            kind: Option<$($kind)*>,
            #[union(member)]
            #[serde(skip_serializing_if = "Option::is_none")]
            info: Option<String>,
        }
    };
}

/// An enum without a hook. The struct of the union has a hook.
#[derive(EnumType, JsonSchema, DeserializeFromStr, SerializeDisplay)]
#[enum_type(schema = false)]
enum WithoutHook {
    Info,
}

impl fmt::Display for WithoutHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")
    }
}

impl FromStr for WithoutHook {
    type Err = String;

    fn from_str(_: &str) -> Result<Self, String> {
        Ok(Self::Info)
    }
}

union_of!(OfDerived Derived);
union_of!(OfWithoutHook WithoutHook);
union_of!(OfBoxed Box<WithoutHook>);

#[test]
fn the_schema_of_a_union_is_rejected_if_serde_has_other_values() {
    for error in [schema_error::<OfWithoutHook>(), schema_error::<OfBoxed>()] {
        let error = error.expect("the discriminator is written in lower case");
        assert!(
            error.contains("WithoutHook` lists the value \"Info\", but serde writes \"info\""),
            "{error}"
        );
    }
    assert_eq!(schema_error::<OfDerived>(), None);
}
