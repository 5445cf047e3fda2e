// Files of invalid configurations, in a temporary folder.
import { dirname, join } from "@std/path";

/** Folder of the files, removed with the tests' process. */
export const FOLDER: string = await Deno.makeTempDir();
globalThis.addEventListener("unload", () => Deno.removeSync(FOLDER, { recursive: true }));

/** Writes a file; returns its path. */
export async function file(name: string, text: string): Promise<string> {
  const path = join(FOLDER, name);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
  return path;
}
