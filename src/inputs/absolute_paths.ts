// Paths of a configuration made absolute.
import { isAbsolute, resolve } from "@std/path";

/** An entry that may name a model, a persona or a rubric. */
interface Whose {
  readonly model?: string | undefined;
  readonly persona?: string | undefined;
  readonly rubric?: unknown;
}

/** The keys of a configuration that may hold paths. */
interface Paths extends Whose {
  readonly out?: string | undefined;
  readonly memory?: string | undefined;
  readonly personas?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly papers?: readonly string[] | undefined;
  readonly participants?: readonly Whose[] | undefined;
  readonly judges?: readonly Whose[] | undefined;
  readonly audience?: readonly Whose[] | undefined;
  readonly contestants?: readonly Whose[] | undefined;
}

/**
 * The configuration with every path in it absolute: relative ones mean `folder`. Paths are the archive, papers, sources,
 * memory, the personas' folder, YAML files of personas and rubrics, and directories that are replayed.
 */
export function absolutePaths<C extends Paths>(config: C, folder: string): C {
  const path = (text: string) => isAbsolute(text) ? text : resolve(folder, text);
  const file = (text: string) => isYaml(text) ? path(text) : text;
  const one = (each: Whose): object => ({
    ...each,
    ...each.model?.startsWith("replay:") && { model: `replay:${path(each.model.slice(7))}` },
    ...each.persona !== undefined && { persona: file(each.persona) },
    ...typeof each.rubric === "string" && { rubric: file(each.rubric) },
  });
  const absolute: Record<string, unknown> = { ...one(config) };
  for (const key of ["out", "memory", "personas"] as const) {
    if (config[key] !== undefined) absolute[key] = path(config[key]);
  }
  for (const key of ["sources", "papers"] as const) {
    if (config[key] !== undefined) absolute[key] = config[key].map(path);
  }
  for (const key of ["participants", "judges", "audience", "contestants"] as const) {
    if (config[key] !== undefined) absolute[key] = config[key].map(one);
  }
  // Every key has the type that it had.
  return absolute as C;
}

/** True of the path of a YAML file, false of a name or a text. */
export function isYaml(value: string): boolean {
  return /\.ya?ml$/i.test(value) && !value.includes("\n");
}
