import type { KeyCase } from "../support/key_case.ts";
export const CHECK_CASES: readonly KeyCase[] = [];
