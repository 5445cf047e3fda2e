import type { Context } from "hono";
import { html } from "hono/html";
import type { ConveningError } from "../core/error.ts";
import { type Page, page, problem } from "./page.ts";

/** Whether what cannot be done is better told as a page: to a browser, and of what is no interface for programs. */
export function wantsPage({ req }: Context): boolean {
  return !/^\/(?:api|mcp)(?:\/|$)/.test(req.path) &&
    (req.header("accept") ?? "").includes("text/html");
}

/** What could not be done, with what was written, so that nothing is lost. */
export function problemPage(
  { message, hint, code }: Pick<ReturnType<ConveningError["toJSON"]>, "message" | "hint" | "code">,
  { back, written = [] }: {
    /** Where one can go on. */
    readonly back: string;
    /** Texts that were sent along. @default none */
    readonly written?: readonly string[] | undefined;
  },
): Page {
  const kept = written.filter((each) => each.trim() !== "");
  const title = code === "not_found" ? "Not found" : "Not possible";
  return page({
    title,
    body: html`<h1>${title}</h1>
      ${problem({ message, hint })}
      ${
      kept.length === 0
        ? ""
        : html`<h2>What you wrote</h2>${kept.map((each) => html`<pre class="kept">${each}</pre>`)}`
    }
      <p><a class="button" href="${back}">${back === "/" ? "All convenings" : "Back"}</a></p>`,
  });
}
