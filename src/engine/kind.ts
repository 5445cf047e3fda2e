// Kinds of convenings: the definition with which a library runs, resumes, verifies, forks, judges and serves a kind.
import { z } from "zod";
import type { CommonConfig } from "../config/convening_config.ts";
import { schemaOf } from "../config/setting.ts";
import { SETTINGS } from "../config/settings.ts";
import { callable, checkFields, schema } from "../core/check_fields.ts";
import { ConfigurationError } from "../core/error.ts";
import type { ConveningStart } from "../core/event.ts";
import type { SchemaShape, ValuesOf } from "../core/schema.ts";
import {
  type Participant,
  type ParticipantOptions,
  participantsFrom,
} from "../core/participant.ts";
import { memo } from "../core/values.ts";
import type { DialogueWorkflow } from "./dialogue_workflow.ts";
import {
  type HandedIn,
  INSTANCES,
  type WorkflowDesign,
  type WorkflowOptions,
} from "./workflow_options.ts";

/** A kind of convening, as a library registers it. */
export interface Kind {
  /** Value of `kind` in configurations and records. */
  readonly name: string;
  /** One line for help texts. */
  readonly summary: string;
  /** Schemas of the kind's own configuration keys; absent for built-in kinds, whose keys are in the table of settings. */
  readonly settings?: SchemaShape | undefined;
  /** Participants of a configuration that names none. @default those that `create` makes; none for a program's own kind */
  readonly participants?: readonly ParticipantOptions[] | undefined;
  /** Creates the workflow of a checked configuration. */
  create(
    config: never,
    handed: HandedIn,
  ): DialogueWorkflow<unknown> | Promise<DialogueWorkflow<unknown>>;
  /** Returns the ids of the participants whose messages `judge` scores and compares. @default nothing is judged */
  readonly judged?: ((start: ConveningStart) => readonly string[]) | undefined;
}

/** Constructor options of a program's own kind: every option of a workflow, and the kind's own settings. */
export type KindOptions<S extends SchemaShape> = WorkflowOptions & ValuesOf<S> & {
  /** The kind's name and recorded settings; a design of the workflow need not repeat them. */
  readonly design: WorkflowDesign;
};

/** Definition of a program's own kind of convening. */
export interface KindDefinition<S extends SchemaShape>
  extends Pick<Kind, "summary" | "participants" | "judged"> {
  /** Lower-case letters, digits and `-`, at most 40; not the name of a built-in kind. */
  readonly name: string;
  /** Schemas of the kind's own configuration keys, in addition to those of every kind. */
  readonly settings: S;
  /** Creates the workflow; pass `options` to the constructor of `DialogueWorkflow`. */
  create(
    topic: string,
    participants: readonly Participant[],
    options: KindOptions<S>,
  ): DialogueWorkflow<unknown> | Promise<DialogueWorkflow<unknown>>;
}

const definitions = memo(() =>
  z.strictObject({
    name: z.string(),
    summary: z.string(),
    settings: z.record(z.string(), schema),
    participants: z.array(z.unknown()).optional(),
    create: callable,
    judged: callable.optional(),
  })
);

/** Defines a program's own kind, which `createLibrary({ kinds })` runs, resumes, verifies and serves like the built-in kinds. */
export function defineKind<const S extends SchemaShape>(definition: KindDefinition<S>): Kind {
  const { name } = checkFields(definition, definitions(), "kind");
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) {
    throw new ConfigurationError(`Cannot define the kind ${JSON.stringify(name)}`, {
      field: "name",
      hint: "A kind's name has small letters, digits and '-', at most 40.",
    });
  }
  const common = { ...schemaOf(SETTINGS, name).shape, ...INSTANCES };
  const taken = Object.keys(definition.settings).find((key) => Object.hasOwn(common, key));
  if (taken === undefined) return kindOf(definition);
  throw new ConfigurationError(`Cannot define the kind "${name}": every kind has "${taken}"`, {
    field: `settings.${taken}`,
    hint: "Give the kind's own setting another name, or check the common setting in `create`.",
  });
}

/** Makes a kind of a definition that needs no check. */
export function kindOf<const S extends SchemaShape>(
  { name, summary, settings, participants: cast, create, judged }: KindDefinition<S>,
): Kind {
  const keys = Object.keys(settings);
  return {
    name,
    summary,
    settings,
    participants: cast,
    judged,
    create(config: CommonConfig, { agentOf, papers: _papers, ...handed }: HandedIn) {
      const { kind: _kind, topic, participants: given = cast ?? [], sources: _files, ...settings } =
        config as
          & CommonConfig
          & { readonly kind: string };
      const configuration = Object.fromEntries(
        Object.entries(settings).filter(([key]) => keys.includes(key)),
      );
      const participants = participantsFrom(given)
        .map((each) => ({ ...each, agent: agentOf(each.id) }));
      const design = { kind: name, configuration, keepsValue: true };
      // The configuration was checked against the kind's own schema.
      return create(
        topic,
        participants,
        { ...settings, ...handed, design, ofKind: design } as unknown as KindOptions<S>,
      );
    },
  };
}
