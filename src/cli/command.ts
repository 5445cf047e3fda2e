// The form of a command: its row in the table, its flags, its action and its reply.
import type { Flag, FlagValues } from "./flag.ts";
import type { Session } from "./session.ts";

/** Arguments and flags of a command. */
export interface Invocation {
  /** The arguments that are no flags. */
  readonly args: readonly string[];
  readonly values: FlagValues;
}

/** The end of a command: its output and the exit code. */
export interface Reply {
  readonly code: number;
  /** The object that `--json` prints; undefined where events were printed as they came. */
  readonly json: Readonly<Record<string, unknown>> | undefined;
  /** The text that is printed without `--json`; ends with a line break unless empty. */
  readonly text: string;
}

/** The flags of a command, and what the command does. */
export interface CommandAction {
  readonly flags: readonly Flag<unknown>[];
  run(invocation: Invocation, session: Session): Promise<Reply>;
}

/** A row of the table of commands. */
export interface CliCommand {
  readonly name: string;
  /** In the notation of help: `<dir>` is needed, `[topic]` is not. */
  readonly arguments: readonly string[];
  /** One line for help. */
  readonly about: string;
  /** Under which heading help lists it. */
  readonly group: string;
  /** No flags of its own. @default false */
  readonly flagless?: boolean;
  /** True of a command that runs a convening: its JSON then always has the keys of a result. */
  readonly runs?: boolean;
  /** True of a command that runs until it is interrupted, and then ends in good order by itself. */
  readonly stays?: boolean;
  load(): Promise<CommandAction>;
}
