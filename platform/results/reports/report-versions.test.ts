import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { pngFile } from '#platform/program/testing/image-files.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { reportVersions } from '#platform/ground/database/tables/reports.ts'
import { deleteUnusedFiles } from './delete-files.ts'
import { chooseVersionsToDelete } from './record-version.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
afterAll(() => platform.close())

type Report = { id: string; updatedAt: string }
const create = async (body: object): Promise<Report> =>
  (await platform.request('POST', '/reports', { body: { title: 'Text', ...body } })).json.report
const read = async ({ id }: Report) => (await platform.request('GET', `/reports/${id}`)).json
const change = async (report: Report, body: object, key?: string) => {
  const { updatedAt: expectedUpdatedAt } = (await read(report)).report
  const sent = { body: { expectedUpdatedAt, ...body }, ...(key && { key }) }
  return (await platform.request('PATCH', `/reports/${report.id}`, sent)).json
}
const versionsOf = async ({ id }: Report, key?: string) =>
  (await platform.request('GET', `/reports/${id}/versions`, { ...(key && { key }) })).json.versions
const version = (report: Report, id: string) => platform.request('GET', `/reports/${report.id}/versions/${id}`)
const restore = (report: Report, id: string, expectedUpdatedAt: string) =>
  platform.request('POST', `/reports/${report.id}/versions/${id}/restore`, { body: { expectedUpdatedAt } })
/** Lets the versions of a report be as old as if they had been saved before. */
const age = (report: Report, minutes: number) =>
  platform.services.db
    .update(reportVersions)
    .set({
      startedAt: sql`started_at - make_interval(mins => ${minutes}::int)`,
      savedAt: sql`saved_at - make_interval(mins => ${minutes}::int)`,
    })
    .where(sql`report_id = ${report.id}::uuid`)

test('saves of one person within 10 minutes are one version, with the last text', async () => {
  const report = await create({ bodyMarkdown: 'One' })
  await change(report, { bodyMarkdown: 'Two' })
  const { report: now } = await change(report, { title: 'Renamed' })
  const versions = await versionsOf(report)
  expect(versions).toMatchObject([{ title: 'Renamed', startedAt: report.updatedAt, savedAt: now.updatedAt }])
  expect((await version(report, versions[0].id)).json).toMatchObject({ bodyMarkdown: 'Two\n' })
})

test('another person, or the same one later, starts a version of their own, newest first', async () => {
  const report = await create({ bodyMarkdown: 'One' })
  await change(report, { bodyMarkdown: 'Two' }, member)
  await age(report, 11)
  await change(report, { bodyMarkdown: 'Three' }, member)
  const versions = await versionsOf(report, member)
  const texts = await Promise.all(versions.map(async ({ id }: Report) => (await version(report, id)).json.bodyMarkdown))
  expect(texts).toEqual(['Three\n', 'Two\n', 'One\n'])
  expect(versions[0].savedBy.id).toBe(versions[1].savedBy.id)
  expect(versions[1].savedBy.id).not.toBe(versions[2].savedBy.id)
})

test('a restored version is a new version, and the text of before can be restored too', async () => {
  const report = await create({ bodyMarkdown: 'One', description: 'First' })
  await change(report, { title: 'Other', bodyMarkdown: 'Two', description: '' }, member)
  const [, first] = await versionsOf(report)
  const { updatedAt } = (await read(report)).report
  const answer = await restore(report, first.id, updatedAt)
  expect([answer.status, answer.json]).toMatchObject([
    200,
    { report: { title: 'Text', description: 'First' }, bodyMarkdown: 'One\n' },
  ])
  const [, second] = await versionsOf(report)
  const again = await restore(report, second.id, answer.json.report.updatedAt)
  expect(again.json).toMatchObject({ report: { title: 'Other' }, bodyMarkdown: 'Two\n' })
  expect(again.json.report).not.toHaveProperty('description')
  expect(await versionsOf(report)).toHaveLength(4)
})

test('a report that changed meanwhile is not overwritten by a restored version', async () => {
  const report = await create({ bodyMarkdown: 'One' })
  await change(report, { bodyMarkdown: 'Two' }, member)
  const [, first] = await versionsOf(report)
  const { status, json } = await restore(report, first.id, report.updatedAt)
  expect([status, json.error, (await read(report)).bodyMarkdown]).toEqual([409, 'already_exists', 'Two\n'])
})

test('a version of another report or organization does not exist', async () => {
  const [report, other] = [await create({}), await create({})]
  const [{ id }] = await versionsOf(other)
  await createOrganization(platform.services, { slug: 'annex' })
  const key = await platform.newKey({ organizations: ['annex'] })
  expect((await version(report, id)).status).toBe(404)
  expect((await version(report, 'x')).status).toBe(404)
  expect((await restore(report, id, report.updatedAt)).status).toBe(404)
  expect((await platform.request('GET', `/reports/${report.id}/versions`, { key })).status).toBe(404)
})

test('an image stays while a version shows it, and a restored report shows it again', async () => {
  const content = pngFile({ width: 13 }).toString('base64')
  const { id } = (await platform.request('POST', '/report-images', { body: { content } })).json.image
  const report = await create({ bodyMarkdown: `![x](assay://images/${id}/13x4)` })
  await change(report, { bodyMarkdown: 'No image' }, member)
  const later = Date.now() + 2 * 24 * 60 * 60_000
  const statusOfImage = async () => (await platform.request('GET', `/report-images/${id}`)).status
  await deleteUnusedFiles(platform.services, later)
  expect(await statusOfImage()).toBe(200)
  await platform.request('DELETE', `/reports/${report.id}`)
  await deleteUnusedFiles(platform.services, later)
  expect(await statusOfImage()).toBe(404)
})

const at = (minute: number, bytes = 1) => ({
  id: `v${minute}`,
  savedAt: new Date(minute * 60_000).toISOString(),
  bytes,
})

test('beyond the limit, older versions that are near in time are deleted, and the first and the newest are kept', () => {
  const limits = { versionsPerReport: 5, versionBytesPerReport: 1000 }
  const days = [0, 1000, 1001, 3000, 4000, 5000].map((minute) => at(minute))
  expect(chooseVersionsToDelete(days.slice(0, 5), limits)).toEqual([])
  const many = { versionsPerReport: 40, versionBytesPerReport: 1000 }
  const all = [0, 500, 501, 900].map((minute) => at(minute)).concat(Array.from({ length: 37 }, (_, n) => at(1000 + n)))
  expect(chooseVersionsToDelete(all, many)).toEqual(['v501'])
})

test('large versions are deleted until the rest fits, but never the newest', () => {
  const limits = { versionsPerReport: 5, versionBytesPerReport: 10 }
  expect(chooseVersionsToDelete([at(1, 6), at(2, 6), at(3, 60)], limits)).toEqual(['v2', 'v1'])
})

test('the first version stays while a later one can go, however few versions there are', () => {
  const limits = { versionsPerReport: 100, versionBytesPerReport: 10 }
  expect(chooseVersionsToDelete([at(1, 4), at(2, 4), at(3, 4), at(4, 2)], limits)).toEqual(['v2'])
})
