import { randomUUID } from 'node:crypto'

import type { Seed } from './program.ts'
import { users } from '#platform/ground/database/tables/identity.ts'
import { seedAnalytics } from './seed-analytics.ts'
import { insertExperiment } from './seed-runs.ts'

export type Results = { experimentId: string; groups: number; tests: number; runs: number; hasTests?: boolean }

/** Experiments with finished runs in the engine, and only the database rows that their pages read. */
export const seedResults =
  (experiments: readonly Results[]): Seed =>
  async ({ db, analytics }, organizationId) => {
    const userId = randomUUID()
    await db.insert(users).values({ id: userId, email: 'owner@lab.example', name: 'Owner' })
    const now = new Date().toISOString()
    const fingerprint = 'f'.repeat(64)
    for (const { experimentId, groups, tests, runs, hasTests = true } of experiments) {
      await insertExperiment(db, { organizationId, userId }, { id: experimentId, fingerprint, now })
      await seedAnalytics((sql, parameters) => analytics.query(organizationId, sql, { parameters }), {
        organizationId,
        experimentId,
        fingerprint,
        runCount: runs,
        testsPerRun: tests,
        variants: groups,
        hasTests,
      })
    }
  }
