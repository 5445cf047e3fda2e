// Options of the place of a server on the web, and their checks.
import { ConfigurationError } from "../core/error.ts";

/** Options of the place of a server on the web. */
export interface HostingOptions {
  /**
   * The path that a proxy serves it under, such as `/tools/convenings`; requests are answered with the path and without
   * it. @default none
   */
  readonly basePath?: string | undefined;
  /**
   * Origins of other sites whose pages may ask, such as `https://app.example`; they send the token, never a session.
   * @default none
   */
  readonly origins?: readonly string[] | undefined;
}

/** A base path without a slash at its end; empty for none. Fails with `config_invalid` for what is no path. */
export function checkBasePath(basePath: string, field = "basePath"): string {
  const path = basePath.replace(/\/+$/, "");
  if (path === "" || /^(?:\/[\w.~-]+)+$/.test(path) && !/\/\.{1,2}(?:\/|$)/.test(path)) return path;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(basePath)} is no path`, {
    field,
    hint: "Write a path that begins with a slash, such as /tools/convenings.",
  });
}

/** An origin, checked. Fails with `config_invalid`. */
export function checkOrigin(origin: string, field = "origins"): string {
  if (URL.parse(origin)?.origin === origin) return origin;
  throw new ConfigurationError(`Cannot use ${field}: ${JSON.stringify(origin)} is no origin`, {
    field,
    hint: "Write scheme, name and port alone, such as https://app.example.",
  });
}
