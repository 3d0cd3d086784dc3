import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

// Types cannot tell: every name that ends with .css is a module to them. Only the build would fail.
test('every style sheet that a file of the app imports is there', () => {
  const imported = globSync('src/**/*.{ts,tsx}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import .*?'(\.\/|#)(.+\.css)'$/gm)].map(([, start, name = '']) =>
      start === '#' ? name : join(dirname(file), name),
    ),
  )
  expect(imported.length).toBeGreaterThan(100)
  expect(imported.filter((file) => !existsSync(file))).toEqual([])
})
