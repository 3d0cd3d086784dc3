import { existsSync, globSync, readFileSync } from 'node:fs'

import { importedByFile } from './folder-graph.mjs'
import { root } from './installed.mjs'

/**
 * The tests below a folder for which an environment variable changes nothing: neither they nor the files they import
 * mention it. @returns {string[]}
 */
export function findTestsWithout(variable, folder) {
  const mentions = (file) => existsSync(root + file) && readFileSync(root + file, 'utf8').includes(variable)
  const tests = globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root })
  return tests.filter((test) => !everythingBehind(test).some(mentions)).toSorted()
}

const known = new Map()

function everythingBehind(test) {
  const found = new Set([test])
  // A set also visits the members that are added on the way.
  for (const file of found) {
    if (!known.has(file)) known.set(file, existsSync(root + file) ? importedByFile(file) : [])
    for (const each of known.get(file)) found.add(each)
  }
  return [...found]
}
