// Turns a printed `curl` command into a request to a test server.
import { join } from "@std/path";

/** Target of a `curl` command. */
interface CurlOptions {
  /** Printed base URL, and the one to replace it. */
  readonly printed: string;
  readonly url: string;
  /** Folder of the files that the command names. */
  readonly folder: string;
}

/** Parses a `curl` command as a shell would and returns its request. */
export async function curlRequest(
  command: string,
  { printed, url, folder }: CurlOptions,
): Promise<Request> {
  const words = [...command.replaceAll("\\\n", " ").matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)]
    .map(([, single, double, bare]) => single ?? double ?? bare!);
  const headers = new Headers();
  const form = new FormData();
  let [method, target, body]: [string | undefined, string, string | undefined] = [
    undefined,
    "",
    undefined,
  ];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-H") {
      const [name = "", value = ""] = words[++at]!.split(": ");
      headers.set(name, value);
    } else if (word === "-d") body = words[++at]!;
    else if (word === "-X") method = words[++at]!;
    else if (word === "-F") {
      const [name = "", value = ""] = words[++at]!.split("=");
      form.set(name, value.startsWith("@") ? await fileOf(join(folder, value.slice(1))) : value);
    } else target = word.replace(printed, url);
  }
  const sent = body ?? ([...form].length > 0 ? form : undefined);
  if (sent === undefined) return new Request(target, { method: method ?? "GET", headers });
  return new Request(target, { method: method ?? "POST", headers, body: sent });
}

async function fileOf(path: string): Promise<File> {
  return new File([await Deno.readFile(path)], path.slice(path.lastIndexOf("/") + 1));
}
