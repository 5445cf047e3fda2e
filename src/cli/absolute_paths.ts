import { isAbsolute, resolve } from "@std/path";
import type { ConveningConfig } from "../config/convening_config.ts";

/**
 * The configuration with every path in it absolute: relative ones mean `folder`, where the user stands. Paths are the
 * archive, papers, sources, memory, the personas' folder, YAML files of personas and rubrics, and directories that are replayed.
 */
export function absolutePaths(config: ConveningConfig, folder: string): ConveningConfig {
  const path = (text: string) => isAbsolute(text) ? text : resolve(folder, text);
  const file = (text: string) => isYaml(text) ? path(text) : text;
  const one = <E extends Whose>(each: E): E => ({
    ...each,
    ...each.model?.startsWith("replay:") && { model: `replay:${path(each.model.slice(7))}` },
    ...each.persona !== undefined && { persona: file(each.persona) },
    ...typeof each.rubric === "string" && { rubric: file(each.rubric) },
  });
  const absolute: ConveningConfig = one(config);
  for (const key of ["out", "memory", "personas"] as const) {
    const value = config[key];
    if (value !== undefined) absolute[key] = path(value);
  }
  if (config.sources !== undefined) absolute.sources = config.sources.map(path);
  if (config.participants !== undefined) absolute.participants = config.participants.map(one);
  if (absolute.kind === "paper-debate") absolute.papers = absolute.papers.map(path);
  if (absolute.kind === "debate" || absolute.kind === "paper-debate") {
    const { judges } = absolute;
    if (judges !== undefined) absolute.judges = judges.map(one);
  }
  if (absolute.kind === "debate") {
    const { audience } = absolute;
    if (audience !== undefined) absolute.audience = audience.map(one);
  }
  return absolute;
}

/** What may name a model, a persona or a rubric. */
interface Whose {
  readonly model?: string | undefined;
  readonly persona?: string | undefined;
  readonly rubric?: unknown;
}

/** Whether a value is the path of a YAML file rather than a name or a text. */
export function isYaml(value: string): boolean {
  return /\.ya?ml$/i.test(value) && !value.includes("\n");
}
