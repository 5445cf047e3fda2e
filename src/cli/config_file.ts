// Reads a configuration file: YAML, or the recorded configuration of a metadata.md.
import { parse } from "@std/yaml";
import { ConfigurationError } from "../core/error.ts";
import { plainLine } from "../core/text.ts";

/** The content of a configuration file, as plain data; of a convening's `metadata.md`, its `configuration`. */
export function readConfigFile(
  text: string,
  path: string,
): Record<string, unknown> {
  const lines = text.replace(/^\uFEFF/, "");
  const front = /^---\r?\n([\s\S]*?)\r?\n---\s*?(?:\r?\n|$)/.exec(lines);
  if (front === null && path.endsWith(".md")) {
    throw unusable(path, "it has no front matter");
  }
  const data = parseYaml(front?.[1] ?? lines, path);
  // A YAML file may stand between dashes too; front matter has more below it.
  const isPage = path.endsWith(".md") ||
    (front !== null && lines.length > front[0].length);
  if (isPage) return configurationOf(data, path);
  if (!isRecord(data)) {
    throw unusable(path, "it is no mapping of keys to values");
  }
  return data;
}

function configurationOf(
  front: unknown,
  path: string,
): Record<string, unknown> {
  if (isRecord(front) && isRecord(front["configuration"])) {
    return front["configuration"];
  }
  throw unusable(path, 'its front matter has no "configuration"');
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text, { schema: "core" });
  } catch (cause) {
    const [reason = ""] = String(cause instanceof Error ? cause.message : cause)
      .split("\n");
    const [, number] = /at line (\d+)/.exec(reason) ?? [];
    const line = text.split("\n")[Number(number) - 1];
    throw unusable(path, reason.replace(/[.:]$/, ""), line);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unusable(
  path: string,
  state: string,
  line?: string,
): ConfigurationError {
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
