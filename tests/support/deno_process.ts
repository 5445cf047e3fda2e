import { dirname } from "@std/path";
import { fileURLToPath } from "node:url";

/** The project's folder. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Where and how a `deno` command runs. */
export interface DenoOptions {
  /** @default the project's folder */
  readonly folder?: string;
  /** Variables over the inherited ones. @default none */
  readonly env?: Readonly<Record<string, string>>;
}

/** How a `deno` command ended. */
export interface DenoEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** No model is set up, whatever the machine's environment says. */
const OFFLINE = {
  NO_COLOR: "1",
  DENO_NO_UPDATE_CHECK: "1",
  OPENAI_API_KEY: "",
  OPENAI_BASE_URL: "",
  OPENROUTER_API_KEY: "",
  GOOGLE_API_KEY: "",
  ANTHROPIC_API_KEY: "",
};

/** Runs `deno` with these arguments to its end. */
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
