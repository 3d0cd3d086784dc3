import { randomUUID } from 'node:crypto'

import { startFauxqs } from 'fauxqs'

import { readBucketAddress } from '#platform/ground/blobs/read-address.ts'

const keys = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']

/** An S3 server on loopback with an empty bucket. Like the SDK's users, sets keys in the environment. */
export async function startTestBucket() {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  const bucket = `assay-${randomUUID()}`
  server.createBucket(bucket)
  for (const name of keys) process.env[name] = 'test'
  const endpoint = `http://127.0.0.1:${server.port}`
  const url = (folder = '', name = bucket) => `s3://${name}/${folder}?endpoint=${endpoint}`
  return {
    url,
    address: (folder?: string, name?: string) => readBucketAddress(url(folder, name)),
    async stop() {
      for (const name of keys) delete process.env[name]
      await server.stop()
    },
  }
}
