import { z } from 'zod'

import { reindex } from '#platform/analytics/reindex.ts'
import { stageBlob } from '#platform/experiments/stage-blob.ts'
import { createKey, NewKey } from '#platform/identity/create-key.ts'
import { createOrganization } from '#platform/identity/create-organization.ts'
import { requireOrganization } from '#platform/identity/require-organization.ts'
import { command } from './command.ts'
import { contextCommands } from './context-commands.ts'
import { creditCommands } from './credit-commands.ts'
import { importTerminalBenchCommand } from './import-terminal-bench.ts'
import { packTar } from './pack-tar.ts'
import { rotateSecretsCommand } from './rotate-secrets.ts'

const createOrganizationCommand = command({
  name: 'org create',
  input: z.object({ slug: z.string(), name: z.string().optional() }),
  run: async (services, input) => {
    const { id } = await createOrganization(services, input)
    return [id]
  },
})

const createKeyCommand = command({
  name: 'key create',
  input: NewKey,
  run: async (services, input) => [await createKey(services, input)],
})

const stageFilesCommand = command({
  name: 'files stage',
  input: z.object({ path: z.string(), source: z.string(), dest: z.string(), org: z.string() }),
  run: async (services, { path, source, dest, org }) => {
    const organization = await requireOrganization(services.db, org)
    const staged = await stageBlob(services, organization.id, await packTar(path))
    return [JSON.stringify({ dest, source, tar_sha256: staged.tarSha256, size_bytes: staged.sizeBytes })]
  },
})

const reindexCommand = command({
  name: 'reindex',
  input: z.object({ org: z.string() }),
  run: async (services, { org }, report) => {
    const organization = await requireOrganization(services.db, org)
    const count = await reindex(services, organization.id, (done, total) => report({ done, total, label: 'runs' }))
    return [`Reindexed ${count} runs of ${org}`]
  },
})

/** Every command that works whether the service runs or is stopped. */
export const commands = [
  createOrganizationCommand,
  createKeyCommand,
  stageFilesCommand,
  importTerminalBenchCommand,
  ...creditCommands,
  ...contextCommands,
  reindexCommand,
  rotateSecretsCommand,
]
