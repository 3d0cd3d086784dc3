import { afterAll, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { gifFile, jpegFile, pngFile, webpFile } from '#platform/program/testing/image-files.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { deleteRemovedFiles, deleteUnusedFiles } from './delete-files.ts'
import { fileKey } from './file-store.ts'

let shade = 0
const platform = await openTestPlatform()
afterAll(() => platform.close())

const day = 24 * 60 * 60_000
const add = (file: Buffer, key?: string) =>
  platform.request('POST', '/report-images', { body: { content: file.toString('base64') }, ...(key && { key }) })
const get = (id: string, key?: string) => platform.request('GET', `/report-images/${id}`, { ...(key && { key }) })
/** An image that no other test adds. */
const addNew = async () => (await add(pngFile({ shade: (shade += 1) }))).json.image as { id: string }
const report = async (...images: { id: string }[]) => {
  const bodyMarkdown = images.map(({ id }) => `![x](assay://images/${id}/8x4)`).join('\n\n')
  return (await platform.request('POST', '/reports', { body: { title: 'A', bodyMarkdown } })).json.report
}
const remove = (id: string) => platform.request('DELETE', `/reports/${id}`)
const statusOf = async ({ id }: { id: string }) => (await get(id)).status
const hasBlob = ({ id }: { id: string }) => platform.services.blobs.has(fileKey(id))

test.each([
  ['png', pngFile(), 8, 4],
  ['jpeg', jpegFile(), 4, 8],
  ['webp', webpFile(), 8, 4],
  ['gif', gifFile(), 1, 1],
] as const)('a %s image is stored, and served as that type only', async (format, file, width, height) => {
  const { status, json } = await add(file)
  const { id, sizeBytes } = json.image
  expect([status, json.image]).toEqual([200, { id, type: `image/${format}`, width, height, sizeBytes }])
  const served = await get(id)
  expect([served.status, served.bytes.length]).toEqual([200, sizeBytes])
  expect(served.headers).toMatchObject({
    'content-type': `image/${format}`,
    'content-disposition': 'inline',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cache-control': 'private, no-cache',
  })
  const again = await platform.request('GET', `/report-images/${id}`, {
    headers: { 'if-none-match': String(served.headers['etag']) },
  })
  expect(again.status).toBe(304)
})

test('the same image twice, even at once, is stored once', async () => {
  const answers = await Promise.all([add(pngFile({ width: 9 })), add(pngFile({ width: 9 }))])
  expect(new Set(answers.map(({ json }) => json.image.id)).size).toBe(1)
})

test.each([
  ['an SVG drawing', Buffer.from('<svg/>').toString('base64')],
  ['text that is not base64', '!!!'],
  ['no content', undefined],
  ['a number', 7],
  ['more than the limit', 'A'.repeat(6_666_672)],
])('400 invalid_argument for %s', async (_, content) => {
  const { status, json } = await platform.request('POST', '/report-images', { body: { content } })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

test('an image of nearly five million bytes fits its route, and no other route takes a body of that size', async () => {
  const content = 'A'.repeat(6_600_000)
  const image = await platform.request('POST', '/report-images', { body: { content } })
  expect(image.json.message).toContain('must be a PNG')
  const other = await platform.request('POST', '/reports', { body: { title: content } })
  expect(other.json.message).toContain('4,000,000 bytes or less')
})

test('404 not_found for an unknown image and for one of another organization', async () => {
  const image = await addNew()
  await createOrganization(platform.services, { slug: 'other' })
  const other = await platform.newKey({ organizations: ['other'] })
  for (const [id, key] of [
    [image.id, other],
    ['00000000-0000-4000-8000-000000000000', undefined],
    ['nothing', undefined],
  ] as const)
    expect((await get(id, key)).json.error).toBe('not_found')
  expect((await platform.request('GET', `/report-images/${image.id}`, { key: '' })).status).toBe(401)
})

test('the same bytes in two organizations are two images', async () => {
  const other = await platform.newKey({ organizations: ['other'] })
  const file = pngFile({ width: 10 })
  expect((await add(file)).json.image.id).not.toBe((await add(file, other)).json.image.id)
})

test('a day after a report was deleted, so are the images that no other report shows', async () => {
  const [own, shared] = [await addNew(), await addNew()]
  const first = await report(own, shared)
  const second = await report(shared)
  await remove(first.id)
  await deleteUnusedFiles(platform.services)
  expect([await statusOf(own), await statusOf(shared)]).toEqual([200, 200])
  await deleteUnusedFiles(platform.services, Date.now() + day + 1000)
  expect([await statusOf(own), await hasBlob(own), await statusOf(shared)]).toEqual([404, false, 200])
  await remove(second.id)
  await deleteUnusedFiles(platform.services, Date.now() + day + 1000)
  expect([await statusOf(shared), await hasBlob(shared)]).toEqual([404, false])
})

test('a report cannot keep an image of another organization', async () => {
  const other = await platform.newKey({ organizations: ['other'] })
  const image = (await add(pngFile({ width: 11 }), other)).json.image
  const { id } = await report(image)
  await remove(id)
  expect((await get(image.id, other)).status).toBe(200)
})

test('an image that no report shows for a day is deleted, and one that left a report only a day later', async () => {
  const [unused, shown, left] = [await addNew(), await addNew(), await addNew()]
  await report(shown)
  const { id, updatedAt } = await report(left)
  await deleteUnusedFiles(platform.services)
  expect(await Promise.all([unused, shown, left].map(statusOf))).toEqual([200, 200, 200])
  const body = { expectedUpdatedAt: updatedAt, bodyMarkdown: 'No image.' }
  await platform.request('PATCH', `/reports/${id}`, { body })
  expect(await statusOf(left)).toBe(200)
  await deleteUnusedFiles(platform.services, Date.now() + day + 1000)
  expect(await Promise.all([unused, shown, left].map(statusOf))).toEqual([404, 200, 404])
})

test('an image that is added again while its old bytes are being deleted is kept', async () => {
  const file = pngFile({ width: 12 })
  const before = (await add(file)).json.image
  const { blobs } = platform.services
  let again = before
  const slow = {
    ...blobs,
    delete: async (key: string) => {
      if (key === fileKey(before.id)) again = (await add(file)).json.image
      await blobs.delete(key)
    },
  }
  await deleteUnusedFiles({ ...platform.services, blobs: slow }, Date.now() + day + 1000)
  expect(again.id).not.toBe(before.id)
  expect([await statusOf(before), await statusOf(again)]).toEqual([404, 200])
})

test('an upload that was killed before its bytes were written is whole after the next one', async () => {
  const file = pngFile({ width: 13 })
  const { image } = (await add(file)).json
  await platform.services.blobs.delete(fileKey(image.id))
  expect(await statusOf(image)).toBe(404)
  expect((await add(file)).json.image.id).toBe(image.id)
  expect(await statusOf(image)).toBe(200)
})

test('bytes whose deletion was interrupted are deleted by the next pass', async () => {
  const image = await addNew()
  const { services } = platform
  const blobs = { ...services.blobs, delete: () => Promise.reject(new Error('disk')) }
  await expect(deleteUnusedFiles({ ...services, blobs }, Date.now() + day + 1000)).rejects.toThrow('disk')
  expect([await statusOf(image), await hasBlob(image)]).toEqual([404, true])
  await deleteRemovedFiles(services)
  expect(await hasBlob(image)).toBe(false)
})
