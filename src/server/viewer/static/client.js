// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// What happens while a page is open. Pages are whole without it.

import { Follower } from "./follower.js";
import { announce, find } from "./parts.js";
import { makeTabs } from "./tabs.js";

/** A form whose answer takes a while says so, and is sent once. */
function tellSlowForms() {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.slow === undefined) return;
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
tellSlowForms();
const followed = find("#convening[data-live]")?.dataset.live;
if (followed !== undefined) void new Follower(followed).follow();
