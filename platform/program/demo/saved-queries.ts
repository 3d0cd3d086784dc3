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
    description:
      'Demo data: the published Terminal-Bench results of nine submissions, with a 95 % confidence interval over the tasks.',
    experimentId: figuresExperiment,
    sql: `SELECT concat(agent, ' · ', model) AS submission,
  sum(solved_runs_of_task) AS solved_runs,
  sum(runs_of_task) AS runs,
  round(avg(rate), 4) AS solved_rate,
  round(greatest(avg(rate) - 1.96 * stddevSamp(rate) / sqrt(count()), 0), 4) AS solved_rate_low,
  round(least(avg(rate) + 1.96 * stddevSamp(rate) / sqrt(count()), 1), 4) AS solved_rate_high
FROM (
  SELECT agent, model, prompt, countIf(solved) AS solved_runs_of_task, count() AS runs_of_task, avg(solved) AS rate
  FROM runs
  WHERE solved IS NOT NULL
  GROUP BY agent, model, prompt
)
GROUP BY submission
ORDER BY solved_rate DESC`,
    presentation: { kind: 'bar', x: 'submission', y: ['solved_rate'] },
    isPublished: true,
  },
  {
    name: 'demo-tasks-that-differ',
    heading: 'Tasks that separate the submissions',
    description:
      'Demo data: the 20 tasks with the widest spread between submissions, by the share of submissions that solve them at least once.',
    experimentId: figuresExperiment,
    sql: `SELECT *
FROM (
  SELECT task, round(avg(rate > 0), 3) AS solved_by, round(avg(rate), 3) AS solved_rate,
    round(stddevPop(rate), 3) AS spread
  FROM (
    SELECT prompt AS task, agent, model, avg(solved) AS rate
    FROM runs
    WHERE solved IS NOT NULL
    GROUP BY task, agent, model
  )
  GROUP BY task
  ORDER BY spread DESC, task
  LIMIT 20
)
ORDER BY solved_by DESC, task`,
    presentation: { kind: 'bar', x: 'task', y: ['solved_by'] },
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
