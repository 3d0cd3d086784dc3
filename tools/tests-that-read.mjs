import { existsSync, globSync, readFileSync } from 'node:fs'

import { importedByFile } from './folder-graph.mjs'
import { root } from './installed.mjs'

/** The tests of a glob that read an environment variable, themselves or in a file they import. @returns {string[]} */
export const findTestsThatRead = (variable, glob) => sortTests(variable, glob).reading

/** The other tests of the glob: for them the variable changes nothing. @returns {string[]} */
export const findTestsWithout = (variable, glob) => sortTests(variable, glob).others

function sortTests(variable, glob) {
  const mentions = (file) => existsSync(root + file) && readFileSync(root + file, 'utf8').includes(variable)
  const tests = globSync(glob, { cwd: root, exclude: ['node_modules'] }).toSorted()
  const { true: reading = [], false: others = [] } = Object.groupBy(tests, (test) =>
    String(everythingBehind(test).some(mentions)),
  )
  return { reading, others }
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
