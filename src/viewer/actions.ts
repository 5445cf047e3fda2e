// The requests to the interface for programs that the forms of a convening's page stand for.
import { defined } from "../core/values.ts";
import { LIMIT_ROWS } from "./controls.tsx";
import { type Fields, settingValues } from "./new_configuration.ts";

/** A request to the interface for programs. */
interface ActionRequest {
  /** The last part of the path, under the convening's. */
  readonly act:
    | "say"
    | "pause"
    | "stop"
    | "resume"
    | "fork"
    | "judge"
    | "brief"
    | "flow"
    | "delete"
    | "restore";
  readonly body: object;
}

/** The requests of the forms of a convening's page, by the last part of the form's path. */
export const ACTIONS: Readonly<Record<string, (fields: Fields) => ActionRequest>> = {
  say: ({ as, text = "" }) => ({ act: "say", body: { text, ...speakerOf(as) } }),
  pick: ({ as, pick = "", own = "" }) => ({
    act: "say",
    body: { text: pick === "own" ? own : pick, ...speakerOf(as) },
  }),
  interject: ({ text = "" }) => ({ act: "say", body: { text, interject: true } }),
  pause: () => ({ act: "pause", body: {} }),
  stop: () => ({ act: "stop", body: {} }),
  delete: () => ({ act: "delete", body: {} }),
  restore: () => ({ act: "restore", body: {} }),
  resume: (fields) => ({ act: "resume", body: settingValues(fields, LIMIT_ROWS) }),
  fork: ({ at = "", said = "", edit = said }) => ({
    act: "fork",
    body: defined({ at: Number(at), edit: plain(edit) === plain(said) ? undefined : edit }),
  }),
  brief: ({ as, model }) => ({
    act: "brief",
    body: defined({ as, model: model === "" ? undefined : model }),
  }),
  flow: ({ model }) => ({
    act: "flow",
    body: defined({ model: model === "" ? undefined : model }),
  }),
  judge: ({ rubric, models = "" }) => ({ act: "judge", body: panelOf(rubric, models) }),
};

/** A text without the line ends of forms. */
function plain(text: string): string {
  return text.replaceAll("\r\n", "\n").trim();
}

function speakerOf(as: string | undefined): { readonly participant?: string } {
  return as === undefined || as === "" ? {} : { participant: as };
}

function panelOf(rubric: string | undefined, models: string): object {
  const named = models.split(",").map((each) => each.trim()).filter((each) => each !== "");
  return defined({ rubric, models: named.length === 0 ? undefined : named });
}
