//! Counts steps of work in unit tests: a test that measured time would depend on the machine.

use std::cell::Cell;

thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
}

/// Counts steps in this thread.
pub fn add(steps: usize) {
    STEPS.with(|counted| counted.set(counted.get() + steps));
}

/// Returns the number of steps that some work takes.
pub fn steps_of(work: impl FnOnce()) -> usize {
    let before = STEPS.get();
    work();
    STEPS.get() - before
}
