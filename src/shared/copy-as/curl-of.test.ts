import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

import { getInsight } from '#contract/insights.ts'
import { queryExperiment } from '#contract/queries.ts'
import { curlOf } from './curl-of.ts'

/** The arguments that a shell passes to curl. */
function argumentsOf(command: string) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`
  const env = { ASSAY_API_KEY: 'assay_key', ASSAY_URL: 'http://api.example' }
  return execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1)
}

test('a shell reads back the exact request, whatever characters it contains', () => {
  const sql = `SELECT 'it''s' AS "a", \`b\` -- $HOME $(reboot) \\ ! "\n FROM runs`
  const given = argumentsOf(curlOf(queryExperiment, { id: "o'brien $x", sql, limit: 10 }, 'org-1'))
  expect(given).toEqual([
    '-sS',
    '--fail-with-body',
    '-X',
    'POST',
    "http://api.example/api/v1/experiments/o'brien%20%24x/query?org_id=org-1",
    '-H',
    'Authorization: Bearer assay_key',
    '-H',
    'Content-Type: application/json',
    '--data-raw',
    JSON.stringify({ sql, limit: 10 }),
  ])
})

test('the curl command of a read has no body', () => {
  const given = argumentsOf(curlOf(getInsight, { ref: 'pass-rate', limit: 5 }, undefined))
  expect(given).toContain('http://api.example/api/v1/insights/pass-rate?limit=5')
  expect(given).not.toContain('--data-raw')
})
