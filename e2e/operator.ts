import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What an operator types: `assay …`, in the service under test. Returns the lines it prints. */
export async function assay(...words: string[]): Promise<string[]> {
  const env = { ...process.env, DATA_DIR: process.env.ASSAY_DATA_DIR }
  const { stdout } = await run(process.execPath, ['tools/assay.mjs', ...words], { env })
  return stdout.trim().split('\n')
}
