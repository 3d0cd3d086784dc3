import { Counter, Gauge, Histogram, Registry } from 'prom-client'

import { countRepeated } from '#platform/ground/database/open-postgres.ts'

/** Everything that this process measures. Names and units follow Prometheus: seconds, and `_total` for counters. */
export const registry = new Registry()

const shared = { registers: [registry] }
const upToAMinute = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export const httpSeconds = new Histogram({
  ...shared,
  name: 'assay_http_request_seconds',
  help: 'Time of requests to the API, by route',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: upToAMinute,
})

export const querySeconds = new Histogram({
  ...shared,
  name: 'assay_analytics_query_seconds',
  help: 'Time of statements of the analytics engine: of charts and lists (own), or in SQL of users (sql)',
  labelNames: ['origin', 'outcome'] as const,
  buckets: upToAMinute,
})

export const runsClaimed = new Counter({
  ...shared,
  name: 'assay_runs_claimed_total',
  help: 'Runs that this process took from the queue',
})

export const runsSettled = new Counter({
  ...shared,
  name: 'assay_runs_settled_total',
  help: 'Attempts of runs that this process ended, by status; lost: another worker had taken the run over',
  labelNames: ['status'] as const,
})

export const runSeconds = new Histogram({
  ...shared,
  name: 'assay_run_seconds',
  help: 'How long this process held a run',
  buckets: [1, 5, 15, 60, 300, 900, 1800, 3600, 7200, 14_400],
})

export const runsReclaimed = new Counter({
  ...shared,
  name: 'assay_runs_reclaimed_total',
  help: 'Runs of lost workers that this process returned to the queue or ended',
})

export const leasesLost = new Counter({
  ...shared,
  name: 'assay_leases_lost_total',
  help: 'Runs and builds that this process had to give up, because their lease had passed to another worker',
})

registry.registerMetric(
  new Counter({
    registers: [],
    name: 'assay_transactions_repeated_total',
    help: 'Transactions that the database rolled back because of a deadlock or a conflict, and that were repeated',
    collect() {
      this.reset()
      this.inc(countRepeated())
    },
  }),
)

export const engineStarts = new Counter({
  ...shared,
  name: 'assay_analytics_engine_starts_total',
  help: 'Embedded analytics engines that this process started, including restarts',
})

export const projectedRuns = new Counter({
  ...shared,
  name: 'assay_projected_runs_total',
  help: 'Runs that this process wrote to the analytics engine',
})

export const modelCalls = new Counter({
  ...shared,
  name: 'assay_model_calls_total',
  help: 'Calls through the model gateway',
  labelNames: ['provider', 'outcome'] as const,
})

export const modelTokens = new Counter({
  ...shared,
  name: 'assay_model_tokens_total',
  help: 'Tokens of calls through the model gateway',
  labelNames: ['provider', 'direction'] as const,
})

export const runsInStatus = new Gauge({
  ...shared,
  name: 'assay_runs',
  help: 'Runs that have not ended, by status; the same for every server of one database',
  labelNames: ['status'] as const,
})

export const queueAge = new Gauge({
  ...shared,
  name: 'assay_queue_oldest_seconds',
  help: 'How long the oldest queued run has waited; 0 without one',
})

export const outboxRows = new Gauge({
  ...shared,
  name: 'assay_projection_waiting_runs',
  help: 'Ended runs that charts and SQL do not show yet',
})

export const outboxAge = new Gauge({
  ...shared,
  name: 'assay_projection_lag_seconds',
  help: 'How long the oldest of them has waited; 0 without one',
})
