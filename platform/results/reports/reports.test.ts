import { afterAll, describe, expect, test } from 'vitest'

import type { Report } from '#contract/reports.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const nobody = '00000000-0000-4000-8000-000000000000'
const longAgo = '2020-01-01T00:00:00Z'
const insight = (ref: string) => `\`\`\`insight\nref: ${ref}\n\`\`\``

type Fields = { title?: unknown; description?: unknown; bodyMarkdown?: unknown }
const create = (fields: Fields = {}) => platform.request('POST', '/reports', { body: { title: 'A report', ...fields } })
const patch = (id: string, body: unknown) => platform.request('PATCH', `/reports/${id}`, { body })
const append = (id: string, body: unknown) => platform.request('POST', `/reports/${id}/blocks`, { body })
const read = async (id: string) => (await platform.request('GET', `/reports/${id}`)).json
const begin = async (fields: Fields = {}): Promise<Report> => (await create(fields)).json.report

describe('create', () => {
  test('creating a report returns it with its body and leaves out empty fields', async () => {
    const { status, json } = await create({
      title: ' Findings ',
      description: ' In short. ',
      bodyMarkdown: 'a\r\n\n\nb ',
    })
    const { actor } = (await platform.request('GET', '/whoami')).json
    expect([status, json]).toEqual([
      200,
      {
        report: {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          orgId: platform.organization.id,
          title: 'Findings',
          description: 'In short.',
          createdBy: actor,
          updatedBy: actor,
          createdAt: json.report.updatedAt,
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
        bodyMarkdown: 'a\n\nb\n',
      },
    ])
    expect(await read(json.report.id)).toEqual(json)
    const bare = (await create({ description: ' ', bodyMarkdown: ' \n' })).json
    expect([Object.keys(bare), 'description' in bare.report]).toEqual([['report'], false])
  })

  test('the fields of a new report may be snake_case', async () => {
    expect((await create({ body_markdown: 'a' } as Fields)).json.bodyMarkdown).toBe('a\n')
  })

  test.each([
    ['no title', { title: undefined }],
    ['a blank title', { title: ' \n ' }],
    ['a title of 201 characters', { title: 'x'.repeat(201) }],
    ['a description of 2,001 characters', { description: 'x'.repeat(2001) }],
    ['a body over 1,000,000 bytes of UTF-8', { bodyMarkdown: 'é'.repeat(500_001) }],
    ['a body that only its line end makes too long', { bodyMarkdown: 'x'.repeat(1_000_000) }],
    ['a NUL character', { bodyMarkdown: 'a\0b' }],
    ['half a surrogate pair', { bodyMarkdown: 'a\uD800b' }],
    ['a body that is no text', { bodyMarkdown: 7 }],
  ])('400 invalid_argument for a report with %s', async (_, fields) => {
    const { status, json } = await create(fields)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('control characters are removed from a report, and other Unicode is kept', async () => {
    expect((await create({ bodyMarkdown: 'a\u001Bb é 日本 👩‍👧' })).json.bodyMarkdown).toBe('ab é 日本 👩‍👧\n')
  })
})

describe('read', () => {
  test('404 not_found on every route for an unknown report or one of another organization', async () => {
    const { id, updatedAt } = await begin()
    const { createOrganization } = await import('#platform/people/identity/create-organization.ts')
    await createOrganization(platform.services, { slug: 'other' })
    const stranger = await platform.newKey({ organizations: ['other'] })
    for (const [path, key] of [[nobody], ['no-uuid'], [id, stranger]] as [string, string?][]) {
      const options = key ? { key } : {}
      const answers = await Promise.all([
        platform.request('GET', `/reports/${path}`, options),
        platform.request('PATCH', `/reports/${path}`, {
          body: { expectedUpdatedAt: updatedAt, title: 'x' },
          ...options,
        }),
        platform.request('POST', `/reports/${path}/blocks`, { body: { markdown: 'x' }, ...options }),
        platform.request('DELETE', `/reports/${path}`, options),
      ])
      expect(answers.map(({ status, json }) => [status, json.error])).toEqual(answers.map(() => [404, 'not_found']))
    }
    expect((await read(id)).report.updatedAt).toBe(updatedAt)
  })
})

describe('patch', () => {
  test('a patch changes the fields it contains and no others', async () => {
    const { id, ...before } = await begin({ description: 'd', bodyMarkdown: 'b' })
    const { status, json } = await patch(id, { expectedUpdatedAt: before.updatedAt, title: ' New ' })
    expect([status, json.bodyMarkdown]).toEqual([200, 'b\n'])
    expect(json.report).toEqual({ ...before, id, title: 'New', updatedAt: json.report.updatedAt })
    const body = { expected_updated_at: json.report.updatedAt, body_markdown: 'c\n\n\n' }
    expect((await patch(id, body)).json).toMatchObject({
      report: { title: 'New', description: 'd' },
      bodyMarkdown: 'c\n',
    })
  })

  test('patching with an empty string clears description and body', async () => {
    const { id, updatedAt } = await begin({ description: 'd', bodyMarkdown: 'b' })
    const { json } = await patch(id, { expectedUpdatedAt: updatedAt, description: '', bodyMarkdown: '' })
    expect([Object.keys(json), 'description' in json.report]).toEqual([['report'], false])
  })

  test('every write increases updatedAt by at least a microsecond, even if nothing else changes', async () => {
    const { id, updatedAt } = await begin()
    const stamps = [updatedAt]
    for (let write = 0; write < 20; write += 1) {
      const { json } = await patch(id, { expectedUpdatedAt: stamps.at(-1), title: 'Same' })
      stamps.push(json.report.updatedAt)
    }
    expect(new Set(stamps).size).toBe(21)
    // Sorted as text, stamps are in time order only with equally many digits, because trailing zeros are not written.
    const padded = stamps.map((stamp) =>
      stamp.replace(/(?:\.(\d+))?Z$/, (_, digits = '') => `.${digits.padEnd(6, '0')}Z`),
    )
    expect(padded.toSorted()).toEqual(padded)
  })

  test('a stamp in another notation matches; a stamp that differs by one microsecond does not', async () => {
    const { id, updatedAt } = await begin()
    const otherwise = updatedAt.replace('Z', '+00:00')
    const { status, json } = await patch(id, { expectedUpdatedAt: otherwise, title: 'x' })
    expect(status).toBe(200)
    const [seconds = '', fraction = ''] = json.report.updatedAt.slice(0, -1).split('.')
    const digit = fraction.padEnd(6, '0')
    const beside = `${seconds}.${digit.slice(0, 5)}${digit.endsWith('0') ? 1 : Number(digit.at(-1)) - 1}Z`
    expect((await patch(id, { expectedUpdatedAt: beside, title: 'y' })).status).toBe(409)
  })

  test.each([
    ['none of title, description and bodyMarkdown', {}],
    ['a blank title', { title: ' ' }],
    ['a title of null', { title: null }],
    ['a body over the limit', { bodyMarkdown: 'x'.repeat(1_000_001) }],
  ])('400 invalid_argument for a patch with %s, and nothing is written', async (_, fields) => {
    const { id, updatedAt } = await begin()
    const { status, json } = await patch(id, { expectedUpdatedAt: updatedAt, ...fields })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await read(id)).report.updatedAt).toBe(updatedAt)
  })

  test.each([undefined, 'yesterday', 5])(
    '400 invalid_argument for an expectedUpdatedAt of %j',
    async (expectedUpdatedAt) => {
      const { id } = await begin()
      expect((await patch(id, { expectedUpdatedAt, title: 'x' })).json.error).toBe('invalid_argument')
    },
  )

  test('409 with {error, message} if the report changed since it was read, and nothing is written', async () => {
    const { id, updatedAt } = await begin({ bodyMarkdown: 'b' })
    const { json: theirs } = await patch(id, { expectedUpdatedAt: updatedAt, bodyMarkdown: 'theirs' })
    for (const stale of [updatedAt, longAgo]) {
      const { status, json } = await patch(id, { expectedUpdatedAt: stale, title: 'mine', bodyMarkdown: 'mine' })
      expect([status, json.error, json.message]).toEqual([
        409,
        'already_exists',
        expect.stringContaining('changed since'),
      ])
    }
    expect(await read(id)).toEqual(theirs)
  })
})

describe('append', () => {
  test('an append adds the block after exactly one blank line and returns the whole body', async () => {
    const { id } = await begin({ bodyMarkdown: '# Title\n\n- a' })
    const { status, json } = await append(id, { markdown: '\n\n> [!NOTE]\n> b  \n\n' })
    expect([status, json.bodyMarkdown]).toEqual([200, '# Title\n\n- a\n\n> [!NOTE]\n> b\n'])
    expect(await read(id)).toEqual(json)
  })

  test('a block appended to an empty body becomes the body', async () => {
    expect((await append((await begin()).id, { markdown: 'a' })).json.bodyMarkdown).toBe('a\n')
  })

  test('an unclosed code block in the body does not swallow an appended block', async () => {
    const { id } = await begin({ bodyMarkdown: '```\ncode' })
    expect((await append(id, { markdown: 'text' })).json.bodyMarkdown).toBe('```\ncode\n```\n\ntext\n')
  })

  test.each([[''], [' \n\t'], ['\u0001 \uFEFF'], [undefined]])(
    '400 invalid_argument for the blank block %j',
    async (markdown) => {
      const { id, updatedAt } = await begin()
      const { status, json } = await append(id, { markdown })
      expect([status, json.error]).toEqual([400, 'invalid_argument'])
      expect((await read(id)).report.updatedAt).toBe(updatedAt)
    },
  )

  test('409 for an append with a stale expectedUpdatedAt; with the current one, or none, the block is added', async () => {
    const { id, updatedAt } = await begin()
    const { json } = await append(id, { markdown: 'a', expectedUpdatedAt: updatedAt })
    const stale = await append(id, { markdown: 'b', expected_updated_at: updatedAt })
    expect([stale.status, stale.json.error, typeof stale.json.message]).toEqual([409, 'already_exists', 'string'])
    expect(await read(id)).toEqual(json)
    expect((await append(id, { markdown: 'c' })).json.bodyMarkdown).toBe('a\n\nc\n')
  })

  test('400 invalid_argument for an append that would exceed the size limit, and nothing is written', async () => {
    const { id } = await begin({ bodyMarkdown: 'x'.repeat(999_990) })
    const { status, json } = await append(id, { markdown: 'x'.repeat(20) })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await read(id)).bodyMarkdown).toHaveLength(999_991)
  })
})

describe('delete', () => {
  test('a deleted report is not found; the response has no findingLinksRemoved if it cited nothing', async () => {
    const { id } = await begin({ bodyMarkdown: 'text' })
    const { status, json } = await platform.request('DELETE', `/reports/${id}`)
    expect([status, json]).toEqual([200, { reportId: id }])
    expect((await platform.request('GET', `/reports/${id}`)).status).toBe(404)
    expect((await platform.request('DELETE', `/reports/${id}`)).status).toBe(404)
  })

  test('findingLinksRemoved counts each insight that the last body cites once', async () => {
    const { id, updatedAt } = await begin({ bodyMarkdown: [insight('a'), insight('b')].join('\n\n') })
    const body = { expectedUpdatedAt: updatedAt, bodyMarkdown: [insight('b'), insight('c'), insight('c')].join('\n\n') }
    const { json } = await patch(id, body)
    await append(id, { markdown: insight('d') })
    expect(json.report.id).toBe(id)
    expect((await platform.request('DELETE', `/reports/${id}`)).json).toEqual({ reportId: id, findingLinksRemoved: 3 })
  })

  test('a body of 20,000 cited insights can be stored and deleted', async () => {
    const bodyMarkdown = Array.from({ length: 20_000 }, (_, at) => insight(`i${at}`)).join('\n')
    const { id } = await begin({ bodyMarkdown })
    expect((await platform.request('DELETE', `/reports/${id}`)).json.findingLinksRemoved).toBe(20_000)
  })
})

test('a member can create, change and delete reports like an admin, under their own name', async () => {
  const key = await platform.newKey({ role: 'member', email: 'member@lab.example' })
  const { id, updatedAt } = await begin()
  const renamed = await platform.request('PATCH', `/reports/${id}`, {
    key,
    body: { expectedUpdatedAt: updatedAt, title: 'x' },
  })
  expect(renamed.json.report.updatedBy.email).toBe('member@lab.example')
  expect(renamed.json.report.createdBy.email).not.toBe('member@lab.example')
  expect((await platform.request('POST', `/reports/${id}/blocks`, { key, body: { markdown: 'x' } })).status).toBe(200)
  expect((await platform.request('DELETE', `/reports/${id}`, { key })).status).toBe(200)
})
