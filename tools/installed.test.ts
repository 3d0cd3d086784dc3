import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { isRelease } from './installed.mjs'

function makeFolder(packages: string[], { isBuilt = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of packages) mkdirSync(join(folder, 'node_modules', name), { recursive: true })
  mkdirSync(join(folder, 'dist'))
  if (isBuilt) writeFileSync(join(folder, 'dist/.built-from'), '')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies: { zod: '1', '@scope/one': '1' } }))
  return `${folder}/`
}

const runtime = ['zod', '@scope/one']

test('a built app with exactly the packages that run it is a release', () => {
  expect(isRelease(makeFolder(runtime))).toBe(true)
})

test.each([
  ['is not built', runtime, false],
  ['lacks a package', ['zod'], true],
  ['has the packages for development', [...runtime, 'vite'], true],
  ['has a Node of its own', [...runtime, 'node'], true],
])('a folder that %s is no release, so the start installs and builds', (_, packages, isBuilt) => {
  expect(isRelease(makeFolder(packages, { isBuilt }))).toBe(false)
})
