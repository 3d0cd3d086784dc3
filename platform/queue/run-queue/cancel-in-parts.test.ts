import { expect, onTestFinished, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { cancelInParts } from './end-or-request-cancel.ts'

test('a cancel of many runs lets others use the database meanwhile, and repeating one that was killed cancels the rest', async () => {
  const platform = await openTestPlatform()
  onTestFinished(() => platform.close())
  await platform.request('POST', '/experiments', { yaml: twoByTwo('many') })
  const { json } = await platform.request('POST', '/experiments/many/runs', { body: { mock: true, repeat: 40 } })
  const requestId = String(json.runRequestId)
  const { db } = platform.services
  const canceledNow = async () => {
    const list = await platform.request('GET', `/runs?run_request_id=${requestId}&limit=1`)
    return list.json.statusCounts.canceled
  }
  const seen: number[] = []
  const killedInThirdPart = Object.create(db, {
    transaction: {
      async value(...args: Parameters<typeof db.transaction>) {
        seen.push(await canceledNow())
        if (seen.length === 3) throw new Error('killed')
        return db.transaction(...args)
      },
    },
  })
  await expect(cancelInParts(killedInThirdPart, { requestId })).rejects.toThrow('killed')
  expect(seen).toEqual([0, 50, 100])
  const again = await platform.request('POST', `/runs/${requestId}/cancel`)
  expect(again.json).toMatchObject({ canceledCount: 60, statusCounts: { canceled: 160, queued: 0 } })
})
