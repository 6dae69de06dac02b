//! Loads bitcode and lowers it.
