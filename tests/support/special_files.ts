// Replaces files by symbolic links, FIFOs and sockets.
import { join } from "@std/path";

/** Kinds of folder entries that are neither file nor folder. */
export const SPECIAL = ["symbolic link", "FIFO", "socket"] as const;

/** Replaces the entry at a path by a special one. */
export type PutSpecial = (kind: (typeof SPECIAL)[number], path: string) => Promise<void>;

/** Returns a function that puts the same FIFO or socket at any path, or a link to `target`. */
export async function specialFiles(folder: string, target: string): Promise<PutSpecial> {
  const made = { FIFO: join(folder, "fifo"), socket: join(folder, "socket") };
  const code = `new Deno.Command("mkfifo", { args: [${JSON.stringify(made.FIFO)}] }).outputSync();
    Deno.listen({ transport: "unix", path: ${JSON.stringify(`${made.socket}.0`)} });
    Deno.linkSync(${JSON.stringify(`${made.socket}.0`)}, ${JSON.stringify(made.socket)});
    Deno.exit();`;
  const { success, stderr } = await new Deno.Command("deno", { args: ["eval", code] }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return async (kind, path) => {
    await Deno.remove(path, { recursive: true }).catch(() => {});
    if (kind === "symbolic link") await Deno.symlink(target, path);
    else await Deno.link(made[kind], path);
  };
}
