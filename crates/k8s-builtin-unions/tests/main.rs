//! Tests of the table and of the compiled unions.

mod definition;
mod empty_values;
mod objects;
mod readme;
mod rows;
mod switch;
mod table;
mod typed;
mod versions;
