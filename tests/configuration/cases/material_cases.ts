import type { KeyCase } from "../support/key_case.ts";
export const MATERIAL_CASES: readonly KeyCase[] = [];
