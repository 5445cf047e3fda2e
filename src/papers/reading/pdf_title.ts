import { oneLineTitle, TITLE_LENGTH } from "../text/paper_title.ts";

/** What programs write where no author gave a title. */
const MEANS_NOTHING =
  /^(?:untitled|unbenannt|sans titre|sin t[ií]tulo|no title|title|document|manuscript|paper|article|main|template|default|slide|presentation|pii:?|doi:?|arxiv:?|latex)\b[\s\d:._()[\]/-]*(?:document|article|template)?[\s\d]*$/i;
const FILE_NAME =
  /^microsoft (?:word|powerpoint|excel)|\.(?:docx?|dotx?|rtf|odt|tex|dvi|ps|eps|pdf|indd|qxd|fm|pages|pptx?|xlsx?|txt|md|html?)$|^[a-z]:\\|^(?:file:|\/)\S*$/i;

/** More words than one, a word of a script without capitals, or a word that begins with one. */
const WORDS = /\p{L}{2}.*\s|\s.*\p{L}{2}|\p{Lo}|^\p{Lu}\p{L}{3,}$/u;

/** The title of a PDF's metadata, on one line; undefined where no author can have meant it, as `Microsoft Word - x.doc`. */
export function pdfTitle(title: string): string | undefined {
  const shown = oneLineTitle(title);
  const isMeant = WORDS.test(shown) && [...shown].length <= TITLE_LENGTH &&
    !MEANS_NOTHING.test(shown) && !FILE_NAME.test(shown);
  return isMeant ? shown : undefined;
}
