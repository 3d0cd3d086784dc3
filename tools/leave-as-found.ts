import { afterAll, expect } from 'vitest'

/** The process state that the next test file in the same process would find. */
function lookAround() {
  const seen = new Map<string, unknown>([['folder', process.cwd()]])
  for (const [name, value] of Object.entries(process.env)) seen.set(`variable ${name}`, value)
  for (const name of process.eventNames()) seen.set(`listeners of ${String(name)}`, process.listenerCount(name))
  for (const name of Object.getOwnPropertyNames(globalThis)) seen.set(`global ${name}`, Reflect.get(globalThis, name))
  return seen
}

/** State that libraries keep for the life of the process. */
const isOfALibrary = (name: string) => /^(global __|global awslambda$|listeners of exit$)/.test(name)

const found = lookAround()

// Registered before the hooks of the test file, so it runs last.
afterAll(() => {
  const left = lookAround()
  const changed = [...found.keys(), ...left.keys()].filter((name) => !Object.is(found.get(name), left.get(name)))
  expect(
    changed.filter((name) => !isOfALibrary(name)),
    'this test file changes state that the next one finds',
  ).toEqual([])
})
