import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Services } from '#platform/context/context.ts'
import { runCommand } from '#platform/operator/run-command.ts'

/** Makes a backup of an installation whose database has no files of its own, and deletes it. */
export async function makeTestBackup(services: Services) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
  const state = { dataFolder, copyTo: async () => {}, holdDeletes: () => async () => {}, migration: '', bucket: null }
  const input = { file: join(dataFolder, 'kept.tar.gz') }
  await runCommand({ ...services, state }, 'backup', input, () => {}, { kind: 'operator', name: 'root' })
  await rm(dataFolder, { recursive: true })
}
