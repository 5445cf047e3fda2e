// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Display of turns in progress: the speakers, and their words as they arrive.

import { find } from "./parts.js";

/** Maximal characters of a debater's words on the board. */
const PREVIEW = 280;

/** Tracks the turns in progress by the events of a convening, and shows them. */
export class Speaking {
  /** @param {{ rounds: number, most: string, sides: Record<string, number>, halves: string[], blind: string[] }} plan see `LivePlan` */
  constructor({ rounds = 0, most = "", sides = {}, halves = [], blind = [] }) {
    this.rounds = rounds;
    this.most = most;
    this.sides = sides;
    this.halves = halves;
    this.blind = blind;
    /** @type {Map<string, { turn: any, hasSpoken: boolean }>} turns in progress, by the turn's key */
    this.turns = new Map();
    /** @type {Map<string, { turn: any, text: string, isWhole: boolean }>} words that are not shown yet, by the turn's key */
    this.unshown = new Map();
  }

  /** @param {{ type: string, [key: string]: any }} event */
  handle(event) {
    switch (event.type) {
      case "turn-start":
        this.turns.set(event.turn.turn, { turn: event.turn, hasSpoken: false });
        this.keepInView(() => this.draftOf(event.turn));
        return this.showNow(event.turn);
      case "message-delta":
        return this.append(event.turn, event.text, event.whole === true);
      case "message-reset":
        return this.reset(event.turn.turn, event.reason);
      case "turn-reject":
        return this.reset(event.rejection.turn, `Rejected: ${event.rejection.reason}`);
      case "turn-wait":
        return this.end(event.turn.turn, event.turn, true);
      case "turn-fail":
        return this.end(event.failure.turn, event.failure, true);
      case "message":
        // The draft stays until the message is loaded and replaces it.
        return this.end(event.message.turn, event.message, false);
    }
  }

  /**
   * @param {any} turn
   * @param {string} text
   * @param {boolean} isWhole
   */
  append(turn, text, isWhole) {
    const known = this.turns.get(turn.turn);
    if (known?.hasSpoken !== true) {
      this.turns.set(turn.turn, { turn, hasSpoken: true });
      this.showNow(turn);
    }
    const before = this.unshown.get(turn.turn);
    if (this.unshown.size === 0) requestAnimationFrame(() => this.showAll());
    this.unshown.set(
      turn.turn,
      before === undefined || isWhole
        ? { turn, text, isWhole }
        : { turn, text: before.text + text, isWhole: before.isWhole },
    );
  }

  /** Shows the words that arrived since the last animation frame. */
  showAll() {
    this.keepInView(() => {
      for (const { turn, text, isWhole } of this.unshown.values()) {
        const draft = this.draftOf(turn) ?? document.createElement("div");
        const [words, note] = [find(".words", draft), find(".note", draft)];
        if (note !== null) note.textContent = `${turn.kind.replaceAll("_", " ")}, speaking`;
        if (this.blind.includes(turn.kind)) continue;
        if (isWhole) words?.replaceChildren(text);
        else words?.append(text);
        const preview = find(
          `[data-debater="${CSS.escape(turn.participant)}"][data-status="running"] .preview`,
        );
        if (preview !== null && (preview.textContent ?? "").length < PREVIEW) {
          if (isWhole) preview.replaceChildren(text);
          else preview.append(text);
        }
      }
      this.unshown.clear();
    });
  }

  /**
   * Returns or creates the element of a turn in progress; null if the message is already shown.
   * @param {any} turn
   * @returns {HTMLElement | null}
   */
  draftOf(turn) {
    const speaking = find("#speaking");
    if (speaking === null || find(`#message-${turn.seq}`) !== null) return null;
    const known = [...speaking.children].find((each) =>
      each instanceof HTMLElement && each.dataset.turn === turn.turn
    );
    if (known instanceof HTMLElement) return known;
    const draft = document.createElement("div");
    draft.className = `message draft${this.halves.includes(turn.kind) ? " half" : ""}`;
    if (Object.hasOwn(this.sides, turn.participant)) {
      draft.dataset.side = String(this.sides[turn.participant]);
    }
    draft.dataset.turn = turn.turn;
    draft.dataset.seq = String(turn.seq);
    const by = document.createElement("p");
    by.className = "heading";
    const name = document.createElement("bdi");
    name.textContent = turn.name;
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = `${turn.kind.replaceAll("_", " ")}, next to speak`;
    by.append(name, " ", note);
    const words = document.createElement("p");
    words.className = "words";
    words.dir = "auto";
    draft.append(by, words);
    speaking.append(draft);
    return draft;
  }

  /**
   * @param {string} key
   * @param {string} reason
   */
  reset(key, reason) {
    this.unshown.delete(key);
    const draft = [...document.querySelectorAll("#speaking [data-turn]")].find((each) =>
      each instanceof HTMLElement && each.dataset.turn === key
    );
    const [words, note] = draft === undefined ? [] : [find(".words", draft), find(".note", draft)];
    if (words) words.textContent = "";
    if (note) note.textContent = reason;
  }

  /**
   * @param {string} key
   * @param {any} place
   * @param {boolean} isGone
   */
  end(key, place, isGone) {
    this.showNow(this.turns.get(key)?.turn ?? place, key);
    this.turns.delete(key);
    this.unshown.delete(key);
    if (isGone) this.drop(place.seq);
  }

  /** @param {number} seq */
  drop(seq) {
    find(`#speaking [data-seq="${seq}"]`)?.remove();
  }

  /**
   * @param {any} place
   * @param {string} [over] key of a turn that has ended
   */
  showNow({ phase, round, seq }, over) {
    const now = find("#now");
    if (now === null || phase === undefined) return;
    const words = phase.replaceAll("_", " ");
    const of = round > 0 && round <= this.rounds ? ` of ${this.rounds}` : "";
    const turns = [...this.turns.values()].filter(({ turn }) => turn.turn !== over);
    const who = turns.map(({ turn, hasSpoken }) =>
      `${hasSpoken ? "speaking" : "next"}: ${turn.name}, ${turn.kind.replaceAll("_", " ")}`
    );
    const turn = Math.min(...turns.map(({ turn }) => turn.seq));
    now.textContent = [
      `${words.charAt(0).toUpperCase()}${words.slice(1)}${
        round > 0 ? `, round ${round}${of}` : ""
      }`,
      `turn ${turns.length === 0 ? seq : turn}${this.most}`,
      ...who,
    ].join(" · ");
  }

  /**
   * Runs a change that makes the page longer. If the end of the page was visible, scrolls to the new end, unless the focus
   * is in a visible message.
   * @param {() => void} change
   */
  keepInView(change) {
    const bottom = () => find("#exchange")?.getBoundingClientRect().bottom ?? 0;
    const before = bottom();
    const wasAtEnd = scrollY > 0 && before > 0 && before <= innerHeight + 40;
    const focused = document.activeElement?.closest("article") ? document.activeElement : null;
    const place = focused?.getBoundingClientRect();
    const isReading = place !== undefined && place.bottom > 0 && place.top < innerHeight;
    change();
    const below = bottom() - (innerHeight - (find("#scores")?.offsetHeight ?? 0));
    if (wasAtEnd && !isReading && below > 0) scrollBy({ top: below + 16, behavior: "instant" });
  }
}
