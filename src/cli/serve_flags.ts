// Flags of `serve`, `open`, `demo` and `mcp`.
import { checkBasePath, checkOrigin } from "../server/hosting.ts";
import {
  cannotUse,
  type Flag,
  flag,
  type FlagValues,
  grouped,
  readWhole,
  refused,
  repeated,
  reworded,
  toggle,
} from "./flag.ts";
import { BASE_URL, MODEL, OUT } from "./flags.ts";

export const HOST = flag(
  "--host <address>",
  "the address to listen on; one that other machines can reach needs a token (default: 127.0.0.1)",
);
export const PORT = flag("--port <n>", "the port; 0 for any free port (default: 4000)", readPort);
export const TOKEN = flag(
  "--token <text>",
  "the token that every request must carry: Authorization: Bearer <text>; other users of this machine " +
    "can see command lines: prefer --token-file, or the variable CONVENINGS_TOKEN",
  readToken,
);
export const TOKEN_FILE = flag("--token-file <path>", "a file with the token");
export const TRUST_PROXY = toggle(
  "--trust-proxy",
  "read clients' addresses and TLS from the X-Forwarded-For and X-Forwarded-Proto of one proxy",
);
export const ALLOW_HOST = repeated(
  "--allow-host <name>",
  "another host name of the server, such as a proxy's",
);
export const ALLOW_ORIGIN = repeated(
  "--allow-origin <origin>",
  "another site whose pages may send requests with the token, such as https://app.example",
  checkOrigin,
);
export const BASE_PATH = flag(
  "--base-path <path>",
  "the path that a proxy serves it under, such as /tools/convenings",
  checkBasePath,
);
export const CERT = flag("--cert <path>", "a file with the TLS certificate, in PEM; with --key");
export const KEY = flag("--key <path>", "a file with the certificate's key, in PEM");
export const ACCESS_LOG = toggle("--access-log", "write a line for each request to standard error");
export const MAX_RUNNING = flag(
  "--max-running <n>",
  "how many convenings run at once; the others wait (default: 4)",
  readCount,
);
export const READ_ONLY = toggle(
  "--read-only",
  "clients can only read: nothing is run or written, and no model is asked",
);
export const RESUME_ALL = toggle("--resume", "resume every interrupted convening");

export const SERVE_FLAGS = [
  ...grouped("The server:", [
    HOST,
    PORT,
    TOKEN,
    TOKEN_FILE,
    TRUST_PROXY,
    ALLOW_HOST,
    ALLOW_ORIGIN,
    BASE_PATH,
    CERT,
    KEY,
    ACCESS_LOG,
    MAX_RUNNING,
    RESUME_ALL,
    READ_ONLY,
  ]),
  ...grouped("Who speaks:", [
    reworded(
      MODEL,
      "the model of every role that names none: gpt-4o-mini, ollama:llama3.2, offline …",
    ),
    BASE_URL,
  ]),
  ...grouped("Files:", [reworded(OUT, "the archive that is served (default: convenings)")]),
];

/** Returns true with `--read-only`; throws for flags that `--read-only` makes useless. */
export function isReadOnly(values: FlagValues): boolean {
  if (values.get(READ_ONLY) !== true) return false;
  const flags = [MODEL, BASE_URL, MAX_RUNNING, RESUME_ALL] as const;
  const useless = flags.find((flag: Flag<unknown>) => values.get(flag) !== undefined);
  if (useless === undefined) return true;
  const hint = `Leave out ${useless.name}, or --read-only.`;
  throw cannotUse(useless.name, "nothing is run with --read-only", hint);
}

function readPort(text: string, flag: string): number {
  const port = readWhole(text, flag);
  if (port <= 65_535) return port;
  throw refused(flag, text, "Write a number from 0 to 65535, such as 4000.");
}

function readCount(text: string, flag: string): number {
  const count = readWhole(text, flag);
  if (count >= 1) return count;
  throw refused(flag, text, "Write a number from 1 on, such as 4.");
}

/** Checks a token for use in a header. The error does not repeat the token. */
export function readToken(text: string, flag: string): string {
  if (/^[\x21-\x7e]{8,}$/.test(text)) return text;
  const hint = "Write eight or more letters, digits and signs of ASCII, without blanks.";
  throw cannotUse(flag, "it is too short, or has other characters", hint);
}
