import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Services } from '#platform/ground/context/context.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'

/** Makes a backup of an installation whose database has no files of its own, and deletes it. */
export async function makeTestBackup(services: Services) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
  const dataFolder = join(folder, 'data')
  await mkdir(dataFolder)
  const deletes = { holdDeletes: () => async () => {}, areDeletesHeld: () => false }
  const state = { dataFolder, copyTo: async () => {}, ...deletes, migration: '', bucket: null }
  const input = { file: join(folder, 'kept.tar.gz') }
  await runCommand({ ...services, state }, 'backup', input, () => {}, { kind: 'operator', name: 'root' })
  await rm(folder, { recursive: true })
}
