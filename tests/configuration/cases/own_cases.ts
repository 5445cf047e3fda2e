import type { KeyCase } from "../support/key_case.ts";
export const OWN_CASES: readonly KeyCase[] = [];
