import { readdir, readFile } from 'node:fs/promises'

import { afterAll, describe, expect, test } from 'vitest'

import { infrastructureOf, RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { openTestContainers } from '#platform/program/testing/test-containers.ts'
import { waitUntil } from '#platform/program/testing/test-run-engine.ts'

const { containers, skip } = await openTestContainers()
afterAll(() => containers.close())

async function isAlive(name: string) {
  const pids = (await readdir('/proc')).filter((each) => /^\d+$/.test(each))
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '')))
  return lines.some((line) => line.startsWith(name))
}

describe.skipIf(skip !== null)(`an engine that stops (${skip ?? 'available'})`, () => {
  test('during a command is a failure of the infrastructure, and no process of the run stays', async () => {
    const { shell } = await containers.openRun()
    const argv = ['bash', '-c', 'exec -a outlives-engine sleep 600']
    const ended = shell('', { argv }).catch((error: unknown) => error)
    await waitUntil(() => isAlive('outlives-engine'), 'the command to start')
    containers.signalEngine('SIGTERM')
    const failure = await ended
    if (!(failure instanceof RunFailure)) throw new Error(`The command ended: ${JSON.stringify(failure)}`)
    expect(infrastructureOf(failure)).toEqual({ cause: 'sandbox', isTransient: true })
    expect(await isAlive('outlives-engine')).toBe(false)
    const next = await shell('true').catch((error: unknown) => error)
    expect(next instanceof RunFailure && infrastructureOf(next)?.cause).toBe('sandbox')
  }, 60_000)
})
