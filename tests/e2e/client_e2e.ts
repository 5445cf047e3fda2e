// The client in a browser.
import assert from "node:assert/strict";
import { stripTypeScriptTypes } from "node:module";
import { join } from "@std/path";
import { fileURLToPath } from "node:url";
import { browserTest } from "./support/browser.ts";

const FOLDER = fileURLToPath(new URL("../../src/client/", import.meta.url));

browserTest("a page starts, follows and reads a debate through the typed client", async (seat) => {
  const { page, url, complaints } = seat;
  // Without types, as a bundler leaves the files.
  await page.route(`${url}/client/*.ts`, async (route) => {
    const source = await Deno.readTextFile(join(FOLDER, route.request().url().split("/").at(-1)!));
    await route.fulfill({ contentType: "text/javascript", body: stripTypeScriptTypes(source) });
  });
  await page.goto(url);
  const result = await page.evaluate(async (at) => {
    const { createClient, PaperDebate } = await import(at);
    // Without a base URL the client calls the page's own server.
    const client = createClient();
    const { id } = await client.start({
      kind: "dialogue",
      topic: "Should cities ban private cars?",
      participants: [{ name: "Ada" }, { name: "Ben" }],
      maxTurns: 2,
    });
    const types: string[] = [];
    for await (const { type } of client.events(id)) types.push(type);
    const socket = client.socket(id);
    const closed: { code: number } = await new Promise((resolve) => socket.onclose = resolve);
    const { messages } = await client.messages({ id });
    const refusal = await client.show({ id: "none" }).catch(({ code }: { code: string }) => code);
    let socketRefusal = "";
    try {
      createClient({ token: "a-token" }).socket(id);
    } catch (error) {
      socketRefusal = (error as { field: string }).field;
    }
    const { id: paperId } = await client.keepPaper({
      title: "Trees",
      text: "Streets with trees were 2.1 degrees cooler at noon than streets without any.",
    });
    const debate = new PaperDebate(client);
    const { question } = await debate.runDebate(paperId, "Do trees cool the streets?", 2);
    return {
      last: types.at(-1),
      code: closed.code,
      messages: messages.length,
      refusal,
      socketRefusal,
      question,
      status: debate.state.status,
    };
  }, `${url}/client/mod.ts`);
  assert.deepEqual(result, {
    last: "convening-end",
    code: 1000,
    messages: 2,
    refusal: "not_found",
    socketRefusal: "token",
    question: "Do trees cool the streets?",
    status: "completed",
  });
  assert.deepEqual(complaints.filter((each) => !each.includes("404")), []);
});
