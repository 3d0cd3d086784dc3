import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { brotliCompressSync } from 'node:zlib'

import { onTestFinished } from 'vitest'

import { type BffLimits, buildBff } from '#bff/build-bff.ts'
import { readBffConfig } from '#bff/bff-config.ts'
import { defaultConnectionLimits } from '#bff/browser-connections.ts'
import { type RawRequest, rawRequest } from './raw-request.ts'
import { knownKey, startStubPlatform } from './stub-platform.ts'
import { writeHeader } from '#contract/session.ts'

export const demoKeys = [{ id: 'admin', name: 'Ada', email: 'ada@demo.test', apiKey: knownKey }]

/** Starts a listening BFF with a stub platform and a small built app. It stops when the test ends. */
export async function startBff(environment: Record<string, string> = {}, limits: BffLimits = defaultConnectionLimits) {
  const folder = await makeFolder()
  const platform = await startStubPlatform()
  let log = ''
  const logStream = new Writable({ write: (chunk, _encoding, done) => done(void (log += String(chunk))) })

  const config = readBffConfig({
    PLATFORM_URL: platform.url,
    STATIC_DIR: join(folder, 'dist'),
    DEMO_KEYS_FILE: join(folder, 'demo-keys.json'),
    SESSIONS_DIR: join(folder, 'sessions'),
    LOG_LEVEL: 'trace',
    ...environment,
  })
  const listen = async (at: number) => {
    const built = await buildBff(config, logStream, limits)
    await built.listen({ host: '127.0.0.1', port: at })
    return built
  }
  let app = await listen(0)
  onTestFinished(async () => {
    await app.close()
    await platform.stop()
    await rm(folder, { recursive: true })
  })

  const { port } = app.server.address() as AddressInfo
  const request = (method: string, path: string, call?: RawRequest) => rawRequest(port, method, path, call)
  const pageHeaders = { [writeHeader]: '1', 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }

  return {
    platform,
    port,
    folder,
    request,
    pageHeaders,
    readLog: () => log,

    /** Stops this BFF and starts another with the same settings, folders and port. */
    async restart() {
      await app.close()
      app = await listen(port)
    },

    readDemoSecret: async () => (await readFile(join(folder, 'demo-link'), 'utf8')).trim(),

    /** Returns the headers of a page in a browser that has opened the demo's link. */
    async openDemo() {
      const body = JSON.stringify({ secret: await this.readDemoSecret() })
      const response = await request('POST', '/session/demo-link', { headers: pageHeaders, body })
      return { ...pageHeaders, cookie: response.headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
    },

    /** Returns the headers of a signed-in page. */
    async signIn(apiKey = knownKey) {
      const response = await request('POST', '/session', { headers: pageHeaders, body: JSON.stringify({ apiKey }) })
      const cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
      platform.seen.length = 0
      return { ...pageHeaders, cookie }
    },
  }
}

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bff-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  const script = 'console.log("app")'
  await writeFile(
    join(folder, 'dist/index.html'),
    '<script nonce="__CSP_NONCE__"></script><link nonce="__CSP_NONCE__">',
  )
  await writeFile(join(folder, 'dist/embed.html'), '<script nonce="__CSP_NONCE__"></script>')
  await writeFile(join(folder, 'dist/icon.svg'), '<svg/>')
  await writeFile(join(folder, 'dist/.built-from'), 'stamp')
  await writeFile(join(folder, 'dist/assets/app-1a2b.js'), script)
  await writeFile(join(folder, 'dist/assets/app-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'demo-keys.json'), JSON.stringify(demoKeys))
  return folder
}
