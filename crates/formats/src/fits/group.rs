//! Groups of cards: a card with those that continue its text.

use super::CARD;
use super::card::{Card, Raw, Value};

/// Consecutive cards that state one thing.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// The cards, byte by byte.
    pub(crate) raw: Vec<Raw>,
    pub(crate) card: Card,
    /// True if the text takes more than one card.
    pub(crate) is_continued: bool,
}

/// Divides cards into groups.
pub(crate) fn groups(cards: &[Raw]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::with_capacity(cards.len());
    // True if the last group ends in the sign that its text goes on.
    let mut open = false;
    for raw in cards {
        let card = Card::parse(raw);
        if open
            && card.keyword == "CONTINUE"
            && let Value::Text(more) = &card.value
            && let Some(group) = groups.last_mut()
            && let Value::Text(text) = &mut group.card.value
        {
            text.pop();
            text.push_str(more);
            if !card.comment.is_empty() {
                group.card.comment = format!("{} {}", group.card.comment, card.comment).trim().into();
            }
            open = more.ends_with('&');
            group.raw.push(*raw);
            group.is_continued = true;
            continue;
        }
        open = card.text().is_some_and(|text| text.ends_with('&'));
        groups.push(Group { raw: vec![*raw], card, is_continued: false });
    }
    groups
}

/// The cards of a header as an array of cards. `bytes` is a multiple of 80 long; what is left over is ignored.
pub(crate) fn raw_cards(bytes: &[u8]) -> Vec<Raw> {
    bytes.as_chunks::<CARD>().0.to_vec()
}
