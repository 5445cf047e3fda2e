// @ts-check
/// <reference no-default-lib="true" />
/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/// <reference lib="esnext" />
// The script of every page; pages are whole without it.

import { makeContents } from "./contents.js";
import { keepDrafts } from "./drafts.js";
import { Follower } from "./follower.js";
import { followArchive, followStudy } from "./live.js";
import { announce, find, showLocalTimes } from "./parts.js";
import { followPlan, suggestModels } from "./plan.js";
import { makeTabs } from "./tabs.js";

/** Keeps forms on the page while the server does not answer, instead of the browser's error. */
function holdForms() {
  document.addEventListener("submit", (event) => {
    const lost = find("#lost");
    if (lost === null || lost.hidden) return;
    event.preventDefault();
    announce(lost.textContent ?? "");
  });
}

/** Shows that a slow form was sent, and sends it once. */
function markSlowForms() {
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
  // After a return to the page the form can be sent again.
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });
}

showLocalTimes(document);
makeTabs();
makeContents();
holdForms();
markSlowForms();
keepDrafts();
followPlan();
suggestModels();
const followed = find("#convening[data-live]")?.dataset.live;
if (followed !== undefined) void new Follower(followed).follow();
const study = find("#study[data-live]")?.dataset.live;
if (study !== undefined) followStudy(study);
if (find("#archive") !== null) followArchive();
