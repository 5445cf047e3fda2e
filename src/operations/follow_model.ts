/** What a role speaks through where a key or a base URL is set and no model. */
const DEFAULT_MODEL = "gpt-4o-mini";

type Plain = Readonly<Record<string, unknown>>;

/**
 * A recorded configuration for another `model`: a record names every role's model, and those that only followed the default
 * follow the other one too.
 */
export function followModel(recorded: Plain): Record<string, unknown> {
  const { model } = recorded;
  const usual = model === undefined ? ["offline", DEFAULT_MODEL] : [model];
  const follow = (list: unknown) =>
    Array.isArray(list)
      ? list.map(({ model, ...rest }: Plain) =>
        model === undefined || usual.includes(model) ? rest : { ...rest, model }
      )
      : list;
  const followed: Record<string, unknown> = { ...recorded };
  for (const key of ["participants", "judges", "audience"]) {
    if (key in recorded) followed[key] = follow(recorded[key]);
  }
  return followed;
}
