/** A bucket and the part of its keys that belongs to this installation, empty or ending with a slash. */
export type BucketAddress = { bucket: string; prefix: string; endpoint: string | undefined; region: string | undefined }

const example =
  's3://bucket/folder, or s3://bucket?endpoint=https://storage.example&region=eu-1 for a provider other than AWS'

/** Reads BLOBS_URL. Throws an error that says how to write it. */
export function readBucketAddress(text: string): BucketAddress {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || url.protocol !== 's3:' || url.hostname === '')
    throw new Error(`is not the address of a bucket, such as ${example}`)
  if (url.username || url.password)
    throw new Error(
      'must not contain keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the machine a role',
    )
  const known = new Set(['endpoint', 'region'])
  const unknown = [...url.searchParams.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) throw new Error(`has an unknown parameter ${unknown}; write it as ${example}`)
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !(URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol)))
    throw new Error('has an endpoint that is not an http:// or https:// address')
  const folder = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '')
  return {
    bucket: url.hostname,
    prefix: folder === '' ? '' : `${folder}/`,
    endpoint,
    region: url.searchParams.get('region') ?? undefined,
  }
}
