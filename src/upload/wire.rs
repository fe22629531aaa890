//! Sends one HTTP request and reports how it ended. The table decides what follows from that.

pub(super) mod answer;
pub(super) mod body;
pub(super) mod call;
mod fault;
pub(super) mod guard;
pub(super) mod http;
pub(super) mod ledger;
