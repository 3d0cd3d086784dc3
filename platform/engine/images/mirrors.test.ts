import { expect, test } from 'vitest'

import { parseImageReference } from '#contract/image-reference.ts'
import { inMirror, parseMirrors } from './mirrors.ts'

test('an image of a mirrored registry is pulled from the mirror, with its tag and digest', () => {
  const mirrors = parseMirrors('docker.io=mirror.lab:5000/hub, ghcr.io=127.0.0.1:7000')
  const found = (text: string) => {
    const reference = parseImageReference(text)
    const mirrored = reference && inMirror(mirrors, reference)
    return mirrored && `${mirrored.registry}/${mirrored.repository}:${mirrored.tag}`
  }
  expect(found('node:24')).toBe('mirror.lab:5000/hub/library/node:24')
  expect(found('ghcr.io/team/app:1')).toBe('127.0.0.1:7000/team/app:1')
  expect(found('quay.io/team/app')).toBeNull()
})

test.each([
  'docker.io',
  'docker.io=',
  '=mirror.lab',
  'a=b=c',
  'docker.io=--x',
  'docker.io=hub',
  'docker.io/x=mirror.lab',
])('the mirror %j is refused with an example', (text) => {
  expect(() => parseMirrors(text)).toThrow('must be a registry and its mirror, such as')
})
