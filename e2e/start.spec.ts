import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

import { expect, test as base } from './fixtures.ts'
import { freePort } from '#tools/free-port.mjs'

type Started = { program: ChildProcess; output: { stdout: string; stderr: string } }

/** `startBesides(port)` starts only a second BFF in front of the running platform, so there is no second engine. */
const test = base.extend<{ startBesides: (port: number) => Started }>({
  startBesides: async ({ baseURL }, provide) => {
    const started: ChildProcess[] = []
    await provide((port) => {
      const env = { ...process.env, PORT: `${port}`, PLATFORM_URL: baseURL }
      const program = spawn(process.execPath, ['tools/start.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const output = { stdout: '', stderr: '' }
      program.stdout.on('data', (chunk) => (output.stdout += String(chunk)))
      program.stderr.on('data', (chunk) => (output.stderr += String(chunk)))
      started.push(program)
      return { program, output }
    })
    for (const program of started) program.kill('SIGTERM')
  },
})

/** Allows for a busy machine and for a build if src/ has changed. */
const readyWithin = { timeout: 45_000 }

const responses = (port: number) =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    (response) => response.ok,
    () => false,
  )

const exitCode = async (program: ChildProcess) => program.exitCode ?? (await once(program, 'exit'))[0]

test('the starter prints one ready line, and SIGTERM stops every process with exit code 0', async ({
  startBesides,
}) => {
  const port = await freePort()
  const { program, output } = startBesides(port)
  await expect.poll(() => output.stdout, readyWithin).toBe(`Assay is ready at http://127.0.0.1:${port}\n`)
  expect(await responses(port)).toBe(true)

  program.kill('SIGTERM')
  expect(await exitCode(program)).toBe(0)
  expect(await responses(port)).toBe(false)
})

test('a starter killed with SIGKILL takes its servers with it', async ({ startBesides }) => {
  const port = await freePort()
  const { program, output } = startBesides(port)
  await expect.poll(() => output.stdout, readyWithin).toContain('is ready')

  program.kill('SIGKILL')
  await expect.poll(() => responses(port)).toBe(false)
})

test('the starter names a port that is in use and exits with code 1', async ({ startBesides }) => {
  const port = Number(new URL(process.env.ASSAY_URL ?? '').port)
  const { program, output } = startBesides(port)
  expect(await exitCode(program)).toBe(1)
  expect(output.stderr).toContain(`Port ${port} is in use. Set PORT to a free one`)
  expect(output.stdout).toBe('')
})
