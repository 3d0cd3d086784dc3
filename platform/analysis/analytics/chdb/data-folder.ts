import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { schemaVersion } from '#platform/analysis/analytics/create-tables.ts'
import { unavailable } from '#platform/ground/failures/failure.ts'

/** `<folder>/<organization>/v<schema version>` has an organization's rows. A folder without it has an older schema. */
const current = `v${schemaVersion}`

/** A folder that the engine creates in its data folder. It disappears when somebody deletes the rows. */
const madeByEngine = 'store'

/**
 * Whether no engine has opened the organization's folder yet, or somebody has deleted it. A folder without the current
 * version is outdated instead.
 */
export function hasNoFolder(folder: string, organizationId: string) {
  const ofOrganization = join(folder, organizationId)
  if (existsSync(join(ofOrganization, current, madeByEngine))) return false
  return existsSync(join(ofOrganization, current)) || !existsSync(ofOrganization)
}

/** The folder of an organization's rows. Throws `unavailable` while rows of an older schema wait for a reindex. */
export function openDataFolder(folder: string, organizationId: string) {
  const ofOrganization = join(folder, organizationId)
  const dataFolder = join(ofOrganization, current)
  if (existsSync(dataFolder)) return dataFolder
  if (existsSync(ofOrganization)) throw unavailable('Analytics of your organization is being rebuilt')
  mkdirSync(dataFolder, { recursive: true })
  return dataFolder
}

/** Removes all rows. If it is killed, the remaining folder counts as outdated, so the rows are projected again. */
export async function clearDataFolder(folder: string, organizationId: string) {
  const ofOrganization = join(folder, organizationId)
  await mkdir(ofOrganization, { recursive: true })
  for (const entry of await readdir(ofOrganization))
    await rm(join(ofOrganization, entry), { recursive: true, force: true, maxRetries: 5 })
  await mkdir(join(ofOrganization, current))
}

/** The ids of organizations whose folder lacks the current schema version. */
export async function findOutdatedFolders(folder: string) {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory() && !existsSync(join(folder, entry.name, current)))
    .map((entry) => entry.name)
}
