import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { seedRecords } from '#platform/context-records/seed-records.ts'
import { enableSuggestions } from '#platform/context-suggestions/enable-suggestions.ts'
import type { Services } from '#platform/context/context.ts'
import { listExperiments } from '#platform/experiments/list-experiments.ts'
import { pushExperiment } from '#platform/experiments/push-experiment.ts'
import { createKey } from '#platform/identity/create-key.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { requireOperator } from '#platform/identity/require-operator.ts'
import { hasOrganizations, isOnlyOrganization } from '#platform/identity/has-organizations.ts'
import { listRuns } from '#platform/runs/list-runs.ts'
import { submitRuns } from '#platform/runs/submit-runs.ts'

const slug = 'demo'
const people = [
  { id: 'admin', name: 'Ada Admin', email: 'ada@demo.example', role: 'admin' },
  { id: 'member', name: 'Max Member', email: 'max@demo.example', role: 'member' },
] as const

const examplesFolder = fileURLToPath(new URL('../../examples', import.meta.url))

/**
 * Creates the demo organization of an empty embedded platform, with an admin, a member and Context records. Writes
 * their keys to `demo-keys.json` in the data folder, readable by its owner only. It must end before the platform
 * listens, so that the first visitor can sign in.
 */
export async function seedDemoPeople(services: Services, dataFolder: string) {
  if (!(await hasOrganizations(services.db)))
    await createPeople(services, join(dataFolder, 'demo-keys.json')).catch(unlessNotAlone)
}

/**
 * Pushes and runs every example in the demo organization, if there is one. Each step first checks whether it is done,
 * so the next start completes one that was killed.
 */
export async function seedDemoExperiments(services: Services) {
  const context = await requireOperator(services, slug).catch(() => null)
  if (!context) return
  for (const folder of (await readdir(examplesFolder)).sort()) {
    const experimentYaml = await readFile(join(examplesFolder, folder, 'experiment.yaml'), 'utf8').catch(() => null)
    if (experimentYaml === null) continue
    const { experiments } = await listExperiments(context, { search: folder })
    if (!experiments.some(({ id }) => id === folder)) await pushExperiment(context, { experimentYaml })
    const { runs } = await listRuns(context, { experimentId: folder, limit: 1 })
    if (runs.length === 0) await submitRuns(context, { id: folder, repeat: 3, mock: !services.sandbox.available })
  }
}

/**
 * Creates the organization last, except for its keys, in one transaction: a second start finds all of it or nothing.
 */
async function createPeople(services: Services, keysFile: string) {
  await services.db.transaction(async (tx) => {
    const { id: organizationId } = await createOrganization({ ...services, db: tx }, { slug, name: 'Demo' })
    // Another organization was created since the check, and the demo must be alone.
    if (!(await isOnlyOrganization(tx))) throw new NotAlone()
    await seedRecords({ db: tx }, organizationId)
    await enableSuggestions({ db: tx }, organizationId, true)
    const keys = []
    for (const { id, ...person } of people) {
      const grant = { ...person, kind: 'personal' as const, organizations: [slug] }
      const apiKey = await createKey({ ...services, db: tx }, grant, { isDemo: true })
      keys.push({ id, name: person.name, email: person.email, apiKey })
    }
    await writeFile(keysFile, JSON.stringify(keys, null, 2), { mode: 0o600 })
  })
}

/** Rolls the transaction back. */
class NotAlone extends Error {}

function unlessNotAlone(error: unknown) {
  if (!(error instanceof NotAlone)) throw error
}
