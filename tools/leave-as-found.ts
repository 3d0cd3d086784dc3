import { afterAll, expect } from 'vitest'

/** What the next file of tests, which runs in the same process, would find. */
function lookAround() {
  const seen = new Map<string, unknown>([['folder', process.cwd()]])
  for (const [name, value] of Object.entries(process.env)) seen.set(`variable ${name}`, value)
  for (const name of process.eventNames()) seen.set(`listeners of ${String(name)}`, process.listenerCount(name))
  for (const name of Object.getOwnPropertyNames(globalThis)) seen.set(`global ${name}`, Reflect.get(globalThis, name))
  return seen
}

/** What libraries keep for as long as the process lives. */
const isOfALibrary = (name: string) => /^(global __|listeners of exit$)/.test(name)

const found = lookAround()

// Set up before the hooks of the file, and so the last to run.
afterAll(() => {
  const left = lookAround()
  const changed = [...found.keys(), ...left.keys()].filter((name) => !Object.is(found.get(name), left.get(name)))
  expect(
    changed.filter((name) => !isOfALibrary(name)),
    'what this file of tests leaves changed for the next',
  ).toEqual([])
})
