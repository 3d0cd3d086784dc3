import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs the operator's command `assay …` in the service under test and returns the printed lines. */
export async function assay(...words: string[]): Promise<string[]> {
  const env = { ...process.env, DATA_DIR: process.env.ASSAY_DATA_DIR }
  const { stdout } = await run(process.execPath, ['tools/assay.mjs', ...words], { env })
  return stdout.trim().split('\n')
}

/** Creates a context record for this story, as an operator would. */
export async function putProduct(id: string, fields: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-context-'))
  const file = join(folder, 'record.json')
  await writeFile(file, JSON.stringify(fields))
  await assay('context', 'put', 'product', id, '--org', 'demo', '--file', file)
  await rm(folder, { recursive: true })
}
