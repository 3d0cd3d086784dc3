import type { QueryTarget } from '#src/api/queries.ts'

/** Something that runs, to begin from. */
export const startingSql = ({ kind }: Pick<QueryTarget, 'kind'> | { kind: 'organization' }) => starts[kind]

const starts = {
  experiment: `SELECT variant_id, count() AS runs, avg(pass_rate) AS pass_rate, avg(cost_usd) AS cost_usd
FROM runs
GROUP BY variant_id
ORDER BY pass_rate DESC`,
  run: `SELECT test_name, outcome, duration_ms
FROM tests
ORDER BY ordinal`,
  organization: `SELECT experiment_id, count() AS runs, avg(pass_rate) AS pass_rate
FROM runs
GROUP BY experiment_id
ORDER BY runs DESC`,
} as const
