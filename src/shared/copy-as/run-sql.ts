import { literal } from './sql-parts.ts'

/** The results and costs of runs, one row per finished run. */
const runFacts = `SELECT id, variant_id, version_ordinal, repeat, status, passed, failed, unresolved, errored, skipped,
  pass_rate, wall_seconds, cost_usd, total_tokens, tool_calls, tool_failures, ended_at
FROM runs`

export const runsSql = (ids: readonly string[]) => `${runFacts}
WHERE id IN (${ids.map(literal).join(', ')})`

export const requestSql = (runRequestId: string) => `${runFacts}
WHERE run_request_id = ${literal(runRequestId)}
ORDER BY variant_id, repeat`

export const testSql = (runId: string, testName: string) => `SELECT outcome, exit_code, duration_ms, ended_at
FROM tests
WHERE id = ${literal(runId)}
  AND test_name = ${literal(testName)}`
