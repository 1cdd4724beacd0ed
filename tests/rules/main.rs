//! The rules of unions, on Rust types and on the same types as JSON: what is normalized,
//! validated and tolerated.

mod apply;
mod enum_fields;
mod enum_form;
mod nested;
mod real_types;
mod unknown;
mod whole_model;
