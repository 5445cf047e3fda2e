import type { KeyCase } from "../support/key_case.ts";
export const JUDGING_CASES: readonly KeyCase[] = [];
