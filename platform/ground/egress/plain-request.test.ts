import { expect, test } from 'vitest'

import { expectLinear, measured } from '#tools/processor-time.ts'
import { namesInConnection } from './plain-request.ts'

test('a header that names others is read in time that grows with its length', measured, async () => {
  expect(namesInConnection('Close ,\tX-Secret')).toEqual(['close', 'x-secret'])
  await expectLinear((size) => namesInConnection(`a${' '.repeat(size)}b`), 200_000)
})
