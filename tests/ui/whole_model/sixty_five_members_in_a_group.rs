//! A group has at most 64 members.

use serde::Serialize;
use union_runtime::Union;

#[derive(Union, Serialize)]
struct Strategy {
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m0: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m1: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m2: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m3: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m4: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m5: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m6: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m7: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m8: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m9: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m10: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m11: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m12: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m13: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m14: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m15: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m16: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m17: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m18: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m19: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m20: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m21: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m22: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m23: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m24: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m25: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m26: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m27: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m28: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m29: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m30: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m31: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m32: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m33: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m34: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m35: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m36: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m37: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m38: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m39: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m40: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m41: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m42: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m43: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m44: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m45: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m46: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m47: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m48: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m49: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m50: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m51: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m52: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m53: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m54: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m55: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m56: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m57: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m58: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m59: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m60: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m61: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m62: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m63: Option<u8>,
    #[union(member, group = pair)]
    #[serde(skip_serializing_if = "Option::is_none")]
    m64: Option<u8>,
}

fn main() {}
