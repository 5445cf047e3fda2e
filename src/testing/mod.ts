/**
 * Test tools for programs that embed convenings: an agent that follows a script, and contract suites for agents, records and
 * retrievers.
 *
 * @module
 */

export { createScriptedAgent } from "../agents/scripted.ts";
export type {
  ScriptedAgent,
  ScriptedLine,
  ScriptedOptions,
  ScriptedText,
} from "../agents/scripted.ts";
export { agentContract, type Subject } from "../../tests/contracts/agent_contract.ts";
export { recordStoreContract } from "../../tests/contracts/record_store_contract.ts";
export type { StoreUnderTest } from "../../tests/contracts/record_store_contract.ts";
export { retrieverContract } from "../../tests/contracts/retriever_contract.ts";
