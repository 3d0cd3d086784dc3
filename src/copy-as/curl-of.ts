import { type CallInput, type Endpoint, toRequestParts } from '#contract/endpoint.ts'

/** One word for the shell, whatever is in it. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same call from a shell. The key is the reader's own and stays in their environment: a page never has one. */
export function curlOf<E extends Endpoint>(target: E, input: CallInput<E>, orgId: string | undefined): string {
  const { path, query, body } = toRequestParts(target, { ...(input as Record<string, unknown>), orgId })
  const address = `/api/v1${path}${query.size > 0 ? `?${query}` : ''}`
  return [
    `curl -sS --fail-with-body -X ${target.method} "\${ASSAY_URL:-http://127.0.0.1:4401}"${quoted(address)}`,
    `-H "Authorization: Bearer $ASSAY_API_KEY"`,
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(JSON.stringify(body))}`]),
  ].join(' \\\n  ')
}
