type Run = (sql: string, parameters: Record<string, string | number>) => Promise<unknown>

type Seed = {
  organizationId: string
  experimentId: string
  fingerprint: string
  runCount: number
  testsPerRun: number
  variants?: number
  /** Without tests, a run only has their counts. */
  hasTests?: boolean
}

/** Inserts in batches like the projector, so that the engine's tables have parts to merge. */
const batches = 10

const sharedColumns = `organization_id, run_id, id, run_request_id, experiment_id, version_fingerprint, version_ordinal,
  variant_id, agent, model, prompt, repeat, mock, status, test_aware, full_pass, ended_at`

/** A UUID of version 4, like run ids. */
const uuidFrom = (hash: string) =>
  `toUUID(replaceRegexpOne(toString(reinterpretAsUUID(${hash})), '^(.{14}).(.{4}).', '\\\\14\\\\2a'))`

/** The same run for the same number, in every engine. */
const sharedValues = `toUUID({organizationId:String}) AS organization_id,
  ${uuidFrom('sipHash128({experimentId:String}, number)')} AS run_id,
  concat(variant_id, '::', toString(run_id)) AS id,
  ${uuidFrom("sipHash128(intDiv(number, 500), 'request')")} AS run_request_id,
  {experimentId:String} AS experiment_id, {fingerprint:String} AS version_fingerprint, 1 AS version_ordinal,
  concat('variant-', toString(number % {variants:UInt32})) AS variant_id,
  concat('agent-', toString(number % 5)) AS agent, concat('model-', toString(number % 10)) AS model,
  concat('prompt-', toString(number % 25)) AS prompt, 1 + intDiv(number, {variants:UInt32}) AS repeat, false AS mock,
  'completed' AS status, number % 40 = 7 AS test_aware, number % 9 = 0 AS full_pass,
  toDateTime64('2026-11-20 10:00:00', 6, 'UTC') - toIntervalSecond(number) AS ended_at`

const chance = (salt: string) => `sipHash64(number, '${salt}') / pow(2, 64)`

/** Fills an engine's tables `runs` and `tests` with finished runs of one experiment, generated in the engine. */
export async function seedAnalytics(run: Run, { runCount, testsPerRun, variants = 50, hasTests = true, ...ids }: Seed) {
  const perBatch = Math.ceil(runCount / batches)
  for (let first = 0; first < runCount; first += perBatch) {
    await run(
      `INSERT INTO runs (${sharedColumns}, passed, failed, pass_rate, cost_usd, wall_seconds, tool_calls, tool_failures,
         input_tokens, output_tokens, total_tokens)
       SELECT ${sharedValues}, toUInt32(floor(${chance('passed')} * ${testsPerRun})) AS passed,
         ${testsPerRun} - passed AS failed, passed / ${testsPerRun}, ${chance('cost')} * 5,
         if(number % 13 = 0, NULL, ${chance('seconds')} * 900), floor(${chance('calls')} * 90),
         floor(${chance('failures')} * 9), floor(${chance('input')} * 1e6) AS input, floor(${chance('output')} * 1e5) AS output,
         input + output
       FROM numbers({first:UInt64}, {count:UInt64})`,
      { ...ids, variants, first, count: Math.min(perBatch, runCount - first) },
    )
    if (!hasTests) continue
    await run(
      `INSERT INTO tests (${sharedColumns}, test_name, ordinal, outcome, duration_ms)
       SELECT ${sharedValues}, concat('suite/case ', toString(test)), test,
         if(sipHash64(number, test) % 3 = 0, 'failed', 'passed'), ${chance('duration')} * 1000
       FROM numbers({first:UInt64}, {count:UInt64}) ARRAY JOIN range(${testsPerRun}) AS test`,
      { ...ids, variants, first, count: Math.min(perBatch, runCount - first) },
    )
  }
}
