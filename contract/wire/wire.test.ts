import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { resolveAliases, toCamelCaseFields, toSnakeCaseFields } from './field-names.ts'
import { listParam } from './list-param.ts'
import { decodePageToken, encodePageToken } from './page-token.ts'
import { booleanParam, integerParam } from './query-values.ts'
import { compositeRunId, isCompositeRunId } from './run-id.ts'

describe('field names', () => {
  test('snake_case becomes lowerCamelCase at any depth, lists included', () => {
    const body = { version_files: [{ tar_sha256: 'a', sizeBytes: 1 }], replaceVersionFiles: true }
    expect(toCamelCaseFields(body)).toEqual({
      versionFiles: [{ tarSha256: 'a', sizeBytes: 1 }],
      replaceVersionFiles: true,
    })
  })

  test('a name of a million underscores is read as quickly as any other', () => {
    const startedAt = performance.now()
    expect(toCamelCaseFields({ ['_'.repeat(1_000_000)]: 1, ___a__b: 2 })).toMatchObject({ AB: 2 })
    expect(performance.now() - startedAt).toBeLessThan(1000)
  })

  test('opaque fields keep their content as sent', () => {
    expect(toCamelCaseFields({ proposed: { a_b: 1 } }, ['proposed'])).toEqual({ proposed: { a_b: 1 } })
  })

  test('parameters go out in snake_case', () => {
    expect(toSnakeCaseFields({ runRequestId: 'x', limit: 1 })).toEqual({ run_request_id: 'x', limit: 1 })
  })

  test('an alias stands in for its field, and the field’s own name wins', () => {
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
  ])('a list of %j reads as %j', (given, expected) => {
    expect(listParam().parse(given)).toEqual(expected)
  })

  test('numbers and booleans are read from text and nothing else', () => {
    expect(integerParam(1, 10).parse('7')).toBe(7)
    for (const wrong of ['0', '11', '1.5', '1e1', 'x', ''])
      expect(integerParam(1, 10).safeParse(wrong).success).toBe(false)
    expect(booleanParam().parse('false')).toBe(false)
    for (const wrong of ['yes', '1', 'TRUE']) expect(booleanParam().safeParse(wrong).success).toBe(false)
  })
})

describe('ids and tokens', () => {
  test('a composite run id is told from a request id by its ::', () => {
    expect(isCompositeRunId(compositeRunId('a~b', '12ab'))).toBe(true)
    expect(isCompositeRunId('01a1f9ba-f390-75df-8669-b25323993f48')).toBe(false)
  })

  test('a page token gives its position back, whatever text it holds, and is safe in a URL', () => {
    const Position = z.tuple([z.string(), z.int()])
    const token = encodePageToken(['日本 / % ::', 3])
    expect(token).toMatch(/^[\w-]+$/)
    expect(decodePageToken(token, Position)).toEqual(['日本 / % ::', 3])
  })

  test.each(['', 'x', '%%%', encodePageToken(['only one'])])('the token %j is refused', (token) => {
    expect(decodePageToken(token, z.tuple([z.string(), z.int()]))).toBeNull()
  })
})
