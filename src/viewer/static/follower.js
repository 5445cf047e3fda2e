// @ts-check
/// <reference lib="dom" />
// Live updates of a convening's page. The size of the responses after an event does not grow with the convening.

import { makeTabs, showOutline } from "./contents.js";
import { restoreDrafts } from "./forms.js";
import { readShared } from "./sharing.js";
import { Speaking } from "./speaking.js";
import { announce, BASE, find, keepPlace, load, replace } from "./parts.js";

/** @typedef {{ n: number, type: string, [key: string]: any }} LiveEvent */

/** Milliseconds before the next request: while the convening runs or waits, and at rest. */
const AGAIN = { soon: 1500, later: 5000 };
/** Milliseconds without data after which a stream counts as broken; the server sends a comment every 15 s. */
const SILENCE = 40_000;
/** Milliseconds to collect parts before they are loaded (debounce). */
const COLLECT = 150;
/** Maximal number of parts that are loaded one by one; for more, the whole page is loaded. */
const MANY = 20;
/** Maximal number of elements in the exchange; the oldest are removed if they are above the visible part. */
const MOST = 400;
/** Page number that always leads to the last page of an exchange. */
const LAST_PAGE = "1000000";
/** Standings with further events, without any action of a person. */
const RUNS = ["queued", "running"];
/** Standings that a page shows without a reload. */
const MOVES = [...RUNS, "waiting"];

/** @param {number} ms */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function visible() {
  while (document.hidden) {
    await new Promise((resolve) => {
      document.addEventListener("visibilitychange", resolve, { once: true });
    });
  }
}

/** Follows the events of a convening and updates the page. */
export class Follower {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.last = Number(this.box?.dataset.after ?? 0);
    this.speaking = new Speaking();
    /** @type {Set<string>} */
    this.scheduled = new Set();
    /** @type {Promise<void>} */
    this.loading = Promise.resolve();
    this.lastEventAt = Date.now();
    /** True after a part could not be loaded, until the page is reloaded. */
    this.isStale = false;
  }

  /** Element of the convening; null after the convening is completed. */
  get box() {
    return find("#convening[data-live]");
  }

  get standing() {
    return find("#convening")?.dataset.standing ?? "";
  }

  async follow() {
    // Scroll to the latest words, unless the URL or the reader has chosen another position.
    if (location.hash === "" && scrollY === 0 && this.standing === "running") {
      find("#latest")?.scrollIntoView({ behavior: "instant" });
    }
    while (this.box !== null) {
      await visible();
      const hasAnswered = await this.listen();
      // A hidden page closes the stream; a visible page continues after the last event.
      if (document.hidden) continue;
      this.showLost(!hasAnswered);
      // The stream may have ended without an event about the reason.
      if (hasAnswered && RUNS.includes(this.standing)) this.schedule("page");
      await pause(AGAIN.soon);
      while (this.box !== null && !RUNS.includes(this.standing) && !await this.hasChanged()) {
        await pause(this.standing === "waiting" ? AGAIN.soon : AGAIN.later);
        await visible();
      }
    }
  }

  /** Reloads the page if the standing or the number of messages has changed; returns true after a change. */
  async hasChanged() {
    const loaded = await load(this.pathOf("status"));
    this.showLost(loaded === undefined);
    const found = find("#status", loaded ?? new Document());
    if (found === null) return false;
    const { standing, messages } = found.dataset;
    if (standing === this.standing && messages === find("#status")?.dataset.messages) return false;
    await this.reloadPage();
    return true;
  }

  /**
   * Listens until the stream ends or the page is hidden; tabs of the browser share the stream. Returns true if the server
   * answered.
   * @returns {Promise<boolean>}
   */
  async listen() {
    const ending = new AbortController();
    const { signal } = ending;
    const hide = () => document.hidden && ending.abort();
    document.addEventListener("visibilitychange", hide);
    this.lastEventAt = Date.now();
    const checking = setInterval(() => {
      if (this.standing === "queued") this.schedule("status");
      if (this.isStale) this.schedule("page");
      // The tab that reads the shared stream may have lost its connection.
      if (Date.now() - this.lastEventAt < AGAIN.later) return;
      this.lastEventAt = Date.now();
      void this.hasChanged();
    }, AGAIN.soon);
    try {
      return await readShared(this.id, {
        signal,
        after: () => this.last,
        take: (event) => this.take(event),
        read: (after, signal, take) => this.read(after, signal, take).catch(() => false),
        poll: async () => {
          await this.hasChanged();
          await pause(AGAIN.soon);
        },
      });
    } catch {
      return false;
    } finally {
      clearInterval(checking);
      document.removeEventListener("visibilitychange", hide);
      // The next stream begins with the words so far, which may be those of a later run.
      this.speaking.words.clear();
    }
  }

  /**
   * Reads a stream to its end. Returns true if the server answered with success.
   * @param {number} after
   * @param {AbortSignal} signal
   * @param {(event: LiveEvent) => void} take
   * @returns {Promise<boolean>}
   */
  async read(after, signal, take) {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      const answer = await fetch(`${BASE}/api/convenings/${this.id}/events`, {
        headers: { accept: "text/event-stream", "last-event-id": String(after) },
        signal: AbortSignal.any([signal, silence.signal]),
      });
      // The session has ended, or the convening was deleted: reload, which leads to the login page or says so.
      if ([401, 404].includes(answer.status)) location.reload();
      if (!answer.ok || answer.body === null) return answer.ok;
      this.showLost(false);
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
    this.lastEventAt = Date.now();
    this.showLost(false);
    if (event.n > 0 && event.n <= this.last) return;
    if (event.n > 0) this.last = event.n;
    this.show(event);
  }

  /** @param {LiveEvent} event */
  show(event) {
    if (event.usage !== undefined) this.schedule("status");
    switch (event.type) {
      case "message-delta":
        return void (this.speaking.append(event) && this.schedule("status"));
      case "message-reset":
        return this.speaking.reset(event.turn.turn, event.reason);
      case "convening-end":
        return this.schedule("page");
      case "convening-start":
      case "convening-resume":
        return this.showStanding("running");
      case "turn-start":
        this.showStanding("running");
        this.schedule("status");
        return this.schedule("board");
      case "turn-wait":
        this.speaking.words.delete(event.turn.turn);
        this.showStanding("waiting");
        return announce(`Waiting for ${event.turn.name}`);
      case "turn-answer":
        return this.showStanding("running");
      case "message":
        return this.message(event.message);
      case "turn-fail":
        this.speaking.words.delete(event.failure.turn);
        this.schedule("status");
        return this.schedule("board");
      case "stage":
        return this.schedule("board");
      case "score":
        this.schedule("scores");
        return this.schedule(String(event.score.message));
      case "fact-check":
        return this.schedule(String(event.factCheck.message));
    }
  }

  /**
   * Reloads the parts of the page that depend on the standing, or the whole page if it shows a result.
   * @param {"running" | "waiting"} standing
   */
  showStanding(standing) {
    if (this.standing === standing && standing === "running") return;
    if (find("#result") !== null) return this.schedule("page");
    for (const part of ["status", "controls", "board"]) this.schedule(part);
  }

  /** @param {any} message */
  message({ seq, name, turn }) {
    announce(`${name} has spoken, message ${seq}`);
    this.speaking.words.delete(turn);
    this.schedule(String(seq));
    this.schedule("board");
    // The person for whom these messages are folded may have spoken.
    for (const folded of document.querySelectorAll("article:has(> .folded)")) {
      this.schedule(folded instanceof HTMLElement ? folded.dataset.seq ?? "" : "");
    }
  }

  /** @param {string} part */
  pathOf(part) {
    return `${BASE}/convenings/${this.id}/parts/${part}`;
  }

  /**
   * Schedules the reload of a part; repeated calls within {@link COLLECT} load the part once.
   * @param {string} part
   */
  schedule(part) {
    if (part === "board" && find("#board") === null) return;
    if (this.scheduled.size === 0) {
      setTimeout(() => this.loading = this.loading.then(() => this.loadScheduled()), COLLECT);
    }
    this.scheduled.add(part);
  }

  async loadScheduled() {
    // Messages first: a message replaces its turn in progress, which the status then lacks.
    const parts = [...this.scheduled].sort();
    this.scheduled.clear();
    if (parts.includes("page") || parts.length > MANY) return await this.reloadPage();
    for (const part of parts) {
      if (/^\d+$/.test(part)) await this.insert(Number(part));
      else await this.refresh(part);
    }
  }

  /**
   * Loads the page or a part of the page.
   * @param {string} path
   */
  async load(path) {
    const loaded = await load(path);
    this.isStale ||= loaded === undefined;
    return loaded ?? document.implementation.createHTMLDocument();
  }

  /** Reloads the whole page, because a start or an end changes which parts the page has. */
  async reloadPage() {
    const fresh = find("#convening", await this.load(pageAddress()));
    const old = find("#convening");
    if (fresh === null || old === null) return;
    this.isStale = false;
    const [was, is] = [old.dataset.standing, fresh.dataset.standing];
    const change = () => keepPlace(() => replace(old, document.adoptNode(fresh)));
    if (fresh.dataset.live === undefined) change();
    else {
      this.last = Math.max(this.last, Number(fresh.dataset.after));
      this.speaking.keepInView(change);
    }
    this.speaking.showWords();
    showTitle();
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
    const loaded = await this.load(this.pathOf(part));
    const fresh = find(`#${part}`, loaded);
    if (fresh === null || !old.isConnected) return;
    const { standing } = fresh.dataset;
    // A page that shows the end must have all messages.
    if (standing !== undefined && !MOVES.includes(standing)) return await this.reloadPage();
    if (this.box !== null && standing !== undefined) this.box.dataset.standing = standing;
    // An unchanged part stays: a reader's selection, or the place of a screen reader, may be in it.
    if (old.outerHTML !== fresh.outerHTML) replace(old, document.adoptNode(fresh));
    if (part === "status") this.speaking.sync(loaded);
    showTitle();
    restoreDrafts();
  }

  /**
   * Inserts a message in order; replaces the draft or an earlier version of the message.
   * @param {number} seq
   */
  async insert(seq) {
    const exchange = find("#exchange");
    const isLast = exchange?.dataset.last !== undefined;
    if (exchange === null || !isLast && find(`#message-${seq}`) === null) return;
    const loaded = await this.load(this.pathOf(String(seq)));
    const fresh = [...loaded.body.children].map((each) => document.adoptNode(each));
    if (fresh.length === 0 || !exchange.isConnected) return;
    find("#nothing")?.remove();
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
      find(`#speaking > [data-seq="${seq}"]`)?.remove();
    });
    dropDoubled(exchange);
    dropOldest(exchange);
    showOutline();
  }

  /** @param {boolean} isLost */
  showLost(isLost) {
    const lost = find("#lost");
    if (lost === null || lost.hidden !== isLost) return;
    lost.hidden = !isLost;
    announce(isLost ? lost.textContent ?? "" : "");
  }
}

/**
 * Shows a link to a result that is above the visible part of the page.
 * @param {HTMLElement} result
 */
function pointTo(result) {
  const note = document.createElement("p");
  note.className = "ended";
  const link = document.createElement("a");
  link.href = `#${result.id}`;
  link.textContent = "The convening has ended: to the result";
  link.addEventListener("click", () => note.remove());
  note.append(link);
  find("#main")?.prepend(note);
}

/** Updates the title of the window to the convening's standing. */
function showTitle() {
  const title = find("#status")?.dataset.title;
  if (title !== undefined) document.title = `${title} · Convenings`;
}

/** Returns the URL that reloads the same page of the exchange; without a number, an ended convening shows its first page. */
function pageAddress() {
  const address = new URL(location.href);
  address.searchParams.delete("done");
  const { page, last } = find("#exchange")?.dataset ?? {};
  if (page !== undefined) address.searchParams.set("page", last === undefined ? page : LAST_PAGE);
  return address.href;
}

/**
 * Removes repeated headings. Messages are loaded in any order, and each comes with the heading of its phase.
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
 * Removes the oldest messages of a long page; earlier pages of the exchange show them.
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
