// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// What happens while a page is open. Pages are whole without it.

import { keepDrafts } from "./drafts.js";
import { Follower } from "./follower.js";
import { announce, find } from "./parts.js";
import { makeTabs } from "./tabs.js";

/** While the server is lost, a form stays on the page instead of giving way to the browser's own error. */
function holdForms() {
  document.addEventListener("submit", (event) => {
    const lost = find("#lost");
    if (lost === null || lost.hidden) return;
    event.preventDefault();
    announce(lost.textContent ?? "");
  });
}

/** A form whose answer takes a while says so, and is sent once. */
function tellSlowForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.slow === undefined) return;
    if (event.defaultPrevented) return;
    const button = form.querySelector("button");
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = "";
    if (button !== null) button.textContent = `${form.dataset.slow}…`;
    announce(form.dataset.slow);
  });
  // A page that is come back to can be sent again.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

makeTabs();
holdForms();
tellSlowForms();
keepDrafts();
const followed = find("#convening[data-live]")?.dataset.live;
if (followed !== undefined) void new Follower(followed).follow();
