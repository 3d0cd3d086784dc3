import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { findConfinementFault, confinementProbe } from '#platform/ground/confinement/prove-confinement.ts'
import { chdbAnalytics } from './chdb-analytics.ts'
import { findConfinement, proveConfinement } from './confine.ts'
import { startEngineProcess } from './engine-process.ts'
import { spawnEngine } from './spawn-confined.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-confine-'))
const analytics = chdbAnalytics({ folder: join(folder, 'engines') })
const { missing } = await findConfinement()
const isConfined = missing === null

afterAll(async () => {
  await analytics.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (sql: string) => analytics.query('one', sql)

test.skipIf(!isConfined)(
  'an engine process sees its own folder and programs, and no other file of the machine',
  async () => {
    writeFileSync(join(folder, 'secret.txt'), 'secret')
    await analytics.query('two', 'SELECT 1')
    for (const path of [join(folder, 'secret.txt'), '/etc/passwd', '/etc/hostname', join(process.cwd(), 'README.md')])
      await expect(ask(`SELECT * FROM file('${path}', 'RawBLOB')`)).rejects.toThrow()
    const [row] = await ask(
      `SELECT toUInt32(count()) AS files FROM file('${join(folder, 'engines', 'two')}/**', 'One')`,
    ).catch(() => [{ files: 0 }])
    expect(row).toEqual({ files: 0 })
  },
)

test.skipIf(!isConfined)('a statement cannot write a file outside its engine’s folder', async () => {
  mkdirSync(join(folder, 'outside'))
  await ask(`SELECT 1 INTO OUTFILE '${join(folder, 'outside', 'out.csv')}'`).catch(() => {})
  await ask("SELECT 1 INTO OUTFILE '/usr/out.csv'").catch(() => {})
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  expect(readdirSync('/usr')).not.toContain('out.csv')
})

test.skipIf(!isConfined)('an engine process has no network', async () => {
  const interfaces = await ask(
    "SELECT trimLeft(splitByChar(':', line)[1]) AS name FROM file('/proc/net/dev', 'LineAsString', 'line String') WHERE line LIKE '%:%'",
  )
  expect(interfaces).toEqual([{ name: 'lo' }])
})

/** The missing part of the confinement when `bwrap` is this script, or is not installed. */
async function proveWith(script: string | null) {
  const bin = mkdtempSync(join(folder, 'bin-'))
  if (script !== null) writeFileSync(join(bin, 'bwrap'), script, { mode: 0o755 })
  const path = script === null ? bin : `${bin}:/usr/bin:/bin`
  vi.stubEnv('PATH', path)
  return proveConfinement().finally(() => vi.unstubAllEnvs())
}

test('confinement is reported as missing when bubblewrap is absent, fails, or runs programs unconfined', async () => {
  expect(await proveWith(null)).toMatchObject({ missing: 'bubblewrap is not installed' })
  const failing = await proveWith('#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n')
  expect(failing.missing).toBe('bubblewrap does not work here: bwrap: No permissions to create new namespace')
  const passing = await proveWith('#!/bin/sh\nwhile [ "$1" != "--" ]; do shift; done; shift; exec "$@"\n')
  expect(passing.missing).toContain('write outside their folder')
})

test('without confinement no user’s SQL runs, but the platform’s own statements and inserts do', async () => {
  const bare = chdbAnalytics({ folder: join(folder, 'bare'), confinement: () => proveWith(null) })
  const asked = bare.withReader('one', (read) => read('SELECT 1'))
  await expect(asked).rejects.toMatchObject({
    code: 'failed_precondition',
    message: expect.stringMatching(/^SQL is off: .*bubblewrap is not installed.*built-in charts still work\.$/),
  })
  expect(await bare.findSqlObstacle()).toMatch(/^SQL is off/)
  const row = { run_id: '00000000-0000-4000-8000-000000000001', id: 'a::1', experiment_id: 'e', seq: 1, text: 'kept' }
  await bare.insert('one', 'turns', [row])
  expect(await bare.query('one', 'SELECT text FROM turns')).toEqual([{ text: 'kept' }])
  await bare.close()
})

test('an unconfined engine process itself refuses a user’s SQL', async () => {
  const own = join(realpathSync(folder), 'unconfined')
  mkdirSync(own)
  const engine = startEngineProcess({ folder: own, memoryBytes: 2 ** 31 }, await proveWith(null))
  const statement = { sql: 'SELECT 1 AS one', parameters: {}, deadlineSeconds: 5 }
  await expect(engine.perform({ kind: 'read', ...statement }, 5)).rejects.toMatchObject({ code: 'failed_precondition' })
  await engine.ready
  const { parts } = await engine.perform({ kind: 'query', ...statement }, 5)
  expect(Buffer.concat(parts).toString()).toBe('{"one":1}\n')
  await engine.stop()
})

const printedInside = async (script: string) => {
  const { confine } = await findConfinement()
  const command = confine(mkdtempSync(join(folder, 'own-')), ['sh', '-c', `{ ${script}\n} >&2`])
  const child = spawnEngine(command)
  let printed = ''
  child.stderr?.on('data', (chunk) => (printed += String(chunk)))
  await once(child, 'close')
  return printed
}

test.skipIf(!isConfined)('an engine process cannot write any file below /proc and /sys', async () => {
  const printed = await printedInside(confinementProbe)
  expect(Number(/tried: (\d+)/.exec(printed)?.[1])).toBeGreaterThan(200)
  expect(findConfinementFault(printed)).toBeNull()
})

test.skipIf(!isConfined)('an engine process inherits no descriptor of the platform’s files', async () => {
  const open = (await printedInside('ls -l /proc/$$/fd; true')).split('\n')
  const kinds = open.flatMap((line) => / -> ([^:[]*)/.exec(line)?.[1] ?? [])
  expect(new Set(kinds)).toEqual(new Set(['/dev/null', 'socket']))
})
