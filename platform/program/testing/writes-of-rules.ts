import { randomUUID } from 'node:crypto'

import { keepEverything } from '#contract/retention.ts'
import type { AuditEventName } from '#contract/audit.ts'
import { imports } from '#platform/ground/database/tables/imports.ts'
import { twoByTwo } from './definitions.ts'
import type { TestPlatform } from './test-platform.ts'

let names = 0

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
  const makeSchedule = async () => {
    names += 1
    const experimentId = 'audited-schedules'
    await platform().request('POST', '/experiments', { yaml: twoByTwo(experimentId) })
    const trigger = { kind: 'times', cron: '0 2 * * *', timeZone: 'UTC' }
    const body = { name: `Nightly ${names}`, experimentId, trigger, submission: { mock: true } }
    return `/schedules/${(await platform().request('POST', '/schedules', { body })).json.id}`
  }
  const changeSchedule = async () => {
    const schedule = await makeSchedule()
    await platform().request('PATCH', schedule, { body: { name: `Renamed ${names}`, isEnabled: false } })
    await platform().request('PATCH', schedule, { body: { isEnabled: false } })
    return platform().request('PATCH', schedule, { body: { isEnabled: true } })
  }
  return {
    'schedules.create': { events: ['schedule.create'], act: makeSchedule },
    'schedules.update': { events: ['schedule.change', 'schedule.pause', 'schedule.resume'], act: changeSchedule },
    'schedules.delete': {
      events: ['schedule.create', 'schedule.delete'],
      act: async () => platform().request('DELETE', await makeSchedule()),
    },
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
    'imports.undo': {
      events: ['run.delete'],
      act: async () => {
        const organizationId = platform().organization.id
        const createdBy = (await platform().request('GET', '/whoami')).json.actor.id
        const id = randomUUID()
        const at = '2026-11-20T10:00:00.000000Z'
        const row = { id, organizationId, createdBy, state: 'done' as const, createdAt: at, startedAt: at }
        await platform().services.db.insert(imports).values(row)
        return platform().request('POST', `/imports/${id}/undo`, { body: {} })
      },
    },
    'runPolicy.put': { events: ['run-policy.set'], subject: 'lab', act: putPolicy },
    'run-policy set': {
      events: ['run-policy.set'],
      subject: 'lab',
      act: () => run('run-policy set', { org: 'lab', rules: { network: 'public' } }),
    },
  }
}
