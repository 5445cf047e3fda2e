// Reads pages and submits forms of the viewer.
import assert from "node:assert/strict";
import type { OpenApp } from "./open_app.ts";

/** Returns a page's text and checks that the response is a page. */
export async function page(
  { ask }: Pick<OpenApp, "ask">,
  path: string,
  status = 200,
): Promise<string> {
  const answer = await ask(path, { headers: { accept: "text/html" } });
  assert.equal(answer.status, status, path);
  assert.equal(answer.headers.get("content-type"), "text/html; charset=UTF-8");
  return await answer.text();
}

/** Submits a form as one of the server's pages does. */
export async function send(
  { ask }: Pick<OpenApp, "ask">,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  return await ask(path, {
    method: "POST",
    headers: { origin: "http://127.0.0.1" },
    body: new URLSearchParams(fields),
  });
}

/** Submits a form that must redirect; returns the redirect's target. */
export async function sent(
  opened: Pick<OpenApp, "ask">,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await send(opened, path, fields);
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get("location") ?? "";
}
