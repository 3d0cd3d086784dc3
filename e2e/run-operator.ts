import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** What an operator types after `npm run -s assay --`, to the program under test; answers what it prints. */
export async function runOperator(...words: string[]) {
  const env = { ...process.env, DATA_DIR: process.env.ASSAY_DATA_DIR }
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/assay.mjs', ...words], { env })
  return stdout.trim()
}

let people = 0

/** Somebody nobody else in these stories is, with a personal key for the organizations they are members of. */
export async function newPerson(roles: Record<string, 'admin' | 'member'>) {
  people += 1
  const email = `person-${process.pid}-${people}@demo.example`
  for (const [org, role] of Object.entries(roles))
    await runOperator('member', 'set', '--org', org, '--email', email, '--role', role)
  const organizations = Object.keys(roles).flatMap((org) => ['--org', org])
  return { email, apiKey: await runOperator('key', 'create', ...organizations, '--email', email, '--kind', 'personal') }
}
