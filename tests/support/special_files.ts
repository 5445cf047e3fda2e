import { join } from "@std/path";

/** What an entry of a folder can be besides a file or a folder. */
export const SPECIAL = ["symbolic link", "FIFO", "socket"] as const;

/** Puts something that is no plain file into the place of a path. */
export type PutSpecial = (kind: (typeof SPECIAL)[number], path: string) => Promise<void>;

/** The same FIFO and the same socket under any name; a link leads to `target`. */
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
