import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { operate } from './open-page.tsx'

type Imported = {
  org: string
  experiment: string
  results: Record<string, 'passed' | 'failed'>
}

/** Imports a run that has ended: without a run engine there are no others. */
export async function importRun({ org, experiment, results }: Imported) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-imported-'))
  const trial = {
    trial_name: 'hello.1-of-1',
    task_id: 'hello',
    is_resolved: Object.values(results).every((result) => result === 'passed'),
    failure_mode: 'unset',
    parser_results: results,
    trial_started_at: '2025-08-01T10:00:00+00:00',
    trial_ended_at: '2025-08-01T10:05:00+00:00',
  }
  const files = {
    'results.json': JSON.stringify({ id: 'one', results: [trial] }),
    'hello/hello.1-of-1/results.json': JSON.stringify({ ...trial, instruction: 'Say it' }),
    'hello/hello.1-of-1/sessions/agent.log': 'User:\r\nSay it\r\nAssistant:\r\nDone\r\n',
  }
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, '20250801_alpha_model-1/run1', name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
  }
  await operate('import', { paths: [folder], org, experiment })
  await rm(folder, { recursive: true })
}
