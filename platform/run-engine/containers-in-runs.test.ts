import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { runChanges } from '#platform/database/tables/changes.ts'
import { openTestContainers } from '#platform/testing/test-containers.ts'
import { listTestCaptures, openTestRunEngine, submitTestRuns, untilEnded } from '#platform/testing/test-run-engine.ts'
import { startRunEngine } from './start-run-engine.ts'

const { containers, skip } = await openTestContainers()

let bench: Awaited<ReturnType<typeof openTestRunEngine>>
beforeAll(async () => {
  if (!skip) bench = await openTestRunEngine()
})
afterAll(async () => {
  await bench?.close()
  await containers.close()
})

test.skipIf(skip !== null)(
  `a run completes in a container: setup, agent, changes and tests, with the digest of its image (${skip ?? 'available'})`,
  async () => {
    const runEngine = startRunEngine(bench.services, {
      places: containers.places,
      workFolder: join(bench.folder, 'work'),
    })
    try {
      const definition = {
        id: 'in-container',
        name: 'In a container',
        agents: [
          { id: 'a', command: ['sh', '-c', 'cat given.txt "$ASSAY_PROMPT_FILE" > /etc/answer; cp /etc/answer made'] },
        ],
        environments: [{ id: 'named', image: `${containers.registry.address}/plain:1` }, { id: 'default' }],
        prompts: [{ id: 'p', text: 'the prompt' }],
        setup: { commands: [['sh', '-c', 'echo set up >> given.txt']] },
        tests: [{ name: 'answer', command: ['sh', '-c', 'cat /etc/answer'] }],
      }
      const { requestId } = await submitTestRuns(bench.db, { definition })
      runEngine.wake()
      const ended = await untilEnded(bench.db, requestId)
      const changed = (await bench.db.select().from(runChanges)).map(({ runId }) => runId)
      for (const run of ended) {
        expect(run).toMatchObject({ status: 'completed', statusReason: null, testsPassed: 1 })
        expect(run.imageDigest).toMatch(/^sha256:/)
        const [capture] = await listTestCaptures(bench.db, run.id)
        expect(changed).toContain(run.id)
        expect(capture?.stdoutTail).toBe('given\nset up\nthe prompt')
      }
      expect(new Set(ended.map(({ environment }) => environment))).toEqual(new Set(['named', 'default']))
    } finally {
      await runEngine.stop()
    }
  },
)
