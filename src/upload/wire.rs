//! Sends one HTTP request and reports how it ended. What follows from that is decided elsewhere, by the table.

pub(super) mod answer;
pub(super) mod authorization;
pub(super) mod body;
pub(super) mod call;
mod certificates;
pub(super) mod ending;
mod fault;
pub(super) mod feed;
pub(super) mod guard;
pub(super) mod http;
pub(super) mod ledger;
mod proxy;
mod reply;
mod resolver;
mod retry_after;
pub(super) mod show;
mod turn;
