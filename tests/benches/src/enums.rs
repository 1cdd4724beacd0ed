//! A union as an enum, deserialized by the derive and by hand. The input is 1024 JSON strings,
//! whose keys are sorted as servers sort them.

use std::fmt;
use std::hint::black_box;

use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use union_runtime::{RawUnion, UnionEnum};

/// A target of a backup, with `derive(UnionEnum)`.
#[derive(UnionEnum, Clone, Debug, PartialEq)]
#[union(discriminator = "type", schema = false)]
pub enum DerivedEnum {
    /// A backup in a bucket.
    Bucket(Bucket),
    /// A backup on a volume.
    Volume(Option<Vec<String>>),
    /// A backup by a command.
    Exec(Vec<String>),
    /// A backup over HTTP.
    Http(Http),
    /// A union that this build does not know.
    #[union(other)]
    Other(RawUnion),
}

/// The same enum with a `Deserialize` by hand: members are read in the order of the input, and an
/// object that is not a variant is an error.
#[derive(Clone, Debug, PartialEq)]
pub enum HandWrittenEnum {
    /// A backup in a bucket.
    Bucket(Bucket),
    /// A backup on a volume.
    Volume(Option<Vec<String>>),
    /// A backup by a command.
    Exec(Vec<String>),
    /// A backup over HTTP.
    Http(Http),
}

/// The same enum in the form of serde's internally tagged enums.
#[derive(Deserialize, Clone, Debug, PartialEq)]
#[serde(tag = "type")]
pub enum TaggedEnum {
    /// A backup in a bucket.
    Bucket {
        /// The bucket.
        bucket: Bucket,
    },
    /// A backup on a volume.
    Volume {
        /// The paths.
        volume: Option<Vec<String>>,
    },
    /// A backup by a command.
    Exec {
        /// The command.
        exec: Vec<String>,
    },
    /// A backup over HTTP.
    Http {
        /// The server.
        http: Http,
    },
}

/// An object with two unions.
#[derive(Deserialize, Clone, Debug, PartialEq)]
pub struct Backup<T> {
    /// The name of the backup.
    pub name: String,
    /// The target of the backup.
    pub target: T,
    /// The target of copies of the backup.
    pub copies: T,
}

/// A bucket of an object store.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Bucket {
    /// The name of the bucket.
    pub bucket: String,
    /// The region of the bucket.
    pub region: String,
    /// The prefixes of the objects to back up.
    pub prefixes: Vec<String>,
}

/// An HTTP server that stores backups.
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
pub struct Http {
    /// The host name of the server.
    pub host: String,
    /// The port of the server.
    pub port: u16,
    /// The path of the PUT request.
    pub path: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Field {
    Type,
    Bucket,
    Volume,
    Exec,
    Http,
    #[serde(other)]
    Unknown,
}

#[derive(Deserialize)]
enum Type {
    Bucket,
    Volume,
    Exec,
    Http,
}

struct HandWrittenEnumVisitor;

impl<'de> Visitor<'de> for HandWrittenEnumVisitor {
    type Value = HandWrittenEnum;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a union")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<HandWrittenEnum, A::Error> {
        let mut selected: Option<Type> = None;
        let mut bucket: Option<Bucket> = None;
        let mut volume: Option<Vec<String>> = None;
        let mut exec: Option<Vec<String>> = None;
        let mut http: Option<Http> = None;
        while let Some(field) = map.next_key()? {
            match field {
                Field::Type => selected = map.next_value()?,
                Field::Bucket => bucket = map.next_value()?,
                Field::Volume => volume = map.next_value()?,
                Field::Exec => exec = map.next_value()?,
                Field::Http => http = map.next_value()?,
                Field::Unknown => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let selected = selected.ok_or_else(|| A::Error::missing_field("type"))?;
        match (selected, bucket, volume, exec, http) {
            (Type::Bucket, Some(bucket), None, None, None) => Ok(HandWrittenEnum::Bucket(bucket)),
            (Type::Volume, None, volume, None, None) => Ok(HandWrittenEnum::Volume(volume)),
            (Type::Exec, None, None, Some(exec), None) => Ok(HandWrittenEnum::Exec(exec)),
            (Type::Http, None, None, None, Some(http)) => Ok(HandWrittenEnum::Http(http)),
            _ => Err(A::Error::custom("the field does not match `type`")),
        }
    }
}

impl<'de> Deserialize<'de> for HandWrittenEnum {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const FIELDS: &[&str] = &["type", "bucket", "volume", "exec", "http"];
        deserializer.deserialize_struct("ByHand", FIELDS, HandWrittenEnumVisitor)
    }
}

/// Returns 1024 JSON strings of about a hundred bytes. Each variant is as frequent as the others.
///
/// # Panics
///
/// Never.
#[must_use]
pub fn json_strings() -> Vec<String> {
    let variants = [
        r#"{"bucket":{"bucket":"backups","prefixes":["db","etc"],"region":"eu-central-1"},"type":"Bucket"}"#,
        r#"{"type":"Volume","volume":["/var/lib/backups/daily","/var/lib/backups/weekly","/mnt/archive"]}"#,
        r#"{"exec":["/bin/backup","--compress","--to=/var/lib/backups","--keep=7"],"type":"Exec"}"#,
        r#"{"http":{"host":"backups.example.com","path":"/v1/archives/daily","port":8443},"type":"Http"}"#,
    ];
    variants
        .map(str::to_owned)
        .into_iter()
        .cycle()
        .take(1024)
        .collect()
}

/// Returns a JSON list of objects with two unions.
#[must_use]
pub fn json_list(length: usize) -> String {
    let json_strings = json_strings();
    let targets = json_strings.iter().cycle();
    let objects = targets.clone().zip(targets.skip(1)).take(length);
    let objects = objects.enumerate().map(|(i, (target, copies))| {
        format!(r#"{{"copies":{copies},"name":"backup-{i}","target":{target}}}"#)
    });
    format!("[{}]", objects.collect::<Vec<_>>().join(","))
}

/// Deserializes each string.
pub fn read_each<T: for<'de> Deserialize<'de>>(json_strings: &[String]) {
    for json in json_strings {
        black_box(&serde_json::from_str::<T>(black_box(json)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lists_deserialize() {
        let json = json_list(9);
        let derived: Vec<Backup<DerivedEnum>> = serde_json::from_str(&json).expect("a list");
        let tagged: Vec<Backup<TaggedEnum>> = serde_json::from_str(&json).expect("a list");
        assert_eq!((derived.len(), tagged.len()), (9, 9));
        assert!(derived.iter().all(|backup| backup.target.raw().is_none()));
        assert_eq!(derived[8].name, tagged[8].name);
    }

    #[test]
    fn both_enums_deserialize_to_the_same_value() {
        for json in json_strings() {
            let derived: DerivedEnum = serde_json::from_str(&json).expect("a readable value");
            let by_hand: HandWrittenEnum = serde_json::from_str(&json).expect("a readable value");
            match (&derived, &by_hand) {
                (DerivedEnum::Bucket(derived_member), HandWrittenEnum::Bucket(member_by_hand)) => {
                    assert_eq!(derived_member, member_by_hand);
                }
                (DerivedEnum::Volume(derived_member), HandWrittenEnum::Volume(member_by_hand)) => {
                    assert_eq!(derived_member, member_by_hand);
                }
                (DerivedEnum::Exec(derived_member), HandWrittenEnum::Exec(member_by_hand)) => {
                    assert_eq!(derived_member, member_by_hand);
                }
                (DerivedEnum::Http(derived_member), HandWrittenEnum::Http(member_by_hand)) => {
                    assert_eq!(derived_member, member_by_hand);
                }
                _ => panic!("{derived:?} {by_hand:?}"),
            }
        }
    }
}
