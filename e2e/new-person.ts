import { assay } from './operator.ts'

let people = 0

/** A person no other story uses, with a personal key for their organizations. */
export async function newPerson(roles: Record<string, 'admin' | 'member'>) {
  people += 1
  const email = `person-${process.pid}-${people}@demo.example`
  for (const [org, role] of Object.entries(roles))
    await assay('member', 'set', '--org', org, '--email', email, '--role', role)
  const organizations = Object.keys(roles).flatMap((org) => ['--org', org])
  const [apiKey = ''] = await assay('key', 'create', ...organizations, '--email', email, '--kind', 'personal')
  return { email, apiKey }
}
