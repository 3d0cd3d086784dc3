import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { allEndpoints } from '#contract/all-endpoints.ts'
import { signInHeader } from '#contract/identity.ts'
import { commands } from '#platform/program/operator/commands.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { createKey } from '#platform/people/identity/create-key.ts'
import { hashApiKey, newApiKey } from '#platform/people/identity/api-key.ts'
import { apiKeys } from '#platform/ground/database/tables/identity.ts'
import { runStatusChanges } from '#platform/ground/database/tables/runs.ts'
import { addFinishedRun } from '#platform/program/testing/finished-runs.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { confirmAddress, restartAddress } from '#platform/program/testing/mail-addresses.ts'
import { makeTestBackup } from '#platform/program/testing/make-test-backup.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { openAuditLog } from '#platform/ground/services/audit-log.ts'
import { writesOfContext } from '#platform/program/testing/writes-of-context.ts'
import { writesOfKeys } from '#platform/program/testing/writes-of-keys.ts'
import { writesOfRules } from '#platform/program/testing/writes-of-rules.ts'
import { audited } from './audited.ts'
import type { AuditEventName } from '#contract/audit.ts'
import { listEvents } from './list-events.ts'
import { writesWithoutEvents } from './writes-without-events.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

/** The events after the given one, oldest first. */
async function eventsSince(last: string | undefined) {
  const events = await listEvents(platform.services, { limit: 1000 })
  return events.slice(0, last ? events.findIndex(({ id }) => id === last) : undefined).toReversed()
}

const newestId = async () => (await listEvents(platform.services, { limit: 1 }))[0]?.id

const run = (name: string, input: unknown) =>
  runCommand(platform.services, name, input, () => {}, { kind: 'operator', name: 'root' })

const findKeyId = async (key: string) => {
  const keys = await platform.services.db.select().from(apiKeys)
  return keys.find(({ hash }) => hash === hashApiKey(key))?.id
}

async function makeInsight() {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('audited') })
  const body = { heading: 'Shared', sql: 'SELECT count() AS n FROM runs', experimentId: 'audited' }
  const { json } = await platform.request('POST', '/insights', { body })
  return String(json.id ?? json.insight?.id)
}

const smallPage = '{"nodes":[{"in":-1,"text":"x"}],"rules":[],"variables":{"light":{},"dark":{}}}'
const newestReport = async () => `/reports/${(await platform.request('GET', '/reports')).json.reports[0].id}`

/** Adds a member and returns their path. */
async function addMember(name: string) {
  const key = await platform.newKey({ role: 'member', email: `${name}@lab.example` })
  const { json } = await platform.request('GET', '/whoami', { key })
  return `/admin/v1/members/${json.actor.id}`
}

async function makeWebhook() {
  const body = { name: 'Audited', url: 'https://hooks.example/audited' }
  const { json } = await platform.request('POST', '/admin/v1/webhooks', { body })
  return `/admin/v1/webhooks/${json.webhook.id}`
}

const put = (path: string, body: object) => platform.request('PUT', `/admin/v1${path}`, { body })
const setBudget = () => put('/budgets', { scope: 'organization', monthlyLimitUsd: 10 })

async function invite(email: string) {
  const body = { email, role: 'member' }
  const { json } = await platform.request('POST', '/admin/v1/invitations', { body })
  return { id: String(json.invitation.id), token: String(json.link).split('#')[1] ?? '' }
}

const nothing = 'no security event'
const rename = { body: { name: 'Renamed' } }

type Doing = { events: AuditEventName[]; subject?: string; by?: string; act: () => Promise<unknown> }

/** Every write of the API and every CLI command, with its expected audit events and the way to trigger it. */
const verbs: Record<string, Doing | typeof nothing> = {
  'secrets.put': {
    events: ['secret.put'],
    subject: 'token',
    act: () => platform.request('PUT', '/secrets/token', { body: { value: 'very-secret-value' } }),
  },
  'secrets.delete': {
    events: ['secret.delete'],
    subject: 'token',
    act: () => platform.request('DELETE', '/secrets/token'),
  },
  'insights.share': {
    events: ['insight.share'],
    act: async () => platform.request('POST', `/insights/${await makeInsight()}/share`),
  },
  'insights.delete': {
    events: ['insight.revoke'],
    act: async () => {
      const { json } = await platform.request('GET', '/insights')
      const { id } = json.insights.find(({ heading }: { heading: string }) => heading === 'Shared')
      return platform.request('DELETE', `/insights/${id}`)
    },
  },
  'reportPublications.publish': {
    events: ['report.publish'],
    act: async () => {
      const { report } = (await platform.request('POST', '/reports', { body: { title: 'Published' } })).json
      const body = { expectedUpdatedAt: report.updatedAt, documentJson: smallPage }
      return platform.request('PUT', `${await newestReport()}/publication`, { body })
    },
  },
  'reportPublications.revoke': {
    events: ['report.revoke'],
    act: async () => platform.request('DELETE', `${await newestReport()}/publication`),
  },
  'labels.delete': {
    events: ['label.delete'],
    subject: 'k2@lab.example',
    act: async () => {
      await makeInsight()
      await platform.request('POST', '/experiments/audited/runs', { body: {} })
      const { id } = (await platform.request('GET', '/runs')).json.runs[0]
      const key = await platform.newKey({ role: 'member', email: 'k2@lab.example' })
      const label = await platform.request('POST', `/runs/${id}/labels`, { key, body: { kind: 'tag', text: 'wrong' } })
      return platform.request('DELETE', `/runs/${id}/labels/${label.json.id}`)
    },
  },
  'bulkActions.start': {
    events: ['run.delete'],
    act: async () => {
      const { db } = platform.services
      await platform.request('POST', '/experiments', { yaml: twoByTwo('audited-bulk') })
      const triggeredBy = (await platform.request('GET', '/whoami')).json.actor.id
      const outcomes = { suite: 'passed' as const }
      const facts = { organizationId: platform.organization.id, experimentId: 'audited-bulk', triggeredBy }
      const runId = await addFinishedRun(db, { ...facts, outcomes })
      const at = '2026-11-20T10:00:00.000000Z'
      await db.insert(runStatusChanges).values({ runId, seq: 1, status: 'running', attempt: 1, at })
      const body = { kind: 'delete', runUuids: [runId] }
      const { id } = (await platform.request('POST', '/bulk-actions', { body })).json
      return platform.request('POST', `/bulk-actions/${id}/start`, { body: { confirmation: 'delete 1' } })
    },
  },
  'reportComments.delete': {
    events: ['comment.delete'],
    subject: 'k3@lab.example',
    act: async () => {
      const body = { title: 'Findings', bodyMarkdown: 'Intro.' }
      const path = `/reports/${(await platform.request('POST', '/reports', { body })).json.report.id}/comments`
      const key = await platform.newKey({ role: 'member', email: 'k3@lab.example' })
      const comment = { quote: 'Intro.', position: 0, text: 'Wrong' }
      const { json } = await platform.request('POST', path, { key, body: comment })
      return platform.request('DELETE', `${path}/${json.comments[0].id}`)
    },
  },
  'webhooks.create': { events: ['webhook.create'], act: makeWebhook },
  'webhooks.update': {
    events: ['webhook.change'],
    act: async () => platform.request('PATCH', await makeWebhook(), { body: { isPaused: true } }),
  },
  'webhooks.rotate': {
    events: ['webhook.rotate'],
    act: async () => platform.request('POST', `${await makeWebhook()}/rotate`, { body: {} }),
  },
  'webhooks.delete': {
    events: ['webhook.delete'],
    act: async () => platform.request('DELETE', await makeWebhook()),
  },
  'notificationSettings.confirm': { events: ['mail.confirm'], act: () => confirmAddress(platform) },
  'notificationSettings.restart': { events: ['mail.restart'], act: () => restartAddress(platform, 'own') },
  'mail.restart': { events: ['mail.restart'], act: () => restartAddress(platform, 'as admin') },
  'org create': { events: ['organization.create'], subject: 'annex', act: () => run('org create', { slug: 'annex' }) },
  'member set': {
    events: ['member.set'],
    subject: 'new@lab.example',
    act: () => run('member set', { org: 'lab', email: 'new@lab.example', role: 'member' }),
  },
  'member remove': {
    events: ['member.remove'],
    subject: 'new@lab.example',
    act: () => run('member remove', { org: 'lab', email: 'new@lab.example' }),
  },
  'key create': {
    events: ['key.create', 'key.create'],
    act: () =>
      run('key create', { organizations: ['lab', 'annex'], email: 'k@lab.example', role: 'member', kind: 'personal' }),
  },
  'key revoke': {
    events: ['key.revoke'],
    act: async () => run('key revoke', { id: await findKeyId(await platform.newKey()) }),
  },
  'key rotate': {
    events: ['key.rotate'],
    act: async () => run('key rotate', { id: await findKeyId(await platform.newKey()) }),
  },
  'members.changeRole': {
    events: ['member.set'],
    act: async () => platform.request('PATCH', await addMember('first'), { body: { role: 'admin' } }),
  },
  'members.remove': {
    events: ['member.remove'],
    act: async () => platform.request('DELETE', await addMember('second')),
  },
  'members.leave': {
    events: ['member.remove'],
    subject: 'third@lab.example',
    by: 'third@lab.example',
    act: async () => {
      const key = await platform.newKey({ role: 'member', email: 'third@lab.example' })
      return platform.request('DELETE', '/admin/v1/me/membership', { key })
    },
  },
  'invitations.create': { events: ['invitation.create'], act: () => invite('i1@lab.example') },
  'invitations.revoke': {
    events: ['invitation.revoke'],
    act: async () => platform.request('DELETE', `/admin/v1/invitations/${(await invite('i2@lab.example')).id}`),
  },
  'invitations.join': {
    events: ['invitation.accept', 'key.create'],
    by: 'i3@lab.example',
    act: async () => {
      const { token } = await invite('i3@lab.example')
      return platform.request('POST', '/admin/v1/invitation/join', { key: token, body: { name: 'New' } })
    },
  },
  'invitations.accept': {
    events: ['invitation.accept'],
    by: 'i4@lab.example',
    act: async () => {
      const key = await platform.newKey({ organizations: ['annex'], email: 'i4@lab.example' })
      const { token } = await invite('i4@lab.example')
      return platform.request('POST', '/admin/v1/join', { key, body: { token } })
    },
  },
  'invite create': {
    events: ['invitation.create'],
    subject: 'i5@lab.example',
    act: () => run('invite create', { org: 'lab', email: 'i5@lab.example', role: 'admin', expiresInDays: '2' }),
  },
  'invite revoke': {
    events: ['invitation.revoke'],
    act: async () => run('invite revoke', { org: 'lab', id: (await invite('i6@lab.example')).id }),
  },
  'budgets.put': { events: ['budget.set'], subject: 'organization', act: setBudget },
  'budgets.delete': {
    events: ['budget.set', 'budget.delete'],
    act: async () => platform.request('DELETE', `/admin/v1/budgets/${(await setBudget()).json.id}`),
  },
  'organization.rename': {
    events: ['organization.rename'],
    subject: 'Renamed',
    act: () => platform.request('PATCH', '/admin/v1/organization', rename),
  },
  'identity.rename': { events: ['person.rename'], act: () => platform.request('PATCH', '/admin/v1/me', rename) },
  'secrets rotate': { events: ['secret.rotate'], act: () => run('secrets rotate', {}) },
  backup: { events: ['backup.make'], act: () => makeTestBackup(platform.services) },
  ...writesOfContext(() => platform, run),
  ...writesOfKeys(() => platform),
  ...writesOfRules(() => platform, run),
  ...Object.fromEntries(writesWithoutEvents.map((name) => [name, nothing])),
}

test('every write of the API and every command declares whether it leaves a security event', () => {
  const writes = allEndpoints.filter(({ method }) => method !== 'GET').map(({ name }) => name)
  const known = new Set([...writes, ...commands.map(({ name }) => name)])
  expect(new Set(Object.keys(verbs))).toEqual(known)
})

test('every change of keys, roles, secrets and publications leaves events with the actor and without secrets', async () => {
  for (const [name, doing] of Object.entries(verbs)) {
    if (doing === nothing) continue
    const before = await newestId()
    await doing.act()
    const events = (await eventsSince(before))
      .filter(({ event }) => doing.events.includes(event))
      .slice(-doing.events.length)
    expect([name, events.map(({ event }) => event)]).toEqual([name, doing.events])
    for (const event of events) {
      expect(event).toMatchObject({ outcome: 'accepted', ...(doing.subject && { subject: doing.subject }) })
      const isCommand = commands.some((command) => command.name === name)
      if (name !== 'key revoke') expect(event.actorKind).toBe(isCommand ? 'operator' : 'person')
      if (!isCommand)
        expect(event).toMatchObject({ actorName: doing.by ?? 'person1@lab.example', address: '127.0.0.1' })
      if (!isCommand) expect(event.requestId).toMatch(/^[\w-]{36}$/)
    }
  }
  const everything = JSON.stringify(await listEvents(platform.services, { limit: 1000 }))
  expect(everything).not.toContain('very-secret-value')
  expect(everything).not.toMatch(/assay_[\w-]{7,}/)
})

test('a failed change leaves no event, and an event that cannot be written undoes its change', async () => {
  const before = await newestId()
  await expect(run('member remove', { org: 'lab', email: 'nobody@lab.example' })).rejects.toThrow('is not a member')
  await platform.request('DELETE', '/secrets/never-there')
  expect(await eventsSince(before)).toEqual([])

  const failing = audited(platform.services, async (tx, record) => {
    await createKey(
      { ...platform.services, db: tx },
      { organizations: ['lab'], email: 'undone@lab.example', role: 'member', kind: 'personal' },
    )
    record({ event: 'key.create', organizationId: 'not a uuid' })
  })
  await expect(failing).rejects.toThrow()
  expect(await run('member list', { org: 'lab' })).not.toContainEqual(expect.stringContaining('undone@'))
})

test('events cannot be changed or deleted', async () => {
  await run('secrets rotate', {})
  for (const statement of ['delete from audit_events', `update audit_events set event = 'x'`, 'truncate audit_events'])
    await expect(platform.services.db.execute(statement)).rejects.toThrow()
})

const untilRecorded = async (before: string | undefined, count = 1) => {
  await expect.poll(async () => (await eventsSince(before)).length).toBeGreaterThanOrEqual(count)
  return eventsSince(before)
}

test('a sign-in leaves an event in every organization of the key; other requests leave none', async () => {
  const key = await platform.newKey({ organizations: ['lab', 'annex'], email: 'two@lab.example' })
  const before = await newestId()
  await platform.request('GET', '/whoami', { key })
  await platform.request('GET', '/experiments?limit=1', { headers: { [signInHeader]: 'key' } })
  expect(await eventsSince(before)).toEqual([])

  const headers = { [signInHeader]: 'demo', 'x-forwarded-for': '203.0.113.9' }
  await platform.request('GET', '/whoami', { key, headers })
  const events = await eventsSince(before)
  expect(new Set(events.map(({ organizationId }) => organizationId)).size).toBe(2)
  for (const event of events)
    expect(event).toMatchObject({
      event: 'sign-in',
      outcome: 'accepted',
      actorName: 'two@lab.example',
      address: '203.0.113.9',
      details: { method: 'demo', keyPrefix: key.slice(0, 12) },
    })
})

test('a request with a revoked key leaves an event in its organizations', async () => {
  const key = await platform.newKey({ email: 'gone@lab.example' })
  await run('key revoke', { id: await findKeyId(key) })
  const before = await newestId()
  await platform.request('GET', '/whoami', { key, headers: { [signInHeader]: 'key' } })
  const [event] = await untilRecorded(before)
  expect(event).toMatchObject({
    event: 'sign-in',
    outcome: 'refused',
    organizationId: platform.organization.id,
    actorName: 'gone@lab.example',
    details: { reason: 'revoked key' },
  })
})

test('a request without permission leaves an event in the organization', async () => {
  const key = await platform.newKey({ role: 'member', email: 'curious@lab.example' })
  const before = await newestId()
  expect((await platform.request('PUT', '/secrets/x', { key, body: { value: 'v' } })).status).toBe(403)
  const [event] = await untilRecorded(before)
  expect(event).toMatchObject({
    event: 'permission',
    outcome: 'refused',
    organizationId: platform.organization.id,
    actorName: 'curious@lab.example',
    details: { request: 'PUT /api/v1/secrets/:slug' },
  })
})

test('a flood of unknown keys leaves ten events a minute, without an organization and without the keys', async () => {
  const before = await newestId()
  const pasted = 'correct-horse-battery-staple'
  await platform.request('GET', '/whoami', { key: pasted })
  await Promise.all(Array.from({ length: 60 }, () => platform.request('GET', '/whoami', { key: newApiKey() })))
  const events = (await untilRecorded(before, 10)).filter(({ actorKind }) => actorKind === 'unknown')
  expect(events).toHaveLength(10)
  for (const event of events)
    expect(event).toMatchObject({ event: 'authentication', outcome: 'refused', organizationId: null })
  expect(JSON.stringify(events)).not.toContain('correct')
})

test('the trail of an organization lists only its own events, page by page, newest first', async () => {
  const all = (await listEvents(platform.services, { limit: 1000 })).map(({ id }) => id)
  const walked: string[] = []
  for (let before: string | undefined; ; before = walked.at(-1)) {
    const page = await listEvents(platform.services, { limit: 3, before })
    if (page.length === 0) break
    walked.push(...page.map(({ id }) => id))
  }
  expect(walked).toEqual(all)
  const ofLab = (await run('audit list', { org: 'lab', limit: '1000' })).map((line) => JSON.parse(line))
  expect(new Set(ofLab.map(({ organizationId }) => organizationId))).toEqual(new Set([platform.organization.id]))
  await expect(run('audit list', { before: 'x' })).rejects.toThrow('not the id of an event')
})

test('the audit log has the same events, one JSON object per line, and only its owner can read it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-audit-'))
  const services = { ...platform.services, auditLog: openAuditLog(folder) }
  await runCommand(services, 'org create', { slug: 'logged' }, () => {}, { kind: 'operator', name: 'root' })
  const path = join(folder, 'logs', 'audit.log')
  const [line = ''] = readFileSync(path, 'utf8').split('\n')
  const [event] = await listEvents(platform.services, { limit: 1 })
  expect(JSON.parse(line)).toEqual(event)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  rmSync(folder, { recursive: true })
})
