import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

import { expect, onTestFinished, test } from 'vitest'
import type { z } from 'zod'

import type { EngineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { runExec } from './run-exec.ts'

/** An engine that is first asked when the command has long ended, and what it passes on, as a stream of its own. */
async function startEndedCommand() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const [passedOn] = await once(server, 'connection')
  onTestFinished(() => {
    socket.destroy()
    passedOn.destroy()
    server.close()
  })
  const state = { Running: false, ExitCode: 0, Pid: 0, CanRemove: false }
  const engine = {
    ask: async (_: unknown, schema: z.ZodType) => schema.parse({ Id: 'e', ...state }),
    hijack: async () => ({ socket, head: Buffer.alloc(0) }),
  } as unknown as EngineClient
  const output = {
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    wrap: (argv: readonly string[]) => [...argv],
    end: async () => {},
  }
  const spec = { argv: ['sh'], env: {}, user: '0:0', workingDir: '/', hasStdin: true, output }
  return { passedOn, ...(await runExec(engine, 'c', spec)) }
}

test('a command that has ended before the engine is asked for the first time ends with its exit code', async () => {
  const { exit, passedOn } = await startEndedCommand()
  // Some engines have an exit code of 0 before the start, too.
  expect(await Promise.race([exit, delay(300, 'not yet')])).toBe('not yet')
  const said = Buffer.from('started\n')
  passedOn.write(Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0, said.length]), said]))
  expect(await exit).toBe(0)
})
