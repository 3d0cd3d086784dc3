import { gzipSync } from 'node:zlib'

import { sql } from 'drizzle-orm'
import { v7 as newId } from 'uuid'
import { afterAll, expect, test } from 'vitest'

import { formatChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { limits } from '#contract/wire/limit.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { pngFile } from '#platform/program/testing/image-files.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { deleteUnusedFiles } from './delete-files.ts'
import { fileKey } from './file-store.ts'
import { insertFigure } from './file-store.ts'

const platform = await openTestPlatform()
await createOrganization(platform.services, { slug: 'other' })
afterAll(() => platform.close())

const day = 24 * 60 * 60_000
const page = '/experiments/roman/results?view=heatmap'
const resultsJson = '[{"key":["a"],"at":1,"data":{"solved":0.5}}]'
const add = (body: object = { page, resultsJson }, key?: string) =>
  platform.request('POST', '/report-figures', { body, ...(key && { key }) })
const get = (id: string, key?: string) => platform.request('GET', `/report-figures/${id}`, { ...(key && { key }) })
const statusOf = async (id: string) => (await get(id)).status
const blockOf = (pinned: string) => formatChartBlock({ page, size: 'full', align: 'left', pinned })
const write = async (bodyMarkdown: string) =>
  (await platform.request('POST', '/reports', { body: { title: 'A', bodyMarkdown } })).json.report
const cleanLater = () => deleteUnusedFiles(platform.services, Date.now() + day + 1000)

test('the server says who pinned a figure and when, and answers its data unchanged', async () => {
  const { figure } = (await add({ page, resultsJson, pinnedAt: '2001-01-01T00:00:00Z', pinnedBy: { name: 'x' } })).json
  expect(figure).toMatchObject({ page, pinnedBy: { name: expect.stringMatching(/../) } })
  expect(Math.abs(Date.now() - Date.parse(figure.pinnedAt))).toBeLessThan(day)
  expect((await get(figure.id)).json).toEqual({ figure, resultsJson })
})

test.each([
  ['text that is no JSON', { page, resultsJson: '[' }],
  ['a page of another host', { page: 'https://evil.example/', resultsJson }],
  ['4 MB of two-byte letters', { page, resultsJson: JSON.stringify('é'.repeat(2_000_000)) }],
  ['more than 4 MB', { page, resultsJson: JSON.stringify('a'.repeat(4_000_000)) }],
])('%s is refused', async (_, body) => {
  const { status, json } = await add(body)
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

test('data of a million nested lists is stored, and harms nobody', async () => {
  const nested = '['.repeat(1_000_000) + ']'.repeat(1_000_000)
  const { status, json } = await add({ page, resultsJson: nested })
  expect([200, 400]).toContain(status)
  if (status === 200) expect((await get(json.figure.id)).json.resultsJson).toBe(nested)
})

test('only the organization can read a figure, and an image is no figure', async () => {
  const { id } = (await add()).json.figure
  const other = await platform.newKey({ organizations: ['other'] })
  expect((await get(id, other)).status).toBe(404)
  expect((await platform.request('GET', `/report-images/${id}`)).status).toBe(404)
  const content = pngFile().toString('base64')
  const image = (await platform.request('POST', '/report-images', { body: { content } })).json.image
  expect(await statusOf(image.id)).toBe(404)
})

test('a figure stays while any report shows it, including a copy, and goes a day after the last one', async () => {
  const [shown, unused] = [(await add()).json.figure.id, (await add()).json.figure.id]
  const first = await write(blockOf(shown))
  const copy = await write(`> [!NOTE]\n> ${blockOf(shown.toUpperCase()).replaceAll('\n', '\n> ')}`)
  await cleanLater()
  expect([await statusOf(shown), await statusOf(unused)]).toEqual([200, 404])
  await platform.request('DELETE', `/reports/${first.id}`)
  await cleanLater()
  expect(await statusOf(shown)).toBe(200)
  await platform.request('DELETE', `/reports/${copy.id}`)
  expect(await statusOf(shown)).toBe(200)
  await cleanLater()
  expect(await statusOf(shown)).toBe(404)
})

test('a report cannot keep a figure of another organization', async () => {
  const other = await platform.newKey({ organizations: ['other'] })
  const { id } = (await add(undefined, other)).json.figure
  await write(blockOf(id))
  await cleanLater()
  expect((await get(id, other)).status).toBe(404)
})

test('a figure whose bytes were not written is not found', async () => {
  const { services } = platform
  const { id } = (await add()).json.figure
  await services.blobs.delete(fileKey(id))
  expect(await statusOf(id)).toBe(404)
})

/** A key in an organization of its own, which has no files yet. */
async function openEmpty(slug: string) {
  const { id: organizationId } = await createOrganization(platform.services, { slug })
  const key = await platform.newKey({ organizations: [slug] })
  const { figure } = (await add(undefined, key)).json
  return { organizationId, key, pinnedBy: figure.pinnedBy.id as string }
}

test('every file takes at least 4,096 bytes of the space of its organization', async () => {
  const { key, ...of } = await openEmpty('space')
  const sizeBytes = limits.reportFileBytesOfOrganization - 3 * limits.reportFileLeastBytes
  await insertFigure(platform.services.db, { id: newId(), ...of, sha256: 'x', sizeBytes })
  const answers = [await add(undefined, key), await add(undefined, key), await add(undefined, key)]
  expect(answers.map(({ json }) => json.error)).toEqual([undefined, undefined, 'resource_exhausted'])
})

test('an organization has at most 50,000 files', async () => {
  const { key, organizationId } = await openEmpty('files')
  await platform.services.db.execute(
    sql`insert into report_images (id, organization_id, sha256, type, size_bytes, unused_since)
      select gen_random_uuid(), ${organizationId}::uuid, i::text, 'application/json', 1, now()
      from generate_series(1, ${limits.reportFilesPerOrganization - 2}) as i`,
  )
  expect((await add(undefined, key)).status).toBe(200)
  expect((await add(undefined, key)).json).toMatchObject({
    error: 'resource_exhausted',
    message: expect.stringContaining('already has 50,000 images and pinned figures'),
  })
})

test('a person can pin 200 figures that no report shows, and others can still pin theirs', async () => {
  const { key, ...of } = await openEmpty('pins')
  const { db } = platform.services
  for (let count = 2; count < limits.unusedFiguresPerPerson; count += 1)
    await insertFigure(db, { id: newId(), ...of, sha256: `${count}`, sizeBytes: 1 })
  const { figure } = (await add(undefined, key)).json
  expect((await add(undefined, key)).json).toMatchObject({
    error: 'resource_exhausted',
    message: expect.stringContaining('You pinned 200 figures that no report shows'),
  })
  expect((await add(undefined, await platform.newKey({ organizations: ['pins'] }))).status).toBe(200)
  const body = { title: 'A', bodyMarkdown: blockOf(figure.id) }
  expect((await platform.request('POST', '/reports', { key, body })).status).toBe(200)
  expect((await add(undefined, key)).status).toBe(200)
})

test('stored bytes that expand to more than a figure has are not expanded', async () => {
  const { figure } = (await add()).json
  const bomb = gzipSync(JSON.stringify({ ...figure, resultsJson: ' '.repeat(10_000_000) }))
  await platform.services.blobs.put(fileKey(figure.id), bomb)
  expect(await statusOf(figure.id)).toBe(500)
})
