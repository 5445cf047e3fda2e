// Folds the texts of a site's list and search as the program's own search does.

const foldedChars = new Map();
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670\u200c\u200d]/g;
const EXCHANGED = "٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹०१२३४५६७८९٪ёيكىةđøł";
const FOR_EXCHANGED = "012345678901234567890123456789%еیکیهdol";

/**
 * Returns a text without letter case, width, ligatures, the accents of alphabets and vowel points. Each character is folded alone, so that
 * a part of a text is found in the whole.
 */
globalThis.folded = (text) =>
  text.replace(/[^\0-\x7f]/gu, (char) => {
    let plain = foldedChars.get(char);
    if (plain === undefined) {
      plain = char.normalize("NFKD").replace(ACCENTS, "").normalize("NFC")
        .replace("’", "'").toUpperCase().toLowerCase();
      plain = Array.from(plain, (each) => FOR_EXCHANGED[EXCHANGED.indexOf(each)] ?? each).join("");
      foldedChars.set(char, plain);
    }
    return plain;
  }).toLowerCase();

/** Returns the folded words of a query, without the quotation marks and punctuation around them. */
globalThis.wordsOf = (query) =>
  folded(query).split(/\s+/)
    .map((word) => word.replace(/^["'“”„‘«»(]+|["'“”„‘«»),.;:!?…]+$/g, "") || word)
    .filter((word) => word !== "");
