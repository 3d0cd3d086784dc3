import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { describeCycle, findCycle, readFolderGraph, toFloors } from './folder-graph.mjs'

const cycleIn = (folder: string, base?: string) => {
  const graph = readFolderGraph(folder, base)
  const cycle = findCycle(graph)
  return cycle === null ? null : describeCycle(graph, cycle)
}

test('the folders of the platform import each other in one direction only', () => {
  expect(cycleIn('platform')).toBeNull()
})

test('the graph contains the whole platform, with its type imports', () => {
  const graph = readFolderGraph('platform')
  expect(graph.get('platform/queue/runs')?.get('platform/ground/database/tables')).toContain(
    'platform/queue/runs/store.ts → platform/ground/database/tables/runs.ts',
  )
  expect(graph.get('platform/queue/runs')?.has('platform/ground/context')).toBe(true)
  expect(graph.size).toBeGreaterThan(40)
  expect(toFloors(graph)[0]).toContain('platform/ground/failures')
})

test('the rooms of one feature import each other in one direction only', () => {
  for (const feature of ['results', 'runs', 'insights', 'experiments'])
    expect(cycleIn(`src/features/${feature}`), feature).toBeNull()
})

test('the folders of the app import each other in one direction only', () => {
  const graph = readFolderGraph('src')
  // `src` itself has both ends: main.tsx imports the app, and every folder imports paths.ts.
  graph.delete('src')
  for (const imports of graph.values()) imports.delete('src')
  expect(graph.size).toBeGreaterThan(40)
  const cycle = findCycle(graph)
  expect(cycle && describeCycle(graph, cycle)).toBeNull()
})

function makeTree(files: Record<string, string>) {
  const base = mkdtempSync(join(tmpdir(), 'assay-folder-graph-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  return base
}

test('a cycle of type imports over several folders is found, with the files that make it', () => {
  const base = makeTree({
    'platform/a/one.ts': "import type { Two } from '#platform/b/two.ts'\n",
    'platform/b/two.ts': "import {\n  type Three,\n} from '#platform/b/inner/three.ts'\n",
    'platform/b/inner/three.ts': "export const three = () => import('#platform/a/one.ts')\n",
  })
  expect(cycleIn('platform', base)?.split('\n')).toEqual([
    'platform/a → platform/b: platform/a/one.ts → platform/b/two.ts',
    'platform/b → platform/b/inner: platform/b/two.ts → platform/b/inner/three.ts',
    'platform/b/inner → platform/a: platform/b/inner/three.ts → platform/a/one.ts',
  ])
})

test('imports in tests, and of files in the same folder, make no cycle', () => {
  const base = makeTree({
    'platform/a/one.ts': "import { two } from '#platform/b/two.ts'\nimport './other.ts'\n",
    'platform/a/other.ts': "import { one } from './one.ts'\n",
    'platform/b/two.ts': 'export const two = 2\n',
    'platform/b/two.test.ts': "import { one } from '#platform/a/one.ts'\n",
  })
  expect(cycleIn('platform', base)).toBeNull()
})
