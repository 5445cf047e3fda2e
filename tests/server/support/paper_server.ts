// Server on a port with a paper in its archive.
import type { ServerModels } from "../../../src/core/key_rules.ts";
import { createServer } from "../../../src/server/server.ts";
import { withFolder } from "../../support/cli.ts";
import { MODEL, startSpeaker } from "../../support/speaking_model.ts";
import { asPost } from "./as_post.ts";
import { testsWith } from "../../support/tests_with.ts";
import { serveLocally } from "../../support/local_server.ts";

/** A server of an archive on a local port. */
export interface OpenServer {
  /** Base URL, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Archive folder. */
  readonly out: string;
  /** Posts JSON; returns status, body and headers. */
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

/** A response. */
export interface Answer {
  readonly status: number;
  // deno-lint-ignore no-explicit-any
  readonly body: any;
  readonly headers: Headers;
}

/** A paper of two paragraphs with the id in the documented commands. */
export const PAPER = {
  id: "paper-123",
  title: "Trees and summer heat",
  text:
    "Streets with trees were 2.1 degrees cooler at noon than streets without any. We measured " +
    "twelve streets over two summers.\n\nThe difference was smaller where streets were narrow. We " +
    "did not measure nights.",
};

/** Calls `work` with a server and removes its archive afterwards. */
export async function serving(
  work: (server: OpenServer) => Promise<void>,
  given?: ServerModels,
): Promise<void> {
  await using speaker = await startSpeaker();
  const models = given ?? { model: MODEL, env: (name) => speaker.env[name] };
  await withFolder(async (out) => {
    const server = createServer({ out, models });
    const http = serveLocally(server.fetch);
    const url = `http://127.0.0.1:${http.addr.port}`;
    try {
      await work({ url, out, post: (path, body, headers) => post(`${url}${path}`, body, headers) });
    } finally {
      await server.close();
      await http.shutdown();
    }
  });
}

serving.test = testsWith(serving);

async function post(url: string, ...given: Parameters<typeof asPost>): Promise<Answer> {
  const response = await fetch(url, asPost(...given));
  return { status: response.status, body: await response.json(), headers: response.headers };
}
