import assert from "node:assert/strict";
import type { OpenApp } from "./open_app.ts";

/** A page's text, which must be one. */
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

/** Sends a form, as a page of the server does. */
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

/** Sends a form that must be answered with where to go on; gives that. */
export async function sent(
  opened: Pick<OpenApp, "ask">,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await send(opened, path, fields);
  assert.equal(answer.status, 303, await answer.text());
  return answer.headers.get("location") ?? "";
}
