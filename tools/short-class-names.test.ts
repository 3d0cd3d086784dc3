import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { shortClassNames } from './short-class-names.mjs'

const src = fileURLToPath(new URL('../src', import.meta.url))
const files = globSync('**/*.module.css', { cwd: src }).map((file) => `${src}/${file}`)

test('no two classes of the app have the same short name', () => {
  const shortNames = shortClassNames(src)
  const names = files.flatMap((file) => Array.from({ length: 40 }, (_, place) => shortNames(`class${place}`, file)))
  expect(new Set(names).size).toBe(files.length * 40)
  for (const name of names) expect(name).toMatch(/^_[a-z]{1,2}\d+$/)
})

test('a class has the same name in every build, in whichever order its files are read', () => {
  const read = (paths: readonly string[]) => {
    const shortNames = shortClassNames(src)
    return new Map(
      paths.map((path) => [path, [shortNames('root', path), shortNames('label', path), shortNames('root', path)]]),
    )
  }
  expect(read(files.toReversed())).toEqual(read(files))
})

test('a file outside the folder is refused, because its name could be that of another class', () => {
  expect(() => shortClassNames(src)('root', '/elsewhere/Page.module.css')).toThrow('is not below')
})
