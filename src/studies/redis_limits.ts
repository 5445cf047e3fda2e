// Rate limiter and budget of a study in Redis, shared by all workers; each step is one atomic script.
import { pause } from "../core/clock.ts";
import type { StudyBudget, StudyLimits } from "./queue.ts";
import { PREFIX, type RedisClient } from "./redis.ts";
import type { ProviderRate } from "./study.ts";

/** Maximum wait before the buckets are read again, and maximum random jitter, in milliseconds. */
const WAIT = { most: 5000, spread: 20 } as const;

/**
 * Reads a provider's token buckets on the clock of Redis. KEYS: a hash per bucket (requests, tokens). ARGV per bucket: the
 * amount added per millisecond, and the capacity.
 */
const BUCKETS = `
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
 * Takes from every bucket and returns 0, or takes nothing and returns the milliseconds to wait. A request above the capacity
 * waits for a full bucket and makes the level negative, so that the average rate holds.
 */
const TAKE = `${BUCKETS}
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

const GIVE_BACK = `${BUCKETS}
local value, rate, most = level(1)
keep(1, math.min(most, value + tonumber(ARGV[3])), rate)`;

const BLOCK = `
local time = redis.call('TIME')
local till = time[1] * 1000 + math.floor(time[2] / 1000) + tonumber(ARGV[1])
local before = tonumber(redis.call('HGET', KEYS[1], 'blocked') or '0')
if till <= before then return end
redis.call('HSET', KEYS[1], 'blocked', till)
redis.call('PEXPIRE', KEYS[1], math.max(redis.call('PTTL', KEYS[1]), tonumber(ARGV[1]) + 120000))`;

/** Token bucket in Redis. */
interface Bucket {
  readonly key: string;
  /** Amount added per millisecond. */
  readonly rate: number;
  /** Amount of one second, at least 1. */
  readonly capacity: number;
}

/** Rate limiter in Redis, shared by all workers of all its studies. */
export class RedisLimits implements StudyLimits {
  readonly #client: RedisClient;
  readonly #rates: Readonly<Record<string, ProviderRate>>;

  /** Creates a limiter; providers without rates are limited only while blocked. */
  constructor(client: RedisClient, rates: Readonly<Record<string, ProviderRate>>) {
    this.#client = client;
    this.#rates = rates;
  }

  async take(provider: string, tokens: number, signal: AbortSignal): Promise<void> {
    const buckets = [...this.#buckets(provider)];
    const wants = [1, tokens].slice(0, buckets.length);
    for (;;) {
      signal.throwIfAborted();
      const wait = Number(
        await this.#client.eval(TAKE, buckets.length, ...argumentsOf(buckets), ...wants),
      );
      if (wait === 0) return;
      await pause(Math.min(wait, WAIT.most) + Math.random() * WAIT.spread, signal);
    }
  }

  async giveBack(provider: string, tokens: number): Promise<void> {
    const [, bucket] = this.#buckets(provider);
    if (bucket === undefined || tokens <= 0) return;
    await this.#client.eval(GIVE_BACK, 1, ...argumentsOf([bucket]), tokens);
  }

  async block(provider: string, ms: number): Promise<void> {
    await this.#client.eval(BLOCK, 1, this.#buckets(provider)[0].key, Math.ceil(ms));
  }

  #buckets(provider: string): readonly [requests: Bucket, ...tokens: Bucket[]] {
    const { requestsPerMinute = UNLIMITED, tokensPerMinute } = this.#rates[provider] ?? {};
    const key = `${PREFIX}:rates:{${provider}}`;
    const requests = bucketOf(`${key}:requests`, requestsPerMinute);
    return tokensPerMinute === undefined
      ? [requests]
      : [requests, bucketOf(`${key}:tokens`, tokensPerMinute)];
  }
}

/** Requests per minute of a provider without a rate; its bucket is needed to store a block. */
const UNLIMITED = 1e9;

function bucketOf(key: string, perMinute: number): Bucket {
  return { key, rate: perMinute / 60_000, capacity: Math.max(1, perMinute / 60) };
}

function argumentsOf(buckets: readonly Bucket[]): (string | number)[] {
  return [
    ...buckets.map(({ key }) => key),
    ...buckets.flatMap(({ rate, capacity }) => [rate, capacity]),
  ];
}

/**
 * Reserves an amount. KEYS: the amount spent, the reservations. ARGV: limit, id, amount. Returns 1; 0 above the limit; -1 if
 * the amount spent is missing.
 */
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

/** Cancels reservations. KEYS: the reservations. ARGV: the beginning of their ids. */
const CANCEL = `
for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(id, 1, #ARGV[1]) == ARGV[1] then redis.call('HDEL', KEYS[1], id) end
end`;

/** Raises the amount spent to the sum of the records. It may be more: attempts of killed workers are in no record. */
const RECOUNT = `
local spent = tonumber(redis.call('GET', KEYS[1]) or '0')
redis.call('SET', KEYS[1], math.max(spent, tonumber(ARGV[1])))`;

/** Options of a {@linkcode RedisBudget}. */
interface RedisBudgetOptions {
  /** Id of the study. */
  readonly study: string;
  /** Limit in millionths of a US dollar. @default no limit */
  readonly limit?: number | undefined;
  /** Returns the cost of all records of the study, in millionths of a US dollar. */
  readonly recorded: () => Promise<number>;
}

/** Budget of a study in Redis, shared by its workers; an amount spent that Redis lost is recomputed from the records. */
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

  async cancel(cell: string): Promise<void> {
    await this.#client.eval(CANCEL, 1, this.#keys[1], `${cell}/`);
  }

  async spent(): Promise<number> {
    const spent = await this.#client.get(this.#keys[0]);
    return spent === null ? await this.#recorded() : Number(spent);
  }

  /** Raises the amount spent to the sum of the records; called at the start of a run. */
  async recount(): Promise<void> {
    await this.#client.eval(RECOUNT, 1, this.#keys[0], await this.#recorded());
  }
}
