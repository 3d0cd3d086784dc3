import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

import { expect, test } from 'vitest'

import { appSources } from '#tools/build-app.mjs'
import { serverSources } from '#tools/build-servers.mjs'

const lines = readFileSync(new URL('../.dockerignore', import.meta.url), 'utf8').split('\n')
const sent = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

test('the context of the image has all that the app and the programs are built from', () => {
  const wanted = [...appSources, ...serverSources].map((source) => source.split('/')[0] ?? '')
  expect(wanted).toContain('client')
  expect(wanted.filter((name) => !sent.some((pattern) => matchesGlob(name, pattern)))).toEqual([])
})
