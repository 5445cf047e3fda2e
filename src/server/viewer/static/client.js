// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// What happens while a page is open. Pages are whole without it.

import { makeTabs } from "./tabs.js";

/** @typedef {{ n: number, type: string, [key: string]: any }} LiveEvent */

/** How long to wait before listening again, in milliseconds: while something is to come, and after an end. */
const AGAIN = { soon: 1500, later: 5000 };

/**
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement | null}
 */
function find(selector, root = document) {
  return root.querySelector(selector);
}

/** @param {string} text */
function announce(text) {
  const announcer = find("#announcer");
  if (announcer !== null) announcer.textContent = text;
}

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * The nodes of a part of the server's pages; what people and models wrote was escaped there.
 * @param {string} path
 * @returns {Promise<Document | undefined>}
 */
async function load(path) {
  try {
    const answer = await fetch(path, { headers: { accept: "text/html" } });
    return answer.ok
      ? new DOMParser().parseFromString(await answer.text(), "text/html")
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Puts one element in the place of another, with what was typed, opened and focused in it.
 * @param {HTMLElement} old
 * @param {HTMLElement} fresh
 */
function replace(old, fresh) {
  const fields = "textarea, input:not([type=hidden]), select";
  /** @param {Element} field */
  const nameOf = (field) =>
    `${field.closest("form")?.getAttribute("action")} ${field.getAttribute("name")} ${
      field.getAttribute("type") === "radio" ? field.getAttribute("value") : ""
    }`;
  const before = new Map([...old.querySelectorAll(fields)].map((each) => [nameOf(each), each]));
  /** @type {HTMLElement | undefined} */
  let focused;
  for (const field of fresh.querySelectorAll(fields)) {
    /** @type {any} */
    const known = before.get(nameOf(field));
    if (known === undefined) continue;
    Object.assign(
      field,
      known.type === "radio" || known.type === "checkbox"
        ? { checked: known.checked }
        : { value: known.value },
    );
    if (known === document.activeElement && field instanceof HTMLElement) focused = field;
  }
  const opened = [...old.querySelectorAll("details")].map((each) => each.open);
  const details = [...fresh.querySelectorAll("details")];
  if (opened.length === details.length) {
    for (const [at, each] of details.entries()) each.open = opened[at] ?? each.open;
  }
  old.replaceWith(fresh);
  focused?.focus();
}

/** Follows one convening: shows what is said while it is said. */
class Follower {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.last = Number(find("#convening")?.dataset.after ?? 0);
    /** @type {Set<string>} */
    this.asked = new Set();
  }

  async follow() {
    for (;;) {
      await this.listen().catch(() => {});
      const box = find("#convening[data-live]");
      if (box === null) return;
      const { standing = "" } = box.dataset;
      // The stream has ended and the page does not know how: it is asked.
      if (standing === "running" || standing === "queued") await this.turnPage();
      const rests = standing === "stopped" || standing === "failed" || standing === "interrupted";
      await pause(rests ? AGAIN.later : AGAIN.soon);
    }
  }

  /** Listens until the stream ends; a stream that breaks goes on where it was. */
  async listen() {
    const answer = await fetch(`/api/convenings/${this.id}/events`, {
      headers: { accept: "text/event-stream", "last-event-id": String(this.last) },
    });
    if (!answer.ok || answer.body === null) return;
    const queued = setInterval(() => {
      if (find("#convening")?.dataset.standing === "queued") this.later("status");
    }, AGAIN.soon);
    try {
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) this.read(block);
      }
    } finally {
      clearInterval(queued);
    }
  }

  /** @param {string} block */
  read(block) {
    const data = block.split("\n").filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5)).join("\n");
    if (data === "") return;
    /** @type {LiveEvent} */
    const event = JSON.parse(data);
    if (event.n > 0 && event.n <= this.last) return;
    if (event.n > 0) this.last = event.n;
    this.show(event);
  }

  /** @param {LiveEvent} event */
  show(event) {
    if (event.usage !== undefined) this.tellUsage(event.usage);
    switch (event.type) {
      case "convening-start":
      case "convening-resume":
      case "convening-end":
        return this.later("page");
      case "turn-start":
        if (find("#convening")?.dataset.standing !== "running") this.later("page");
        this.tellNow(event.turn);
        this.draft(event.turn);
        return this.later("board");
      case "turn-wait":
        this.drop(event.turn.turn);
        this.later("page");
        return announce(`${event.turn.name} is waited for`);
      case "message-delta":
        return this.say(event.turn, event.text);
      case "message-reset":
        return this.reset(event.turn, event.reason);
      case "turn-reject":
        return this.reset(event.rejection, `Turned down: ${event.rejection.reason}`);
      case "turn-fail":
        this.drop(event.failure.turn);
        return this.later("board");
      case "message":
        return void this.message(event.message);
      case "score":
        return this.later(String(event.score.message));
      case "fact-check":
        return this.later(String(event.factCheck.message));
      case "stage":
        return this.later("board");
    }
  }

  /**
   * Loads a part anew, once for all that asks for it at a time.
   * @param {string} part
   */
  later(part) {
    if (this.asked.has(part)) return;
    this.asked.add(part);
    setTimeout(() => {
      this.asked.delete(part);
      void (part === "page" ? this.turnPage() : this.refresh(part));
    }, 150);
  }

  /** The whole page anew: its parts are others after a beginning or an end. */
  async turnPage() {
    const fresh = find("#convening", await load(location.href) ?? new Document());
    const old = find("#convening");
    if (fresh === null || old === null) return;
    const [was, is] = [old.dataset.standing, fresh.dataset.standing];
    if (fresh.dataset.live !== undefined) {
      this.last = Math.max(this.last, Number(fresh.dataset.after));
    }
    // What is just being said goes on.
    if (is === "running" || is === "waiting") {
      find("#speaking", fresh)?.replaceWith(find("#speaking") ?? "");
    }
    replace(old, document.adoptNode(fresh));
    makeTabs();
    if (was !== is) announce(find(".outcome h2")?.textContent ?? find(".badge")?.textContent ?? "");
  }

  /** @param {string} part */
  async refresh(part) {
    if (/^\d+$/.test(part)) return await this.insert(Number(part), { isNew: false });
    const old = find(`#${part}`);
    if (old === null) return;
    const fresh = find(
      `#${part}`,
      await load(`/convenings/${this.id}/parts/${part}`) ?? new Document(),
    );
    if (fresh !== null && old.isConnected) replace(old, document.adoptNode(fresh));
  }

  /** @param {any} message */
  async message(message) {
    await this.insert(message.seq, { isNew: true });
    this.drop(message.turn);
    announce(`${message.name} has spoken, message ${message.seq}`);
    this.later("board");
  }

  /**
   * @param {number} seq
   * @param {{ isNew: boolean }} options
   */
  async insert(seq, { isNew }) {
    const exchange = find("#exchange[data-last]");
    const known = exchange === null ? null : find(`#message-${seq}`, exchange);
    if (exchange === null || !isNew && known === null) return;
    const loaded = await load(`/convenings/${this.id}/parts/${seq}`);
    if (loaded === undefined || !exchange.isConnected) return;
    find("#nothing")?.remove();
    const fresh = [...loaded.body.children].map((each) => document.adoptNode(each));
    const same = find(`#message-${seq}`, exchange);
    if (same !== null) {
      const article = fresh.find((each) => each.tagName === "ARTICLE");
      if (article instanceof HTMLElement) replace(same, article);
      return;
    }
    const next = [...exchange.children].find((each) =>
      Number(each instanceof HTMLElement ? each.dataset.seq : 0) > seq
    );
    for (const each of fresh) exchange.insertBefore(each, next ?? null);
    const count = find("#count");
    const said = Number.parseInt(count?.textContent ?? "0") + 1;
    if (count !== null) count.textContent = `${said} message${said === 1 ? "" : "s"}`;
    dropDoubled(exchange);
  }

  /** @param {{ inputTokens: number, outputTokens: number, costUsd: number | "unknown" }} usage */
  tellUsage({ inputTokens, outputTokens, costUsd }) {
    const cost = find("#cost");
    if (cost === null) return;
    const money = costUsd === "unknown" ? "cost unknown" : `$${costUsd.toFixed(4)}`;
    cost.textContent = `${inputTokens.toLocaleString("en")} tokens read, ${
      outputTokens.toLocaleString("en")
    } written · ${money}`;
  }

  /** @param {any} turn */
  tellNow({ name, kind, phase, round }) {
    const now = find("#now");
    const place = `${phase}${round > 0 ? `, round ${round}` : ""}`.replaceAll("_", " ");
    if (now !== null) now.textContent = `${place} · next: ${name}, ${kind.replaceAll("_", " ")}`;
  }

  /**
   * Where a turn's words appear as they come.
   * @param {any} turn
   * @returns {HTMLElement | null}
   */
  draft(turn) {
    const speaking = find("#speaking");
    // What was told before is told again to whoever comes back: it has been said already.
    if (speaking === null || find(`#message-${turn.seq}`) !== null) return null;
    const known = [...speaking.children].find((each) =>
      each instanceof HTMLElement && each.dataset.turn === turn.turn
    );
    if (known instanceof HTMLElement) return known;
    const draft = document.createElement("div");
    draft.className = "message draft";
    draft.dataset.turn = turn.turn;
    const by = document.createElement("p");
    by.className = "heading";
    by.textContent = turn.name;
    const note = document.createElement("span");
    note.className = "note";
    note.textContent = ` ${turn.kind.replaceAll("_", " ")}, speaking`;
    by.append(note);
    const words = document.createElement("p");
    words.className = "words";
    words.dir = "auto";
    draft.append(by, words);
    speaking.append(draft);
    return draft;
  }

  /**
   * @param {any} turn
   * @param {string} text
   */
  say(turn, text) {
    const draft = this.draft(turn);
    if (draft !== null) find(".words", draft)?.append(text);
    const preview = find(
      `[data-debater="${CSS.escape(turn.participant)}"][data-status="running"] .preview`,
    );
    if (preview !== null && (preview.textContent ?? "").length < 280) preview.append(text);
  }

  /**
   * @param {any} turn
   * @param {string} reason
   */
  reset(turn, reason) {
    const draft = [...document.querySelectorAll("#speaking [data-turn]")].find((each) =>
      each instanceof HTMLElement && each.dataset.turn === turn.turn
    );
    const [words, note] = draft === undefined ? [] : [find(".words", draft), find(".note", draft)];
    if (words) words.textContent = "";
    if (note) note.textContent = ` ${reason}`;
  }

  /** @param {string} turn */
  drop(turn) {
    for (const each of document.querySelectorAll("#speaking [data-turn]")) {
      if (each instanceof HTMLElement && each.dataset.turn === turn) each.remove();
    }
  }
}

/**
 * Messages of one part can come in any order: each brings its heading, and the first one's stays.
 * @param {HTMLElement} exchange
 */
function dropDoubled(exchange) {
  let last = "";
  for (const each of [...exchange.children]) {
    if (each.tagName !== "H3") continue;
    const words = each.textContent ?? "";
    if (words === last) each.remove();
    last = words;
  }
}

makeTabs();
const followed = find("#convening[data-live]")?.dataset.live;
if (followed !== undefined) void new Follower(followed).follow();
