import { expect, test } from 'vitest'

import { engineClient } from '#platform/engine/containers/engine/engine-client.ts'
import type { FoundEngine } from './detect-engine.ts'
import { watchEngine } from './watch-engine.ts'

const down: FoundEngine = {
  status: { kind: 'unavailable', available: false, reason: 'nothing listens there' },
  kind: 'docker',
  isDown: true,
}
const up: FoundEngine = { status: { kind: 'docker', available: true }, kind: 'podman', isDown: false }

test('an engine that is down at the start is looked at again until it is back', async () => {
  const answers = [down, down, up]
  const watched = await watchEngine(engineClient('/nowhere'), async () => answers.shift() ?? up)
  let timesBack = 0
  watched.onBack(async () => (timesBack += 1))
  expect([watched.status, watched.whyNotReady()]).toEqual([down.status, 'nothing listens there'])
  await watched.settled()
  expect([watched.status, watched.whyNotReady()]).toEqual([down.status, 'nothing listens there'])
  await watched.settled()
  expect([watched.status, watched.kind(), timesBack]).toEqual([up.status, 'podman', 1])
  expect(watched.whyNotReady()).toBeNull()
})

test('an engine that stops is noticed, and its status says so', async () => {
  const answers = [up, down]
  const watched = await watchEngine(engineClient('/nowhere'), async () => answers.shift() ?? down)
  expect(watched.whyNotReady()).toBeNull()
  await watched.settled()
  expect([watched.whyNotReady(), watched.status]).toEqual(['nothing listens there', down.status])
})

test('an engine that cannot confine runs is not waited for: runs say why', async () => {
  const unfit = { ...down, isDown: false }
  const watched = await watchEngine(engineClient('/nowhere'), async () => unfit)
  expect([watched.whyNotReady(), watched.status.available]).toEqual([null, false])
})
