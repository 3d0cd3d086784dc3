import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

let count = 0
let path = ''
beforeEach(async () => {
  count += 1
  await platform.request('POST', '/experiments', { yaml: twoByTwo(`linked-${count}`) })
  path = `/experiments/linked-${count}`
})

const add = (body: unknown) => platform.request('POST', `${path}/resources`, { body })
const links = async () => (await platform.request('GET', path)).json.resources
const paper = { title: ' The paper ', url: 'https://lab.example/paper' }
const nobody = '00000000-0000-4000-8000-000000000000'

describe('create a link', () => {
  test('a body with {title, url} adds one link with trimmed text; titles and URLs may repeat', async () => {
    const { status, json } = await add(paper)
    expect(status).toBe(201)
    expect(json.resources).toMatchObject([{ title: 'The paper', url: 'https://lab.example/paper' }])
    await add(paper)
    expect(await links()).toHaveLength(2)
  })

  test('a new or changed link accepts a title of 200 characters after trim and a URL of 2048, and no longer ones', async () => {
    const url = `https://x.example/${'a'.repeat(2048 - 18)}`
    const longest = { title: ` ${'x'.repeat(200)} `, url }
    const { status, json } = await add(longest)
    expect([status, json.resources[0].title.length, json.resources[0].url.length]).toEqual([201, 200, 2048])
    const change = async (body: object) =>
      (await platform.request('PATCH', `${path}/resources/${json.resources[0].id}`, { body })).status
    expect(await change({ title: ` ${'y'.repeat(200)} ` })).toBe(200)
    expect(await change({ title: 'y'.repeat(201) })).toBe(400)
    expect(await change({ url: `${url}a` })).toBe(400)
    expect((await links())[0]).toMatchObject({ title: 'y'.repeat(200), url })
  })

  test('a body with {resources: […]} adds several links in order, all or none', async () => {
    const { json } = await add({ resources: [paper, { title: 'Data', url: 'http://lab.example/data' }] })
    expect(json.resources.map(({ title }: { title: string }) => title)).toEqual(['The paper', 'Data'])
    await add({ resources: [paper, { title: 'Bad', url: 'ftp://x' }] })
    expect(await links()).toEqual(json.resources)
  })

  test.each([
    ['both shapes', { ...paper, resources: [paper] }],
    ['a non-http(s) URL', { title: 'x', url: 'javascript:alert(1)' }],
    ['a missing title', { url: 'https://x.example' }],
    ['a missing URL', { title: 'x' }],
    ['a blank title', { title: '  ', url: 'https://x.example' }],
    ['a title of 201 characters', { title: 'x'.repeat(201), url: 'https://x.example' }],
    ['a URL of 2049 characters', { title: 'x', url: `https://x.example/${'a'.repeat(2049 - 18)}` }],
    ['an empty list', { resources: [] }],
    ['an empty body', {}],
  ])('400 invalid_argument for a new link with %s', async (_, body) => {
    const { status, json } = await add(body)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(await links()).toEqual([])
  })

  test('404 not_found for a link on an unknown experiment', async () => {
    expect((await platform.request('POST', '/experiments/nobody/resources', { body: paper })).status).toBe(404)
  })
})

describe('update a link', () => {
  test('an update changes the sent fields, keeps omitted ones, and returns previousTitle', async () => {
    const [link] = (await add(paper)).json.resources
    const renamed = await platform.request('PATCH', `${path}/resources/${link.id}`, { body: { title: 'Preprint' } })
    expect(renamed.json).toMatchObject({ id: link.id, title: 'Preprint', url: link.url, previousTitle: 'The paper' })
    const moved = await platform.request('PATCH', `${path}/resources/${link.id}`, {
      body: { url: 'https://new.example/' },
    })
    expect(moved.json).toMatchObject({ title: 'Preprint', url: 'https://new.example/', previousTitle: 'Preprint' })
    expect(moved.json.createdAt).toBe(link.createdAt)
  })

  test('an update is 400 for an empty body or an invalid field, and 404 for an unknown link or experiment', async () => {
    const [link] = (await add(paper)).json.resources
    for (const body of [{}, { title: '' }, { url: 'x' }]) {
      expect((await platform.request('PATCH', `${path}/resources/${link.id}`, { body })).json.error).toBe(
        'invalid_argument',
      )
    }
    await platform.request('POST', '/experiments', { yaml: twoByTwo('someone-else') })
    const elsewhere = [
      `${path}/resources/${nobody}`,
      `${path}/resources/no-uuid`,
      `/experiments/someone-else/resources/${link.id}`,
    ]
    for (const wrong of elsewhere) {
      expect((await platform.request('PATCH', wrong, { body: { title: 'x' } })).json.error).toBe('not_found')
    }
  })
})

describe('delete a link', () => {
  test('a delete of a link answers 204, and 404 not_found the second time', async () => {
    const [link] = (await add(paper)).json.resources
    const first = await platform.request('DELETE', `${path}/resources/${link.id}`)
    expect([first.status, first.text]).toEqual([204, ''])
    const second = await platform.request('DELETE', `${path}/resources/${link.id}`)
    expect([second.status, second.json.error]).toEqual([404, 'not_found'])
    expect(await links()).toEqual([])
  })

  test('links are not part of the YAML', async () => {
    await add(paper)
    expect((await platform.request('GET', `${path}/yaml`)).text).not.toContain('paper')
  })
})
