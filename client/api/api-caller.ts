import type { Response } from 'undici'

import { type CallInput, type Endpoint, type ResponseOf, toRequestParts } from '#contract/endpoint.ts'
import type { Io } from '#client/io.ts'
import { ApiError, toApiError } from '#src/api/errors.ts'
import { readContent } from '#src/api/read-content.ts'
import { httpClient } from './http-client.ts'

type Place = { url: string; key: string; orgId?: string | undefined; caFile?: string | undefined }

/** Calls endpoints of the contract with a key. It has no addresses of its own, so it can't differ from the server's. */
export type ApiCaller = {
  /** The address of the server, without a slash at its end. */
  url: string
  call: <E extends Endpoint>(target: E, input: CallInput<E>, signal?: AbortSignal) => Promise<ResponseOf<E>>
  /** A response that is a file, whose body is not read yet. */
  download: <E extends Endpoint>(target: E, input: CallInput<E>, signal?: AbortSignal) => Promise<Response>
}

export function apiCaller(io: Pick<Io, 'env'>, { url, key, orgId, caFile }: Place): ApiCaller {
  const base = url.replace(/[#?].*$/, '').replace(/\/+$/, '')
  const fetch = httpClient(io, caFile)

  async function send<E extends Endpoint>(target: E, input: CallInput<E>, signal?: AbortSignal) {
    const scope = target.organizationScoped ? { orgId } : {}
    const { path, query, body } = toRequestParts(target, { ...(input as Record<string, unknown>), ...scope })
    const accept = target.fileTypes.length > 0 ? target.fileTypes.join(', ') : target.responseType
    const answer = await fetch(`${base}${path}${query.size > 0 ? `?${query}` : ''}`, {
      method: target.method,
      headers: {
        accept,
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    if (!answer.ok) throw toApiError(answer.status, await readContent(answer))
    return answer
  }

  return {
    url: base,
    download: send,
    async call(target, input, signal) {
      const answer = await send(target, input, signal)
      const parsed = target.response.safeParse(await readContent(answer))
      if (parsed.success) return parsed.data as ResponseOf<typeof target>
      throw new ApiError('unexpected_response', unexpected(base, parsed.error.issues[0]), { status: answer.status })
    },
  }
}

const unexpected = (base: string, issue: { path: PropertyKey[]; message: string } | undefined) =>
  `${base} answered something else than this version of assay expects${issue ? ` (${issue.path.map(String).join('.')}: ${issue.message})` : ''}. Is it an Assay server of the same version?`
