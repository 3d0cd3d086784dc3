import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { atEveryLevel, describeCycle, findCycle, type FolderGraph, readFolderGraph, toFloors } from './folder-graph.mjs'

/** The first cycle from the top: between storeys, between the folders of storeys, between the rooms of folders. */
function cycleAtAnyLevel(graph: FolderGraph, folder: string) {
  for (const level of atEveryLevel(graph, folder)) {
    const cycle = findCycle(level)
    if (cycle) return describeCycle(level, cycle)
  }
  return null
}

const cycleIn = (folder: string, base?: string) => cycleAtAnyLevel(readFolderGraph(folder, base), folder)

test('the storeys of the platform, their folders and the rooms inside import each other in one direction only', () => {
  expect(cycleIn('platform')).toBeNull()
})

test('the platform has at most eight storeys, which hold nothing but folders', () => {
  const [storeys = []] = atEveryLevel(readFolderGraph('platform'), 'platform').map((level) =>
    [...level.keys()].filter((name) => name !== 'platform'),
  )
  expect(storeys).toHaveLength(8)
  const files = readdirSync('platform', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const astray = files.filter(({ parentPath }) => storeys.includes(parentPath)).map(({ name }) => name)
  expect(astray).toEqual([])
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

test('the folders of the app import each other in one direction only', () => {
  const graph = readFolderGraph('src')
  // `src` itself has both ends: main.tsx imports the app, and every folder imports paths.ts.
  graph.delete('src')
  for (const imports of graph.values()) imports.delete('src')
  expect(graph.size).toBeGreaterThan(40)
  expect(cycleAtAnyLevel(graph, 'src')).toBeNull()
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
    'platform/b/two.ts': "import {\n  type Three,\n} from '#platform/c/three.ts'\n",
    'platform/c/three.ts': "export const three = () => import('#platform/a/one.ts')\n",
  })
  expect(cycleIn('platform', base)?.split('\n')).toEqual([
    'platform/a → platform/b: platform/a/one.ts → platform/b/two.ts',
    'platform/b → platform/c: platform/b/two.ts → platform/c/three.ts',
    'platform/c → platform/a: platform/c/three.ts → platform/a/one.ts',
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

test('two folders that import each other through a room inside are a cycle at the level of folders', () => {
  const base = makeTree({
    'platform/low/a/one.ts': "import { two } from '#platform/low/b/room/two.ts'\n",
    'platform/low/b/room/two.ts': 'export const two = 2\n',
    'platform/low/b/three.ts': "import { one } from '#platform/low/a/one.ts'\n",
  })
  expect(findCycle(readFolderGraph('platform', base))).toBeNull()
  expect(cycleIn('platform', base)?.split('\n')).toEqual([
    'platform/low/a → platform/low/b: platform/low/a/one.ts → platform/low/b/room/two.ts',
    'platform/low/b → platform/low/a: platform/low/b/three.ts → platform/low/a/one.ts',
  ])
})

test('two storeys that import each other through different folders are a cycle at the level of storeys', () => {
  const base = makeTree({
    'platform/low/a/one.ts': "import { two } from '#platform/high/b/two.ts'\n",
    'platform/high/b/two.ts': 'export const two = 2\n',
    'platform/high/c/three.ts': "import { four } from '#platform/low/d/four.ts'\n",
    'platform/low/d/four.ts': 'export const four = 4\n',
  })
  expect(cycleIn('platform', base)?.split('\n')).toEqual([
    'platform/high → platform/low: platform/high/c/three.ts → platform/low/d/four.ts',
    'platform/low → platform/high: platform/low/a/one.ts → platform/high/b/two.ts',
  ])
})
