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
macro_rules! discriminated {
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

discriminated! { Older, OlderKind, s3, volume, }
discriminated! { OlderOrNone, OlderKindOrNone, s3, volume, }
discriminated! { Newer, NewerKind, s3, volume, tape, }
discriminated! { NewerOrNone, NewerKindOrNone, s3, volume, tape, }
discriminated! { Lenient, NewerKind, s3, volume, tape (optional), }
discriminated! { LenientOrNone, NewerKindOrNone, s3, volume, tape (optional), }

/// Declares a union without a discriminator.
macro_rules! undiscriminated {
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

undiscriminated! { OlderPlain, #[union(exactly_one(target))] s3, volume, }
undiscriminated! { OlderPlainOrNone, s3, volume, }
undiscriminated! { NewerPlain, #[union(exactly_one(target))] s3, volume, tape, }
undiscriminated! { NewerPlainOrNone, s3, volume, tape, }

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
struct TypedRules<T>(PhantomData<T>);

impl<T: Union + Serialize + DeserializeOwned> Rules for TypedRules<T> {
    fn admit(&self, new: &mut Value, old: Option<&Value>, settings: &Settings) -> Report {
        let mut typed: Backup<T> = deserialize(new);
        let old: Option<Backup<T>> = old.map(deserialize);
        let report = typed.admit_unions(old.as_ref(), settings);
        *new = serialize(&typed);
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
            (deserialize(applied), deserialize(live), deserialize(merged));
        let mut report = typed.normalize_unions_apply(&applied, Some(&live), settings);
        if report.is_accepted() {
            report.extend(typed.validate_unions_update(&live, settings));
        }
        *merged = serialize(&typed);
        report
    }
}

fn deserialize<T: DeserializeOwned>(json: &Value) -> T {
    T::deserialize(json).expect("the object can be read")
}

fn serialize<T: Serialize>(object: &T) -> Value {
    serde_json::to_value(object).expect("valid JSON")
}

fn boxed_rules<T: Union + Serialize + DeserializeOwned + 'static>() -> Box<dyn Rules> {
    Box::new(TypedRules::<T>(PhantomData))
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
                (Version::Older, Need::Required, Form::Undiscriminated) => boxed_rules::<$plain_older>(),
                (Version::Older, Need::Optional, Form::Undiscriminated) => boxed_rules::<$plain_older_or>(),
                (Version::Newer, Need::Required, Form::Undiscriminated) => boxed_rules::<$plain_newer>(),
                (Version::Newer, Need::Optional, Form::Undiscriminated) => boxed_rules::<$plain_newer_or>(),
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
        let engine_matrix = Matrix::with_engine(settings);
        let typed_matrix = Matrix::with_rules(settings, rules);
        assert_eq!(
            engine_matrix.differences(&typed_matrix).collect::<Vec<_>>(),
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
    let replace_request = |new: &Value| Request::Replace(new.clone());
    let patch_request = |new: &Value| {
        Request::MergePatch(json::create_merge_patch(&stored, new).unwrap_or_else(|| json!({})))
    };
    let request_builders: [&dyn Fn(&Value) -> Request; 2] = [&replace_request, &patch_request];
    for to_request in request_builders {
        let read_object = || deserialize::<Backup<OlderEnum>>(&server.prune(&stored));
        let send = |edited_object: &Backup<OlderEnum>| {
            let result = server.handle(Some(&stored), &to_request(&serialize(edited_object)));
            result.expect("the request is accepted").stored
        };
        assert_eq!(send(&read_object()), stored);
        let mut edited_object = read_object();
        edited_object.keep = 30;
        let expected = json!({"keep": 30, "target": stored["target"]});
        assert_eq!(send(&edited_object), expected);
        let mut switched_object = read_object();
        let name = "second".to_owned();
        switched_object.target = OlderEnum::S3(Content { name });
        let expected = json!({"keep": 7, "target": {"type": "S3", "s3": {"name": "second"}}});
        assert_eq!(send(&switched_object), expected);
    }
}
