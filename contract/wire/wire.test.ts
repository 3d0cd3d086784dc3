import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { expectLinear } from '#tools/processor-time.ts'
import { resolveAliases, toCamelCaseFields, toSnakeCaseFields } from './field-names.ts'
import { listParam } from './list-param.ts'
import { decodePageToken, encodePageToken } from './page-token-encoding.ts'
import { booleanParam, integerParam } from './query-values.ts'
import { compositeRunId, isCompositeRunId } from './run-id.ts'

describe('field names', () => {
  test('snake_case field names become lowerCamelCase at any depth, including in lists', () => {
    const body = { version_files: [{ tar_sha256: 'a', sizeBytes: 1 }], replaceVersionFiles: true }
    expect(toCamelCaseFields(body)).toEqual({
      versionFiles: [{ tarSha256: 'a', sizeBytes: 1 }],
      replaceVersionFiles: true,
    })
  })

  test('a name of a million underscores is converted quickly', async () => {
    await expectLinear(
      (length) => expect(toCamelCaseFields({ ['_'.repeat(length)]: 1, ___a__b: 2 })).toMatchObject({ AB: 2 }),
      1_000_000,
    )
  })

  test('opaque fields keep their content unchanged', () => {
    expect(toCamelCaseFields({ proposed: { a_b: 1 } }, ['proposed'])).toEqual({ proposed: { a_b: 1 } })
  })

  test('query parameters are sent in snake_case', () => {
    expect(toSnakeCaseFields({ runRequestId: 'x', limit: 1 })).toEqual({ run_request_id: 'x', limit: 1 })
  })

  test('an alias sets its field, unless the field’s own name is sent', () => {
    expect(resolveAliases({ updatedSince: 'a' }, { updatedSince: 'since' })).toEqual({ since: 'a' })
    expect(resolveAliases({ updatedSince: 'a', since: 'b' }, { updatedSince: 'since' })).toEqual({ since: 'b' })
  })
})

describe('parameters', () => {
  test.each([
    ['a', ['a']],
    [
      ['a', 'b,c'],
      ['a', 'b', 'c'],
    ],
    [' a , ,b ', ['a', 'b']],
    [undefined, undefined],
  ])('the list parameter %j is parsed as %j', (given, expected) => {
    expect(listParam().parse(given)).toEqual(expected)
  })

  test('numbers and booleans are parsed from text and nothing else', () => {
    expect(integerParam(1, 10).parse('7')).toBe(7)
    for (const wrong of ['0', '11', '1.5', '1e1', 'x', ''])
      expect(integerParam(1, 10).safeParse(wrong).success).toBe(false)
    expect(booleanParam().parse('false')).toBe(false)
    for (const wrong of ['yes', '1', 'TRUE']) expect(booleanParam().safeParse(wrong).success).toBe(false)
  })
})

describe('ids and tokens', () => {
  test('the :: of a composite run id distinguishes it from a request id', () => {
    expect(isCompositeRunId(compositeRunId('a~b', '12ab'))).toBe(true)
    expect(isCompositeRunId('01a1f9ba-f390-75df-8669-b25323993f48')).toBe(false)
  })

  test('a page token is decoded to its position, whatever text it contains, and is safe in a URL', () => {
    const Position = z.tuple([z.string(), z.int()])
    const token = encodePageToken(['日本 / % ::', 3])
    expect(token).toMatch(/^[\w-]+$/)
    expect(decodePageToken(token, Position)).toEqual(['日本 / % ::', 3])
  })

  test.each(['', 'x', '%%%', encodePageToken(['only one'])])('the page token %j is rejected', (token) => {
    expect(decodePageToken(token, z.tuple([z.string(), z.int()]))).toBeNull()
  })
})
