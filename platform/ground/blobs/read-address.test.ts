import { expect, test } from 'vitest'

import { readBucketAddress } from './read-address.ts'

test('an address names a bucket, a folder in it and, for providers other than AWS, an endpoint', () => {
  const none = { endpoint: undefined, region: undefined }
  expect(readBucketAddress('s3://lab')).toEqual({ bucket: 'lab', prefix: '', ...none })
  expect(readBucketAddress('s3://lab/assay/eu/')).toEqual({ bucket: 'lab', prefix: 'assay/eu/', ...none })
  expect(readBucketAddress('s3://lab?endpoint=https://s3.example:9000&region=eu-1')).toEqual({
    bucket: 'lab',
    prefix: '',
    endpoint: 'https://s3.example:9000',
    region: 'eu-1',
  })
})

test.each([
  ['https://lab', 'is not the address of a bucket'],
  ['lab', 'is not the address of a bucket'],
  ['s3://', 'is not the address of a bucket'],
  ['s3://key:secret@lab', 'must not contain keys'],
  ['s3://lab?endpiont=https://x', 'unknown parameter endpiont'],
  ['s3://lab?endpoint=ftp://x', 'an endpoint that is not'],
])('%s is refused with the reason', (text, reason) => {
  expect(() => readBucketAddress(text)).toThrow(reason)
  expect(() => readBucketAddress(text)).not.toThrow(/secret@/)
})
