// @ts-check
/// <reference lib="dom" />
// Live updates of a convening's page. The size of the responses after an event does not grow with the convening.

import { makeTabs, showOutline } from "./contents.js";
import { restoreDrafts } from "./forms.js";
import { Speaking } from "./speaking.js";
import { announce, BASE, find, keepPlace, load, replace } from "./parts.js";

/** @typedef {{ n: number, type: string, [key: string]: any }} LiveEvent */

/** Milliseconds before the next request: while the convening runs or waits, and at rest. */
const AGAIN = { soon: 1500, later: 5000 };
/**
 * Names of locks, each for one open stream: browsers open six connections to a server, for all tabs together. Pages without a
 * lock poll.
 */
const PLACES = ["convenings-1", "convenings-2", "convenings-3"];
/** Milliseconds between two heartbeats of a tab without locks. */
const BEAT = 1000;
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
    await visible();
    let isDue = true;
    while (this.box !== null) {
      if (isDue) await this.listen();
      await pause(MOVES.includes(this.standing) ? AGAIN.soon : AGAIN.later);
      await visible();
      isDue = await this.hasChanged() || RUNS.includes(this.standing);
    }
  }

  /**
   * Reloads the page if the standing or the number of messages has changed; returns true after a change. Without a change shows
   * the current status: the place in the queue has no event, and a page without a stream has none of the speakers.
   */
  async hasChanged() {
    const shown = find("#status");
    const loaded = await load(this.pathOf("status"));
    this.showLost(loaded === undefined);
    const found = find("#status", loaded);
    if (loaded === undefined || found === null) return false;
    const { standing, messages } = found.dataset;
    if (
      this.isStale || standing !== this.standing || messages !== find("#status")?.dataset.messages
    ) {
      await this.reloadPage();
      return true;
    }
    if (MOVES.includes(standing)) await this.showPart("status", { shown, loaded });
    return false;
  }

  /** Reads the stream in one of {@link PLACES}; returns at once if all are taken. */
  async listen() {
    // The Web Locks API needs a secure context: TLS or localhost.
    if (navigator.locks === undefined) return await this.listenByAge();
    for (const place of PLACES) {
      const isFree = await navigator.locks.request(place, { ifAvailable: true }, async (lock) => {
        if (lock !== null) await this.read();
        return lock !== null;
      });
      if (isFree) return;
    }
  }

  /**
   * Reads the stream once fewer tabs than {@link PLACES} have followed a convening for longer; polls until then. Visible tabs send
   * heartbeats to each other.
   */
  async listenByAge() {
    const own = Date.now() + Math.random();
    /** @type {Map<number, number>} time of the last heartbeat of each older tab, by the tab's start */
    const older = new Map();
    const isFree = () =>
      [...older.values()].filter((at) => Date.now() - at < 3 * BEAT).length < PLACES.length;
    const channel = new BroadcastChannel("convenings");
    channel.onmessage = ({ data }) => {
      if (data < own) older.set(data, Date.now());
    };
    const beating = setInterval(() => channel.postMessage(own), BEAT);
    do {
      await this.hasChanged();
      await pause(AGAIN.soon);
    } while (!document.hidden && this.box !== null && !isFree());
    if (this.box !== null) await this.read();
    clearInterval(beating);
    channel.close();
  }

  /** Shows the events of the stream until the stream ends or breaks, or the page is hidden. */
  async read() {
    if (document.hidden) return;
    const { promise, resolve } = Promise.withResolvers();
    const events = new EventSource(`${BASE}/api/convenings/${this.id}/events?after=${this.last}`);
    events.addEventListener("error", resolve);
    document.addEventListener("visibilitychange", resolve, { once: true });
    for (const type of Object.keys(HANDLERS)) {
      events.addEventListener(type, ({ data }) => this.take(JSON.parse(data)));
    }
    this.lastEventAt = Date.now();
    const checking = setInterval(async () => {
      if (this.isStale) this.schedule("page");
      if (Date.now() - this.lastEventAt < AGAIN.later) return;
      this.lastEventAt = Date.now();
      // A stream that did not send the change has lost its connection.
      if (await this.hasChanged()) resolve(undefined);
    }, AGAIN.soon);
    await promise;
    clearInterval(checking);
    events.close();
    // The next stream begins with the words so far, which may be those of a later run.
    this.speaking.words.clear();
  }

  /** @param {LiveEvent} event */
  take(event) {
    this.lastEventAt = Date.now();
    this.showLost(false);
    if (event.n > 0 && event.n <= this.last) return;
    if (event.n > 0) this.last = event.n;
    if (event.usage !== undefined) this.schedule("status");
    HANDLERS[event.type]?.(this, event);
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
    const shown = find(`#${part}`);
    if (shown === null) return;
    await this.showPart(part, { shown, loaded: await this.load(this.pathOf(part)) });
  }

  /**
   * Replaces a part by a loaded one, unless the part was replaced while it was loaded.
   * @param {string} part
   * @param {{ shown: HTMLElement | null, loaded: ParentNode }} place
   */
  async showPart(part, { shown, loaded }) {
    const fresh = find(`#${part}`, loaded);
    if (fresh === null || !shown?.isConnected) return;
    const { standing } = fresh.dataset;
    // A page that shows the end must have all messages.
    if (standing !== undefined && !MOVES.includes(standing)) return await this.reloadPage();
    if (this.box !== null && standing !== undefined) this.box.dataset.standing = standing;
    // An unchanged part stays: a reader's selection, or the place of a screen reader, may be in it.
    if (shown.outerHTML !== fresh.outerHTML) replace(shown, document.adoptNode(fresh));
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

const showsUsage = () => {};

/**
 * What a page shows of an event, by the type of the event.
 * @type {Readonly<Record<string, (page: Follower, event: LiveEvent) => void>>}
 */
const HANDLERS = {
  "message-delta": (page, event) => void (page.speaking.append(event) && page.schedule("status")),
  "message-reset": (page, { turn, reason }) => page.speaking.reset(turn.turn, reason),
  "convening-start": (page) => page.showStanding("running"),
  "convening-resume": (page) => page.showStanding("running"),
  "convening-end": (page) => page.schedule("page"),
  "turn-start": (page) => {
    page.showStanding("running");
    page.schedule("status");
    page.schedule("board");
  },
  "turn-wait": (page, { turn }) => {
    page.speaking.words.delete(turn.turn);
    page.showStanding("waiting");
    announce(`Waiting for ${turn.name}`);
  },
  "turn-answer": (page) => page.showStanding("running"),
  "turn-fail": (page, { failure }) => {
    page.speaking.words.delete(failure.turn);
    page.schedule("status");
    page.schedule("board");
  },
  message: (page, { message }) => page.message(message),
  stage: (page) => page.schedule("board"),
  score: (page, { score }) => {
    page.schedule("scores");
    page.schedule(String(score.message));
  },
  "fact-check": (page, { factCheck }) => page.schedule(String(factCheck.message)),
  verdict: showsUsage,
  stance: showsUsage,
  flow: showsUsage,
};

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
