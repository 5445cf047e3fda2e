// Runs `serve` in a process of its own.
import { dirname, join } from "@std/path";
import { fileURLToPath } from "node:url";
import { untilReleased, watchConvening } from "../../../mod.ts";
import { taskFlags } from "../../support/cli.ts";

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const MAIN = join(ROOT, "src/cli/main.ts");

/** A listening process; disposal kills it if it is still running. */
interface ServeProcess extends AsyncDisposable {
  /** Base URL without a trailing slash. */
  readonly url: string;
  kill(signal: Deno.Signal): void;
  /** Exit code and standard error. */
  readonly end: Promise<{ readonly code: number; readonly stderr: string }>;
}

/** Starts `serve`, or another command that serves, on a free port with its task's flags; resolves when it listens. */
export async function startServe(
  args: readonly string[],
  { folder, env = {}, command = ["serve"] }: {
    /** Working directory. */
    readonly folder: string;
    readonly env?: Readonly<Record<string, string>>;
    /** Command and its arguments. @default serve */
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

/** Posts JSON; returns status and body. */
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

/** Waits until a convening that may still be queued has ended. */
export async function untilEnded(dir: string): Promise<void> {
  for (;;) {
    for await (const { type } of watchConvening(dir)) if (type === "convening-end") return;
    // The run is queued: its record is not locked yet.
    await untilReleased(dir, { within: 1000 });
  }
}
