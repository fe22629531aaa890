//! Parses blocks of `*.tfvars`, and skips lists.

use super::{Assignments, Block};
use crate::source::fault::MAX_DEPTH;
use crate::source::parsed;
use crate::source::tree::Entry;
use crate::source::words::QuoteScope;
use crate::text::Span;

impl Assignments<'_> {
    /// Skips a list.
    pub(super) fn skip_brackets(&mut self) {
        let (mut depth, mut at) = (0_usize, self.at);
        while let Some(c) = self.words.first(at).filter(|_| !self.unclosed) {
            match c {
                '[' | '(' => depth += 1,
                ']' | ')' => depth = depth.saturating_sub(1),
                '"' | '\'' => at = self.words.close(at, QuoteScope::Line).unwrap_or(at),
                _ => {}
            }
            at += c.len_utf8();
            if depth == 0 {
                self.at = at;
                return self.tail();
            }
        }
        self.unclosed = true;
        self.end_line();
    }

    pub(super) fn open_block(&mut self, name: Option<Span>) {
        let name = name.filter(|_| self.blocks.len() + 2 < MAX_DEPTH);
        self.open.push(name.is_some());
        if let Some(name) = name {
            let (key, at) = parsed::key(self.words.text, name, self.source);
            self.blocks.push(Block { key, at, start: self.at, line: self.line.start, entries: Vec::new() });
        }
    }

    pub(super) fn close_brace(&mut self) {
        self.at += 1;
        if self.open.pop() == Some(true)
            && let Some(block) = self.blocks.pop()
        {
            self.close(block);
        }
    }

    pub(super) fn close(&mut self, block: Block) {
        let Block { key, at, start, entries, .. } = block;
        let value = parsed::table(entries, self.source, Span { start, end: self.at.min(self.words.text.len()) });
        self.push(Entry { key, at, value });
    }
}
