import { once } from 'node:events'

import type { Services } from '#platform/ground/context/context.ts'
import { unavailable } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { buildPlatform } from '#platform/program/server/build-platform.ts'
import { readPlatformConfig } from '#platform/program/server/platform-config.ts'

/** A run engine whose mock runs end at once. */
export const startDispatching = (services: Services, { workFolder, slots }: { workFolder: string; slots: number }) =>
  startRunEngine(services, { sandbox: unavailable('Mock runs need none'), workFolder, slots, mockPauses: false })

// Started as a process, this is a worker that starts on the message of its parent: `node dispatch-engine.ts <slots>`.
if (import.meta.main && process.send) {
  const config = readPlatformConfig({ ...process.env, WORKER_SLOTS: '0', ASSAY_DEMO: 'off' })
  const { services } = await buildPlatform(config, { isWorker: true })
  process.send('ready')
  await once(process, 'message')
  const workFolder = process.env['WORK_FOLDER'] ?? ''
  const engine = startDispatching(services, { workFolder, slots: Number(process.argv[2]) })
  process.once('SIGTERM', () => void engine.stop().then(() => process.exit(0)))
}
