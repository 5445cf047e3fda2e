// Runs `serve` in a process of its own.
import { join } from "@std/path";
import { asPost } from "./as_post.ts";
import { taskFlags } from "../../support/cli.ts";
import { ROOT } from "../../support/deno_process.ts";

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
  const response = await fetch(url, asPost(body));
  return { status: response.status, body: await response.json() };
}
