import { afterAll, expect, test } from 'vitest'

import { signInHeader } from '#contract/identity.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { boundedRecorder } from './bounded-recorder.ts'
import { listEvents } from './list-events.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const newestId = async () => (await listEvents(platform.services, { limit: 1 }))[0]?.id

/** The events after the given one, oldest first. */
async function eventsSince(last: string | undefined) {
  const events = await listEvents(platform.services, { limit: 1000 })
  return events.slice(0, last ? events.findIndex(({ id }) => id === last) : undefined).toReversed()
}

test('a sign-in is recorded after any number of refused calls with the same key', async () => {
  const key = await platform.newKey({ role: 'member', email: 'thief@lab.example' })
  const before = await newestId()
  for (let call = 0; call < 12; call += 1) await platform.request('PUT', '/secrets/x', { key, body: { value: 'v' } })
  await platform.request('GET', '/whoami', { key, headers: { [signInHeader]: 'key' } })
  await expect.poll(async () => (await eventsSince(before)).length).toBeGreaterThanOrEqual(11)
  const events = await eventsSince(before)
  expect(events.filter(({ event }) => event === 'permission')).toHaveLength(10)
  expect(events).toContainEqual(expect.objectContaining({ event: 'sign-in', actorName: 'thief@lab.example' }))
})

test('events that are only counted leave their count in every organization that they concern', async () => {
  const before = await newestId()
  const recorder = boundedRecorder(platform.services)
  const concerned = [platform.organization.id, null]
  const kind = { event: 'sign-in', outcome: 'accepted' } as const
  for (let call = 0; call < 13; call += 1) recorder.isRecorded('ann', kind, concerned)
  expect(recorder.isRecorded('max', kind, concerned)).toBe(true)
  expect(recorder.isRecorded('ann', { ...kind, outcome: 'refused' }, concerned)).toBe(true)
  await recorder.close()
  const events = await eventsSince(before)
  expect(events.map(({ event, organizationId, details }) => [event, organizationId, details])).toEqual(
    concerned.map((organizationId) => ['sign-in', organizationId, { notRecorded: 3 }]),
  )
})
