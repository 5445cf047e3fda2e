// Rates of providers and the budget of a study in Redis, as all workers share them: each step is one script.
import { pause } from "../core/clock.ts";
import type { StudyBudget, StudyLimits } from "./queue.ts";
import { PREFIX, type RedisClient } from "./redis.ts";
import type { ProviderRate } from "./study.ts";

/** The longest wait in milliseconds before the level is read again, and the most that is added so that not all come at once. */
const WAIT = { most: 5000, spread: 20 } as const;

/**
 * Reads a provider's levels on the clock of Redis. KEYS: a hash for each kind (requests, tokens). ARGV for each kind: what
 * a millisecond adds, and the most there can be.
 */
const LEVELS = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function level(i)
  local state = redis.call('HMGET', KEYS[i], 'level', 'at', 'blocked')
  local rate, most = tonumber(ARGV[i * 2 - 1]), tonumber(ARGV[i * 2])
  local value = math.min(most, (tonumber(state[1]) or most) + (now - (tonumber(state[2]) or now)) * rate)
  return value, rate, most, tonumber(state[3]) or 0
end
local function keep(i, value, rate)
  redis.call('HSET', KEYS[i], 'level', tostring(value), 'at', now)
  redis.call('PEXPIRE', KEYS[i], 120000 + math.max(0, math.ceil(-value / rate)))
end`;

/**
 * Takes from every level, or from none: gives the milliseconds until there is enough, 0 where it took. A request over the
 * most there can be waits for a full level and leaves a debt, so that the rate holds over time.
 */
const TAKE = `${LEVELS}
local wait, left = 0, {}
for i = 1, #KEYS do
  local value, rate, most, blocked = level(i)
  local want = tonumber(ARGV[#KEYS * 2 + i])
  local need = math.min(want, most)
  wait = math.max(wait, blocked - now)
  if value < need then wait = math.max(wait, math.ceil((need - value) / rate)) end
  left[i] = { value - want, rate }
end
if wait > 0 then return wait end
for i = 1, #KEYS do keep(i, left[i][1], left[i][2]) end
return 0`;

const GIVE_BACK = `${LEVELS}
local value, rate, most = level(1)
keep(1, math.min(most, value + tonumber(ARGV[3])), rate)`;

const BLOCK = `
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
local before = tonumber(redis.call('HGET', KEYS[1], 'blocked') or '0')
if till <= before then return end
redis.call('HSET', KEYS[1], 'blocked', till)
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[1]) + 120000))`;

/** A level that fills at a provider's rate. */
interface Level {
  readonly key: string;
  /** Amount that a millisecond adds. */
  readonly rate: number;
  /** A second's worth, at least one request. */
  readonly most: number;
}

/** Requests and tokens a minute of each provider, for all workers and all studies of a Redis. */
export class RedisLimits implements StudyLimits {
  readonly #client: RedisClient;
  readonly #rates: Readonly<Record<string, ProviderRate>>;

  /** The limits by provider; a provider without any is not held back but where it is blocked. */
  constructor(client: RedisClient, rates: Readonly<Record<string, ProviderRate>>) {
    this.#client = client;
    this.#rates = rates;
  }

  async take(provider: string, tokens: number, signal: AbortSignal): Promise<void> {
    const levels = [...this.#levels(provider)];
    const wants = [1, tokens].slice(0, levels.length);
    for (;;) {
      signal.throwIfAborted();
      const wait = Number(
        await this.#client.eval(TAKE, levels.length, ...argumentsOf(levels), ...wants),
      );
      if (wait === 0) return;
      await pause(Math.min(wait, WAIT.most) + Math.random() * WAIT.spread, signal);
    }
  }

  async giveBack(provider: string, tokens: number): Promise<void> {
    const [, level] = this.#levels(provider);
    if (level === undefined || tokens <= 0) return;
    await this.#client.eval(GIVE_BACK, 1, ...argumentsOf([level]), tokens);
  }

  async block(provider: string, ms: number): Promise<void> {
    await this.#client.eval(BLOCK, 1, this.#levels(provider)[0].key, Math.ceil(ms));
  }

  #levels(provider: string): readonly [requests: Level, ...tokens: Level[]] {
    const { requestsPerMinute = UNLIMITED, tokensPerMinute } = this.#rates[provider] ?? {};
    const key = `${PREFIX}:rates:{${provider}}`;
    const requests = levelOf(`${key}:requests`, requestsPerMinute);
    return tokensPerMinute === undefined
      ? [requests]
      : [requests, levelOf(`${key}:tokens`, tokensPerMinute)];
  }
}

/** Requests a minute of a provider without a rate: it can still be blocked. */
const UNLIMITED = 1e9;

function levelOf(key: string, perMinute: number): Level {
  return { key, rate: perMinute / 60_000, most: Math.max(1, perMinute / 60) };
}

function argumentsOf(levels: readonly Level[]): (string | number)[] {
  return [...levels.map(({ key }) => key), ...levels.flatMap(({ rate, most }) => [rate, most])];
}

/** KEYS: the budget and its reservations. ARGV: limit, id, amount. Gives 1; 0 over the limit; -1 where the amount spent is lost. */
const RESERVE = `
local spent = redis.call('GET', KEYS[1])
if not spent then return -1 end
local held = tonumber(ARGV[3])
local all = redis.call('HGETALL', KEYS[2])
for i = 1, #all, 2 do if all[i] ~= ARGV[2] then held = held + tonumber(all[i + 1]) end end
if tonumber(spent) + held > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1`;

const SETTLE = `
redis.call('HDEL', KEYS[2], ARGV[1])
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('INCRBYFLOAT', KEYS[1], ARGV[2]) end`;

/** The amount spent is that of the records, or more: attempts of killed workers are in no record. */
const RECOUNT = `
local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
redis.call('SET', KEYS[1], math.max(spent, tonumber(ARGV[1])))`;

/** Options of a {@linkcode RedisBudget}. */
interface RedisBudgetOptions {
  /** The study's id. */
  readonly study: string;
  /** The limit in millionths of a US dollar. @default no limit */
  readonly limit?: number | undefined;
  /** Cost of all records of the study, in millionths of a US dollar; asked for where Redis has no sum. */
  readonly recorded: () => Promise<number>;
}

/** The budget of a study, which all of its workers share; the records restore what is spent. */
export class RedisBudget implements StudyBudget {
  readonly #client: RedisClient;
  readonly #limit: number;
  readonly #recorded: () => Promise<number>;
  readonly #keys: readonly [string, string];

  constructor(
    client: RedisClient,
    { study, limit = Number.MAX_SAFE_INTEGER, recorded }: RedisBudgetOptions,
  ) {
    this.#client = client;
    this.#limit = limit;
    this.#recorded = recorded;
    this.#keys = [`${PREFIX}:{${study}}:spent`, `${PREFIX}:{${study}}:reserved`];
  }

  async reserve(id: string, micros: number): Promise<boolean> {
    for (;;) {
      const end = await this.#client.eval(RESERVE, 2, ...this.#keys, this.#limit, id, micros);
      if (end !== -1) return end === 1;
      await this.recount();
    }
  }

  async settle(id: string, micros: number): Promise<void> {
    await this.#client.eval(SETTLE, 2, ...this.#keys, id, micros);
  }

  async spent(): Promise<number> {
    const spent = await this.#client.get(this.#keys[0]);
    return spent === null ? await this.#recorded() : Number(spent);
  }

  /** Raises what is spent to what the records say, as a run of the study does when it begins. */
  async recount(): Promise<void> {
    await this.#client.eval(RECOUNT, 1, this.#keys[0], await this.#recorded());
  }
}
