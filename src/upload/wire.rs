//! One request: from its first byte to what its answer means. What follows from that is not decided here.

pub(super) mod answer;
pub(super) mod body;
pub(super) mod call;
pub(super) mod certificates;
mod explain;
pub(super) mod fault;
pub(super) mod guard;
pub(super) mod ledger;
pub(super) mod proxy;
