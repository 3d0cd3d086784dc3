import { afterAll, describe, expect, test } from 'vitest'

import type { PublishedDocument } from '#contract/published-document.ts'
import { noSuchPublishedReport } from '#contract/report-publications.ts'
import { limits } from '#contract/wire/limit.ts'
import { reportPublications } from '#platform/ground/database/tables/publications.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { deleteUnusedFiles } from '#platform/results/reports/delete-files.ts'
import { pngFile } from '#platform/program/testing/image-files.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member', email: 'max@lab.example' })
afterAll(() => platform.close())

type Nodes = PublishedDocument['nodes']
const page = (
  nodes: unknown = [
    { in: -1, tag: 'p' },
    { in: 0, text: 'Found' },
  ],
  more: object = {},
) => JSON.stringify({ nodes, rules: [], variables: { light: {}, dark: {} }, ...more })

let shade = 100
async function newImage(): Promise<string> {
  const content = pngFile({ width: 12, shade: (shade += 1) }).toString('base64')
  return (await platform.request('POST', '/report-images', { body: { content } })).json.image.id
}

type Report = { id: string; updatedAt: string }
const newReport = async (more: object = {}, key?: string): Promise<Report> =>
  (await platform.request('POST', '/reports', { body: { title: 'Findings', ...more }, ...(key && { key }) })).json
    .report
const publish = ({ id, updatedAt }: Report, documentJson = page(), key?: string) =>
  platform.request('PUT', `/reports/${id}/publication`, {
    body: { expectedUpdatedAt: updatedAt, documentJson },
    ...(key && { key }),
  })
const get = async ({ id }: Report, key?: string) =>
  (await platform.request('GET', `/reports/${id}/publication`, { ...(key && { key }) })).json
const revoke = ({ id }: Report, key?: string) =>
  platform.request('DELETE', `/reports/${id}/publication`, { ...(key && { key }) })
const pathOf = (answer: { json: { publication: { url: string } } }) => new URL(answer.json.publication.url).pathname
const change = async ({ id }: Report, body: object): Promise<Report> => {
  const { report } = (await platform.request('GET', `/reports/${id}`)).json
  const sent = { expectedUpdatedAt: report.updatedAt, ...body }
  return (await platform.request('PATCH', `/reports/${id}`, { body: sent })).json.report
}

describe('PUT /reports/{reportId}/publication', () => {
  test('a published report is shown to anyone with its link, with its organization, its author and nothing else', async () => {
    const report = await newReport({ description: 'Why', bodyMarkdown: 'Not <!-- a secret --> sent' })
    const answer = await publish(report)
    expect(answer.status).toBe(200)
    expect(answer.json.publication.url).toMatch(/^https:\/\/assay\.example\/embed\/reports\/[\w-]{43}$/)
    const { status, headers, text } = await platform.visit(pathOf(answer))
    expect(status).toBe(200)
    expect(JSON.parse(text)).toEqual({
      title: 'Findings',
      description: 'Why',
      organization: { name: expect.any(String) },
      author: expect.any(String),
      version: report.updatedAt,
      publishedAt: answer.json.publication.publishedAt,
      document: JSON.parse(page()),
    })
    expect(text).not.toContain(report.id)
    expect(text).not.toContain('secret')
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    expect(headers).not.toHaveProperty('set-cookie')
  })

  test('later changes are not public until it is published again, under the same link', async () => {
    const report = await newReport()
    const first = await publish(report)
    const changed = await change(report, { title: 'Renamed' })
    const shown = async () => JSON.parse((await platform.visit(pathOf(first))).text)
    expect((await get(report)).publication).toMatchObject({ isCurrent: false, version: report.updatedAt })
    expect(await shown()).toMatchObject({ title: 'Findings' })
    const second = await publish(changed, page([{ in: -1, text: 'New' }]))
    expect(pathOf(second)).toBe(pathOf(first))
    expect(await shown()).toMatchObject({ title: 'Renamed', document: { nodes: [{ text: 'New' }] } })
    expect((await get(report)).publication).toMatchObject({ isCurrent: true, version: changed.updatedAt })
  })

  test('a report that changed since it was drawn is not published', async () => {
    const report = await newReport()
    await change(report, { title: 'Renamed' })
    const { status, json } = await publish(report)
    expect([status, json.error]).toEqual([409, 'already_exists'])
    expect(await get(report)).toEqual({ canPublish: true })
  })

  test('ten calls at once publish once, under one link', async () => {
    const report = await newReport()
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(report)))
    expect(new Set(answers.map(pathOf)).size).toBe(1)
  })

  test('the database stores only the hash of a token', async () => {
    const token =
      pathOf(await publish(await newReport()))
        .split('/')
        .at(-1) ?? ''
    expect(JSON.stringify(await platform.services.db.select().from(reportPublications))).not.toContain(token)
  })

  test('only the creator and admins may publish or revoke, and the error says so', async () => {
    const report = await newReport()
    expect([(await publish(report, page(), member)).status, (await revoke(report, member)).status]).toEqual([403, 403])
    expect(await get(report, member)).toEqual({ canPublish: false })
    const own = await newReport({}, member)
    expect((await publish(own, page(), member)).status).toBe(200)
    expect((await publish(own)).status).toBe(200)
    expect((await revoke(own, member)).status).toBe(204)
  })

  test.each<[string, unknown, object?]>([
    ['a script', [{ in: -1, tag: 'script' }]],
    ['a frame', [{ in: -1, tag: 'iframe' }]],
    ['a form', [{ in: -1, tag: 'form' }]],
    ['an attribute that runs code', [{ in: -1, tag: 'p', attributes: { onclick: 'x()' } }]],
    ['a link that runs code', [{ in: -1, tag: 'a', attributes: { href: 'javascript:alert(1)' } }]],
    ['a link into the app', [{ in: -1, tag: 'a', attributes: { href: '/runs/1' } }]],
    ['more than 500 images', Array.from({ length: 501 }, () => ({ in: -1, tag: 'img', image: crypto.randomUUID() }))],
    ['an image of another host', [{ in: -1, tag: 'img', attributes: { src: 'https://evil.example/x.png' } }]],
    ['a reference to another file', [{ in: -1, tag: 'rect', attributes: { fill: 'url(https://evil.example)' } }]],
    ['a role that acts', [{ in: -1, tag: 'p', attributes: { role: 'alert' } }]],
    ['a style that loads', [{ in: -1, tag: 'p', styles: { background: 'url(/api/v1/runs)' } }]],
    ['a style that covers the page', [{ in: -1, tag: 'p', styles: { position: 'fixed' } }]],
    ['a style that ends its rule', [{ in: -1, tag: 'p', styles: { color: 'red} body{display:none' } }]],
    [
      'a child before its parent',
      [
        { in: 1, text: 'x' },
        { in: -1, tag: 'p' },
      ],
    ],
    [
      'a child of a text',
      [
        { in: -1, text: 'x' },
        { in: 0, text: 'y' },
      ],
    ],
    ['a picture that is no PNG', [{ in: -1, tag: 'img', png: Buffer.from('<svg/>').toString('base64') }]],
    ['no content', []],
    ['a rule for the whole page', undefined, { rules: [{ selector: ':root', styles: { color: 'red' } }] }],
    ['a selector of the box around it', undefined, { rules: [{ selector: '&', styles: { color: 'red' } }] }],
    ['a selector that ends its rule', undefined, { rules: [{ selector: 'a{} b', styles: { color: 'red' } }] }],
    ['an import', undefined, { rules: [{ within: ['@import "x"'], selector: 'a', styles: {} }] }],
    ['levels without end', Array.from({ length: 300 }, (_, place) => ({ in: place - 1, tag: 'p' }))],
  ])('a page with %s is refused', async (_, nodes, more = {}) => {
    const report = await newReport()
    const { status, json } = await publish(report, page(nodes, more))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(await get(report)).toEqual({ canPublish: true })
  })

  test.each([
    ['no JSON', '{'],
    ['a million nested lists', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    ['more than the limit', page([{ in: -1, text: 'ä'.repeat(limits.publishedReportBytes / 2) }])],
  ])('%s is refused', async (_, documentJson) => {
    expect((await publish(await newReport(), documentJson)).status).toBe(400)
  })
})

describe('images of a published report', () => {
  const imageOf = (id: string): Nodes => [{ in: -1, tag: 'img', attributes: { alt: 'x' }, image: id }]

  test('an image is served by the token while the page shows it, and its id is not public', async () => {
    const [shown, other] = [await newImage(), await newImage()]
    const report = await newReport({ bodyMarkdown: `![x](assay://images/${other}/12x4)` })
    const path = pathOf(await publish(report, page(imageOf(shown))))
    const { text } = await platform.visit(path)
    expect(JSON.parse(text).document.nodes).toEqual([{ in: -1, tag: 'img', attributes: { alt: 'x' }, image: '0' }])
    const image = await platform.visit(`${path}/images/0`)
    expect(image.status).toBe(200)
    expect(image.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' })
    for (const wrong of [
      '/images/1',
      `/images/${shown}`,
      '/images/',
      '/images/0/',
      '/images/-1',
      '/images/99999999999',
    ])
      expect((await platform.visit(path + wrong)).status).toBe(404)
    await publish(report)
    expect((await platform.visit(`${path}/images/0`)).status).toBe(404)
  })

  test('an image of another organization cannot be published', async () => {
    await createOrganization(platform.services, { slug: 'elsewhere' })
    const key = await platform.newKey({ organizations: ['elsewhere'] })
    const report = (await platform.request('POST', '/reports', { key, body: { title: 'Theirs' } })).json.report
    expect((await publish(report, page(imageOf(await newImage())), key)).status).toBe(404)
  })

  test('an image stays while a public page shows it, and is deleted after that', async () => {
    const id = await newImage()
    const report = await newReport()
    const path = pathOf(await publish(report, page(imageOf(id))))
    const later = Date.now() + 2 * 24 * 60 * 60_000
    await deleteUnusedFiles(platform.services, later)
    expect((await platform.visit(`${path}/images/0`)).status).toBe(200)
    await revoke(report)
    await deleteUnusedFiles(platform.services, later)
    expect((await platform.request('GET', `/report-images/${id}`)).status).toBe(404)
  })
})

describe('DELETE /reports/{reportId}/publication', () => {
  test.each([
    ['revoking', (report: Report) => revoke(report)],
    ['deleting the report', ({ id }: Report) => platform.request('DELETE', `/reports/${id}`)],
  ])('%s ends the page at once, and every wrong token gets the same answer', async (_, end) => {
    const report = await newReport()
    const path = pathOf(await publish(report))
    expect((await platform.visit(path)).status).toBe(200)
    await end(report)
    const answers = await Promise.all(
      [path, `${path}x`, '/embed/reports/x', '/embed/reports/', '/embed/reports/%zz', `${path}/images/0`].map(
        async (wrong) => {
          const { status, text, headers } = await platform.visit(wrong)
          return [status, text, headers['cache-control']]
        },
      ),
    )
    expect(new Set(answers.map(String))).toEqual(
      new Set([String([404, JSON.stringify(noSuchPublishedReport), 'no-store'])]),
    )
  })

  test('a report that is published again after it was revoked has another link', async () => {
    const report = await newReport()
    const before = pathOf(await publish(report))
    expect([(await revoke(report)).status, (await revoke(report)).status]).toEqual([204, 204])
    expect(pathOf(await publish(report))).not.toBe(before)
    expect((await platform.visit(before)).status).toBe(404)
  })

  test('the creator and the admins are notified, but not who did it', async () => {
    const report = await newReport({ title: 'Told' }, member)
    await publish(report, page(), member)
    await publish(report, page(), member)
    await platform.request('DELETE', `/reports/${report.id}`)
    const told = async (key?: string) =>
      (await platform.request('GET', '/notifications', { ...(key && { key }) })).json.entries
        .filter(({ payload }: { payload: { title?: string } }) => payload.title === 'Told')
        .map(({ type, payload }: { type: string; payload: { is_update?: boolean } }) => [type, payload.is_update])
    expect(await told()).toEqual([
      ['report.published', true],
      ['report.published', false],
    ])
    expect(await told(member)).toEqual([['report.revoked', undefined]])
  })
})
