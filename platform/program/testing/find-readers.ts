import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

import { z } from 'zod'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A module that reaches files, processes or the network is not called with texts that nobody wrote for it. */
const reachesOut = /from '(?:node:(?:fs|child_process|https?|net|worker_threads)|undici|pg|@aws-sdk|tar)\b/

const takesText =
  /^export (?:function (\w+)|const (\w+) =)\s*(?:<[^(]*>)?\(\s*(?!(?:folder|path|root|cache|place|file)\b)\w+: (?:string|unknown)\b/gm

/** The exported functions in a source text whose first parameter is a text. Those that are `async` wait for something else. */
export const namesOfReaders = (source: string): string[] =>
  reachesOut.test(source) ? [] : Array.from(source.matchAll(takesText), ([, one, other]) => one ?? other ?? '')

type Reader = { name: string; read: (text: string) => unknown }

/**
 * Every exported function of `contract/` and `platform/` that takes a text, and every exported schema of `contract/`. A
 * function gets the text for each parameter that it requires.
 */
export async function findReaders(): Promise<Reader[]> {
  const files = globSync('{contract,platform}/**/*.ts', { cwd: root }).filter(
    (file) => !/\.test\.ts$|^platform\/program\/testing\//.test(file),
  )
  const found = await Promise.all(files.toSorted().map(readersOf))
  return found.flat()
}

async function readersOf(file: string): Promise<Reader[]> {
  const names = new Set(namesOfReaders(readFileSync(join(root, file), 'utf8')))
  if (names.size === 0 && !file.startsWith('contract/')) return []
  const exported: Record<string, unknown> = await import(join(root, file))
  return Object.entries(exported).flatMap(([key, value]) => {
    const name = `${key} of ${file}`
    if (value instanceof z.ZodType) return [{ name, read: (text: string) => value.safeParse(text) }]
    if (typeof value !== 'function' || !names.has(key)) return []
    return [{ name, read: (text: string) => Reflect.apply(value, null, Array(Math.max(1, value.length)).fill(text)) }]
  })
}
