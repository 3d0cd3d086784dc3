import { z } from 'zod'

import { ContextKind } from '#contract/context-kinds.ts'
import { counted } from '#contract/wire/counted.ts'
import { listRecords } from '#platform/inputs/context-records/list-records.ts'
import { putRecord } from '#platform/inputs/context-records/put-record.ts'
import { seedRecords } from '#platform/inputs/context-records/seed-records.ts'
import { decideSuggestion } from '#platform/inputs/context-suggestions/decide-suggestion.ts'
import { enableSuggestions } from '#platform/inputs/context-suggestions/enable-suggestions.ts'
import { listSuggestionsToDecide, showSuggestion } from '#platform/inputs/context-suggestions/show-suggestion.ts'
import { requireOrganization } from '#platform/people/identity/require-organization.ts'
import { announce } from '#platform/people/notifications/announce.ts'
import { command } from './command.ts'

const OfOrganization = z.object({ org: z.string() })

const enableCommand = command({
  name: 'context enable',
  input: OfOrganization.extend({ enabled: z.boolean() }),
  run: async (services, { org, enabled }) => {
    const { id } = await requireOrganization(services.db, org)
    await enableSuggestions(services, id, enabled)
    return [`Context suggestions are ${enabled ? 'enabled' : 'disabled'} for ${org}`]
  },
})

const putCommand = command({
  name: 'context put',
  input: OfOrganization.extend({ kind: ContextKind, id: z.string(), fields: z.record(z.string(), z.unknown()) }),
  run: async (services, { org, kind, id: targetId, fields }) => {
    const { id: organizationId } = await requireOrganization(services.db, org)
    const { isNew, revision } = await putRecord(services, { organizationId, kind, targetId, fields })
    return [`${isNew ? 'Created' : 'Replaced'} ${kind} ${targetId}: revision ${revision}`]
  },
})

const seedCommand = command({
  name: 'context seed',
  input: OfOrganization,
  run: async (services, { org }) => {
    const { id } = await requireOrganization(services.db, org)
    return [`Added ${counted(await seedRecords(services, id), 'sample record')} to ${org}`]
  },
})

const listCommand = command({
  name: 'context list',
  input: OfOrganization,
  run: async (services, { org }) => {
    const { id } = await requireOrganization(services.db, org)
    const records = await listRecords(services, id)
    return records.map(({ kind, targetId, revision, fields }) => `${kind} ${targetId}  r${revision}  ${fields['name']}`)
  },
})

const suggestionsCommand = command({
  name: 'context suggestions',
  input: OfOrganization,
  run: async (services, { org }) => {
    const { id } = await requireOrganization(services.db, org)
    const lines = await listSuggestionsToDecide(services, id)
    return lines.length > 0 ? lines : [`No pending suggestions in ${org}`]
  },
})

const showCommand = command({
  name: 'context show',
  input: z.object({ suggestion: z.string() }),
  run: (services, { suggestion }) => showSuggestion(services, suggestion),
})

const decideCommand = command({
  name: 'context decide',
  input: z.object({
    suggestion: z.string(),
    decision: z.enum(['accepted', 'rejected']),
    note: z.string().trim().max(2000).optional(),
  }),
  run: async (services, { suggestion: suggestionId, decision, note }) => {
    const { status, revision } = await decideSuggestion(services, { suggestionId, decision, note })
    return [status === 'accepted' ? `Accepted: the record is now at revision ${revision}` : 'Rejected']
  },
})

const announceCommand = command({
  name: 'announce',
  input: z.object({
    title: z.string().trim().min(1).max(200),
    message: z.string().trim().max(2000),
    reference: z.string().min(1).max(200).optional(),
  }),
  run: async (services, announcement) => {
    const people = await announce(services, announcement)
    return [
      people > 0
        ? `Sent to ${people} ${people === 1 ? 'person' : 'people'}`
        : 'Not sent: already announced, or no members',
    ]
  },
})

export const contextCommands = [
  enableCommand,
  putCommand,
  seedCommand,
  listCommand,
  suggestionsCommand,
  showCommand,
  decideCommand,
  announceCommand,
]
