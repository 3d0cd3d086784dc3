// `node tools/folder-graph.mjs [folder]` prints the folders below a folder, each floor above all its imports, at every level.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

import { root } from './installed.mjs'

const imported = /^(?:import|export)\b[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm

/**
 * The imports between the folders below `folder`, with the files that make them. Type imports count like others, tests
 * do not. Every subfolder is a separate folder. @returns {Map<string, Map<string, string[]>>} importing folder →
 * imported folder → the importing lines, `file → file`
 */
export function readFolderGraph(folder, base = root) {
  const graph = new Map()
  const files = globSync(`${folder}/**/*.{ts,tsx}`, { cwd: base })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file))
  for (const file of files.toSorted()) {
    const from = dirname(file)
    if (!graph.has(from)) graph.set(from, new Map())
    for (const specifier of readSpecifiers(join(base, file)).filter(isOurs)) {
      const target = resolveSpecifier(file, specifier)
      const to = dirname(target)
      if (to === from || !target.startsWith(`${folder}/`)) continue
      if (!graph.has(to)) graph.set(to, new Map())
      const lines = graph.get(from).get(to) ?? []
      graph.get(from).set(to, [...lines, `${file} → ${target}`])
    }
  }
  return graph
}

function readSpecifiers(path, isCounted = (_import) => true) {
  return [...readFileSync(path, 'utf8').matchAll(imported)]
    .filter(([text]) => isCounted(text))
    .map((match) => match[1] ?? match[2] ?? match[3])
}

/** The project's files that a file loads, so without type imports. @returns {string[]} */
export const importedByFile = (file, base = root) =>
  readSpecifiers(join(base, file), (text) => !/^(import|export) type\b/.test(text))
    .filter(isOurs)
    .map((specifier) => resolveSpecifier(file, specifier))

const isOurs = (specifier) => /^[.#]/.test(specifier)

function resolveSpecifier(file, specifier) {
  if (specifier.startsWith('#bff/')) return `BFF/${specifier.slice(5)}`
  return specifier.startsWith('#') ? specifier.slice(1) : posix.join(dirname(file), specifier)
}

/**
 * The same imports seen from each level above: first between the storeys, then between the folders in them, and so on
 * down to the graph itself. A folder stands for everything inside it, so a room in a folder cannot hide that two folders
 * import each other. @returns {Map<string, Map<string, string[]>>[]}
 */
export function atEveryLevel(graph, folder) {
  const depthOf = (name) => name.split('/').length
  const [top, bottom] = [depthOf(folder) + 1, Math.max(...[...graph.keys()].map(depthOf))]
  return Array.from({ length: bottom - top + 1 }, (_, index) => atDepth(graph, top + index))
}

function atDepth(graph, depth) {
  const level = new Map()
  const place = (name) => {
    const above = name.split('/').slice(0, depth).join('/')
    if (!level.has(above)) level.set(above, new Map())
    return above
  }
  for (const [name, imports] of graph) {
    const from = place(name)
    for (const [each, lines] of imports) {
      const to = place(each)
      if (to !== from) level.get(from).set(to, [...(level.get(from).get(to) ?? []), ...lines])
    }
  }
  return level
}

/** A shortest cycle of folders, which ends with its first folder; null when there is none. */
export function findCycle(graph) {
  const cycles = [...graph.keys()].flatMap((start) => {
    const path = pathBack(graph, start)
    return path ? [path] : []
  })
  return cycles.toSorted((a, b) => a.length - b.length)[0] ?? null
}

/** A breadth-first search, so that the path is a shortest one. */
function pathBack(graph, start) {
  const queue = [[start]]
  const seen = new Set()
  for (let path = queue.shift(); path; path = queue.shift()) {
    for (const next of graph.get(path.at(-1))?.keys() ?? []) {
      if (next === start) return [...path, start]
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return null
}

/** The floors from the bottom up. A folder is above every folder that it imports. */
export function toFloors(graph) {
  const floors = []
  const placed = new Set()
  while (placed.size < graph.size) {
    const floor = [...graph.keys()].filter(
      (name) => !placed.has(name) && [...graph.get(name).keys()].every((to) => placed.has(to)),
    )
    if (floor.length === 0) throw new Error(`a cycle: ${findCycle(graph)?.join(' → ')}`)
    for (const name of floor) placed.add(name)
    floors.push(floor.toSorted())
  }
  return floors
}

/** A cycle with the imports that make it, as text. */
export const describeCycle = (graph, cycle) =>
  cycle
    .slice(1)
    .map((to, index) => `${cycle[index]} → ${to}: ${graph.get(cycle[index]).get(to).join(', ')}`)
    .join('\n')

const countArrows = (graph) => [...graph.values()].reduce((sum, to) => sum + to.size, 0)

if (import.meta.main) {
  const folder = process.argv[2] ?? 'platform'
  const graph = readFolderGraph(folder)
  for (const level of atEveryLevel(graph, folder)) {
    const floors = toFloors(level)
    const lines = floors.map((names, index) => `${String(index + 1).padStart(2)}  ${names.join('  ')}`)
    process.stdout.write(
      `${level.size} folders on ${floors.length} floors, ${countArrows(level)} arrows, no cycle\n${lines.toReversed().join('\n')}\n\n`,
    )
  }
}
