import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const startDeadlineMs = 180_000

/** Starts the real program, as `npm start` does, on free ports and an empty data folder; gives back how to stop it. */
export default async function startProgram() {
  // Set by hand, with ASSAY_DATA_DIR and ASSAY_PLATFORM_URL, to run the stories against a program that is already running.
  if (process.env.ASSAY_URL) return undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'assay-e2e-'))
  const [port, platformPort] = [await freePort(), await freePort()]
  const program = spawn(process.execPath, ['tools/start.mjs'], {
    env: { ...process.env, PORT: `${port}`, PLATFORM_PORT: `${platformPort}`, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => program.once('exit', () => resolve()))
  const stop = async () => {
    program.kill('SIGTERM')
    await ended
    await rm(dataDir, { recursive: true, force: true })
  }

  const isReady = await Promise.race([readyLine(program.stdout), ended.then(() => false), deadline()])
  if (!isReady) {
    await stop()
    throw new Error('The program did not reach its ready line')
  }
  process.env.ASSAY_URL = `http://127.0.0.1:${port}`
  process.env.ASSAY_DATA_DIR = dataDir
  process.env.ASSAY_PLATFORM_URL = `http://127.0.0.1:${platformPort}`
  process.env.ASSAY_PLATFORM_URL = `http://127.0.0.1:${platformPort}`
  return stop
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

export function freePort() {
  return new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
