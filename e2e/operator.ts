import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What an operator types: `assay …`, in the service under test. Returns the lines it prints. */
export async function assay(...words: string[]): Promise<string[]> {
  const env = { ...process.env, DATA_DIR: process.env.ASSAY_DATA_DIR }
  const { stdout } = await run(process.execPath, ['tools/assay.mjs', ...words], { env })
  return stdout.trim().split('\n')
}

/** A record of the story's own, put as an operator does. */
export async function putProduct(id: string, fields: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-context-'))
  const file = join(folder, 'record.json')
  await writeFile(file, JSON.stringify(fields))
  await assay('context', 'put', 'product', id, '--org', 'demo', '--file', file)
  await rm(folder, { recursive: true })
}
