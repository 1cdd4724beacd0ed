//! Code that the derives generate calls to. It builds and checks tables at compile time.

pub(crate) mod declaration;
pub(crate) mod enum_form;
pub(crate) mod flattened;
pub(crate) mod lookup;
pub(crate) mod message;
