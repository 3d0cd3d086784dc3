import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from '#tools/free-port.mjs'

const startDeadlineMs = 180_000

export type Program = {
  url: string
  dataDir: string
  platformUrl: string
  /** Ends the program, and deletes its data folder after `beforeDeleted`. */
  stop: (beforeDeleted?: (dataDir: string) => Promise<void>) => Promise<void>
}

/**
 * Starts the real program, as `npm start` does, on free ports with these settings. Its data folder is a copy of
 * ASSAY_DEMO_FOLDER, or empty if that is not set.
 */
export async function startProgram(settings: Record<string, string> = {}): Promise<Program> {
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-e2e-'))
  if (process.env.ASSAY_DEMO_FOLDER) await cp(process.env.ASSAY_DEMO_FOLDER, dataDir, { recursive: true })
  const [port, platformPort] = [await freePort(), await freePort()]
  const program = spawn(process.execPath, ['tools/start.mjs'], {
    env: {
      ...process.env,
      ASSAY_DEMO: 'examples',
      // Mock runs and waiting agents use no processor, and stories wait for them.
      WORKER_SLOTS: '4',
      // Stories receive webhooks themselves.
      WEBHOOK_ALLOW: '127.0.0.1',
      PORT: `${port}`,
      PLATFORM_PORT: `${platformPort}`,
      DATA_DIR: dataDir,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()))
  const stop = async (beforeDeleted?: (dataDir: string) => Promise<void>) => {
    program.kill('SIGTERM')
    await ended
    await beforeDeleted?.(dataDir)
    await rm(dataDir, { recursive: true, force: true })
  }

  const isReady = await Promise.race([readyLine(program.stdout), ended.then(() => false), deadline()])
  if (!isReady) {
    await stop()
    throw new Error('The program did not reach its ready line')
  }
  return { url: `http://127.0.0.1:${port}`, dataDir, platformUrl: `http://127.0.0.1:${platformPort}`, stop }
}

/** The operator's commands of this worker's stories go to this program; null forgets it. */
export function nameProgram(program: Program | null) {
  const values = { ASSAY_URL: program?.url, ASSAY_DATA_DIR: program?.dataDir, ASSAY_PLATFORM_URL: program?.platformUrl }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
}

async function readyLine(output: NodeJS.ReadableStream) {
  let text = ''
  for await (const chunk of output) {
    text += String(chunk)
    if (text.includes('is ready at')) break
  }
  return text.includes('is ready at')
}

const deadline = () => new Promise<false>((resolve) => setTimeout(() => resolve(false), startDeadlineMs).unref())
