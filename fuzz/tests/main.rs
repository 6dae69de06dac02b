//! A small part of every campaign, always the same.
