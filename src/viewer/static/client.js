// @ts-check
/// <reference lib="dom" />
// Entry point of the viewer's script, loaded by every page. Pages are complete without JavaScript.

import { makeContents, makeTabs } from "./contents.js";
import { Follower } from "./follower.js";
import { helpWithForms } from "./forms.js";
import { announce, BASE, find, load, replace, showLocalTimes } from "./parts.js";

/**
 * An event stream, and the part of the page that is reloaded after a change.
 * @typedef {object} Followed
 * @property {string} events path of the stream
 * @property {string} change name of the event of a change
 * @property {string} part selector of the part
 * @property {string} [end] words to announce at the event `end`
 */

/**
 * Follows a stream while the page is visible.
 * @param {Followed} followed
 */
function follow({ events: stream, change, part, end }) {
  /** @type {EventSource | undefined} */
  let events;
  let isLoading = false;
  let isStale = false;
  const showChange = async () => {
    isStale = isLoading;
    if (isLoading) return;
    isLoading = true;
    const fresh = find(part, await load(location.href) ?? new Document());
    const old = find(part);
    if (fresh !== null && old !== null) replace(old, fresh);
    isLoading = false;
    if (isStale) await showChange();
  };
  const close = () => {
    events?.close();
    events = undefined;
  };
  // A hidden page closes the stream, because browsers limit the number of connections.
  const listen = () => {
    if (document.hidden) return close();
    if (events !== undefined) return;
    events = new EventSource(`${BASE}${stream}`);
    // Browsers do not open a stream again after an error status, such as that of a proxy while the server restarts.
    events.addEventListener("error", () => {
      if (events?.readyState !== EventSource.CLOSED) return;
      close();
      setTimeout(() => void showChange().then(listen), 5000);
    });
    events.addEventListener(change, () => void showChange());
    if (end !== undefined) events.addEventListener("end", () => void finish(end));
  };
  /** @param {string} words */
  const finish = async (words) => {
    close();
    document.removeEventListener("visibilitychange", listen);
    await showChange();
    announce(words);
  };
  document.addEventListener("visibilitychange", listen);
  listen();
}

showLocalTimes(document);
makeTabs();
makeContents();
helpWithForms();
const followed = find("#convening[data-live]")?.dataset.live;
if (followed !== undefined) void new Follower(followed).follow();
const study = find("#study[data-live]")?.dataset.live;
if (study !== undefined) {
  follow({
    events: `/api/studies/${study}/events`,
    change: "progress",
    part: "#study",
    end: "The study's run has ended.",
  });
}
if (find("#archive") !== null) {
  follow({ events: "/api/archive/events", change: "change", part: "#archive" });
}
