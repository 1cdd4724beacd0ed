//! The values of members are among the first 64 values of the enum.

use serde::Serialize;
use union_runtime::{EnumType, Union};

#[derive(EnumType, Serialize)]
#[rustfmt::skip]
enum Kind {
    V0, V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12,
    V13, V14, V15, V16, V17, V18, V19, V20, V21, V22, V23, V24, V25,
    V26, V27, V28, V29, V30, V31, V32, V33, V34, V35, V36, V37, V38,
    V39, V40, V41, V42, V43, V44, V45, V46, V47, V48, V49, V50, V51,
    V52, V53, V54, V55, V56, V57, V58, V59, V60, V61, V62, V63, V64,
    V65,
}

#[derive(Union, Serialize)]
struct Strategy {
    #[union(discriminator)]
    kind: Kind,
    #[union(member = "V63")]
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha: Option<u8>,
    #[union(member = "V64")]
    #[serde(skip_serializing_if = "Option::is_none")]
    beta: Option<u8>,
}

fn main() {}
