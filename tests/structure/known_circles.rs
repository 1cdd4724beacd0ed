//! Circles of files that import each other. The list may only shrink: open a circle, then delete it
//! here.

/// The circles, a crate a row.
pub(super) const KNOWN_CIRCLES: [(&str, &[&[&str]]); 4] = [
    (
        "k8s-cel",
        &[
            &["checker/literal.rs", "checker/mod.rs", "checker/names.rs"],
            &["format/email/encoded.rs", "format/email/mod.rs"],
            &[
                "functions/access.rs",
                "functions/arithmetic.rs",
                "functions/conversions.rs",
                "functions/cost.rs",
                "functions/lists/build.rs",
                "functions/lists/mod.rs",
                "functions/operators.rs",
                "functions/sets.rs",
                "functions/strings.rs",
            ],
            &[
                "functions/format_string/mod.rs",
                "functions/format_string/shown.rs",
            ],
            &["interpreter/machine/literal.rs", "interpreter/machine.rs"],
            &[
                "pattern/class.rs",
                "pattern/escape.rs",
                "pattern/group.rs",
                "pattern/translate.rs",
            ],
            &[
                "syntax/diagnose/grammar.rs",
                "syntax/diagnose/look.rs",
                "syntax/diagnose/rules.rs",
            ],
            &["values/equal/lists.rs", "values/equal/mod.rs"],
        ],
    ),
    (
        "k8s-go-text",
        &[
            &["net/url/authority.rs", "net/url/parts.rs"],
            &["quantity/mod.rs", "quantity/natural.rs", "quantity/read.rs"],
        ],
    ),
    (
        "union-derive",
        &[
            &["attr/mod.rs", "attr/union_enum.rs"],
            &[
                "expand/union_enum/children.rs",
                "expand/union_enum/form.rs",
                "expand/union_enum/schema.rs",
                "expand/union_enum/serde.rs",
                "expand/union_enum.rs",
            ],
            &["name/mod.rs", "name/plain.rs"],
        ],
    ),
    (
        "union-runtime",
        &[
            &["path/field_path.rs", "path/mod.rs"],
            &["schema/enforce/mod.rs", "schema/extension.rs"],
            &["typed/inline.rs", "typed/new_and_old.rs", "typed/union.rs"],
        ],
    ),
];
