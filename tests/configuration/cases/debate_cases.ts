import type { KeyCase } from "../support/key_case.ts";
export const DEBATE_CASES: readonly KeyCase[] = [];
