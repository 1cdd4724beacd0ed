//! All changes of small unions: what is found is what a search by hand finds.
