//! What follows from how a request ended.
