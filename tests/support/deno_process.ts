// Runs `deno` in a process of its own, without any model configured.
import { dirname } from "@std/path";
import { fileURLToPath } from "node:url";

/** Root folder of the project. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Options of {@linkcode runDeno}. */
interface DenoOptions {
  /** @default the project's folder */
  readonly folder?: string;
  /** Variables that are added to the inherited ones. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Exit code and output of a `deno` process. */
export interface DenoEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Environment in which no model is configured, whatever the machine has set. */
const OFFLINE = {
  NO_COLOR: "1",
  DENO_NO_UPDATE_CHECK: "1",
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  OPENROUTER_API_KEY: "",
  GOOGLE_API_KEY: "",
  ANTHROPIC_API_KEY: "",
};

/** Runs `deno` until it exits. */
export async function runDeno(
  args: readonly string[],
  { folder = ROOT, env = {} }: DenoOptions = {},
): Promise<DenoEnd> {
  const { code, stdout, stderr } = await new Deno.Command("deno", {
    args: [...args],
    cwd: folder,
    env: { ...OFFLINE, ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
