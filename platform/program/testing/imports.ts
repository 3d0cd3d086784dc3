import { expect } from 'vitest'

import type { Import } from '#contract/imports.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import type { Services } from '#platform/ground/context/context.ts'
import { performImport } from '#platform/program/imports/perform-import.ts'
import { openTestPlatform } from './test-platform.ts'

type Files = Readonly<Record<string, string | Uint8Array>>
type Body = Record<string, unknown>

/** What the worker does in the background, until nothing waits. */
export async function performImports(services: Services) {
  const { signal } = new AbortController()
  for (const work of ['preview', 'write'] as const) while (await performImport(services, work, signal));
}

/** A platform on which tests upload files and import them, without a worker in the background. */
export async function openImports() {
  const platform = await openTestPlatform()
  const post = (path: string, body: Body = {}, key = platform.admin) => platform.request('POST', path, { key, body })

  async function succeed(path: string, body: Body = {}, key = platform.admin): Promise<Import> {
    const { status, json } = await post(path, body, key)
    expect(status, JSON.stringify(json)).toBeLessThan(300)
    return json
  }
  const show = async (id: string): Promise<Import> => (await platform.request('GET', `/imports/${id}`)).json

  async function work() {
    await performImports(platform.services)
    await projectRuns(platform.services, platform.organization.id)
  }

  async function upload(files: Files, key = platform.admin) {
    const { id } = await succeed('/imports', {}, key)
    const contents = Object.values(files).map((content) => Buffer.from(content))
    const parts = Object.keys(files).map((path, index) => ({ path, offset: 0, bytes: contents[index]?.length ?? 0 }))
    await succeed(`/imports/${id}/files`, { parts, content: Buffer.concat(contents).toString('base64') }, key)
    return id
  }

  /** Uploads files and reads them. */
  async function preview(files: Files, how: Body = {}) {
    const id = await upload(files)
    await succeed(`/imports/${id}/preview`, how)
    await work()
    return show(id)
  }

  const start = (id: string, experimentId: string, experimentName?: string) =>
    succeed(`/imports/${id}/start`, { experimentId, experimentName })

  async function importAll(files: Files, experimentId: string, how: Body = {}) {
    const { id } = await preview(files, how)
    await start(id, experimentId, 'Imported')
    await work()
    return show(id)
  }

  async function undo(id: string) {
    await succeed(`/imports/${id}/undo`)
    await work()
    return show(id)
  }

  return { platform, post, succeed, show, work, upload, preview, start, importAll, undo }
}
