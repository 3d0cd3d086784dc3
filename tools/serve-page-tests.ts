import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

import { build as buildWithVite } from 'vite'
import { z } from 'zod'
import type { TestProject } from 'vitest/node'

import { chdbAnalytics } from '#platform/analysis/analytics/chdb/chdb-analytics.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import type { TestAnalytics } from '#platform/program/testing/test-analytics.ts'
import { closeIdleDatabases } from '#platform/program/testing/test-database.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { startTestBff } from './start-test-bff.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The addresses of the BFF, and of the server that runs the operator's commands; the file with the bundled app. */
    served: { url: string; operator: string; app: string }
  }
}

/**
 * Serves the suites that draw pages in a document: the platform's real HTTP stack without a run engine, and the real BFF
 * in front of it. They run outside the tests' processes, whose globals are a browser's.
 */
export async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-page-tests-'))
  const platform = await openTestPlatform({ openEngine: () => openEngine(join(folder, 'analytics')) })
  const bff = await startTestBff(folder, await platform.listen())
  const operator = await serveCommands(platform)
  const app = await bundleApp(folder)
  project.provide('served', { url: addressOf(bff.server), operator: addressOf(operator), app })
  return async () => {
    operator.close()
    await bff.close()
    await platform.close()
    await closeIdleDatabases()
    await rm(folder, { recursive: true, force: true })
  }
}

/** An engine that ends with the platform. Those that tests lend to each other would keep this process alive. */
async function openEngine(folder: string): Promise<TestAnalytics> {
  const analytics = chdbAnalytics({ folder, readSeconds: 20 })
  return { analytics, folder, close: () => analytics.close() }
}

/**
 * Bundles the app into one script, as the build does. Loading its thousand modules one by one would take most of the time of a
 * test, for each page that it opens.
 */
async function bundleApp(folder: string) {
  const input = 'src/page-tests/app.tsx'
  const output = { format: 'iife' as const, name: 'app', codeSplitting: false, entryFileNames: 'app.js' }
  const rolldownOptions = { input, preserveEntrySignatures: 'strict' as const, output }
  const build = { outDir: folder, emptyOutDir: false, minify: false, reportCompressedSize: false, rolldownOptions }
  const { NODE_ENV } = process.env
  // Vite builds for development under the name that Vitest gives to tests, which is slower and not what people use.
  process.env['NODE_ENV'] = 'production'
  await buildWithVite({ configFile: 'vite.config.ts', logLevel: 'error', build })
  process.env['NODE_ENV'] = NODE_ENV
  return join(folder, 'app.js')
}

const addressOf = (server: { address: () => unknown }) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const Sent = z.object({ name: z.string(), input: z.unknown() })

/** Each POST runs a command of the operator, and answers with the lines that it prints. */
async function serveCommands({ services }: TestPlatform) {
  const server = createServer((request, response) => {
    void json(request)
      .then((sent) => Sent.parse(sent))
      .then(({ name, input }) => runCommand(services, name, input, () => {}))
      .then((lines) => response.end(JSON.stringify(lines)))
      .catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return server
}
