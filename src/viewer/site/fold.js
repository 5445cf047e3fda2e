// Folds the texts of a site's list and search as the program's own search does.

const foldedChars = new Map();

/**
 * Returns a text without letter case, width, ligatures and the accents of alphabets. Each character is folded alone, so that
 * a part of a text is found in the whole.
 */
globalThis.folded = (text) =>
  text.replace(/[^\0-\x7f]/gu, (char) => {
    let plain = foldedChars.get(char);
    if (plain === undefined) {
      plain = char.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
        .replace("’", "'").toUpperCase().toLowerCase();
      foldedChars.set(char, plain);
    }
    return plain;
  }).toLowerCase();

/** Returns the folded words of a query, without the quotation marks and punctuation around them. */
globalThis.wordsOf = (query) =>
  folded(query).split(/\s+/)
    .map((word) => word.replace(/^["'“”„‘«»(]+|["'“”„‘«»),.;:!?…]+$/g, "") || word)
    .filter((word) => word !== "");
