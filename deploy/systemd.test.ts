import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('./systemd', import.meta.url))
const units = readdirSync(folder)
const program = ['/usr/bin', '/bin'].map((path) => join(path, 'systemd-analyze')).find(existsSync)

test.skipIf(!program)(`systemd accepts the units (${program ?? 'systemd-analyze is not installed'})`, () => {
  const copies = mkdtempSync(join(tmpdir(), 'assay-units-'))
  for (const name of units) {
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(copies, name), text.replaceAll('/opt/assay', resolve('.')))
  }
  const names = units.map((name) => join(copies, name.replace('@.', '@1.')))
  const { status, stderr } = spawnSync(program ?? '', ['verify', ...names], { encoding: 'utf8' })
  rmSync(copies, { recursive: true })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

test('the units name programs and documents of this folder', () => {
  const named = units.flatMap((name) => [
    ...readFileSync(join(folder, name), 'utf8').matchAll(/(?:\/opt\/assay\/|ExecStart=\S+ )((?:docs|tools)\/[\w.-]+)/g),
  ])
  expect(named.length).toBeGreaterThanOrEqual(units.length * 2)
  expect(named.filter(([, path = '']) => !existsSync(path))).toEqual([])
})

test('the units hide nothing of /proc, because the kernel then lets bubblewrap mount none', () => {
  const hiding =
    /^(RestrictNamespaces|ProtectKernelTunables|ProtectKernelLogs|ProtectProc|ProcSubset|SystemCallFilter)=/m
  expect(units.filter((name) => hiding.test(readFileSync(join(folder, name), 'utf8')))).toEqual([])
})
