//! The errors of tokens that are not an expression, with the messages of the server.
//!
//! The server's parser is generated, and recovers from errors: it leaves a token out, or inserts a
//! token, or continues at the end of a rule. Each recovery has a message, so this parser does the
//! same. It does not create a tree, and runs only after the parser of trees has failed.

mod adaptive_prediction;
mod follow_set;
mod grammar;
mod recovering_parser;
mod rules;
mod transition_network;

pub(in crate::syntax) use self::recovering_parser::diagnose;
