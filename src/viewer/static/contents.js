// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// The contents of a convening's page: new messages in the outline, keys that move between messages, links to messages of
// other pages.

import { find } from "./parts.js";

/** The elements of the exchange that the outline names: headings and messages. */
const NAMED = ".exchange > :is(h3.phase, article.message)";

/** Brings the outline to what the exchange shows now. */
export function showOutline() {
  const outline = find("#outline");
  if (outline === null) return;
  outline.replaceChildren(...[...document.querySelectorAll(NAMED)].map((each) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const { seq = "", side } = each instanceof HTMLElement ? each.dataset : {};
    link.href = `#${each.id}`;
    const isTurn = each.tagName === "ARTICLE";
    item.className = isTurn ? "turn" : "";
    link.textContent = isTurn
      ? `${seq} ${each.querySelector("h4 bdi")?.textContent ?? ""}`
      : each.textContent;
    if (side !== undefined) item.dataset.side = side;
    item.append(link);
    return item;
  }));
}

/** Leads to the page that shows the message of the address, if this one does not. */
function goToMessage() {
  const [, seq] = /^#message-(\d+)$/.exec(location.hash) ?? [];
  const exchange = find("#exchange");
  if (seq === undefined || exchange === null || find(`#message-${seq}`) !== null) return;
  // A message that there is not leads nowhere.
  if (sessionStorage.getItem("went") === location.href) return;
  sessionStorage.setItem("went", location.href);
  location.assign(`${location.pathname}/message?seq=${seq}`);
}

/**
 * Moves the focus by a number of messages, from the focused one if that is in view, else to the first that is.
 * @param {1 | -1} step
 */
function moveBy(step) {
  const messages = [...document.querySelectorAll("article.message")];
  const isSeen = (/** @type {Element} */ each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const at = messages.findIndex((each) => each.contains(document.activeElement) && isSeen(each));
  const next = at === -1 ? messages.find(isSeen) ?? messages[0] : messages[at + step];
  if (!(next instanceof HTMLElement)) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** @type {Readonly<Record<string, () => void>>} */
const KEYS = {
  j: () => moveBy(1),
  k: () => moveBy(-1),
  "/": () => find("[role=search] input")?.focus(),
  "?": () => {
    const keys = find("#keys");
    if (keys instanceof HTMLDialogElement) keys.showModal();
  },
};

/** Takes keys outside fields, and links to messages wherever they stand. */
export function makeContents() {
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    const isTyping = target instanceof HTMLElement && target.matches("input, textarea, select");
    if (isTyping || ctrlKey || metaKey || altKey || !Object.hasOwn(KEYS, key)) return;
    if (find("dialog[open]") !== null) return;
    event.preventDefault();
    KEYS[key]?.();
  });
  addEventListener("hashchange", goToMessage);
  goToMessage();
}
