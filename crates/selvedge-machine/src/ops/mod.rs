//! Rare operations on registers. Pure functions of a frame's slots.
