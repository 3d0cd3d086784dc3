import type { ContextKind } from '#contract/context-kinds.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { createRecord } from './create-record.ts'
import { readWholeFields } from './read-fields.ts'

/** Describes the example experiments, so that a first suggestion has a real record to improve. */
const samples: { kind: ContextKind; targetId: string; fields: Record<string, string> & { summary: string } }[] = [
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
      successCriteria: 'One candidate is significantly better, or it is known how many more runs are needed.',
    },
  },
  {
    kind: 'persona',
    targetId: 'researcher',
    fields: {
      name: 'Researcher',
      summary: 'Works with results all day and writes up the findings for others.',
      goals: 'Trust a difference before publishing it. Find out why a run failed in under a minute.',
      constraints: 'Has a budget, and colleagues who will ask where a number comes from.',
    },
  },
  {
    kind: 'agent',
    targetId: 'careful',
    fields: {
      name: 'Careful',
      summary: 'The agent of the example experiments that checks its own work.',
      capabilities: 'Handles invalid input and tests its own code.',
      limitations: 'Slower than the hasty agent.',
    },
  },
]

/** Adds the sample records that an organization lacks; their summaries start with `mark`. Returns the number of added records. */
export const seedRecords = ({ db }: Pick<Services, 'db'>, organizationId: string, mark = ''): Promise<number> =>
  db.transaction(async (tx) => {
    let added = 0
    for (const { kind, targetId, fields } of samples) {
      const key = { organizationId, kind, targetId }
      const values = { ...fields, summary: `${mark}${fields.summary}` }
      if (await createRecord(tx, key, readWholeFields({ kind, values }), null)) added += 1
    }
    return added
  })
