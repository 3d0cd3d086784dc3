import type { ContextKind } from '#contract/context-kinds.ts'
import type { Services } from '#platform/context/context.ts'
import { clockNow } from '#platform/database/clock.ts'
import { readWholeFields } from './read-fields.ts'
import { insertRecord } from './store.ts'

/** About what the examples run, so that a first suggestion has something true to improve. */
const samples: { kind: ContextKind; targetId: string; fields: Record<string, string> }[] = [
  {
    kind: 'product',
    targetId: 'assay',
    fields: {
      name: 'Assay',
      summary: 'A dashboard for teams that run experiments with software agents.',
      description: 'Experiments are YAML files. Runs execute in a sandbox, their tests are captured and compared.',
    },
  },
  {
    kind: 'use_case',
    targetId: 'choose-an-agent',
    fields: {
      name: 'Choose an agent',
      summary: 'Which agent and model does a recurring job well enough, and at what cost?',
      description: 'Run every candidate on the same tests, several times each, and compare them run by run.',
      successCriteria: 'One candidate is better by more than chance, or it is known how many more runs would tell.',
    },
  },
  {
    kind: 'persona',
    targetId: 'researcher',
    fields: {
      name: 'Researcher',
      summary: 'Lives in results all day and writes findings up for others.',
      goals: 'Trust a difference before it is published. Find out why a run failed in under a minute.',
      constraints: 'Has a budget, and colleagues who will ask how the number was made.',
    },
  },
  {
    kind: 'agent',
    targetId: 'careful',
    fields: {
      name: 'Careful',
      summary: 'The agent of the example experiments that checks its work.',
      capabilities: 'Handles invalid input and tests what it wrote.',
      limitations: 'Slower than the hasty one.',
    },
  },
]

/** Gives an organization the sample records it does not have. Returns how many it got. */
export const seedRecords = ({ db }: Pick<Services, 'db'>, organizationId: string): Promise<number> =>
  db.transaction(async (tx) => {
    const now = await clockNow(tx)
    let added = 0
    for (const { kind, targetId, fields } of samples) {
      const isNew = await insertRecord(
        tx,
        { organizationId, kind, targetId },
        readWholeFields({ kind, given: fields }),
        now,
      )
      if (isNew) added += 1
    }
    return added
  })
