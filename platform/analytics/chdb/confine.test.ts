import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { chdbAnalytics } from './chdb-analytics.ts'
import { findConfinement } from './confine.ts'

// An engine's first start takes seconds on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const folder = mkdtempSync(join(tmpdir(), 'assay-confine-'))
const analytics = chdbAnalytics({ folder: join(folder, 'engines') })
const { confine } = await findConfinement()
const isConfined = confine(folder, [process.execPath])[0] === 'bwrap'

afterAll(async () => {
  await analytics.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = (sql: string) => analytics.query('one', sql)

test.skipIf(!isConfined)(
  'an engine’s process sees its own folder and programs, no other file of the machine',
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

test.skipIf(!isConfined)('nothing that a statement writes comes to be outside its folder', async () => {
  mkdirSync(join(folder, 'outside'))
  await ask(`SELECT 1 INTO OUTFILE '${join(folder, 'outside', 'out.csv')}'`).catch(() => {})
  await ask("SELECT 1 INTO OUTFILE '/usr/out.csv'").catch(() => {})
  expect(readdirSync(join(folder, 'outside'))).toEqual([])
  expect(readdirSync('/usr')).not.toContain('out.csv')
})

test.skipIf(!isConfined)('an engine’s process has no network', async () => {
  const interfaces = await ask(
    "SELECT trimLeft(splitByChar(':', line)[1]) AS name FROM file('/proc/net/dev', 'LineAsString', 'line String') WHERE line LIKE '%:%'",
  )
  expect(interfaces).toEqual([{ name: 'lo' }])
})
