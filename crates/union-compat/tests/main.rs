//! What `compare` finds: changes that real APIs made, and all changes of small unions.

mod exhaustive;
mod judged;
mod pairs;
mod typed;
