import { createHash } from 'node:crypto'

import { afterAll, expect, test } from 'vitest'

import { limits } from '#contract/wire/limit.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'
import { recordStagedBlob } from './store.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const tar = Buffer.from(writeTar([{ name: 'cases.json', content: '[]' }]))
const tarSha256 = createHash('sha256').update(tar).digest('hex')

const stage = (content: Buffer) =>
  platform.request('POST', '/package-files', { body: { content: content.toString('base64') } })

const missing = (tarSha256s: string[]) => platform.request('POST', '/package-files/missing', { body: { tarSha256s } })

test('a client stages what is missing, and pushes a definition with it', async () => {
  const unknown = 'e'.repeat(64)
  expect((await missing([tarSha256.toUpperCase(), unknown, unknown])).json).toEqual({ missing: [tarSha256, unknown] })
  expect(await stage(tar)).toMatchObject({ status: 200, json: { tarSha256, sizeBytes: tar.byteLength } })
  expect((await missing([tarSha256])).json).toEqual({ missing: [] })
  const file = { source: 'cases.json', dest: 'cases.json' }
  const body = {
    experimentYaml: twoByTwo('staged', `files: [${JSON.stringify(file)}]`),
    replaceVersionFiles: true,
    versionFiles: [{ ...file, tarSha256, sizeBytes: tar.byteLength }],
  }
  expect((await platform.request('POST', '/experiments', { body })).json).toMatchObject({ ordinal: 1, created: true })
})

test('400 invalid_argument for content that is no base64, is empty or is too large', async () => {
  for (const content of ['', '!!!', Buffer.alloc(limits.packageFileBytes + 10).toString('base64')]) {
    const { status, json } = await platform.request('POST', '/package-files', { body: { content } })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  }
})

test('429 resource_exhausted when the organization has no space left for files of packages', async () => {
  const { db } = platform.services
  const organizationId = platform.organization.id
  for (let index = 0; index < limits.packageBytesOfOrganization / 2_000_000_000; index += 1)
    await recordStagedBlob(db, {
      organizationId,
      sha256: index.toString(16).padStart(64, '0'),
      sizeBytes: 2_000_000_000,
    })
  const { status, json } = await stage(Buffer.from('another'))
  expect([status, json.error]).toEqual([429, 'resource_exhausted'])
})
