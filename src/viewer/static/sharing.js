// @ts-check
/// <reference lib="dom" />
// Sharing of event streams between tabs. Browsers open at most six connections to a server, for all tabs together.

/** @typedef {import("./follower.js").LiveEvent} LiveEvent */

/**
 * @typedef {object} Reader
 * @property {AbortSignal} signal ends the reading
 * @property {() => number} after returns the number of the last event of this tab
 * @property {(event: LiveEvent) => void} take called with each event
 * @property {(after: number, signal: AbortSignal, take: (event: LiveEvent) => void) => Promise<boolean>} read
 *   reads a stream to its end; false if the server does not answer
 * @property {() => Promise<unknown>} poll checks for changes without a stream, then pauses
 */

/** Names of locks; each allows one open stream, for all tabs of the browser. */
const PLACES = ["convenings-1", "convenings-2", "convenings-3"];
/** Milliseconds between two heartbeats of a tab. */
const BEAT = 1000;

/**
 * Reads the events of a convening. Tabs with the same convening share one stream: the tab that holds the lock reads the
 * stream and broadcasts every event to the other tabs. While no stream is free, the tab polls. Returns the result of `read`.
 * @param {string} id
 * @param {Reader} reader
 * @returns {Promise<boolean>}
 */
export async function readShared(id, reader) {
  // The Web Locks API needs a secure context: TLS or localhost.
  if (navigator.locks === undefined) return await readUnshared(reader);
  const { signal, after, take, read } = reader;
  const channel = new BroadcastChannel(id);
  let isLeading = false;
  let from = Infinity;
  let again = new AbortController();
  channel.onmessage = ({ data: { event, joined } }) => {
    if (joined !== undefined) {
      if (!isLeading) return;
      // Restart the stream after the last event of the tab that joined, so that it gets the missed events.
      from = Math.min(from, joined);
      again.abort();
    } else if (event === undefined || event.n > after() + 1) {
      channel.postMessage({ joined: after() });
    } else if (!isLeading) take(event);
  };
  channel.postMessage({ joined: after() });
  try {
    return await navigator.locks.request(id, { signal }, () =>
      withLock(reader, async () => {
        isLeading = true;
        // Ask tabs that joined before this tab led to send their last event number again.
        channel.postMessage({});
        for (;;) {
          again = new AbortController();
          const start = Math.min(from, after());
          from = Infinity;
          const hasAnswered = await read(
            start,
            AbortSignal.any([signal, again.signal]),
            (event) => {
              take(event);
              channel.postMessage({ event });
            },
          );
          if (signal.aborted || !again.signal.aborted) return hasAnswered;
        }
      }));
  } finally {
    channel.close();
  }
}

/**
 * Waits for a free lock of {@link PLACES} and calls `use` while holding the lock; polls while waiting.
 * @param {Reader} reader
 * @param {() => Promise<boolean>} use
 * @returns {Promise<boolean>}
 */
async function withLock({ signal, poll }, use) {
  while (!signal.aborted) {
    for (const place of PLACES) {
      /** @type {boolean | undefined} */
      const used = await navigator.locks.request(
        place,
        { ifAvailable: true },
        (lock) => lock === null ? undefined : use(),
      );
      if (used !== undefined) return used;
    }
    await poll();
  }
  return false;
}

/**
 * Reads without the Web Locks API: tabs send heartbeats to each other, and the oldest tabs open a stream each.
 * @param {Reader} reader
 * @returns {Promise<boolean>}
 */
async function readUnshared({ signal, after, take, read, poll }) {
  const own = Date.now() + Math.random();
  /** @type {Map<number, number>} time of the last heartbeat of each older tab, by the tab's start time */
  const older = new Map();
  const channel = new BroadcastChannel("convenings");
  channel.onmessage = ({ data }) => {
    if (data < own) older.set(data, Date.now());
  };
  const beat = setInterval(() => channel.postMessage(own), BEAT);
  try {
    for (;;) {
      await poll();
      if (signal.aborted) return false;
      const alive = [...older.values()].filter((at) => Date.now() - at < 3 * BEAT);
      if (alive.length < PLACES.length) return await read(after(), signal, take);
    }
  } finally {
    clearInterval(beat);
    channel.close();
  }
}
