import { cp, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { RunList } from '#contract/run-list.ts'
import { type Program, startProgram } from './start-program.ts'

/** For a demo that is never made. A busy machine needs minutes. */
const deadlineMs = 15 * 60_000

/**
 * Makes the demo of the example experiments once and leaves its data in the folder `kept`: a program takes far longer to make
 * it than to copy it. `npm test` does so while other tests run: `node e2e/keep-demo.ts <folder>`.
 */
export async function keepDemo(kept: string): Promise<void> {
  const program = await startProgram()
  try {
    await untilMade(program)
  } finally {
    await program.stop((dataDir) => cp(dataDir, kept, { recursive: true }))
  }
}

async function untilMade({ dataDir, platformUrl }: Program) {
  const [{ apiKey }] = JSON.parse(await readFile(join(dataDir, 'demo-keys.json'), 'utf8'))
  const examples = await readdir('examples')
  const isMade = async () => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const response = await fetch(`${platformUrl}/api/v1/runs?limit=500`, { headers })
    const { runs, statusCounts } = RunList.parse(await response.json())
    const requests = new Set(runs.map(({ runRequestId }) => runRequestId))
    const { queued, waiting_for_ci, running } = statusCounts
    return requests.size === examples.length && queued + waiting_for_ci + running === 0
  }
  const startedAt = Date.now()
  while (!(await isMade())) {
    if (Date.now() - startedAt > deadlineMs) throw new Error('The program did not make the demo')
    await delay(200)
  }
}

const [, program, folder] = process.argv
if (program === fileURLToPath(import.meta.url) && folder) await keepDemo(folder)
