use super::compile;

fn matches(pattern: &str, string: &str) -> bool {
    compile(pattern).is_ok_and(|regex| regex.is_match(string))
}

fn compile_error(pattern: &str) -> String {
    match compile(pattern) {
        Ok(_) => "accepted".to_owned(),
        Err(error) => {
            let prefix = "must be a valid regular expression, but isn't: error parsing regexp: ";
            let message = error.to_string();
            message.strip_prefix(prefix).unwrap_or(&message).to_owned()
        }
    }
}

#[test]
fn classes_and_anchors_match_re2() {
    assert!(!matches(r"^\d$", "٣"));
    assert!(matches(r"^\pN$", "٣"));
    assert!(!matches("^a$", "a\n"));
    assert!(matches("(?m)^a$", "a\nb"));
    assert!(matches(r"é\b", "éa"));
    assert!(!matches(r"\B", "aéb"));
    assert!(matches(r"(?s).*\B|\W", "a\u{212a}i"));
    assert!(matches("^.$", "日"));
    assert!(!matches("^.$", "\n"));
    assert!(matches("(?s)^.$", "\n"));
    assert!(matches("(?i)^straſſe$", "STRASSE"));
    assert!(matches(r"^\Qa.b\E+$", "a.bbb"));
    assert!(matches(r"^\p{Greek}\p{^greek}$", "αa"));
    assert!(matches(r"^\x{10FFFF}\101$", "\u{10ffff}A"));
    assert!(matches("^a{,2}$", "a{,2}"));
}

#[test]
fn syntax_of_the_regex_crate_is_literal_in_go() {
    assert!(matches("^[a&&b]+$", "a&b"));
    // In Go, `a--` is an invalid range, so the first pattern does not compile.
    assert!(matches("^[a--]+$", "a") == matches("^[a]+$", "b"));
    assert!(matches("^[a~~b]+$", "~"));
    assert!(matches("^[a[b]$", "["));
    assert!(matches("^[[a]b]$", "[b]"));
    assert!(matches(r"^\<$", "<"));
    assert!(matches("^ # $", " # "));
}

#[test]
fn messages_match_go() {
    for (pattern, message) in [
        ("a**", "invalid nested repetition operator: `**`"),
        ("a*?+?b", "invalid nested repetition operator: `*?+?`"),
        ("*", "missing argument to repetition operator: `*`"),
        ("a|{2}?", "missing argument to repetition operator: `{2}?`"),
        ("a{1001}", "invalid repeat count: `{1001}`"),
        ("a{2,1}", "invalid repeat count: `{2,1}`"),
        ("((a{100}){10}){2}", "invalid repeat count: `{2}`"),
        ("(", "missing closing ): `(`"),
        ("a)", "unexpected ): `a)`"),
        ("x[a", "missing closing ]: `[a`"),
        ("[b-a]", "invalid character class range: `b-a`"),
        ("[[:foo:]]", "invalid character class range: `[:foo:]`"),
        (
            r"\p{Old_Italic}",
            r"invalid character class range: `\p{Old_Italic}`",
        ),
        (r"\C", r"invalid escape sequence: `\C`"),
        (r"\u{61}", r"invalid escape sequence: `\u`"),
        (r"[a-\d]", r"invalid escape sequence: `\d`"),
        (r"\x{110000}", r"invalid escape sequence: `\x{110000`"),
        ("\\", "trailing backslash at end of expression: ``"),
        ("(?x)a", "invalid or unsupported Perl syntax: `(?x`"),
        ("(?=a)", "invalid or unsupported Perl syntax: `(?=`"),
        ("(?<=a)", "invalid named capture: `(?<=a)`"),
        ("(?P<a-b>c)", "invalid named capture: `(?P<a-b>`"),
    ] {
        assert_eq!(compile_error(pattern), message, "{pattern}");
    }
}

#[test]
fn too_large_patterns_are_rejected() {
    let deep = format!("{}a{}", "(".repeat(5000), ")".repeat(5000));
    assert!(compile_error(&deep).starts_with("expression nests too deeply: "));
    assert!(compile_error(r"(\pL{30}){30}").starts_with("expression too large: "));
    assert!(compile_error(&r"\pL".repeat(5000)).starts_with("expression too large: "));
    assert_eq!(compile_error(r"^[\pL\d]{1,63}$"), "accepted");
    assert_eq!(compile_error("^.{0,1000}$"), "accepted");
}

#[test]
fn patterns_of_names_are_within_the_limit() {
    for pattern in [
        r"^[\p{L}\p{N}]{1,253}$",
        r"^\p{L}[\p{L}\p{M}\p{N} ._-]{0,127}$",
    ] {
        assert!(compile(pattern).is_ok(), "{pattern}");
    }
    assert!(compile(r"\pL{1000}").is_err());
}
