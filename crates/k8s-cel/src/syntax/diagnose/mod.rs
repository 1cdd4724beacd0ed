//! What is wrong with tokens that are not an expression, in the words of the server.
//!
//! The server's parser is generated, and mends what it reads: it leaves a token out, or puts one in, or goes on where a rule ends.
//! Each of that is a message, so that this parser does the same. It makes no tree, and runs only after the one that does has failed.

mod diagnosis;
mod grammar;
mod graph;
mod look;
mod predict;
mod rules;

pub(in crate::syntax) use self::diagnosis::diagnose;
