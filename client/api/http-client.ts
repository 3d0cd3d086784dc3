import { readFileSync } from 'node:fs'
import nodeTls from 'node:tls'

import { EnvHttpProxyAgent, fetch, type RequestInit, type Response } from 'undici'

import { CommandError } from '#client/exit-codes.ts'
import type { Io } from '#client/io.ts'
import { ApiError } from '#src/api/errors.ts'

export type HttpClient = (
  url: string,
  init?: Pick<RequestInit, 'method' | 'headers' | 'body' | 'signal'>,
) => Promise<Response>

/**
 * Fetches through the proxies of HTTPS_PROXY, HTTP_PROXY and NO_PROXY, and accepts the certificates of `caFile` beside the
 * usual ones, which include those of NODE_EXTRA_CA_CERTS. It follows no redirect, because the key would go wherever that leads.
 */
export function httpClient({ env }: Pick<Io, 'env'>, caFile: string | undefined): HttpClient {
  const own = [env['no_proxy'] ?? env['NO_PROXY'] ?? '', 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',')
  const tls = caFile === undefined ? {} : { ca: [...usualCertificates(env), readCertificates(caFile)] }
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: own,
    connect: tls,
    requestTls: tls,
  })
  return async (url, init = {}) => {
    const { origin } = new URL(url)
    const answer = await fetch(url, { ...init, redirect: 'manual', dispatcher }).catch((cause: unknown) => {
      if (init.signal?.aborted) throw cause
      throw new ApiError('unreachable', `${origin} could not be reached: ${reasonOf(cause)}`, { cause })
    })
    const target = answer.headers.get('location')
    if (answer.status >= 300 && answer.status < 400 && target !== null)
      throw new CommandError(`${origin} redirects to ${target}. Log in with that address if you trust it`)
    return answer
  }
}

/** Node 20 can't list what it accepts by default: the authorities that it was built with, and those of a variable. */
function usualCertificates(env: Io['env']): readonly string[] {
  const accepted = (nodeTls as Partial<typeof nodeTls>).getCACertificates?.('default')
  const extra = env['NODE_EXTRA_CA_CERTS']
  return accepted ?? [...nodeTls.rootCertificates, ...(extra ? [readCertificates(extra)] : [])]
}

function readCertificates(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(`The file of certificates ${file} could not be read`)
  }
}

/** The codes of certificates whose authority is unknown. */
const untrusted: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined) return reasonOf(error.cause)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (untrusted.has(code))
    return 'this machine does not trust its certificate. Name the file of its authority with ASSAY_CA_FILE, or with assay login --ca-file'
  if (code.startsWith('ERR_SSL_')) return 'it does not speak HTTPS. If it has no certificate, use http://'
  return error.message || error.name
}
