import type { Told } from "../operations/told.ts";

/** The exit code of a result: 0 done or paused, 1 failed, 3 stopped by a limit, 4 waiting, 130 interrupted. */
export function codeOf({ status, endReason }: Pick<Told, "status" | "endReason">): number {
  if (endReason === "cancelled" && status !== "completed") return 130;
  switch (status) {
    case "completed":
    case "paused":
      return 0;
    case "stopped":
      return 3;
    case "waiting":
      return 4;
    default:
      return 1;
  }
}
