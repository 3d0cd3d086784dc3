import { type CallInput, type Endpoint, toRequestParts } from '#contract/endpoint.ts'
import { quoted } from './command-line.ts'

/** The same call as a shell command. The key comes from the reader's environment, because a page never has one. */
export function curlOf<E extends Endpoint>(target: E, input: CallInput<E>, orgId: string | undefined): string {
  const { path, query, body } = toRequestParts(target, { ...(input as Record<string, unknown>), orgId })
  const address = `${path}${query.size > 0 ? `?${query}` : ''}`
  return [
    `curl -sS --fail-with-body -X ${target.method} "\${ASSAY_URL:-http://127.0.0.1:4401}"${quoted(address)}`,
    `-H "Authorization: Bearer $ASSAY_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}
