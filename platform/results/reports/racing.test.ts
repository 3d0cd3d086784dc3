import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { atLength } from '#tools/test-length.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const writers = 10
const writesOfEach = atLength(15, 60)
const patchers = 2

test('hundreds of concurrent patches and appends of one report lose no accepted text and return distinct stamps', async () => {
  const { id } = (await platform.request('POST', '/reports', { body: { title: 'Raced', bodyMarkdown: 'start' } })).json
    .report
  const stamps: string[] = []
  let refused = 0

  async function patchOnTop(word: string) {
    for (;;) {
      const { report, bodyMarkdown } = (await platform.request('GET', `/reports/${id}`)).json
      const body = { expectedUpdatedAt: report.updatedAt, bodyMarkdown: `${word}\n\n${bodyMarkdown}` }
      const { status, json } = await platform.request('PATCH', `/reports/${id}`, { body })
      if (status === 200) return stamps.push(json.report.updatedAt)
      expect([status, json.error]).toEqual([409, 'already_exists'])
      refused += 1
      // Like the editor: a write that loses the race rereads the report after a random delay.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    }
  }

  async function write(writer: number) {
    for (let at = 0; at < writesOfEach; at += 1) {
      const word = `w${writer}-${at}`
      if (writer >= patchers) {
        const { status, json } = await platform.request('POST', `/reports/${id}/blocks`, { body: { markdown: word } })
        expect(status).toBe(200)
        stamps.push(json.report.updatedAt)
      } else {
        await patchOnTop(word)
      }
    }
  }

  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  const { bodyMarkdown } = (await platform.request('GET', `/reports/${id}`)).json
  const expected = Array.from(
    { length: writers * writesOfEach },
    (_, at) => `w${Math.floor(at / writesOfEach)}-${at % writesOfEach}`,
  )
  expect(bodyMarkdown.trim().split('\n\n').toSorted()).toEqual([...expected, 'start'].toSorted())
  expect(new Set(stamps).size).toBe(writers * writesOfEach)
  expect(refused).toBeGreaterThan(0)
}, 180_000)

test('exactly one of several patches that expect the same stamp is written', async () => {
  const { id, updatedAt } = (await platform.request('POST', '/reports', { body: { title: 'Once' } })).json.report
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, at) =>
      platform.request('PATCH', `/reports/${id}`, { body: { expectedUpdatedAt: updatedAt, title: `t${at}` } }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 29 }, () => 409)])
  const written = answers.find(({ status }) => status === 200)
  expect((await platform.request('GET', `/reports/${id}`)).json).toEqual(written?.json)
})
