// Paths of the user: relative ones mean the folder the user stands in.
import { basename, dirname, isAbsolute, resolve } from "@std/path";
import { DEFAULT_OUT } from "../config/setting_shapes.ts";
import type { Invocation } from "./command.ts";
import type { FlagValues } from "./flag.ts";
import { OUT } from "./flags.ts";
import type { Session } from "./session.ts";

/** A path the user gave, absolute: relative ones mean the folder the user stands in. */
export function userPath(path: string, session: Session): string {
  return isAbsolute(path) ? path : resolve(session.io.folder, path);
}

/** The archive of --out, absolute, or the usual archive. */
export function outOf(values: FlagValues, session: Session): string {
  return userPath(values.get(OUT) ?? DEFAULT_OUT, session);
}

/** The convening's directory that is a command's first argument, absolute; the index page that a run printed stands for it. */
export function directoryOf(invocation: Invocation, session: Session): string {
  const path = userPath(invocation.args[0] ?? ".", session);
  return PAGES.includes(basename(path)) ? dirname(path) : path;
}

/** The pages of a convening that one starts from. */
const PAGES: readonly string[] = ["index.md", "metadata.md"];

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The folder under which everything about a convening is written: its archive, or itself when it is in none. */
export function archiveOf(dir: string): string {
  const day = dirname(dir);
  return DAY.test(basename(day)) ? dirname(day) : dir;
}
