import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'

import { importedByFile } from './folder-graph.mjs'
import { root } from './installed.mjs'

const listTests = (glob) => globSync(glob, { cwd: root, exclude: ['node_modules'] }).toSorted()

/** The tests of a glob that read an environment variable, themselves or in a file they import. @returns {string[]} */
export const findTestsThatRead = (variable, glob) =>
  listTests(glob).filter((test) => [...everythingBehind(test)].some((file) => textOf(file).includes(variable)))

/** What a test imports if it starts a process, a server or a database. The laws of the source are quick all the same. */
const needsAnEngine =
  /from '(#(platform\/program|bff)\/testing\/|@electric-sql\/pglite'|node:(child_process|net|http)')|'\.\/(testing\/|test-(platform|context|database)|open-page)/
const laws = new Set(['tools/import-law.test.ts'])

/** The tests of a glob that take a moment. @returns {string[]} */
export const findFastTests = (glob) =>
  listTests(glob).filter((test) => laws.has(test) || !needsAnEngine.test(textOf(test)))

/**
 * Files that join all nouns. What a test reaches only through one of them is not what it is about, or a change
 * of one verb would be a change of everything.
 */
const joints = new Set([
  'platform/program/server/all-routes.ts',
  'platform/program/server/build-platform.ts',
  // The demo has one of everything.
  'platform/program/demo/seed-demo.ts',
  'platform/program/demo/remove-demo.ts',
  'contract/all-endpoints.ts',
])

/** The tests of a glob that are about one of these files: in its folder, or importing it. @returns {string[]} */
export function findTestsAbout(files, glob) {
  const [wanted, folders] = [new Set(files), new Set(files.filter((file) => file.includes('/')).map(dirname))]
  const isAbout = (test) =>
    wanted.has(test) ||
    folders.has(dirname(test)) ||
    [...everythingBehind(test, joints)].some((file) => wanted.has(file))
  return listTests(glob).filter(isAbout)
}

function everythingBehind(test, closed = new Set()) {
  const found = new Set([test])
  // A set also visits the members that are added on the way.
  for (const file of found) if (!closed.has(file)) for (const each of importsOf(file)) found.add(each)
  return found
}

/** Remembers what a function returned for a file. */
function once(read) {
  const known = new Map()
  return (file) => {
    if (!known.has(file)) known.set(file, read(file))
    return known.get(file)
  }
}

const isScript = (file) => /\.(ts|tsx|mjs)$/.test(basename(file)) && existsSync(root + file)
/** What a file loads without importing it: page tests have the app as one script. */
const bundledBy = { 'src/page-tests/load-app.ts': ['src/page-tests/app.tsx'] }
const importsOf = once((file) => (isScript(file) ? [...importedByFile(file), ...(bundledBy[file] ?? [])] : []))
const textOf = once((file) => (isScript(file) ? readFileSync(root + file, 'utf8') : ''))
