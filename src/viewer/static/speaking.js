// @ts-check
/// <reference lib="dom" />
// Turns in progress: the elements that the server renders, and the words as they arrive.

import { find } from "./parts.js";

/** Maximal characters of a debater's words on the board. */
const PREVIEW = 280;

/**
 * Returns the element of a turn in progress.
 * @param {string} key
 */
function draftOf(key) {
  return find(`#speaking > [data-turn="${CSS.escape(key)}"]`);
}

/**
 * Shows a text in an element. New words are appended, so that a reader's selection stays.
 * @param {HTMLElement | null} element
 * @param {string} text
 */
function show(element, text) {
  const shown = element?.textContent ?? "";
  if (text.startsWith(shown)) element?.append(text.slice(shown.length));
  else element?.replaceChildren(text);
}

/** Keeps the words of the turns in progress, and shows them. */
export class Speaking {
  constructor() {
    /** @type {Map<string, { turn: any, text: string }>} words so far, by the turn's key */
    this.words = new Map();
    this.isDue = false;
    this.hasScrolled = false;
    addEventListener("scroll", () => this.hasScrolled = true, { once: true });
  }

  /**
   * Adds words of a turn, which are shown in the next animation frame. Returns true for the first words.
   * @param {{ [key: string]: any }} delta
   */
  append({ turn, text, whole }) {
    const known = this.words.get(turn.turn);
    const before = whole === true ? "" : known?.text ?? "";
    this.words.set(turn.turn, { turn, text: before + text });
    if (!this.isDue) requestAnimationFrame(() => this.showWords());
    this.isDue = true;
    return known === undefined;
  }

  showWords() {
    this.isDue = false;
    this.keepInView(() => {
      for (const { turn, text } of this.words.values()) {
        const draft = draftOf(turn.turn);
        if (draft?.dataset.blind !== undefined) continue;
        if (draft !== null) show(find(".words", draft), text);
        const debater = `[data-debater="${CSS.escape(turn.participant)}"]`;
        show(find(`${debater}[data-status="running"] .preview`), text.slice(0, PREVIEW));
      }
    });
  }

  /**
   * Shows the turns in progress of a loaded part of the page, unless the page shows earlier messages.
   * @param {ParentNode} loaded
   */
  sync(loaded) {
    const speaking = find("#exchange[data-last] > #speaking");
    if (speaking === null) return;
    const drafts = [...loaded.querySelectorAll("#speaking > *")].flatMap((fresh) => {
      const { turn = "", seq } = fresh instanceof HTMLElement ? fresh.dataset : {};
      if (find(`#message-${seq}`) !== null) return [];
      const known = draftOf(turn);
      const note = find(".note", fresh)?.textContent ?? "";
      // Before its first words a turn keeps the reason why an earlier attempt was rejected.
      if (known !== null && this.words.has(turn)) find(".note", known)?.replaceChildren(note);
      return [known ?? document.adoptNode(fresh)];
    });
    this.keepInView(() => speaking.replaceChildren(...drafts));
    this.showWords();
  }

  /**
   * Removes the words of a rejected attempt, and shows the reason.
   * @param {string} key
   * @param {string} reason
   */
  reset(key, reason) {
    this.words.delete(key);
    const draft = draftOf(key) ?? new Document();
    find(".words", draft)?.replaceChildren();
    find(".note", draft)?.replaceChildren(reason);
  }

  /**
   * Runs a change that makes the page longer. Scrolls to the new end if the end was visible, or if the convening runs and
   * neither the URL nor the reader has chosen a position; not while the focus is in a form or in a visible message.
   * @param {() => void} change
   */
  keepInView(change) {
    const bottom = () => find("#exchange")?.getBoundingClientRect().bottom ?? 0;
    const before = bottom();
    const isFollowed = scrollY > 0
      ? before > 0 && before <= innerHeight + 40
      : !this.hasScrolled && location.hash === "" &&
        find("#convening")?.dataset.standing === "running";
    const focused = document.activeElement?.closest("article, form")
      ? document.activeElement
      : null;
    const place = focused?.getBoundingClientRect();
    const isReading = place !== undefined && place.bottom > 0 && place.top < innerHeight;
    change();
    const below = bottom() - (innerHeight - (find("#scores")?.offsetHeight ?? 0));
    if (isFollowed && !isReading && below > 0) scrollBy({ top: below + 16, behavior: "instant" });
  }
}
