// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// Few streams for many tabs: browsers open six connections to a server, whatever the number of tabs.

/** @typedef {import("./follower.js").LiveEvent} LiveEvent */

/**
 * @typedef {object} Reader
 * @property {AbortSignal} signal ends the reading
 * @property {() => number} after the number of the last event that was taken
 * @property {(event: LiveEvent) => void} take
 * @property {(after: number, signal: AbortSignal, take: (event: LiveEvent) => void) => Promise<boolean>} read
 *   reads a stream to its end; false if the server does not answer
 * @property {() => Promise<unknown>} poll asks without a stream, and pauses
 */

/** The locks of the streams that the tabs of a browser may hold at once. */
const PLACES = ["convenings-1", "convenings-2", "convenings-3"];
/** The time between two announcements of a tab, in milliseconds. */
const BEAT = 1000;

/**
 * Reads the events of a convening. The tabs that show it have one stream together: the tab that holds the lock reads, and
 * sends every event to the others. Without a stream, events are polled for. Returns the result of `read`.
 * @param {string} id
 * @param {Reader} reader
 * @returns {Promise<boolean>}
 */
export async function readShared(id, reader) {
  // Browsers keep locks to secure addresses: TLS, and this machine.
  if (navigator.locks === undefined) return await readUnshared(reader);
  const { signal, after, take, read } = reader;
  const channel = new BroadcastChannel(id);
  let isLeading = false;
  let from = Infinity;
  let again = new AbortController();
  channel.onmessage = ({ data: { event, joined } }) => {
    if (joined !== undefined) {
      if (!isLeading) return;
      // A stream from the other tab's last event has every event that it missed.
      from = Math.min(from, joined);
      again.abort();
    } else if (event === undefined || event.n > after() + 1) {
      channel.postMessage({ joined: after() });
    } else if (!isLeading) take(event);
  };
  channel.postMessage({ joined: after() });
  try {
    return await navigator.locks.request(id, { signal }, () =>
      inPlace(reader, async () => {
        isLeading = true;
        // Tabs that came while nobody led have not been heard: each says again from where it has read.
        channel.postMessage({});
        for (;;) {
          again = new AbortController();
          const start = Math.min(from, after());
          from = Infinity;
          const isHeard = await read(start, AbortSignal.any([signal, again.signal]), (event) => {
            take(event);
            channel.postMessage({ event });
          });
          if (signal.aborted || !again.signal.aborted) return isHeard;
        }
      }));
  } finally {
    channel.close();
  }
}

/**
 * Calls `use` in one of the places, once one is free.
 * @param {Reader} reader
 * @param {() => Promise<boolean>} use
 * @returns {Promise<boolean>}
 */
async function inPlace({ signal, poll }, use) {
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
 * Reads without locks: tabs announce themselves to each other, and the oldest hold a stream each.
 * @param {Reader} reader
 * @returns {Promise<boolean>}
 */
async function readUnshared({ signal, after, take, read, poll }) {
  const own = Date.now() + Math.random();
  /** @type {Map<number, number>} the last announcements of older tabs, by their age */
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
