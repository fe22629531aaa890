//! Tests of the program as a whole, and of what keeps the house in order.

mod check;
mod floors;
mod harness;
mod layers;
mod pages;
