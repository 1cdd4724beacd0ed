//! Runs the hooks of pre-commit and the steps of the GitHub action on copies of the repository in
//! `examples/reviews`, by `tests/reviews/run`.

mod action;
mod hooks;
mod page;
mod repository;
