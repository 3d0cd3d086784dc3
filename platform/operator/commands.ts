import { z } from 'zod'

import { reindex } from '#platform/projection/reindex.ts'
import { stageBlob } from '#platform/experiments/stage-blob.ts'
import { requireOrganization } from '#platform/identity/require-organization.ts'
import { command } from './command.ts'
import { contextCommands } from './context-commands.ts'
import { creditCommands } from './credit-commands.ts'
import { identityCommands } from './identity-commands.ts'
import { importTerminalBenchCommand } from './import-terminal-bench-command.ts'
import { listAuditCommand } from './list-audit.ts'
import { packTar } from './pack-tar.ts'
import { rotateSecretsCommand } from './rotate-secrets-command.ts'

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

/** Every command that works both while the service runs and while it is stopped. */
export const commands = [
  ...identityCommands,
  stageFilesCommand,
  importTerminalBenchCommand,
  ...creditCommands,
  ...contextCommands,
  reindexCommand,
  rotateSecretsCommand,
  listAuditCommand,
]
