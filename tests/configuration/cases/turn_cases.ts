import type { KeyCase } from "../support/key_case.ts";
export const TURN_CASES: readonly KeyCase[] = [];
