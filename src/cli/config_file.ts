// Parses configuration files.
import { ConfigurationError } from "../core/error.ts";
import { plainLine } from "../core/text.ts";
import { isObject, objectIn } from "../core/values.ts";

/**
 * Parses a configuration file; of a convening's `metadata.md`, returns the `configuration` of the front matter. A file that was
 * `found` without being named may have comments alone.
 */
export async function readConfigFile(
  text: string,
  path: string,
  { found = false }: { readonly found?: boolean } = {},
): Promise<Record<string, unknown>> {
  const lines = text.replace(/^\uFEFF/, "");
  const front = /^---\r?\n([\s\S]*?)\r?\n---\s*?(?:\r?\n|$)/.exec(lines);
  const isMarkdown = path.endsWith(".md");
  if (front === null && isMarkdown) throw unusable(path, "it has no front matter");
  const yaml = front?.[1] ?? lines;
  // Commands without a configuration file load no YAML.
  const { yamlIn } = await import("../core/yaml.ts");
  const data = yamlIn(yaml, (problem) => {
    const [, number] = /at line (\d+)/.exec(problem) ?? [];
    return unusable(path, problem, yaml.split("\n")[Number(number) - 1]);
  });
  // A YAML file may also stand between lines of dashes; only front matter has text below.
  const isPage = isMarkdown || front !== null && lines.length > front[0].length;
  const settings = isPage ? objectIn(data)["configuration"] : data;
  if (isObject(settings)) return settings;
  if (found && settings === null) return {};
  throw unusable(
    path,
    isPage ? 'its front matter has no "configuration"' : "it is not a mapping of keys to values",
  );
}

/** Returns the error for a configuration file that cannot be used, with the wrong line. */
export function unusable(path: string, state: string, line?: string): ConfigurationError {
  return new ConfigurationError(
    `Cannot use the configuration "${path}": ${state}`,
    {
      field: "--config",
      hint: [
        ...line === undefined ? [] : [`  ${plainLine(line)}`],
        "Give a YAML file with keys such as topic and roundCount, or a convening's metadata.md.",
      ].join("\n"),
    },
  );
}
