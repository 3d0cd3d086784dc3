import { keepEverything } from '#contract/retention.ts'
import type { AuditEventName } from '#contract/audit.ts'
import type { TestPlatform } from './test-platform.ts'

type Write = { events: AuditEventName[]; subject?: string; act: () => Promise<unknown> }

/** The writes of the rules of an organization that leave audit events. */
export function writesOfRules(
  platform: () => TestPlatform,
  run: (name: string, input: unknown) => Promise<unknown>,
): Record<string, Write> {
  const path = '/admin/v1/run-policy'
  const putPolicy = async () => {
    const { updatedAt: expectedUpdatedAt, ...rules } = (await platform().request('GET', path)).json
    return platform().request('PUT', path, { body: { ...rules, expectedUpdatedAt } })
  }
  const putRetention = async () => {
    const { updatedAt: expectedUpdatedAt } = (await platform().request('GET', '/admin/v1/retention')).json
    return platform().request('PUT', '/admin/v1/retention', { body: { ...keepEverything, expectedUpdatedAt } })
  }
  return {
    'retention.put': { events: ['retention.set'], subject: 'lab', act: putRetention },
    'retention set': {
      events: ['retention.set'],
      subject: 'lab',
      act: () => run('retention set', { org: 'lab', rules: { runs: 365 } }),
    },
    'retention sweep': {
      events: ['retention.skip-grace'],
      subject: 'lab',
      act: () => run('retention sweep', { org: 'lab', withoutGrace: true }),
    },
    'runPolicy.put': { events: ['run-policy.set'], subject: 'lab', act: putPolicy },
    'run-policy set': {
      events: ['run-policy.set'],
      subject: 'lab',
      act: () => run('run-policy set', { org: 'lab', rules: { network: 'public' } }),
    },
  }
}
