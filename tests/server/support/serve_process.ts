import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";
import { taskFlags } from "../../support/cli.ts";

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const MAIN = join(ROOT, "src/cli/main.ts");

/** A process of `serve` that listens; it is killed where it has not ended by itself. */
interface ServeProcess extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly url: string;
  kill(signal: Deno.Signal): void;
  /** How it ended: what standard error held by then. */
  readonly end: Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Starts `serve`, or another command that serves, on any free port, as its task does; resolves once it listens. */
export async function startServe(
  args: readonly string[],
  { folder, env = {}, command = ["serve"] }: {
    /** The folder the user stands in. */
    readonly folder: string;
    readonly env?: Readonly<Record<string, string>>;
    /** The command and its arguments. @default serve */
    readonly command?: readonly string[];
  },
): Promise<ServeProcess> {
  const child = new Deno.Command("deno", {
    args: ["run", ...taskFlags("convenings"), MAIN, ...command, "--port", "0", "--json", ...args],
    cwd: folder,
    env: { NO_COLOR: "1", OPENAI_API_KEY: "", OPENAI_BASE_URL: "", TAVILY_API_KEY: "", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const end = (async () => {
    const stderr = await new Response(child.stderr).text();
    return { code: (await child.status).code, stderr };
  })();
  let told = "";
  for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
    told += piece;
    if (told.includes("\n")) break;
  }
  if (!told.includes("\n")) throw new Error(`It does not listen: ${(await end).stderr}`);
  const { url } = JSON.parse(told);
  let hasEnded = false;
  end.then(() => hasEnded = true);
  return {
    url: String(url).replace(/\/$/, ""),
    kill: (signal) => child.kill(signal),
    end,
    async [Symbol.asyncDispose]() {
      if (!hasEnded) child.kill("SIGKILL");
      await end;
    },
  };
}

/** Sends JSON; gives the status and the body. */
export async function post(
  url: string,
  body: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}
