use serde::{Deserialize, Serialize};
use union_runtime::{EnumType, RawUnion, Union, UnionEnum};

#[derive(EnumType, Serialize, Deserialize)]
#[enum_type(scheme = false)]
enum Kind {
    A,
    B,
    #[enum_type(otehr)]
    #[serde(untagged)]
    Unknown(String),
}

#[derive(Union, Serialize, Deserialize)]
#[union(enforced = "cel", ratched = "same_reason", exactlyOne, discrimnator)]
struct Struct {
    #[union(descriminator)]
    kind: Kind,
    #[union(memeber)]
    #[serde(skip_serializing_if = "Option::is_none")]
    a: Option<u8>,
    #[union(member, optinal, descriminated_by = kind)]
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<u8>,
    #[union(nestd, list_map_key("name"), patch_stategy = "merge", all_member)]
    list: Vec<u8>,
    #[union(notnested)]
    other: u8,
    #[union(zzz)]
    last: u8,
}

#[derive(UnionEnum)]
#[union(descriminator = "type", vaules = "UPPERCASE", deduced, undiscriminted)]
enum Enum {
    #[union(membr = "A", feild = "a")]
    A(u8),
    #[union(absend, optinal, groups = b)]
    B(u8),
    #[union(othr)]
    Other(RawUnion),
}

fn main() {}
