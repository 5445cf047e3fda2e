// Prints the address of a record's page, and serves the archive where no server does: `open`.
import { conveningDir, idOf } from "../../operations/convening_dir.ts";
import type { CommandAction, Reply } from "../command.ts";
import { archiveOf, directoryOf } from "../directory.ts";
import { OUT } from "../flags.ts";
import { requirePermissions } from "../permissions.ts";
import { HOST, PORT, READ_ONLY } from "../serve_flags.ts";
import type { Session } from "../session.ts";
import { DEFAULT_PLACE, serve } from "./serve.ts";

/** The time in which a server must answer, in milliseconds. */
const WITHIN = 2000;

/** `open [dir]`: the latest convening where none is named. */
export const OPEN: CommandAction = {
  flags: [HOST, PORT, READ_ONLY],
  async run({ args: [word = "latest"], values }, session) {
    const dir = await directoryOf({ args: [word], values }, session);
    const [out, id] = [archiveOf(dir), idOf(dir)];
    requirePermissions(session.io, { reads: [dir] });
    await conveningDir(out, id);
    const page = `convenings/${id}`;
    const { hostname, port } = DEFAULT_PLACE;
    const host = `${values.get(HOST) ?? hostname}:${values.get(PORT) ?? port}`;
    requirePermissions(session.io, { hosts: [host] });
    if (await isServed(`http://${host}/api/${page}`, id, session)) {
      return addressReply(`http://${host}/${page}`, out);
    }
    values.add(OUT, out);
    return await serve({ args: [], values }, session, page);
  },
};

/** True where a server answers with the convening. */
async function isServed(url: string, id: string, { signal }: Session): Promise<boolean> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN)]),
    });
    const answer: unknown = await response.json();
    return typeof answer === "object" && answer !== null && "id" in answer && answer.id === id;
  } catch {
    return false;
  }
}

function addressReply(url: string, out: string): Reply {
  return { code: 0, json: { url, out }, text: `${url} serves ${out}\n` };
}
