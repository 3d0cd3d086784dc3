import { basename } from 'node:path'

import { z } from 'zod'

import { counted } from '#contract/wire/counted.ts'
import { reindex } from '#platform/analysis/projection/reindex.ts'
import { packTar } from '#platform/ground/files/pack-tar.ts'
import { stageBlob } from '#platform/inputs/experiments/stage-blob.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { ExperimentId } from '#contract/experiment-id.ts'
import { requireOperator } from '#platform/people/identity/require-operator.ts'
import { formatIds } from '#contract/import-formats.ts'
import { importResults } from '#platform/program/imports/results/import-results.ts'
import { describeResults } from '#platform/program/imports/results/describe-results.ts'
import { describeReceipt } from '#platform/program/imports/tasks/describe-receipt.ts'
import { taskFormats } from '#contract/task-formats.ts'
import { importTasks } from '#platform/program/imports/tasks/import-tasks.ts'
import { listEvents } from '#platform/people/audit/list-events.ts'
import { audited } from '#platform/people/audit/audited.ts'
import { preconditionFailed } from '#platform/ground/failures/failure.ts'
import { rotateSecrets } from '#platform/inputs/secrets/rotate-secrets.ts'
import { resealWebhooks } from '#platform/people/webhooks/reseal-webhooks.ts'
import { sendTestTo } from '#platform/people/mail/send-by-hand.ts'
import { makeBackup } from '#platform/program/backup/make-backup.ts'
import { command } from './command.ts'
import { contextCommands } from './context-commands.ts'
import { creditCommands } from './credit-commands.ts'
import { demoCommands } from './demo-commands.ts'
import { identityCommands } from './identity-commands.ts'
import { retentionCommands } from './retention-commands.ts'
import { runPolicyCommands } from './run-policy-commands.ts'

const rotateSecretsCommand = command({
  name: 'secrets rotate',
  input: z.object({}),
  run: async (services, _, report) => {
    const { rotated, unreadable } = await rotateSecrets(services, (done) => report({ done, label: 'secrets' }))
    const webhooks = await resealWebhooks(services)
    const details = { rotated, unreadable: unreadable.length, webhooks: webhooks.rotated }
    await audited(services, async (_, record) => record({ event: 'secret.rotate', organizationId: null, details }))
    const done = `Encrypted ${counted(rotated, 'secret')} and ${counted(webhooks.rotated, 'webhook')} with the newest key`
    const left = [
      ...unreadable.map(({ organizationId, slug }) => `${slug} of organization ${organizationId}`),
      ...webhooks.unreadable.map((id) => `the webhook ${id}`),
    ]
    if (left.length === 0) return [`${done}; older keys are no longer needed for them`]
    throw preconditionFailed(
      `${done}, but no configured key decrypts ${left.join(', ')}: configure the key that encrypted them, or set them again`,
    )
  },
})

/**
 * Prints one JSON object per line. Names and hosts come from other people and can contain any character, so they stay
 * escaped.
 */
const listAuditCommand = command({
  name: 'audit list',
  input: z.object({
    org: z.string().optional(),
    before: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(10_000).default(100),
  }),
  run: async (services, { org, ...page }) => {
    const organizationId = org === undefined ? undefined : (await requireOrganization(services.db, org)).id
    const events = await listEvents(services, { organizationId, ...page })
    return events.map((event) => JSON.stringify(event))
  },
})

const importResultsCommand = command({
  name: 'import',
  input: z.object({
    paths: z.array(z.string()).min(1),
    org: z.string(),
    experiment: ExperimentId,
    format: z.enum(formatIds).optional(),
    pattern: z.string().optional(),
    columns: z.record(z.string(), z.string()).optional(),
  }),
  run: async (services, { org, experiment, ...what }, report) => {
    const context = await requireOperator(services, org)
    const receipt = await importResults(context, {
      ...what,
      experimentId: experiment,
      onProgress: (done, total) => report({ done, total, label: 'runs' }),
    })
    services.wakeProjector()
    return describeResults(experiment, receipt)
  },
})

const importTasksCommand = command({
  name: 'import-tasks',
  input: z.object({
    format: z.enum(taskFormats).optional(),
    paths: z.array(z.string()).min(1),
    org: z.string(),
    experiment: ExperimentId,
    image: z.string().optional(),
    nothing: z.boolean().default(false),
  }),
  run: async (services, { format, paths, org, experiment, image, nothing }, report) => {
    const context = await requireOperator(services, org)
    const receipt = await importTasks(context, {
      formats: format ? [format] : null,
      paths,
      experimentId: experiment,
      name: basename(paths[0] ?? ''),
      imageTemplate: image ?? null,
      withNothing: nothing,
      onProgress: (done, total) => report({ done, total, label: 'tasks' }),
    })
    return describeReceipt(receipt)
  },
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
  writesAnalytics: true,
  run: async (services, { org }, report) => {
    const organization = await requireOrganization(services.db, org)
    const count = await reindex(services, organization.id, (done, total) => report({ done, total, label: 'runs' }))
    return [`Reindexed ${counted(count, 'run')} of ${org}`]
  },
})

const sendTestEmailCommand = command({
  name: 'send-test-email',
  input: z.object({ address: z.email('must be an email address').max(200) }),
  run: async (services, { address }) => {
    const said = await sendTestTo(services, address)
    return [`Sent a test email to ${address}. The mail server answered: ${said}`]
  },
})

/** Every command that works both while the service runs and while it is stopped. */
const backupCommand = command({
  name: 'backup',
  input: z.object({ file: z.string().min(1) }),
  run: async (services, { file }) => {
    const { state } = services
    if (!state)
      throw preconditionFailed('This installation keeps its data in PostgreSQL. docs/operate.md says how to back it up')
    const bytes = await makeBackup(state, file)
    // Not one transaction with the copy: a database with an open transaction waits with its own copy.
    await audited(services, async (_, record) =>
      record({ event: 'backup.make', organizationId: null, details: { file, bytes } }),
    )
    const megabytes = `${(bytes / 1e6).toFixed(1)} MB`
    if (state.bucket === null)
      return [`Wrote ${file} (${megabytes}). It contains the encryption keys: keep it as safe as they are`]
    return [`Wrote ${file} (${megabytes}) without packages and transcripts, which are in ${state.bucket}`]
  },
})

export const commands = [
  ...identityCommands,
  stageFilesCommand,
  importResultsCommand,
  importTasksCommand,
  ...creditCommands,
  ...contextCommands,
  ...demoCommands,
  ...runPolicyCommands,
  ...retentionCommands,
  reindexCommand,
  rotateSecretsCommand,
  listAuditCommand,
  sendTestEmailCommand,
  backupCommand,
]
