import { randomUUID } from 'node:crypto'

import type { AuditEventName } from '#contract/audit.ts'
import type { TestPlatform } from './test-platform.ts'

type Write = { events: AuditEventName[]; subject?: string; act: () => Promise<unknown> }

const path = '/context/records/product/audited'

/** The writes of Context that leave audit events. */
export function writesOfContext(
  platform: () => TestPlatform,
  run: (name: string, input: unknown) => Promise<unknown>,
): Record<string, Write> {
  let writes = 0
  const put = () => {
    writes += 1
    return run('context put', { org: 'lab', kind: 'product', id: 'audited', fields: { name: `Name ${writes}` } })
  }
  const revision = async () => Number((await platform().request('GET', path)).json.revision)

  async function suggest() {
    await run('context enable', { org: 'lab', enabled: true })
    await put()
    const proposal = { kind: 'product', targetId: 'audited', proposed: { summary: 'Audited' }, reason: 'So' }
    const rest = { baseRevision: await revision(), evidence: [], idempotencyKey: randomUUID() }
    const body = { action: 'submit', ...proposal, ...rest }
    return String((await platform().request('POST', '/context/suggestions', { body })).json.suggestionId)
  }

  return {
    'context put': { events: ['context.write'], subject: 'audited', act: put },
    'contextRecords.create': {
      events: ['context.write'],
      subject: 'added',
      act: () => {
        const body = { kind: 'product', targetId: 'added', fields: { name: 'Added' } }
        return platform().request('POST', '/context/records', { body })
      },
    },
    'contextVersions.restore': {
      events: ['context.write'],
      subject: 'audited',
      act: async () => {
        await put()
        const body = { expectedRevision: await revision() }
        return platform().request('POST', `${path}/versions/1/restore`, { body })
      },
    },
    'context decide': {
      events: ['context.decide'],
      act: async () => run('context decide', { suggestion: await suggest(), decision: 'rejected' }),
    },
    'contextSuggestions.decide': {
      events: ['context.decide'],
      act: async () => {
        const body = { decision: 'rejected' }
        return platform().request('POST', `/context/suggestions/${await suggest()}/decision`, { body })
      },
    },
  }
}
