//! Strings that are similar to names, URLs and paths.

use serde_json::{Value, json};

use union_random::Random;

/// Returns a string of one to `max` random parts.
fn joined(random: &mut Random, parts: &[&str], max: usize) -> String {
    (0..=random.below(max))
        .map(|_| *random.pick(parts))
        .collect()
}

pub(crate) fn name(random: &mut Random) -> Value {
    const PARTS: [&str; 12] = [
        "a", "b1", "docs", "-", ".", "A", "é", "_", " ", "9", "doc", "z",
    ];
    json!(joined(random, &PARTS, 4))
}

pub(crate) fn url(random: &mut Random) -> Value {
    const STARTS: [&str; 7] = [
        "https://",
        "https:",
        "http://",
        "HTTPS://",
        "//",
        "",
        "ht-p+1.x://",
    ];
    const HOSTS: [&str; 14] = [
        "a.b", "a", "", "a:80", "a:b", "[::1]", "[::1]:8", "[a", "[a]", "[::1]x", "a b", "%41",
        "ü", "a^",
    ];
    const USERS: [&str; 5] = ["u@", "u:p@", "u%40:@", "@", "u^@"];
    const ENDS: [&str; 10] = [
        "/", "/x y", "?q=1", "?", "#f", "#", "/%zz", "/%20", "/x#%2", "\u{7f}",
    ];
    let mut url = (*random.pick(&STARTS)).to_owned();
    if random.chance(20) {
        url += *random.pick(&USERS);
    }
    url += *random.pick(&HOSTS);
    url.push_str(&joined(random, &ENDS, 2));
    json!(url)
}

/// Returns a random path of a field. Some of its names exist in the schemas.
pub(crate) fn path(random: &mut Random) -> Value {
    const PARTS: [&str; 18] = [
        ".spec",
        ".text",
        ".count",
        ".labels",
        ".a",
        ".status",
        ".phase",
        ".metadata",
        ".name",
        ".",
        "[",
        "]",
        "['a']",
        "'",
        "\\",
        " ",
        "x",
        "{",
    ];
    if random.chance(40) {
        const STARTS: [&str; 6] = [
            ".spec.",
            ".status.",
            ".spec.labels.",
            ".spec",
            "spec.",
            ".metadata.",
        ];
        let end = joined(random, &["text", "phase", "x", "count", ".", "["], 2);
        return json!(format!("{}{end}", random.pick(&STARTS)));
    }
    json!(joined(random, &PARTS, 4))
}

pub(crate) fn service_path(random: &mut Random) -> Value {
    json!(joined(
        random,
        &["/", "a", "/b", "-", "C", "/..", ".", "%"],
        4
    ))
}

pub(crate) fn warning(random: &mut Random) -> Value {
    if random.chance(10) {
        return json!("");
    }
    let part = joined(
        random,
        &["a", " ", "é", "\u{a0}", "\n", "<", "\u{fffd}", "\u{200b}"],
        4,
    );
    json!(part.repeat(*random.pick(&[1, 1, 1, 40, 130])))
}

pub(crate) fn approval(random: &mut Random) -> Value {
    if random.chance(60) {
        return url(random);
    }
    json!(*random.pick(&[
        "",
        "unapproved",
        "unapprovedx",
        " unapproved",
        "x",
        "Unapproved"
    ]))
}
