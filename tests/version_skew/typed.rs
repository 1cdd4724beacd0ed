//! The same matrix with servers whose unions are Rust structs: the engine and the derive agree in every cell.

use core::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use union_runtime::{
    Admitted, EnumType, RestoreUnaware, Settings, Union, Violations, admit, normalize_apply,
    validate_update,
};
use union_simulation::{Column, Form, Matrix, Need, Rules, Version};

/// What a member holds.
#[derive(Serialize, Deserialize, Clone)]
struct Content {
    name: String,
}

#[derive(Union, Serialize, Deserialize, Clone)]
struct Backup<T: Union> {
    keep: u32,
    #[union(nested)]
    target: T,
}

/// An enum type with these values, which keeps any other.
macro_rules! kind {
    ($kind:ident, $($(#[$attribute:meta])* $value:ident,)+) => {
        #[derive(EnumType, Serialize, Deserialize, Clone)]
        enum $kind {
            $($(#[$attribute])* $value,)+
            #[enum_type(other)]
            #[serde(untagged)]
            Unknown(String),
        }
    };
}

kind! { OlderKind, S3, Volume, }
kind! { OlderKindOrNone, S3, Volume, #[serde(rename = "")] None, }
kind! { NewerKind, S3, Volume, Tape, }
kind! { NewerKindOrNone, S3, Volume, Tape, #[serde(rename = "")] None, }

/// A union with a discriminator of this type.
macro_rules! ruled {
    ($name:ident, $kind:ident, $($member:ident $(($optional:ident))?,)+) => {
        #[derive(Union, Serialize, Deserialize, Clone)]
        struct $name {
            #[union(discriminator)]
            r#type: $kind,
            $(
                #[union(member $(, $optional)?)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<Content>,
            )+
        }
    };
}

ruled! { Older, OlderKind, s3, volume, }
ruled! { OlderOrNone, OlderKindOrNone, s3, volume, }
ruled! { Newer, NewerKind, s3, volume, tape, }
ruled! { NewerOrNone, NewerKindOrNone, s3, volume, tape, }
ruled! { Lenient, NewerKind, s3, volume, tape (optional), }
ruled! { LenientOrNone, NewerKindOrNone, s3, volume, tape (optional), }

/// A union without a discriminator.
macro_rules! plain {
    ($name:ident, $(#[$attribute:meta])? $($member:ident,)+) => {
        #[derive(Union, Serialize, Deserialize, Clone)]
        $(#[$attribute])?
        struct $name {
            $(
                #[union(member, group = target)]
                #[serde(skip_serializing_if = "Option::is_none")]
                $member: Option<Content>,
            )+
        }
    };
}

plain! { OlderPlain, #[union(exactly_one(target))] s3, volume, }
plain! { OlderPlainOrNone, s3, volume, }
plain! { NewerPlain, #[union(exactly_one(target))] s3, volume, tape, }
plain! { NewerPlainOrNone, s3, volume, tape, }

/// The rules of a struct.
struct Typed<T>(PhantomData<T>);

impl<T: Union + Serialize + DeserializeOwned> Rules for Typed<T> {
    fn admit(
        &self,
        new: &mut Value,
        old: Option<&Value>,
        settings: &Settings,
    ) -> Result<Admitted, Violations> {
        let mut typed: Backup<T> = read(new);
        let old: Option<Backup<T>> = old.map(read);
        let admitted = admit(&mut typed, old.as_ref(), settings);
        *new = write(&typed);
        admitted
    }

    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Result<Admitted, Violations> {
        let (applied, live, mut typed): (Backup<T>, Backup<T>, Backup<T>) =
            (read(applied), read(live), read(merged));
        let changes = normalize_apply(&applied, Some(&live), &mut typed, settings)?;
        let ratcheted = validate_update(&typed, &live, settings)?.ratcheted;
        *merged = write(&typed);
        let mut admitted = Admitted::default();
        (admitted.changes, admitted.ratcheted) = (changes, ratcheted);
        Ok(admitted)
    }
}

fn read<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).expect("the object can be read")
}

fn write<T: Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("it is JSON")
}

fn rules(column: Column) -> Box<dyn Rules> {
    fn of<T: Union + Serialize + DeserializeOwned + 'static>() -> Box<dyn Rules> {
        Box::new(Typed::<T>(PhantomData))
    }
    let union = column.union;
    match (column.server, union.need, union.form) {
        (Version::Older, Need::Required, Form::Discriminator { .. }) => of::<Older>(),
        (Version::Older, Need::Optional, Form::Discriminator { .. }) => of::<OlderOrNone>(),
        (Version::Older, Need::Required, Form::Plain) => of::<OlderPlain>(),
        (Version::Older, Need::Optional, Form::Plain) => of::<OlderPlainOrNone>(),
        (Version::Newer, Need::Required, Form::Plain) => of::<NewerPlain>(),
        (Version::Newer, Need::Optional, Form::Plain) => of::<NewerPlainOrNone>(),
        (Version::Newer, need, Form::Discriminator { tape }) => match (need, tape) {
            (Need::Required, Need::Required) => of::<Newer>(),
            (Need::Required, Need::Optional) => of::<Lenient>(),
            (Need::Optional, Need::Required) => of::<NewerOrNone>(),
            (Need::Optional, Need::Optional) => of::<LenientOrNone>(),
        },
    }
}

#[test]
fn structs_and_the_engine_agree_in_every_cell_and_setting() {
    for restore in [
        RestoreUnaware::Off,
        RestoreUnaware::Required,
        RestoreUnaware::All,
    ] {
        let settings = Settings::default().restore_unaware(restore);
        let engine = Matrix::of(settings);
        let typed = Matrix::with(settings, rules);
        assert_eq!(
            engine.differences(&typed).collect::<Vec<_>>(),
            [],
            "{restore:?}"
        );
    }
}
