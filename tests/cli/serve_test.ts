// Command `serve`: tokens, flags, ports, shutdown, TLS, container.
import assert from "node:assert/strict";
import { asPost } from "../server/support/as_post.ts";
import { jsonOf, namesIn, runCli, taskFlags, withFolder } from "../support/cli.ts";
import { startServe } from "../server/support/serve_process.ts";
import { ran, runMain } from "../support/run_main.ts";

/** Returns the error of `serve` with these arguments and permissions; checks that nothing was written. */
async function refused(
  args: readonly string[],
  permitted?: (permission: Deno.PermissionDescriptor) => boolean,
) {
  return await withFolder(async (folder) => {
    const end = await runMain(["serve", "--json", ...args], { folder, permitted });
    assert.deepEqual(await namesIn(folder), []);
    const { error } = jsonOf(end);
    return { exit: end.code, ...error as { field?: string; message: string; hint?: string } };
  });
}

Deno.test("serve requires a token when other machines can reach it, and rejects one that a header cannot carry", async () => {
  for (const host of ["0.0.0.0", "192.168.1.20", "::", "box.local", "127.0.0.1.evil.example"]) {
    const { exit, field, hint } = await refused(["--host", host, "--port", "0"]);
    assert.equal(exit, 2, host);
    assert.equal(field, "--token");
    assert.match(hint ?? "", /--token/);
  }
  const { exit, message, hint } = await refused(["--token", "a b\n c"]);
  assert.equal(exit, 2);
  assert.doesNotMatch(`${message} ${hint}`, /a b/);
});

Deno.test("serve reads its token from a file and never runs without an intended token", async () => {
  const token = "a-secret-of-0123456789";
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/token`, `${token}\n`);
    await using server = await startServe(["--token-file", "token"], { folder });
    const status = async (headers: HeadersInit) => {
      const answer = await fetch(`${server.url}/api/papers`, { headers });
      await answer.body?.cancel();
      return answer.status;
    };
    assert.equal(await status({}), 401);
    assert.equal(await status({ authorization: `Bearer ${token}` }), 200);
  });
  const both = await refused(["--token", token, "--token-file", "token"]);
  assert.deepEqual([both.exit, both.field], [2, "--token-file"]);
  const missing = await refused(["--token-file", "nowhere"]);
  assert.deepEqual([missing.exit, missing.field], [2, "--token-file"]);
  const blind = await refused(
    ["--port", "0"],
    (asked) => asked.name !== "env" || asked.variable !== "CONVENINGS_TOKEN",
  );
  assert.match(blind.message, /may not read the variable CONVENINGS_TOKEN/);
  assert.match(blind.hint ?? "", /--allow-env=[A-Z_,]*CONVENINGS_TOKEN/);
});

Deno.test("serve rejects invalid ports, numbers and models by their flag", async () => {
  const cases = [["--port", "65536"], ["--port", "http"], ["--max-running", "0"]] as const;
  for (const [flag, value] of cases) {
    const { exit, field } = await refused([flag, value]);
    assert.equal(exit, 2);
    assert.equal(field, flag);
  }
  const useless = await refused(["--read-only", "--model", "offline", "--port", "0"]);
  assert.deepEqual([useless.exit, useless.field], [2, "--model"]);
  const { exit, message } = await refused(["--model", "openrouter:some/model", "--port", "0"]);
  assert.equal(exit, 2);
  assert.match(message, /OPENROUTER_API_KEY is not set/);
});

Deno.test("serve names the missing permission to listen and the command that grants it", async () => {
  const { exit, message, hint } = await refused(
    ["--port", "4001"],
    (asked) => asked.name !== "net" || asked.host === "api.openai.com",
  );
  assert.equal(exit, 2);
  assert.match(message, /may not reach 127\.0\.0\.1:4001/);
  assert.match(hint ?? "", /--allow-net=127\.0\.0\.1:4001 /);
});

Deno.test("serve reports a port that another program uses, and starts nothing", async () => {
  using first = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { exit, message, hint } = await refused(["--port", `${first.addr.port}`, "--resume"]);
  assert.equal(exit, 1);
  assert.match(message, /^Cannot listen on 127\.0\.0\.1:\d+: another program has this port$/);
  assert.match(hint ?? "", /--port/);
});

withFolder.test("serve reads its token from a variable, ends at Ctrl-C with an open event stream, and prints no token", async (folder) => {
  const token = "a-secret-of-0123456789";
  await using server = await startServe(["--debug"], { folder, env: { CONVENINGS_TOKEN: token } });
  const headers = { authorization: `Bearer ${token}` };
  const participants = [{ name: "Ada", model: "human" }, { name: "Ben" }];
  const debate = { kind: "debate", topic: "Is remote work good for cities?", participants };
  const started = await fetch(`${server.url}/api/convenings`, asPost(debate, headers));
  const { links } = await started.json();
  const events = await fetch(`${server.url}${links.events}`, { headers });
  const reader = events.body!.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  while (!heard.includes("turn-wait")) {
    const { done, value } = await reader.read();
    assert.ok(!done, heard);
    heard += value;
  }
  const idle = await fetch(`${server.url}${links.events}`, { headers });
  server.kill("SIGINT");
  const { code, stderr } = await server.end;
  assert.equal(code, 130);
  assert.ok(!stderr.includes(token), stderr);
  while (!(await reader.read()).done);
  await idle.body?.cancel().catch(() => {});
});

withFolder.test("serve prints the error that a client sees as unexpected, and nothing when a client leaves or sends a damaged form", async (folder) => {
  await Deno.writeTextFile(
    `${folder}/own.mjs`,
    `const create = () => { throw new RangeError("no row 7"); };
    export default { kinds: [{ name: "broken", summary: "", settings: {}, create }] };`,
  );
  await using server = await startServe(["--extend", "own.mjs"], { folder });
  const left = new AbortController();
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    pull: () => left.abort(),
  });
  const headers = { "content-type": "application/json" };
  const options = { method: "POST", headers, body, signal: left.signal };
  await assert.rejects(fetch(`${server.url}/api/convenings`, options), { name: "AbortError" });
  const damaged = { "content-type": "multipart/form-data" };
  const form = await fetch(`${server.url}/new`, { method: "POST", headers: damaged, body: "a" });
  assert.equal(form.status, 400);
  await form.body?.cancel();
  const broken = { kind: "broken", topic: "Is remote work good for cities?" };
  const answer = await fetch(`${server.url}/api/convenings`, asPost(broken));
  assert.equal((await answer.json()).error.code, "unexpected");
  server.kill("SIGINT");
  const { stderr } = await server.end;
  const errors = stderr.split("\n").filter((line) => line.startsWith("error: "));
  assert.deepEqual(errors, ['error: Cannot continue: create of kind "broken" failed: no row 7']);
});

withFolder.test("serve reports missing or invalid certificates, base paths, hosts and origins", async (folder) => {
  const cases: readonly [args: readonly string[], field: string][] = [
    [["--cert", "cert.pem"], "--key"],
    [["--key", "key.pem"], "--cert"],
    [["--cert", "nowhere", "--key", "nowhere"], "--cert"],
    [["--base-path", "tools"], "--base-path"],
    [["--allow-origin", "app.example"], "--allow-origin"],
    [["--allow-host", "https://app.example"], "--allow-host"],
  ];
  for (const [args, field] of cases) {
    const refusal = await refused(["--port", "0", ...args]);
    assert.deepEqual([refusal.exit, refusal.field], [2, field]);
  }
  await Deno.writeTextFile(`${folder}/cert.pem`, "no certificate");
  const args = ["--cert", "cert.pem", "--key", "cert.pem"];
  const end = await ran(["serve", "--port", "0", "--json", ...args], { folder }, 2);
  assert.match(end.stdout, /Cannot use --cert and --key/);
});

withFolder.test("a server of a folder that does not exist says so, and one that only reads is refused", async (folder) => {
  const typo = await runCli(["mcp", "--out", "typo"], { folder });
  assert.match(typo.stderr, /The folder \S*typo does not exist yet/);
  for (const command of [["mcp"], ["serve", "--port", "0"]]) {
    const { stderr } = await ran([...command, "--read-only", "--out", "typo"], { folder }, 2);
    assert.match(stderr, /Cannot read --out "\S*typo": there is no such folder/);
  }
});

withFolder.test("the container of examples/Dockerfile has the task's permissions and its own port", async (folder) => {
  const text = await Deno.readTextFile(new URL("../../examples/Dockerfile", import.meta.url));
  const [, entry = "[]"] = /^ENTRYPOINT (.*)$/m.exec(text) ?? [];
  const words: string[] = JSON.parse(entry);
  const list = (flags: readonly string[], name: string) =>
    flags.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1).split(",") ?? [];
  const task = taskFlags("serve");
  assert.deepEqual(list(words, "--allow-env"), list(task, "--allow-env"));
  const isRemote = (host: string) => host !== "127.0.0.1" && host !== "localhost";
  assert.deepEqual(list(words, "--allow-net"), [
    "0.0.0.0:4000",
    ...list(task, "--allow-net").filter(isRemote),
  ]);
  assert.deepEqual(list(words, "--allow-write"), ["/archive"]);
  // Started like the image but without a token: rejected for the token alone.
  const flags = words.slice(2, words.indexOf("src/cli/main.ts")).filter((each) =>
    each !== "--frozen"
  );
  const end = await runCli(words.slice(words.indexOf("serve")), { folder, flags });
  assert.equal(end.code, 2);
  assert.match(end.stderr, /no token keeps them out/);
});
