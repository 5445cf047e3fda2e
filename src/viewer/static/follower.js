// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// A convening that goes on: what is said appears while it is said. What a page asks for at an event is small, however
// long the convening is.

import { restoreDrafts } from "./drafts.js";
import { readShared } from "./sharing.js";
import { Speaking } from "./speaking.js";
import { announce, find, keepPlace, load, replace } from "./parts.js";
import { makeTabs } from "./tabs.js";

/** @typedef {{ n: number, type: string, [key: string]: any }} LiveEvent */

/** How long to wait before asking again, in milliseconds: while something is to come, and after an end. */
const AGAIN = { soon: 1500, later: 5000 };
/** How long a stream may be silent before it is given up, in milliseconds: the server sends a sign of life every 15 s. */
const SILENCE = 40_000;
/** How long what is to be loaded is collected, in milliseconds. */
const COLLECT = 150;
/** From how many messages on the whole page is loaded in their place. */
const MANY = 20;
/** How many messages a page holds before the oldest that are out of sight are left out. */
const MOST = 400;
/** The last page of an exchange, whatever its number. */
const LAST_PAGE = "1000000";
/** Where nothing comes of itself. */
const RESTS = ["waiting", "paused", "stopped", "failed", "interrupted"];

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Resolves once the page is visible. */
async function visible() {
  while (document.hidden) {
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
    });
  }
}

/** Follows one convening: shows what is said while it is said. */
export class Follower {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.last = Number(this.box?.dataset.after ?? 0);
    this.speaking = new Speaking(JSON.parse(this.box?.dataset.plan ?? "{}"));
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {Promise<void>} */
    this.loading = Promise.resolve();
    this.heardAt = Date.now();
  }

  /** What is followed; null once it is complete. */
  get box() {
    return find("#convening[data-live]");
  }

  get standing() {
    return find("#convening")?.dataset.standing ?? "";
  }

  async follow() {
    while (this.box !== null) {
      await visible();
      const isHeard = await this.listen();
      // A hidden page holds no stream; it goes on where it was once it is visible.
      if (document.hidden) continue;
      this.tellLost(!isHeard);
      // The stream has ended, and the page may not know how.
      if (isHeard && !RESTS.includes(this.standing)) await this.turnPage();
      await pause(AGAIN.soon);
      while (this.box !== null && RESTS.includes(this.standing) && !await this.goesOn()) {
        await pause(this.standing === "waiting" ? AGAIN.soon : AGAIN.later);
        await visible();
      }
    }
  }

  /** Whether something has happened that the page does not show yet; the page then shows it. */
  async goesOn() {
    const loaded = await load(this.pathOf("standing"));
    this.tellLost(loaded === undefined);
    const found = find("#standing", loaded ?? new Document());
    if (found === null) return false;
    const { standing, messages } = found.dataset;
    if (standing === this.standing && messages === this.box?.dataset.messages) return false;
    await this.turnPage();
    return true;
  }

  /**
   * Listens, with the other tabs of the browser, until the stream ends or the page is hidden. Gives whether the server
   * answered.
   * @returns {Promise<boolean>}
   */
  async listen() {
    const ending = new AbortController();
    const { signal } = ending;
    const hide = () => document.hidden && ending.abort();
    document.addEventListener("visibilitychange", hide);
    this.heardAt = Date.now();
    const checking = setInterval(() => {
      if (this.standing === "queued") this.later("status");
      // The tab that reads for this one may have no stream, or no server.
      if (Date.now() - this.heardAt < AGAIN.later) return;
      this.heardAt = Date.now();
      void this.goesOn();
    }, AGAIN.soon);
    try {
      return await readShared(this.id, {
        signal,
        after: () => this.last,
        take: (event) => this.take(event),
        read: (after, signal, take) => this.read(after, signal, take).catch(() => false),
        poll: async () => {
          await this.goesOn();
          await pause(AGAIN.soon);
        },
      });
    } catch {
      return false;
    } finally {
      clearInterval(checking);
      document.removeEventListener("visibilitychange", hide);
    }
  }

  /**
   * Reads a stream until its end. Gives whether there was one.
   * @param {number} after
   * @param {AbortSignal} signal
   * @param {(event: LiveEvent) => void} take
   * @returns {Promise<boolean>}
   */
  async read(after, signal, take) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      const answer = await fetch(`/api/convenings/${this.id}/events`, {
        headers: { accept: "text/event-stream", "last-event-id": String(after) },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      // The session has ended: the page gives way to the login.
      if (answer.status === 401) location.reload();
      if (!answer.ok || answer.body === null) return answer.ok;
      this.tellLost(false);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return true;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE);
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = block.split("\n").filter((line) => line.startsWith("data:"))
            .map((line) => line.slice(5)).join("\n");
          if (data !== "") take(JSON.parse(data));
        }
      }
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param {LiveEvent} event */
  take(event) {
    this.heardAt = Date.now();
    this.tellLost(false);
    if (event.n > 0 && event.n <= this.last) return;
    if (event.n > 0) this.last = event.n;
    this.show(event);
  }

  /** @param {LiveEvent} event */
  show(event) {
    if (event.usage !== undefined) tellUsage(event.usage);
    this.speaking.hear(event);
    switch (event.type) {
      case "convening-end":
        return this.later("page");
      case "convening-start":
      case "convening-resume":
        return this.turn("running");
      case "turn-start":
        this.turn("running");
        return this.later("board");
      case "turn-wait":
        this.turn("waiting");
        return announce(`${event.turn.name} is waited for`);
      case "turn-answer":
        return this.turn("running");
      case "message":
        return this.message(event.message);
      case "turn-fail":
      case "stage":
        return this.later("board");
      case "score":
        return this.later(String(event.score.message));
      case "fact-check":
        return this.later(String(event.factCheck.message));
    }
  }

  /**
   * What it is now told to be: a page that says otherwise is brought up to date, as little of it as will do.
   * @param {"running" | "waiting"} standing
   */
  turn(standing) {
    if (this.standing === standing && standing === "running") return;
    if (find("#result") !== null) return this.later("page");
    for (const part of ["status", "controls", "board"]) this.later(part);
  }

  /** @param {any} message */
  message({ seq, name }) {
    announce(`${name} has spoken, message ${seq}`);
    const { box } = this;
    const count = Number(box?.dataset.messages ?? 0) + 1;
    if (box !== null) box.dataset.messages = String(count);
    const counter = find("#count");
    if (counter !== null) counter.textContent = `${count} message${count === 1 ? "" : "s"}`;
    this.later(String(seq));
    this.later("board");
  }

  /** @param {string} part */
  pathOf(part) {
    return `/convenings/${this.id}/parts/${part}`;
  }

  /**
   * Loads a part anew, once for all that asks for it at a time, one after the other.
   * @param {string} part
   */
  later(part) {
    if (part === "board" && find("#board") === null) return;
    if (this.asked.size === 0) {
      setTimeout(() => this.loading = this.loading.then(() => this.loadAsked()), COLLECT);
    }
    this.asked.add(part);
  }

  async loadAsked() {
    const asked = [...this.asked];
    this.asked.clear();
    if (asked.includes("page") || asked.length > MANY) return await this.turnPage();
    for (const part of asked) {
      if (/^\d+$/.test(part)) await this.insert(Number(part));
      else await this.refresh(part);
    }
  }

  /** The whole page anew: its parts are others after a beginning or an end. */
  async turnPage() {
    const fresh = find("#convening", await load(pageAddress()) ?? new Document());
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
    keepPlace(() => replace(old, document.adoptNode(fresh)));
    makeTabs();
    restoreDrafts();
    const result = find("#result");
    if (was !== is) announce(result?.textContent ?? find(".badge")?.textContent ?? "");
    if (was !== is && result !== null && result.getBoundingClientRect().bottom < 0) {
      pointTo(result);
    }
  }

  /** @param {string} part */
  async refresh(part) {
    const old = find(`#${part}`);
    if (old === null) return;
    const fresh = find(`#${part}`, await load(this.pathOf(part)) ?? new Document());
    if (fresh === null || !old.isConnected) return;
    const { box } = this;
    if (box !== null && fresh.dataset.standing !== undefined) {
      box.dataset.standing = fresh.dataset.standing;
    }
    replace(old, document.adoptNode(fresh));
    restoreDrafts();
  }

  /**
   * Puts a message where it belongs, in the place of its draft or of how it was shown before.
   * @param {number} seq
   */
  async insert(seq) {
    const exchange = find("#exchange");
    const isLast = exchange?.dataset.last !== undefined;
    if (exchange === null || !isLast && find(`#message-${seq}`) === null) return;
    const loaded = await load(this.pathOf(String(seq)));
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
      Number(each instanceof HTMLElement ? each.dataset.seq ?? 0 : 0) > seq
    );
    this.speaking.keepInView(() => {
      for (const each of fresh) exchange.insertBefore(each, next ?? find("#speaking"));
      this.speaking.drop(seq);
    });
    dropDoubled(exchange);
    dropOldest(exchange);
  }

  /** @param {boolean} isLost */
  tellLost(isLost) {
    const lost = find("#lost");
    if (lost === null || lost.hidden !== isLost) return;
    lost.hidden = !isLost;
    announce(isLost ? lost.textContent ?? "" : "");
  }
}

/**
 * Tells a reader who is far below that there is something new at the top.
 * @param {HTMLElement} result
 */
function pointTo(result) {
  const note = document.createElement("p");
  note.className = "ended";
  const link = document.createElement("a");
  link.href = `#${result.id}`;
  link.textContent = "It has ended: to the result";
  link.addEventListener("click", () => note.remove());
  note.append(link);
  find("#main")?.prepend(note);
}

/** Where the same part of the exchange is shown: once it is over, a page without a number begins with the first one. */
function pageAddress() {
  const address = new URL(location.href);
  address.searchParams.delete("done");
  const { page, last } = find("#exchange")?.dataset ?? {};
  if (page !== undefined) address.searchParams.set("page", last === undefined ? page : LAST_PAGE);
  return address.href;
}

/** @param {{ inputTokens: number, outputTokens: number, costUsd: number | "unknown", pricedBy?: string }} usage */
function tellUsage({ inputTokens, outputTokens, costUsd, pricedBy = "" }) {
  const cost = find("#cost");
  if (cost === null) return;
  const money = costUsd === "unknown"
    ? "cost unknown"
    : `$${costUsd.toFixed(4)}${pricedBy.includes("estimated") ? " (estimated)" : ""}`;
  cost.textContent = `${inputTokens.toLocaleString("en")} tokens read, ${
    outputTokens.toLocaleString("en")
  } written · ${money}`;
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

/**
 * A page that stays open for long holds the last messages; the pages of the exchange have the others.
 * @param {HTMLElement} exchange
 */
function dropOldest(exchange) {
  const tooMany = exchange.children.length - MOST;
  if (tooMany <= 0) return;
  keepPlace(() => {
    for (const each of [...exchange.children].slice(0, tooMany)) {
      if (
        each.id === "speaking" || each.getBoundingClientRect().bottom > 0 ||
        each.contains(document.activeElement)
      ) return;
      each.remove();
    }
  });
}
