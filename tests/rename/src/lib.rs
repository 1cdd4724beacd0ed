//! Nothing but tests here.
