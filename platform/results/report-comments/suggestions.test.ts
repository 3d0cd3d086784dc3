import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
afterAll(() => platform.close())

const body = 'Intro.\n\nThe carefull agent wins.\n\nEnd.\n'

/** A report with a suggestion by the member. */
async function suggest(replacement = 'The careful agent wins.', bodyMarkdown = body) {
  const { report } = (await platform.request('POST', '/reports', { body: { title: 'Text', bodyMarkdown } })).json
  const comment = { quote: 'The carefull agent wins.', position: 8, text: 'A typo', replacement }
  const sent = await platform.request('POST', `/reports/${report.id}/comments`, { key: member, body: comment })
  return { report, sent, thread: sent.json }
}

type Suggested = Awaited<ReturnType<typeof suggest>>
const read = async ({ report }: Suggested) => (await platform.request('GET', `/reports/${report.id}`)).json
const change = async (suggested: Suggested, bodyMarkdown: string) => {
  const { updatedAt: expectedUpdatedAt } = (await read(suggested)).report
  await platform.request('PATCH', `/reports/${suggested.report.id}`, { body: { expectedUpdatedAt, bodyMarkdown } })
}
const decide = async (suggested: Suggested, decision: object) =>
  platform.request('POST', `/reports/${suggested.report.id}/threads/${suggested.thread.id}/decision`, {
    body: { isAccepted: true, expectedUpdatedAt: (await read(suggested)).report.updatedAt, ...decision },
  })

test('a suggestion has the whole paragraph and its other text, and changes nothing of the report', async () => {
  const suggested = await suggest()
  expect(suggested.sent.status).toBe(201)
  expect(suggested.thread.suggestion).toEqual({
    original: 'The carefull agent wins.',
    replacement: 'The careful agent wins.',
  })
  expect(await read(suggested)).toMatchObject({ report: { updatedAt: suggested.report.updatedAt }, bodyMarkdown: body })
})

test('an accepted suggestion is written into the report, by who accepted it, and resolves the thread', async () => {
  const suggested = await suggest()
  const { status, json } = await decide(suggested, { note: 'Thank you' })
  expect([status, json.suggestion.decision]).toMatchObject([200, { isAccepted: true, note: 'Thank you' }])
  expect(json.resolved.at).toBe(json.suggestion.decision.at)
  const { report, bodyMarkdown } = await read(suggested)
  expect(bodyMarkdown).toBe('Intro.\n\nThe careful agent wins.\n\nEnd.\n')
  expect(report.updatedBy.id).toBe(json.suggestion.decision.by.id)
  expect(Date.parse(report.updatedAt)).toBeGreaterThan(Date.parse(suggested.report.updatedAt))
})

test('a declined suggestion changes nothing of the report', async () => {
  const suggested = await suggest()
  const { json } = await decide(suggested, { isAccepted: false })
  expect(json.suggestion.decision).toMatchObject({ isAccepted: false })
  expect(json.suggestion.decision).not.toHaveProperty('note')
  expect((await read(suggested)).bodyMarkdown).toBe(body)
})

test('a suggestion follows its paragraph, even when others are changed', async () => {
  const suggested = await suggest()
  await change(suggested, `New beginning.\n\nMore.\n\n${body}`)
  expect((await decide(suggested, {})).status).toBe(200)
  expect((await read(suggested)).bodyMarkdown).toBe(
    'New beginning.\n\nMore.\n\nIntro.\n\nThe careful agent wins.\n\nEnd.\n',
  )
})

test('a suggestion whose paragraph changed since is not written, and can be declined', async () => {
  const suggested = await suggest()
  await change(suggested, body.replace('wins', 'wins twice'))
  const { status, json } = await decide(suggested, {})
  expect([status, json.error]).toEqual([412, 'failed_precondition'])
  expect(json.message).toContain('The paragraph changed')
  expect((await read(suggested)).bodyMarkdown).toContain('carefull agent wins twice')
  expect((await decide(suggested, { isAccepted: false })).status).toBe(200)
})

test('a decision about a text that changed since it was read is refused', async () => {
  const suggested = await suggest()
  await change(suggested, `${body}\nMore.\n`)
  const { status, json } = await decide(suggested, { expectedUpdatedAt: suggested.report.updatedAt })
  expect([status, json.error]).toEqual([409, 'already_exists'])
})

test('a suggestion is decided once, even by two people at once', async () => {
  const suggested = await suggest()
  const answers = await Promise.all([decide(suggested, {}), decide(suggested, { isAccepted: false })])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await decide(suggested, {})).json.error).toBe('failed_precondition')
})

test('a thread without a suggestion has nothing to decide, and the same text is no suggestion', async () => {
  const suggested = await suggest('The carefull agent wins.')
  expect(suggested.sent.status).toBe(400)
  const comment = { quote: 'Intro.', position: 0, text: 'Why?' }
  const path = `/reports/${suggested.report.id}/comments`
  const thread = (await platform.request('POST', path, { body: comment })).json
  expect(thread).not.toHaveProperty('suggestion')
  expect((await decide({ ...suggested, thread }, {})).json.error).toBe('failed_precondition')
})

test('a paragraph of more than 20,000 characters takes comments, but no suggestion', async () => {
  const long = `Long ${'word '.repeat(5000)}`.trim()
  const { report } = await suggest('Short.', 'A start.')
  await platform.request('PATCH', `/reports/${report.id}`, {
    body: {
      expectedUpdatedAt: (await platform.request('GET', `/reports/${report.id}`)).json.report.updatedAt,
      bodyMarkdown: long,
    },
  })
  const start = (more: object) =>
    platform.request('POST', `/reports/${report.id}/comments`, {
      body: { quote: long.slice(0, 2000), position: 0, text: 'Shorter?', ...more },
    })
  const refused = await start({ replacement: 'x' })
  expect([refused.status, refused.json.message]).toEqual([
    400,
    'The paragraph has more than 20,000 characters. Comment on it',
  ])
  expect((await start({})).status).toBe(201)
})
