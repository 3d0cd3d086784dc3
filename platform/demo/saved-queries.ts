import type { Presentation } from '#contract/insight-fields.ts'

export const figuresExperiment = 'terminal-bench-figures'

type SavedQuery = {
  name: string
  heading: string
  description: string
  experimentId: string
  sql: string
  presentation: Presentation
  isPublished?: boolean
}

const labels = ['demo']

/** The saved queries of the demo. `name` is also the slug. */
const queries: readonly SavedQuery[] = [
  {
    name: 'demo-solved-by-submission',
    heading: 'Solved rate by agent and model',
    description: 'Demo data: the published Terminal-Bench results of nine submissions.',
    experimentId: figuresExperiment,
    sql: `SELECT concat(agent, ' · ', model) AS submission,
  countIf(solved) AS solved_runs,
  count() AS runs,
  round(avg(solved), 4) AS solved_rate
FROM runs
WHERE solved IS NOT NULL
GROUP BY submission
ORDER BY solved_rate DESC`,
    presentation: { kind: 'bar', x: 'submission', y: ['solved_rate'] },
    isPublished: true,
  },
  {
    name: 'demo-hardest-tasks',
    heading: 'Tasks that the fewest agents solve',
    description: 'Demo data: the share of all published trials that solved a task, hardest first.',
    experimentId: figuresExperiment,
    sql: `SELECT prompt AS task, round(avg(solved), 3) AS solved_rate, countIf(time_limit_hit) AS timed_out
FROM runs
WHERE solved IS NOT NULL
GROUP BY task
ORDER BY solved_rate, task
LIMIT 20`,
    presentation: { kind: 'bar', x: 'task', y: ['solved_rate'] },
  },
  {
    name: 'demo-solved-by-day',
    heading: 'Solved rate of the Roman numeral parsers by day',
    description: 'Demo data: three weeks of runs. The second version of the experiment ran today.',
    experimentId: 'parse-roman',
    sql: `SELECT toDate(ended_at) AS day, agent, round(avg(solved), 3) AS solved_rate
FROM runs
WHERE solved IS NOT NULL
GROUP BY day, agent
ORDER BY day, agent`,
    presentation: { kind: 'line', x: 'day', y: ['solved_rate'], series: 'agent' },
  },
]

export const savedQueries = queries.map(({ name, experimentId, isPublished = false, ...query }) => ({
  name,
  isPublished,
  insight: { ...query, slug: name, labels, provenance: { kind: 'experiment' as const, experimentId } },
}))
