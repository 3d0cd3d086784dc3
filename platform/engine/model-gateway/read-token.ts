import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Returns every token of a request: clients send it in the header or parameter of their provider. */
function tokensIn(headers: IncomingHttpHeaders, query: URLSearchParams): string[] {
  const bearer = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1]
  const others = [headers['x-api-key'], headers['x-goog-api-key'], ...query.getAll('key')]
  return [bearer, headers.authorization === undefined ? undefined : (bearer ?? ''), ...others]
    .flat()
    .filter((token): token is string => token !== undefined)
}

/** Whether a request has the token of its run, and no other one. */
export function hasToken(token: string, headers: IncomingHttpHeaders, query: URLSearchParams): boolean {
  const found = tokensIn(headers, query)
  return found.length > 0 && found.every((each) => isEqual(each, token))
}

function isEqual(a: string, b: string) {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.byteLength === right.byteLength && timingSafeEqual(left, right)
}
