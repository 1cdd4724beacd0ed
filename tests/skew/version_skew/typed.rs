//! Tests of the matrix with servers whose unions are Rust structs and Rust enums: the engine and
//! the derives agree in every cell.

use core::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use union_runtime::{EnumType, RawUnion, Report, RestoreUnaware, Settings, Union, UnionEnum};
use union_simulation::{Column, Form, Matrix, Need, Request, Rules, Server, Version, json};

/// The content of a member.
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

/// Declares an enum type with the given values, which keeps any other value.
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

/// Declares a union with a discriminator of the given type.
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

/// Declares a union without a discriminator.
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

/// Declares the unions as enums, each with a variant for unknown objects.
macro_rules! enums {
    ($($name:ident: $kind:ident $(= $discriminator:literal)? { $($variants:tt)* })+) => {$(
        #[derive(UnionEnum, Clone)]
        #[union($kind $(= $discriminator)?, schema = false)]
        enum $name {
            $($variants)*
            #[union(other)]
            Other(RawUnion),
        }
    )+};
}

enums! {
    OlderEnum: discriminator = "type" { S3(Content), Volume(Content), }
    OlderEnumOrNone: discriminator = "type" {
        S3(Content),
        Volume(Content),
        #[union(member = "")]
        None,
    }
    NewerEnum: discriminator = "type" { S3(Content), Volume(Content), Tape(Content), }
    NewerEnumOrNone: discriminator = "type" {
        S3(Content),
        Volume(Content),
        Tape(Content),
        #[union(member = "")]
        None,
    }
    LenientEnum: discriminator = "type" { S3(Content), Volume(Content), Tape(Option<Content>), }
    LenientEnumOrNone: discriminator = "type" {
        S3(Content),
        Volume(Content),
        Tape(Option<Content>),
        #[union(member = "")]
        None,
    }
    OlderPlainEnum: undiscriminated { S3(Content), Volume(Content), }
    OlderPlainEnumOrNone: undiscriminated { S3(Content), Volume(Content), None, }
    NewerPlainEnum: undiscriminated { S3(Content), Volume(Content), Tape(Content), }
    NewerPlainEnumOrNone: undiscriminated { S3(Content), Volume(Content), Tape(Content), None, }
}

/// The rules of a struct or an enum.
struct Typed<T>(PhantomData<T>);

impl<T: Union + Serialize + DeserializeOwned> Rules for Typed<T> {
    fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report {
        let mut typed: Backup<T> = read(new);
        let old: Option<Backup<T>> = old.map(read);
        let report = typed.admit_unions(old.as_ref(), settings);
        *new = write(&typed);
        report
    }

    fn admit_apply(
        &self,
        applied: &Value,
        live: &Value,
        merged: &mut Value,
        settings: &Settings,
    ) -> Report {
        let (applied, live, mut typed): (Backup<T>, Backup<T>, Backup<T>) =
            (read(applied), read(live), read(merged));
        let mut report = typed.normalize_unions_apply(&applied, Some(&live), settings);
        if report.is_accepted() {
            report.extend(typed.validate_unions_update(&live, settings));
        }
        *merged = write(&typed);
        report
    }
}

fn read<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).expect("the object can be read")
}

fn write<T: Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("valid JSON")
}

fn boxed_rules<T: Union + Serialize + DeserializeOwned + 'static>() -> Box<dyn Rules> {
    Box::new(Typed::<T>(PhantomData))
}

/// Declares a function that chooses the rules of a column by version, need and form.
macro_rules! rules {
    ($($rules:ident: $older:ident $older_or:ident $newer:ident $newer_or:ident $lenient:ident $lenient_or:ident
        $plain_older:ident $plain_older_or:ident $plain_newer:ident $plain_newer_or:ident;)+) => {$(
        fn $rules(column: Column) -> Box<dyn Rules> {
            let union = column.union;
            match (column.server, union.need, union.form) {
                (Version::Older, Need::Required, Form::Discriminator { .. }) => boxed_rules::<$older>(),
                (Version::Older, Need::Optional, Form::Discriminator { .. }) => boxed_rules::<$older_or>(),
                (Version::Older, Need::Required, Form::Plain) => boxed_rules::<$plain_older>(),
                (Version::Older, Need::Optional, Form::Plain) => boxed_rules::<$plain_older_or>(),
                (Version::Newer, Need::Required, Form::Plain) => boxed_rules::<$plain_newer>(),
                (Version::Newer, Need::Optional, Form::Plain) => boxed_rules::<$plain_newer_or>(),
                (Version::Newer, need, Form::Discriminator { tape }) => match (need, tape) {
                    (Need::Required, Need::Required) => boxed_rules::<$newer>(),
                    (Need::Required, Need::Optional) => boxed_rules::<$lenient>(),
                    (Need::Optional, Need::Required) => boxed_rules::<$newer_or>(),
                    (Need::Optional, Need::Optional) => boxed_rules::<$lenient_or>(),
                },
            }
        }
    )+};
}

rules! {
    structs: Older OlderOrNone Newer NewerOrNone Lenient LenientOrNone
        OlderPlain OlderPlainOrNone NewerPlain NewerPlainOrNone;
    enums: OlderEnum OlderEnumOrNone NewerEnum NewerEnumOrNone LenientEnum LenientEnumOrNone
        OlderPlainEnum OlderPlainEnumOrNone NewerPlainEnum NewerPlainEnumOrNone;
}

#[track_caller]
fn assert_same_as_engine(rules: fn(Column) -> Box<dyn Rules>) {
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

#[test]
fn structs_and_the_engine_agree_in_every_cell_and_setting() {
    assert_same_as_engine(structs);
}

#[test]
fn enums_and_the_engine_agree_in_every_cell_and_setting() {
    assert_same_as_engine(enums);
}

/// Checks clients whose unions are enums of the older version, with an object that has a member of
/// the newer version.
#[test]
fn clients_with_enums_keep_unknown_members() {
    let union = union_simulation::Union {
        need: Need::Required,
        form: Form::Discriminator {
            tape: Need::Required,
        },
    };
    let server = Server::new(Version::Newer, union, Settings::default());
    let stored = json!({"keep": 7, "target": {"type": "Tape", "tape": {"name": "first"}}});
    let by_replace = |new: &Value| Request::Replace(new.clone());
    let by_patch = |new: &Value| {
        Request::MergePatch(json::create_merge_patch(&stored, new).unwrap_or_else(|| json!({})))
    };
    let requests: [&dyn Fn(&Value) -> Request; 2] = [&by_replace, &by_patch];
    for request in requests {
        let client = || read::<Backup<OlderEnum>>(&server.read(&stored));
        let answer = |edited: &Backup<OlderEnum>| {
            let answer = server.answer(Some(&stored), &request(&write(edited)));
            answer.expect("it is accepted").stored
        };
        assert_eq!(answer(&client()), stored);
        let mut edited = client();
        edited.keep = 30;
        let expected = json!({"keep": 30, "target": stored["target"]});
        assert_eq!(answer(&edited), expected);
        let mut switched = client();
        let name = "second".to_owned();
        switched.target = OlderEnum::S3(Content { name });
        let expected = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "second"}}});
        assert_eq!(answer(&switched), expected);
    }
}
