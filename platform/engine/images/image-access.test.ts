import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { openTestImages, whyNoImages } from '#platform/program/testing/test-images.ts'
import { registryPassword as password } from '#platform/program/testing/test-registry.ts'

import { parseMirrors } from './mirrors.ts'
import { pullFailure } from './pull-failure.ts'

let open: Awaited<ReturnType<typeof openTestImages>>
let guarded: Awaited<ReturnType<typeof openTestImages>>
beforeAll(async () => {
  if (whyNoImages) return
  open = await openTestImages()
  guarded = await openTestImages({ isGuarded: true })
  await open.registry.push({ name: 'a:1', files: { '/a': 'a' } })
  await open.registry.push({ name: 'b:1', files: { '/b': 'b' } })
  await open.registry.push({ name: 'c:1', files: { '/c': 'c' } })
  await open.registry.push({ name: 'foreign:1', architecture: 's390x' })
  await guarded.registry.push({ name: 'private:1' })
})
afterAll(async () => {
  await open?.close()
  await guarded?.close()
})
afterEach(() => open?.release())

const cached = (bench: typeof open) => readdirSync(join(bench.settings.folder, 'unpacked')).length

/**
 * The disk space of stored images and of those that are being unpacked. A file that is moved from one to the other while it
 * looks counts once. Without starting `du`, which would take more of the machine than the pulls while it looks again and
 * again.
 */
async function unpackedMb(cache: string) {
  const partial = join(cache, 'partial')
  const parts = existsSync(partial) ? readdirSync(partial) : []
  const roots = parts.flatMap((name) => [join(partial, name, 'workspace', 'root'), join(partial, name, 'finished')])
  const blocksOf = new Map<number, number>()
  const look = async (folder: string) => {
    const names = await readdir(folder, { recursive: true }).catch(() => [])
    const found = await Promise.all(names.map((name) => lstat(join(folder, name)).catch(() => null)))
    for (const each of found) if (each) blocksOf.set(each.ino, each.blocks)
  }
  await Promise.all([join(cache, 'unpacked'), ...roots].map(look))
  return blocksOf.values().reduce((sum, blocks) => sum + blocks / 2048, 0)
}

async function largest(measure: () => Promise<number>, until: AbortSignal) {
  let most = 0
  while (!until.aborted) {
    most = Math.max(most, await measure())
    await delay(5)
  }
  return most
}

describe.skipIf(whyNoImages !== null)(`access to images (${whyNoImages ?? 'available'})`, () => {
  test('each reason why an image cannot be used is a sentence', async () => {
    await expect(open.open('none:1')).rejects.toThrow('the registry has no such image')
    await expect(open.open('a:none')).rejects.toThrow('the registry has no such image')
    await expect(open.open('foreign:1')).rejects.toThrow(/it is for the architecture s390x, and this worker has/)
    await expect(open.open('a:1', { insecureRegistries: [] })).rejects.toThrow('the operator must allow it')
    const none = await detectSandbox({ wanted: 'none' })
    await expect(open.open('a:1', { sandbox: none })).rejects.toThrow('needs bubblewrap')
  })

  test('a private image needs the right password, and a digest in the cache opens it to nobody else', async () => {
    for (const wrong of [undefined, 'reader:wrong', 'nonsense']) {
      const error = await guarded.open('private:1', wrong === undefined ? {} : { password: wrong }).catch(String)
      expect(error).toContain('denies access to it')
      expect(error).not.toContain('wrong')
    }
    const image = await guarded.open('private:1', { password })
    image.release()
    const pinned = `private@${image.facts.digest}`
    await expect(guarded.open(pinned)).rejects.toThrow('denies access to it')
    const again = await guarded.open(pinned, { password })
    again.release()
    expect(cached(guarded)).toBe(1)
  })

  test('the password of a registry opens the private base images of that registry, and is sent to no other', async () => {
    const sent: string[] = []
    const other = createServer((request, response) => {
      sent.push(request.headers.authorization ?? '')
      response.writeHead(401, { 'www-authenticate': 'Basic realm="other"' }).end()
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = `127.0.0.1:${(other.address() as AddressInfo).port}`
    const build = async (from: string, passwords?: ReadonlyMap<string, string>) => {
      const context = [{ dest: 'Dockerfile', content: `FROM ${from}` }]
      const images = guarded.images({ insecureRegistries: [guarded.registry.address, address] })
      const wanted = {
        name: 'of a test',
        digest: null,
        build: { context, staged: [], ...(passwords && { passwords }) },
      }
      const image = await images.open(wanted, { signal: new AbortController().signal })
      image.release()
    }
    const passwords = new Map([[guarded.registry.address, password]])
    const base = `${guarded.registry.address}/private:1`
    await expect(build(base)).rejects.toThrow(
      `its base ${base}: the registry denies access to it: check the name; a private image needs imageAuth, a private base image needs build.imageAuth`,
    )
    await build(base, passwords)
    // The built image is in the cache now, and opens to nobody without the password.
    await expect(build(base)).rejects.toThrow('denies access to it')
    await expect(build(`${address}/private:1`, passwords)).rejects.toThrow('denies access to it')
    expect(sent.length).toBeGreaterThan(0)
    for (const each of sent) expect(Buffer.from(each.split(' ')[1] ?? '', 'base64').toString()).not.toContain('correct')
    other.close()
  })

  test('the images of a registry can come from the operator’s mirror', async () => {
    const mirrors = parseMirrors(`docker.io=${open.registry.address}`)
    const reference = { registry: 'docker.io', repository: 'a', tag: '1', digest: null }
    const wanted = { name: 'a:1', digest: null, password: 'for:docker.io', reference }
    const image = await open.images({ mirrors }).open(wanted, { signal: new AbortController().signal })
    image.release()
    expect(image.facts.digest).toMatch(/^sha256:/)
  })

  test('workers that need the same image at once pull it once', async () => {
    const opened = await Promise.all([1, 2, 3].map(() => open.open('a:1')))
    expect(new Set(opened.map(({ root }) => root)).size).toBe(1)
    for (const { release } of opened) release()
  })

  test('a registry that never sends an image delays nobody who pulls it elsewhere', async () => {
    await open.registry.push({ name: 'e:1', files: { '/e': 'e' } })
    const asked = Promise.withResolvers<void>()
    const slow = createServer(async (request, response) => {
      if (request.url?.includes('/blobs/')) return asked.resolve()
      const { accept = '' } = request.headers
      const answer = await fetch(`http://${open.registry.address}${request.url}`, { headers: { accept } })
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    }).listen(0, '127.0.0.1')
    await once(slow, 'listening')
    const registry = `127.0.0.1:${(slow.address() as AddressInfo).port}`
    const stopped = new AbortController()
    const reference = { registry, repository: 'e', tag: '1', digest: null }
    const hanging = open
      .images({ insecureRegistries: [registry] })
      .open({ name: 'e', digest: null, password: null, reference }, { signal: stopped.signal })
      .catch(String)
    await asked.promise
    const image = await open.open('e:1').finally(() => stopped.abort())
    image.release()
    expect(await hanging).toContain('it was stopped')
    slow.closeAllConnections()
    slow.close()
  })

  test('the cache removes the least recently used image, but none that a run uses', async () => {
    const a = await open.open('a:1')
    const limitMb = Math.ceil((a.facts.kilobytes * 2.5) / 1024)
    const b = await open.open('b:1', { limitMb })
    b.release()
    const c = await open.open('c:1', { limitMb })
    expect(cached(open)).toBe(2)
    await expect(open.open('b:1', { limitMb })).rejects.toThrow(
      /the image cache is full: it needs \d+ MiB, the cache may have \d+ MiB \(IMAGE_CACHE_MB\), and images of current runs occupy \d+ MiB/,
    )
    a.release()
    const again = await open.open('b:1', { limitMb })
    expect(cached(open)).toBe(2)
    for (const each of [c, again]) each.release()
  })

  test('images that are pulled at once stay within the limit of the cache together, and each run gets its own', async () => {
    const random = () => randomBytes(3 * 1024 * 1024).toString('base64')
    for (const name of ['big1:1', 'big2:1', 'big3:1'])
      await open.registry.push({ name, files: { '/random': random(), '/zeros': '0'.repeat(4 * 1024 * 1024) } })
    const settings = { folder: join(open.folder, 'shared'), limitMb: 40 }
    const ended = new AbortController()
    const watch = largest(() => unpackedMb(settings.folder), ended.signal)
    const used = ['big1:1', 'big2:1', 'big3:1'].map(async (name) => (await open.open(name, settings)).release())
    await Promise.all(used).finally(() => ended.abort())
    const mostMb = await watch
    expect(mostMb).toBeGreaterThan(12)
    expect(mostMb).toBeLessThanOrEqual(40)
  })

  test('what a killed worker left of a pull is removed, and is never taken for an image', async () => {
    const left = join(open.settings.folder, 'partial', 'amd64-sha256-dead', 'workspace', 'root')
    mkdirSync(left, { recursive: true })
    writeFileSync(join(left, 'half'), '')
    const image = await open.open('a:1')
    image.release()
    await open.registry.push({ name: 'd:1', files: { '/d': 'd' } })
    const next = await open.open('d:1')
    next.release()
    expect(readdirSync(join(open.settings.folder, 'partial'))).toEqual([])
  })

  test('a registry that redirects to this machine or to a private address leads nowhere', async () => {
    let hits = 0
    const canary = createServer((_, response) => {
      hits += 1
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(canary, 'listening')
    const ofMachine = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`
    let target = ofMachine
    const registry = createServer((request, response) => {
      if (request.url === '/v2/') response.end('{}')
      else response.writeHead(307, { location: target }).end()
    }).listen(0, '127.0.0.1')
    await once(registry, 'listening')
    const address = `127.0.0.1:${(registry.address() as AddressInfo).port}`
    const pull = () =>
      open.images({ insecureRegistries: [address] }).open(
        {
          name: 'x',
          digest: null,
          password: null,
          reference: { registry: address, repository: 'x', tag: '1', digest: null },
        },
        { signal: new AbortController().signal },
      )
    await expect(pull()).rejects.toThrow('the registry cannot be reached')
    target = 'http://169.254.169.254/latest'
    await expect(pull()).rejects.toThrow('redirects elsewhere: It is the metadata address of a cloud machine.')
    target = 'http://10.1.2.3/'
    await expect(pull()).rejects.toThrow('redirects elsewhere: It is a private address.')
    expect(hits).toBe(0)
    canary.close()
    registry.close()
  })

  test.each([
    ['http: server gave HTTP response to HTTPS client', 'supports only unencrypted HTTP'],
    ['x509: certificate signed by unknown authority', 'certificate is not trusted'],
    ['toomanyrequests: You have reached your pull rate limit', 'limits how often'],
    ['write /workspace/layout/blobs: no space left on device', 'the disk of the worker is full'],
    ['no image found in manifest list for architecture amd64', 'not for the architecture'],
    ['something new', 'skopeo failed: something new'],
  ])('when skopeo says %j the reason is a sentence', (said, expected) => {
    const line = `time="2026-11-22" level=fatal msg="${said}"\n`
    const end = { exitCode: 1, timedOut: false, stopped: false, couldNotStart: null, exceeded: null, durationMs: 1 }
    expect(pullFailure('skopeo', end, line).message).toContain(expected)
  })

  test('a worker without the programs says which are missing', () => {
    const end = { exitCode: null, timedOut: false, stopped: false, exceeded: null, durationMs: 1 }
    expect(pullFailure('skopeo', { ...end, couldNotStart: 'skopeo: No such file or directory' }, '').message).toBe(
      'images need skopeo and umoci on the worker’s machine, and skopeo could not start: skopeo: No such file or directory',
    )
  })

  test('a pull that is stopped says so and leaves nothing', async () => {
    const controller = new AbortController()
    const opening = open.images().open(
      {
        name: 'x',
        digest: null,
        password: null,
        reference: { registry: '192.0.2.1:5000', repository: 'x', tag: '1', digest: null },
      },
      { signal: controller.signal },
    )
    controller.abort('canceled')
    await expect(opening).rejects.toThrow('it was stopped')
    expect(readdirSync(join(open.settings.folder, 'partial'))).toEqual([])
  })
})
